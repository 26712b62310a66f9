//! The five ways a table is written.

use counsel_world::named;
use serde::{Deserialize, Serialize};

use crate::{Table, View};

named! {
    /// A way to write tables.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Format {
        /// Aligned columns for a terminal.
        Text => "text",
        /// GitHub-flavoured Markdown.
        Markdown => "markdown",
        /// A booktabs `tabular` in a `table` environment.
        Latex => "latex",
        /// Comma-separated values at full precision.
        Csv => "csv",
        /// One JSON document at full precision.
        Json => "json",
    }
}

/// Lets a format be written and asked for by its name.
macro_rules! by_name {
    ($format:ident) => {
        impl std::fmt::Display for $format {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl std::str::FromStr for $format {
            type Err = crate::Error;

            fn from_str(name: &str) -> Result<Self, crate::Error> {
                let known = Self::ALL.into_iter().find(|format| format.name() == name);
                let all = || Self::ALL.map(Self::name).join(", ");
                known.ok_or_else(|| crate::Error::UnknownFormat { found: name.to_owned(), known: all() })
            }
        }
    };
}
pub(crate) use by_name;

by_name!(Format);

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
