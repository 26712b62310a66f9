//! Which decision a row is: its cell, so that many logs can be read as one table, and its place in the cell.

use super::Read;
use super::declaration::{Field, LogColumn};
use super::word::{Number, number, put};

pub(super) const COLUMNS: &[LogColumn] = &[
    LogColumn::cell(
        "study",
        "the study, as in the manifest",
        Field::Word { write: |row| Some(&row.key.study), read: |draft, word| same(&draft.key.study, word) },
    ),
    LogColumn::cell(
        "arm",
        "the arm, as in the manifest",
        Field::Word { write: |row| Some(&row.key.arm), read: |draft, word| same(&draft.key.arm, word) },
    ),
    LogColumn::cell(
        "seed",
        "the seed, as in the manifest",
        Field::Int {
            write: |row| Some(row.key.seed.cast_signed()),
            read: |draft, number| same(&draft.key.seed, number.map(i64::cast_unsigned).as_ref()),
        },
    ),
    LogColumn::computed("step", "number of the decision in the run, from 0", number!(Int, record.step)),
    LogColumn::given(
        "place",
        "which of the environments that are played side by side, from 0; 0 where there is one",
        number!(Int, record.place),
    ),
    LogColumn::given(
        "batch",
        "number of the batch: its decisions were all made before the first was resumed; absent where each stands alone",
        number!(Int, record.batch),
    ),
    LogColumn::computed("episode", "number of the episode at its place, from 0", number!(Int, record.episode)),
    LogColumn::computed(
        "step_in_episode",
        "number of the decision in its episode, from 0",
        number!(Int, record.step_in_episode),
    ),
];

/// Refuses a row that belongs to another cell.
fn same<T: PartialEq<U> + std::fmt::Display, U: std::fmt::Display + ?Sized>(expected: &T, found: Option<&U>) -> Read {
    match found {
        Some(found) if *expected == *found => Ok(()),
        Some(found) => Err(format!("is {found}, but this log belongs to {expected}")),
        None => Err("is empty".into()),
    }
}
