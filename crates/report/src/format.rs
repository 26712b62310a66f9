//! The five ways a table is written.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{Error, Table, View};

/// A way to write tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Format {
    /// Aligned columns for a terminal.
    Text,
    /// GitHub-flavoured Markdown.
    Markdown,
    /// A booktabs `tabular` in a `table` environment.
    Latex,
    /// Comma-separated values at full precision.
    Csv,
    /// One JSON document at full precision.
    Json,
}

impl Format {
    /// Every format, in the order in which they are listed to users.
    pub const ALL: [Self; 5] = [Self::Text, Self::Markdown, Self::Latex, Self::Csv, Self::Json];

    /// The word for it on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Markdown => "markdown",
            Self::Latex => "latex",
            Self::Csv => "csv",
            Self::Json => "json",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let known = Self::ALL.into_iter().find(|format| format.name() == name);
        known.ok_or_else(|| Error::UnknownFormat { found: name.to_owned() })
    }
}

/// Whether a table names the runs behind each row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Traces {
    /// A last column `runs` in text and Markdown, a comment after each row in LaTeX.
    Shown,
    /// Nothing in text, Markdown and LaTeX.
    #[default]
    Hidden,
}

/// Writes whole tables one after another, naming runs only in CSV and JSON. [`View`] can do more.
pub fn render(tables: &[Table], format: Format) -> String {
    View::whole(format).write(tables)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
    }

    #[test]
    fn an_unknown_name_lists_the_known_ones() {
        assert_eq!(
            "pdf".parse::<Format>().unwrap_err().to_string(),
            "unknown format `pdf`; choose one of text, markdown, latex, csv, json"
        );
    }
}
