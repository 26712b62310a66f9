//! The heading of a column: what it is called, how its entries lie, and how much a reader needs it.

use serde::Serialize;

/// On which side the entries of a column are flush.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Align {
    /// For words.
    Left,
    /// For numbers.
    Right,
}

/// How much a reader needs a column. Where there is no room for all, those of the lowest rank go first, and among equals
/// the last ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Rank {
    /// It says which row this is, and is never left out.
    Key,
    /// What the table is about.
    Main,
    /// What is asked next.
    Next,
    /// What else was measured.
    Further,
    /// What backs up another column, such as the ends of its bootstrap interval.
    Detail,
}

/// The heading of a column.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Column {
    /// The quantity, as it is called in logs and in CSV headers.
    pub name: String,
    /// On which side its entries are flush.
    pub align: Align,
    /// How much a reader needs it.
    pub rank: Rank,
    /// Whether it says something only beside the column before it, as the upper end of an interval does.
    #[serde(skip)]
    pub is_joined: bool,
    /// Whether it is the difference that the study is about, or its p value.
    #[serde(skip)]
    pub is_deciding: bool,
}

impl Column {
    /// A column of words that name the row.
    pub fn left(name: impl Into<String>) -> Self {
        Self { name: name.into(), align: Align::Left, rank: Rank::Key, is_joined: false, is_deciding: false }
    }

    /// A column of numbers.
    pub fn right(name: impl Into<String>) -> Self {
        Self { name: name.into(), align: Align::Right, rank: Rank::Further, is_joined: false, is_deciding: false }
    }

    /// The same column with another rank.
    #[must_use]
    pub fn ranked(mut self, rank: Rank) -> Self {
        self.rank = rank;
        self
    }

    /// The same column, as the one that decides.
    #[must_use]
    pub fn deciding(mut self) -> Self {
        self.is_deciding = true;
        self
    }

    /// The same column, shown or left out together with the one before it.
    #[must_use]
    pub fn joined(mut self) -> Self {
        self.is_joined = true;
        self
    }
}
