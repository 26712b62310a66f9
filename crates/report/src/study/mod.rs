//! The tables and figures of the studies, one file each, built from logs alone.
//!
//! A study is described by its measures (one number per cell of the run, computed from its decisions), the arm its returns
//! are compared with, and the claims that make up its finding. [`study_tables`] reads the logs, applies the measures, and
//! says in the caption whether the finding holds on these runs. What is drawn of a study stands beside its measures;
//! [`study_figures`] builds the figures from the same numbers.

mod babyai;
mod claim;
mod components;
mod correlated;
mod description;
mod drawing;
mod illustrate;
mod informative;
mod limits;
mod lock;
mod lock_tolerance;
mod measure;
mod plain;
mod predictor;
mod query_count;
mod radius_audit;
mod read;
mod results;
mod stability;
mod tabulate;
mod variance_only;

pub use illustrate::study_figures;
pub use tabulate::study_tables;
