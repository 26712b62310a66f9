//! How good an advisor is: its answers against the optimal actions of a world.
//!
//! An appraisal looks at one [`Moment`](crate::Moment) of each of many episodes, asks the advisor, and compares the parsed
//! answer with the set of all optimal actions. It says how often the advisor is right, with the goal in view and without;
//! how often nothing could be understood; how often a wrong answer is followed by another one when the question is put
//! again in the same words, in other words, or with the answer that did not help; and how often the task succeeds when
//! every answer is obeyed. Nothing here chooses a setting of a study.

mod appraise;
mod panel;
mod share;

pub use appraise::{Appraisal, Cost, Repeats, Sample, appraise};
pub use panel::{Heard, Panel};
pub use share::Share;
