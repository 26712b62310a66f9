//! The tables and figures of the studies, built from the run's folder alone.
//!
//! A run holds, beside the logs of a study, its sheet: which measures its table shows, which differences are tested together,
//! what is claimed, and what is drawn. So there is one engine for all studies: it reads the columns that the measures need,
//! cell by cell on all cores, keeps the numbers, and tests the claims. A study that nobody here has heard of is tabulated
//! like any other.
//!
//! | step | where |
//! |---|---|
//! | read and measure | `collect`, `measure`; `changed` refuses cells of two kinds |
//! | compare | `family`, `gain` for one comparison that no study declares, and `pool` for one that several studies make |
//! | decide about the findings | `finding`: by `family` where seeds vary, by `exact` where the runs themselves are meant, by neither where `unrun` misses something |
//! | lay out | `table`, `illustrate`, `robust`; what is said first in `lead`; all together in `chapter` |

mod across;
mod changed;
mod chapter;
mod collect;
mod curve;
mod episodes;
mod exact;
mod family;
mod finding;
mod gain;
mod illustrate;
mod lead;
mod measure;
mod pool;
mod reliability;
mod results;
mod robust;
mod ruling;
mod shared;
#[cfg(test)]
#[path = "../../tests/unit/results.rs"]
mod specimen;
mod spent;
mod table;
mod tidy;
mod unrun;
#[cfg(test)]
#[path = "../../tests/unit/whole.rs"]
mod whole;

pub use across::study_family;
pub use changed::Judging;
pub use chapter::{Chapter, study_chapters};
pub use collect::Watch;
pub use episodes::{CellEpisodes, EpisodeSums, cell_episodes};
pub use gain::Gain;
pub use illustrate::{Drawn, study_figures};
pub use lead::Lead;
pub use pool::{Pooling, study_pooled};
pub use robust::Robust;
pub use spent::Spent;
pub use table::study_tables;
pub use tidy::study_tidy;
