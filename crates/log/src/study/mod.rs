//! What is read out of a study: its table, the differences that are tested together, its findings and its figures.
//!
//! This is the half of a study's file that speaks of results. The runner checks it and writes it beside the logs; the
//! report reads it back and needs nothing else to make tables and figures. Every name in it (arm, block, measure, family)
//! is checked against the study before anything runs, by [`Account::check`].
//!
//! | part of the file | type | what it says |
//! |---|---|---|
//! | `[table]` | [`TableSpec`] | the rows, the measured columns, the difference columns |
//! | `[[families]]` | [`Family`] | which paired differences are adjusted together by Holm's method |
//! | `[[findings]]` | [`Finding`] | a statement in words and the [`Test`] that decides whether it holds |
//! | `[[figures]]` | [`FigureSpec`] | what is drawn |
//!
//! A study that says none of it is read out by [`Account::generic`].

mod account;
mod check;
mod declared;
mod family;
mod figure;
mod finding;
mod generic;
mod limit;
mod measure;
mod pattern;
mod table;
mod written;

pub use account::Account;
pub use family::{Baseline, Family, Over, Pair};
pub use figure::{ChangeForecast, FigureSpec};
pub use finding::{
    Best, Direction, Dominated, Finding, Gap, Level, OfFamily, Ordered, Ratio, Same, Spread, Statistic, Test,
};
pub use limit::Limit;
pub use measure::Measure;
pub use pattern::{Choice, matches};
pub use table::{ColumnSpec, Difference, Rows, Setting, Show, TableSpec};
