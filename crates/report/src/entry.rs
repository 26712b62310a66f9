//! One entry of a table: what it says, how much it matters, and the runs behind it.
//!
//! Invariant: a entry keeps numbers at full precision; rounding happens when a format shows it. A quantity that was not
//! recorded (`NotLogged`) and a quantity that does not exist (`NotApplicable`) are different answers.

use counsel_file::Printable;
use serde::Serialize;

use crate::number::{fixed, p_value};

/// What a entry says.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Content {
    /// Plain prose.
    Text {
        /// The words.
        text: String,
    },
    /// A number on its own.
    Number {
        /// Full precision.
        value: f64,
        /// Digits shown after the point.
        decimals: usize,
    },
    /// A mean with the half width of its confidence interval: `0.457 ± 0.046`.
    Interval {
        /// Full precision.
        mean: f64,
        /// The number after the plus-minus sign.
        half_width: f64,
        /// Digits shown after the point, in both numbers.
        decimals: usize,
    },
    /// How many.
    Count {
        /// A whole number; the mean of counts is a `Number`.
        count: u64,
    },
    /// How many out of how many: `20/20`.
    Fraction {
        /// Those that did.
        covered: u64,
        /// All of them.
        total: u64,
    },
    /// A p value: `< 0.001`, or three decimals.
    PValue {
        /// Full precision.
        p: f64,
    },
    /// The logs do not hold what this entry needs.
    NotLogged,
    /// The quantity does not exist here.
    NotApplicable,
}

impl Content {
    /// The words and numbers as a reader of plain text sees them.
    pub(crate) fn plain(&self) -> String {
        match self {
            Self::Text { text } => one_line(text),
            Self::Number { value, decimals } => fixed(*value, *decimals),
            Self::Interval { mean, half_width, decimals } => {
                format!("{} ± {}", fixed(*mean, *decimals), fixed(*half_width, *decimals))
            }
            Self::Count { count } => count.to_string(),
            Self::Fraction { covered, total } => format!("{covered}/{total}"),
            Self::PValue { p } => p_value(*p),
            Self::NotLogged => "not logged".to_owned(),
            Self::NotApplicable => "—".to_owned(),
        }
    }
}

/// One entry of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Entry {
    /// What it says.
    pub content: Content,
    /// Whether it is set in bold.
    pub bold: bool,
    /// The runs it was computed from, in compact form: `lock/controller/0..23`.
    pub trace: Vec<String>,
}

impl Entry {
    /// Plain prose.
    pub fn text(text: impl Into<String>) -> Self {
        Content::Text { text: text.into() }.into()
    }

    /// A number shown with `decimals` digits after the point.
    pub fn number(value: f64, decimals: usize) -> Self {
        Content::Number { value, decimals }.into()
    }

    /// `mean ± half_width`, both with `decimals` digits after the point.
    pub fn interval(mean: f64, half_width: f64, decimals: usize) -> Self {
        Content::Interval { mean, half_width, decimals }.into()
    }

    /// How many.
    pub fn count(count: u64) -> Self {
        Content::Count { count }.into()
    }

    /// `covered/total`.
    pub fn fraction(covered: u64, total: u64) -> Self {
        Content::Fraction { covered, total }.into()
    }

    /// A p value.
    pub fn p_value(p: f64) -> Self {
        Content::PValue { p }.into()
    }

    /// The logs do not hold what this entry needs.
    pub fn not_logged() -> Self {
        Content::NotLogged.into()
    }

    /// The quantity does not exist here.
    pub fn not_applicable() -> Self {
        Content::NotApplicable.into()
    }

    /// The same entry in bold.
    #[must_use]
    pub fn emphasised(mut self) -> Self {
        self.bold = true;
        self
    }

    /// The same entry with one more group of runs behind it.
    #[must_use]
    pub fn traced(mut self, runs: impl Into<String>) -> Self {
        self.trace.push(runs.into());
        self
    }
}

impl From<Content> for Entry {
    fn from(content: Content) -> Self {
        Self { content, bold: false, trace: Vec::new() }
    }
}

/// Prose on one line: every run of white space becomes one space, and what a terminal would obey is written out.
pub(crate) fn one_line(prose: &str) -> String {
    Printable(prose.split_whitespace().collect::<Vec<_>>().join(" ")).to_string()
}
