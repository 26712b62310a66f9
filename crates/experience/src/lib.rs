//! What an agent knows of its contexts from its own runs: what actions are worth there, how often they come back, and how
//! far the advisor's word can be trusted.
//!
//! A context is what the advisor would be shown. [`Experience`] is an empirical model over contexts, which needs no
//! simulator; [`Labels`] collects what copies of the world told, where a world can be copied. Both give the engine the same
//! two things: samples of an action's value, and bounds on it. [`Recurrence`] says in how many episodes an answer that is
//! kept will serve, [`TrackRecord`] what the advisor's word adds where nothing is known yet, [`Vetting`] whether it is worth
//! following at all, [`Alone`] what the agent would be worth without it, and [`ShiftDetector`] whether a kept answer still
//! delivers what it used to.

mod alone;
mod labels;
mod model;
mod recurrence;
mod shift;
mod tally;
mod track_record;
mod vetting;

pub use alone::Alone;
pub use labels::{LabelTable, Labels};
pub use model::{Experience, ExperienceTable, Kept, Lived};
pub use recurrence::Recurrence;
pub use shift::{ShiftDetector, ShiftSpec, ShiftTest};
pub use track_record::{TrackRecord, TrackRecordSpec};
pub use vetting::{Standing, Vetting, worst_of};
