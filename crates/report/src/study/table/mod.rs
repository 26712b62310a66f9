//! The table of a study: one engine for all of them, with three layouts of rows.

mod arms;
mod entry;
mod held_out;
mod notes;
mod side_by_side;
mod tabulate;

pub use tabulate::study_tables;
pub(super) use tabulate::{tabulate, tell_apart};

use counsel_log::study::Measure;

use crate::{Column, Entry, Rank};

/// The headings and rows of a table, each entry with the runs behind it.
struct TableLayout {
    columns: Vec<Column>,
    rows: Vec<Vec<Entry>>,
}

/// How much a measured column matters. A study names first what it is about; what was won and what was paid belong to every
/// table that has them; both together come next.
fn rank(place: usize, measure: Measure) -> Rank {
    match measure {
        _ if place == 0 => Rank::Main,
        Measure::Return | Measure::Calls | Measure::CallsPerEpisode => Rank::Main,
        Measure::CostAdjusted => Rank::Next,
        _ => Rank::Further,
    }
}
