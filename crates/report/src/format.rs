//! The four ways a table is written.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{Error, Table, delimited, latex, markdown, text};

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
}

impl Format {
    /// Every format, in the order in which they are listed to users.
    pub const ALL: [Self; 4] = [Self::Text, Self::Markdown, Self::Latex, Self::Csv];

    /// The word for it on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Markdown => "markdown",
            Self::Latex => "latex",
            Self::Csv => "csv",
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

/// Writes tables one after another, naming runs only in CSV.
pub fn render(tables: &[Table], format: Format) -> String {
    render_traced(tables, format, Traces::Hidden)
}

/// Writes tables one after another, naming runs in CSV always and elsewhere if asked.
///
/// Tables are parted by an empty line. Several tables in one CSV text start each with a header of its own and a first
/// column `table` that holds the table's id.
pub fn render_traced(tables: &[Table], format: Format, traces: Traces) -> String {
    let blocks: Vec<String> = match format {
        Format::Text => tables.iter().map(|table| text::block(table, traces)).collect(),
        Format::Markdown => tables.iter().map(|table| markdown::block(table, traces)).collect(),
        Format::Latex => tables.iter().map(|table| latex::block(table, traces)).collect(),
        Format::Csv => {
            let origin = if tables.len() > 1 { delimited::Origin::Named } else { delimited::Origin::Implied };
            tables.iter().map(|table| delimited::block(table, Traces::Shown, origin)).collect()
        }
    };
    blocks.join("\n")
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
            "unknown format `pdf`; choose one of text, markdown, latex, csv"
        );
    }
}
