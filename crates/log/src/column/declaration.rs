//! What a declaration of a column says.

use counsel_decision::Record;

use super::{answer, cell, computed, evidence, hindsight, route};
use crate::draft::Draft;
use crate::{CellKey, Decision, Hindsight, Routed};

/// Where the values of a column come from, and so what the audit does with them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// It names the cell: the same in every row, and compared with the manifest whenever the log is read.
    Cell,
    /// It came from outside the engine: the audit takes it as given and recomputes from it.
    Given,
    /// The engine computed it: the audit recomputes it and compares every bit.
    Computed,
    /// It became known after the decision: the digest covers it, and `counsel audit --rerun` computes it again.
    Hindsight,
}

impl Origin {
    /// What the audit does with such a column, in a word or two.
    pub fn audit(self) -> &'static str {
        match self {
            Self::Cell => "compared",
            Self::Given => "given",
            Self::Computed => "recomputed",
            Self::Hindsight => "rerun",
        }
    }
}

/// One column of the log.
#[derive(Debug)]
pub struct LogColumn {
    /// Its name.
    pub name: &'static str,
    /// What an entry means, in one sentence without its full stop.
    pub meaning: &'static str,
    /// Where its values come from.
    pub origin: Origin,
    /// Whether a log has it in any case, or only where a row has an entry.
    pub presence: Presence,
    pub(crate) field: Field,
}

/// Which logs have a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// All of them.
    Always,
    /// Those in which a row has an entry.
    WhereUsed,
}

impl LogColumn {
    /// The type of its entries, in words.
    pub fn type_name(&self) -> &'static str {
        match self.field {
            Field::Int { .. } => "integer",
            Field::Real { .. } => "real",
            Field::Word { .. } => "word",
            Field::Text { .. } => "text",
            Field::Ints { .. } => "integers",
            Field::Reals { .. } => "reals",
            Field::Words { .. } => "words",
        }
    }

    pub(super) const fn cell(name: &'static str, meaning: &'static str, field: Field) -> Self {
        Self { name, meaning, origin: Origin::Cell, presence: Presence::Always, field }
    }

    pub(super) const fn given(name: &'static str, meaning: &'static str, field: Field) -> Self {
        Self { name, meaning, origin: Origin::Given, presence: Presence::Always, field }
    }

    pub(super) const fn computed(name: &'static str, meaning: &'static str, field: Field) -> Self {
        Self { name, meaning, origin: Origin::Computed, presence: Presence::Always, field }
    }

    pub(super) const fn hindsight(name: &'static str, meaning: &'static str, field: Field) -> Self {
        Self { name, meaning, origin: Origin::Hindsight, presence: Presence::Always, field }
    }

    /// The same in those logs alone in which a row has an entry.
    pub(super) const fn where_used(self) -> Self {
        Self { presence: Presence::WhereUsed, ..self }
    }
}

/// What a row of the log is written from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row<'a> {
    pub(crate) key: &'a CellKey,
    pub(crate) record: &'a Record,
    pub(crate) hindsight: &'a Hindsight,
    pub(crate) route: Option<&'a Routed>,
}

impl<'a> Row<'a> {
    pub(crate) fn of(key: &'a CellKey, decision: &'a Decision) -> Self {
        let Decision { record, hindsight, route } = decision;
        Self { key, record, hindsight, route: route.as_deref() }
    }
}

/// Whether an entry could be read. The reason continues a sentence that begins with the column's name.
pub(crate) type Read = Result<(), String>;

/// The type of a column: how an entry is taken from a row, and how it is put into the draft of a decision. A scalar may be
/// absent; a list may be empty.
#[derive(Debug)]
pub(crate) enum Field {
    Int {
        write: fn(Row<'_>) -> Option<i64>,
        read: fn(&mut Draft<'_>, Option<i64>) -> Read,
    },
    Real {
        write: fn(Row<'_>) -> Option<f64>,
        read: fn(&mut Draft<'_>, Option<f64>) -> Read,
    },
    /// One of a few words.
    Word {
        write: for<'a> fn(Row<'a>) -> Option<&'a str>,
        read: fn(&mut Draft<'_>, Option<&str>) -> Read,
    },
    /// Any words at all.
    Text {
        write: for<'a> fn(Row<'a>) -> Option<&'a str>,
        read: fn(&mut Draft<'_>, Option<&str>) -> Read,
    },
    /// Lists: the values of the row are added to those of the rows before.
    Ints {
        write: fn(Row<'_>, &mut Vec<i64>),
        read: fn(&mut Draft<'_>, &[i64]) -> Read,
    },
    Reals {
        write: fn(Row<'_>, &mut Vec<f64>),
        read: fn(&mut Draft<'_>, &[f64]) -> Read,
    },
    Words {
        write: for<'a> fn(Row<'a>, &mut Vec<&'a str>),
        read: fn(&mut Draft<'_>, &[&str]) -> Read,
    },
}

/// Columns that belong together.
#[derive(Debug)]
pub struct Section {
    /// What they are about.
    pub title: &'static str,
    /// The columns, in order.
    pub columns: &'static [LogColumn],
}

/// All columns, in the order in which a log has them.
pub const SECTIONS: &[Section] = &[
    Section { title: "Which decision", columns: cell::COLUMNS },
    Section { title: "Known before any answer", columns: evidence::COLUMNS },
    Section { title: "Computed", columns: computed::COLUMNS },
    Section { title: "Done", columns: answer::COLUMNS },
    Section { title: "Known afterwards", columns: hindsight::COLUMNS },
    Section { title: "Who answered, where decisions are routed", columns: route::COLUMNS },
];

/// All columns, in the order in which a log has them.
pub fn columns() -> impl Iterator<Item = &'static LogColumn> {
    SECTIONS.iter().flat_map(|section| section.columns)
}

/// The columns of routes.
pub(crate) fn routes() -> impl Iterator<Item = &'static LogColumn> {
    route::COLUMNS.iter()
}
