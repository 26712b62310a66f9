//! What can be wrong with a log, or with what is asked of it.

use std::path::PathBuf;

use crate::RowFault;

/// A log that cannot be shadowed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file that cannot be read.
    #[error(transparent)]
    File(#[from] counsel_file::Error),
    /// A run of this program that cannot be read.
    #[error(transparent)]
    Run(#[from] counsel_log::Error),
    /// A file of no known kind.
    #[error("{}: the name of a log ends with .jsonl, .csv or .parquet, that of a trace with .json; rename it, or pass the folder of a run with --cell", path.display())]
    Kind {
        /// The file.
        path: PathBuf,
    },
    /// A header that does not say what it must.
    #[error("{}: {reason}", path.display())]
    Header {
        /// The file.
        path: PathBuf,
        /// What is wrong, and the remedy.
        reason: String,
    },
    /// A Parquet file that cannot be read beyond this place.
    #[error("{}: {place} cannot be read ({reason}); write the file again, with snappy, gzip, lz4, brotli, zstd or no compression", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where: a row and its row group, or the whole.
        place: String,
        /// What its reader says.
        reason: String,
    },
    /// Rows that cannot be taken.
    #[error("{}: {count} bad {}", path.display(), if *count == 1 { "row" } else { "rows" })]
    Rows {
        /// The file.
        path: PathBuf,
        /// How many.
        count: usize,
        /// The first of them.
        faults: Vec<RowFault>,
    },
    /// What is asked of the log does not fit it.
    #[error("{reason}")]
    Asked {
        /// What is wrong, and the remedy.
        reason: String,
    },
    /// A number that a part of the engine refuses.
    #[error(transparent)]
    Decision(#[from] counsel_decision::Error),
    /// A router that cannot be had.
    #[error(transparent)]
    Controller(#[from] counsel_controller::Error),
    /// A calibration that cannot be done.
    #[error(transparent)]
    Calibration(#[from] counsel_calibration::Error),
    /// A statistic that cannot be had.
    #[error(transparent)]
    Statistics(#[from] counsel_stats::Error),
    /// A table or figure that cannot be made.
    #[error(transparent)]
    Report(#[from] counsel_report::Error),
}
