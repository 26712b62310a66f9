//! How tables are shown on the command line: format, columns and width.
//!
//! The width is that of the terminal; where standard output is none, that of `COLUMNS`, or else 100.

use clap::{Args, ValueEnum};
use counsel_report::{Columns, Format, Traces, View};
use terminal_size::{Width, terminal_size_of};

/// Where neither a terminal nor `COLUMNS` says how wide a line is.
const PAGE: usize = 100;
/// Below this a table cannot be read; lines are then longer than the terminal.
const NARROWEST: usize = 40;

/// How something that is no table is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlainFormat {
    /// For a person
    Text,
    /// For a program, as one document
    Json,
}

/// How tables are shown.
#[derive(Debug, Args)]
pub(crate) struct TableOptions {
    /// text, markdown, latex, csv or json
    #[arg(long, value_name = "FORMAT", default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// Only these columns, by name and in this order: arm,return,calls
    #[arg(long, value_name = "NAMES", conflicts_with = "wide")]
    columns: Vec<String>,
    /// Show every column, on lines as long as needed [default: as many as fit the terminal]
    #[arg(long)]
    wide: bool,
}

impl TableOptions {
    /// Whether a person reads it.
    pub(crate) fn is_text(&self) -> bool {
        self.format == Format::Text
    }

    /// The view that was asked for.
    pub(crate) fn view(&self, traces: Traces) -> View {
        let columns = match (&self.columns[..], self.wide) {
            (_, true) => Columns::All,
            ([], false) => Columns::Fitting,
            (names, false) => Columns::Named(names.to_vec()),
        };
        View { format: self.format, traces, columns, width: width() }
    }
}

/// As many columns as fit, for a reader at a terminal.
pub(crate) fn plain() -> View {
    View { columns: Columns::Fitting, width: width(), ..View::whole(Format::Text) }
}

/// Prose on lines that fit.
pub(crate) fn lines(prose: &str) -> String {
    folded(prose, "", "").join("\n")
}

/// The same with an indent, another one from the second line on.
pub(crate) fn folded(prose: &str, first_indent: &str, next_indent: &str) -> Vec<String> {
    counsel_report::wrap(prose, width(), first_indent, next_indent)
}

/// How many characters a line of standard output has.
pub(crate) fn width() -> usize {
    let terminal = || terminal_size_of(std::io::stdout()).map(|(Width(width), _)| usize::from(width));
    let declared = || std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    terminal().or_else(declared).unwrap_or(PAGE).max(NARROWEST)
}
