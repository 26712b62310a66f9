//! How a BabyAI study is tabulated.

use super::block::{Arm, Block};
use super::difference::Contrast;
use crate::study::claim::Claim;
use crate::study::description::Measured;
use crate::{Cell, Column};

/// A setting that tells the blocks of a study apart, as a first column.
pub(super) struct Setting {
    pub(super) heading: &'static str,
    pub(super) path: &'static [&'static str],
}

/// The settings that tell blocks apart in most studies.
pub(super) const TASK: Setting = Setting { heading: "task", path: &["task"] };
pub(super) const ADVISOR: Setting = Setting { heading: "advisor", path: &["advisor"] };

/// A column that follows from the whole block, not from one cell after the other.
pub(super) struct Derived {
    pub(super) heading: &'static str,
    pub(super) cell: fn(&Block<'_>, &Arm<'_>) -> Cell,
}

/// A table with columns and rows of its own: each row with the runs behind it.
pub(super) struct Sheet {
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Vec<Cell>>,
}

/// What the rows of a table are.
pub(super) enum Rows {
    /// One per block and arm.
    Arms { contrasts: Vec<Contrast>, derived: Vec<Derived> },
    /// The study's own.
    Own(fn(&str, &[Block<'_>]) -> Sheet),
}

/// How a BabyAI study is tabulated.
pub(in crate::study) struct Layout {
    pub(super) settings: Vec<Setting>,
    pub(in crate::study) columns: Vec<Measured>,
    pub(super) rows: Rows,
    /// What the paper says, and whether it holds here.
    pub(super) claims: fn(&[Block<'_>]) -> Vec<Claim>,
    /// What a reader has to know of the columns.
    pub(super) remarks: Vec<String>,
}

/// How the study with this name is tabulated; nothing for a study that is not one of BabyAI's.
pub(in crate::study) fn layout(study: &str) -> Option<Layout> {
    Some(match study {
        "babyai-main" => super::main::layout(),
        "babyai-matched" => super::matched::layout(),
        "babyai-exact" => super::exact::layout(),
        "babyai-surrogate" => super::surrogate::layout(),
        "babyai-volume" => super::volume::layout(),
        "babyai-heldout" => super::heldout::layout(),
        "babyai-persistence" => super::persistence::layout(),
        "babyai-radius" => super::radius::layout(),
        "babyai-corruption" => super::corruption::layout(),
        "babyai-tolerance" => super::tolerance::layout(),
        "babyai-price" => super::price::layout(),
        "babyai-frontier" => super::frontier::layout(),
        "babyai-repeat" => super::repeat::layout(),
        "babyai-best" => super::best::layout(),
        _ => return None,
    })
}
