//! What can be wrong with a table or an input file, said with the offending value and the way out.

use std::fmt;
use std::path::PathBuf;

use counsel_decision::refusal::UnknownName;
use thiserror::Error as ThisError;

/// Every way this crate can refuse its input.
#[derive(Debug, Clone, PartialEq, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// A format nobody knows.
    #[error("unknown format `{found}`; choose one of {known}")]
    UnknownFormat {
        /// The word that was given.
        found: String,
        /// The names of all formats.
        known: String,
    },
    /// A row that is not as wide as its table.
    #[error(
        "row {row} of table `{table}` has {found} entries for {} column(s) ({}); give one entry per column",
        columns.len(), names(columns)
    )]
    RowLength {
        /// Id of the table.
        table: String,
        /// Position of the row, counted from 1.
        row: usize,
        /// Number of its entries.
        found: usize,
        /// Names of the table's columns.
        columns: Vec<String>,
    },
    /// A column that no table has.
    #[error("there is no column {0}; the columns are {known}", known = quoted(&.0.known))]
    UnknownColumn(UnknownName),
    /// A table that has none of the columns that were chosen.
    #[error(
        "table `{table}` has none of the columns {}; it has {}; choose another table, or one of these",
        quoted(columns),
        quoted(known)
    )]
    NoChosenColumn {
        /// Id of the table.
        table: String,
        /// The columns that were chosen.
        columns: Vec<String>,
        /// The columns it has.
        known: Vec<String>,
    },
    /// An arm that no cell of the run has.
    #[error("the run has no arm {0}; name it as its folder is named")]
    NoArm(UnknownName),
    /// An id that cannot be a file name.
    #[error(
        "`{found}` cannot name a figure; use up to 100 lower-case letters, digits and inner hyphens, such as `lock-curve`"
    )]
    FigureId {
        /// The id that was given.
        found: String,
    },
    /// A name that two series of a figure have.
    #[error("figure `{figure}` has two series `{series}`; give each a name of its own")]
    RepeatedSeries {
        /// Id of the figure.
        figure: String,
        /// The name.
        series: String,
    },
    /// A number that has no place in its figure.
    #[error("point {point} of series `{series}` in figure `{figure}` has {column} = {found}; it must be {need}")]
    FigurePoint {
        /// Id of the figure.
        figure: String,
        /// Name of the series.
        series: String,
        /// Position of the point, counted from 1.
        point: usize,
        /// Which of its numbers.
        column: &'static str,
        /// The number.
        found: f64,
        /// What it would have to be.
        need: &'static str,
    },
    /// A study that nothing is drawn of.
    #[error(
        "there are no figures for {}; `counsel list` shows the studies, and [[figures]] in a study's file declares some",
        quoted(studies)
    )]
    NoFigures {
        /// The studies that were asked for.
        studies: Vec<String>,
    },
    /// A run whose logs cannot be read.
    #[error("{reason}")]
    Run {
        /// What the log reader said.
        reason: String,
    },
    /// A run without the studies that were asked for.
    #[error("the run has no study `{study}`; it has {}", names(known))]
    NoStudy {
        /// The name that was given.
        study: String,
        /// The studies there are.
        known: Vec<String>,
    },
    /// A run in which no study declares the family.
    #[error("no study of the run has a family `{family}`; its name is that of a [[families]] of a study file")]
    NoFamily {
        /// The name that was given.
        family: String,
    },
    /// Two arms that no study has together.
    #[error(
        "no study of the run has both an arm `{treatment}` and an arm `{baseline}` in one block; name the arms as the tables \
         of the studies do, without their block"
    )]
    NoPair {
        /// The arm from which something is subtracted.
        treatment: String,
        /// The arm that is subtracted.
        baseline: String,
    },
    /// A run that two folders hold.
    #[error(
        "seed {seed} of study `{study}` is in two of the folders; runs that are the same cannot be pooled: leave one out"
    )]
    SharedSeed {
        /// The study.
        study: String,
        /// The first seed that both have.
        seed: u64,
    },
    /// A cell that is not there.
    #[error("the run has no finished cell {cell}; run it again to finish")]
    NoCell {
        /// The cell, as STUDY/ARM/SEED.
        cell: String,
    },
    /// A cell that was not run as the sheet of its study says.
    #[error(
        "cell {cell} does not belong to the study as its folder says it was run: {what}; a table never mixes settings: \
         move the cell away and run `counsel reproduce` on the folder again, or run the other settings with another --out"
    )]
    OtherCell {
        /// The cell, as STUDY/ARM/SEED.
        cell: String,
        /// What differs.
        what: String,
    },
    /// Statistics that cannot be computed from what the logs hold.
    #[error("the statistics of study `{study}` cannot be computed: {reason}")]
    StudyStatistics {
        /// The study.
        study: String,
        /// What the statistics said.
        reason: String,
    },
    /// A file that cannot be read.
    #[error("{reason}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and the remedy.
        reason: String,
    },
    /// Text that is not comma-separated values.
    #[error("cannot read the text as CSV: {reason}; write a header `seed,arm,value` and one line per run")]
    NotCsv {
        /// What the reader said.
        reason: String,
    },
    /// A file without observations.
    #[error("there are no observations: {found}; write a header `seed,arm,value` and one line per run")]
    NoObservations {
        /// What there is instead.
        found: &'static str,
    },
    /// A header without a column that is needed.
    #[error(
        "the column `{column}` is missing: the header has {}; needed are seed, arm and value, in any order",
        quoted(found)
    )]
    MissingColumn {
        /// The first column that is missing.
        column: &'static str,
        /// The header.
        found: Vec<String>,
    },
    /// A header with a column that is needed twice.
    #[error("the column `{column}` stands twice in the header; rename or remove one of the two")]
    RepeatedColumn {
        /// The column.
        column: &'static str,
    },
    /// A line that is no observation.
    #[error("line {line} {fault}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What it has, and what to do about that.
        fault: String,
    },
    /// Two observations of the same arm on the same seed.
    #[error("lines {first} and {second} both give seed {seed} of {arm}; keep one of them")]
    Duplicate {
        /// The earlier line.
        first: usize,
        /// The later line.
        second: usize,
        /// The seed.
        seed: String,
        /// The arm, with its family if there is one.
        arm: ArmName,
    },
    /// A baseline that no line mentions.
    #[error("the baseline `{}` is not in the file{}; the arms are {}", .0.name, .0.nearest, quoted(&.0.known))]
    UnknownBaseline(UnknownName),
    /// A family that has no baseline.
    #[error(
        "the baseline `{baseline}` has no run in family `{family}`, which has {}; run it there or remove the family",
        quoted(arms)
    )]
    FamilyWithoutBaseline {
        /// The baseline.
        baseline: String,
        /// The family.
        family: String,
        /// The arms it does have.
        arms: Vec<String>,
    },
    /// A baseline with nothing beside it.
    #[error("there is nothing to compare with {baseline}: it is the only arm; add the runs of another arm")]
    NothingToCompare {
        /// The baseline, with its family if there is one.
        baseline: ArmName,
    },
    /// A seed that only one of two paired arms has.
    #[error("{arm} lacks seed(s) {} of {other}; run them, or remove them from every arm", few(seeds))]
    MissingSeeds {
        /// The arm that lacks them.
        arm: ArmName,
        /// The arm that has them.
        other: ArmName,
        /// The seeds.
        seeds: Vec<String>,
    },
    /// Numbers that cannot be compared.
    #[error("cannot compare {arm} with the baseline: {source}")]
    Statistics {
        /// The arm, with its family if there is one.
        arm: ArmName,
        /// What the computation said.
        source: counsel_stats::Error,
    },
}

impl From<counsel_log::Error> for Error {
    fn from(error: counsel_log::Error) -> Self {
        Self::Run { reason: error.to_string() }
    }
}

/// Which arm, and in which family if the file has families.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArmName {
    /// The arm.
    pub arm: String,
    /// Its family.
    pub family: Option<String>,
}

impl fmt::Display for ArmName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.family {
            Some(family) => write!(f, "arm `{}` in family `{family}`", self.arm),
            None => write!(f, "arm `{}`", self.arm),
        }
    }
}

fn names<N: ToString>(names: impl IntoIterator<Item = N>) -> String {
    names.into_iter().map(|name| name.to_string()).collect::<Vec<_>>().join(", ")
}

fn quoted(words: &[String]) -> String {
    names(words.iter().map(|word| format!("`{word}`")))
}

/// The first ten seeds, and how many more there are.
fn few(seeds: &[String]) -> String {
    let shown = names(seeds.iter().take(10));
    if seeds.len() > 10 { format!("{shown} and {} more", seeds.len() - 10) } else { shown }
}
