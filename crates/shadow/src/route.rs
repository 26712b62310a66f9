//! A table of one's own, with what several advisors' answers brought and cost: is a router or a cascade worth it?
//!
//! It is the shadow of decisions without a world. What is known of each request is kept with the chance that it became known
//! ([`RouteTable`]), so a table of all outcomes, a sample of them and a log of choices by chance are judged in one way. Policies at a
//! price are taught, calibrated and judged on three parts of the requests ([`AtPrices`]). Where all outcomes are there, a router also
//! meets the rows one by one at budgets ([`weigh`]), and with two advisors a cascade does ([`stream`]). Nothing is extrapolated.

mod judge;
mod labels;
mod priced;
mod records;
mod sheet;
mod sources;
mod stream;
mod table;
mod told;
mod verdict;
mod weigh;

pub use labels::Labelled;
pub use priced::{AtPrices, Band, Priced};
pub use stream::{Streamed, stream};
pub use table::{Advisor, Basis, RouteColumns, RouteRow, RouteTable, read_table};
pub use told::{RouteReport, route_report};
pub use weigh::{Limit, RouteSettings, Weighed, policy_text, weigh};
