//! A table of one's own, with what several advisors' answers brought and cost: is a router worth it?
//!
//! Every row has the outcome of every advisor, so any policy can be played on it. The router meets the rows one by one in several
//! orders, learns from the answers that it chooses, and is compared with one advisor alone, with the best mixture that looks at no
//! request, and with itself knowing groups alone. With two advisors a cascade is played as well. Nothing is extrapolated: all numbers are of rows that are in the file.

mod stream;
mod table;
mod told;
mod weigh;

pub use stream::{Streamed, stream};
pub use table::{Advisor, RouteColumns, RouteTable, read_table};
pub use told::{RouteReport, route_report};
pub use weigh::{RouteSettings, Weighed, policy_text, weigh};
