//! Why a cell cannot be examined.

/// A cell that cannot be examined.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Its files cannot be read.
    #[error(transparent)]
    Log(#[from] counsel_log::Error),
    /// Its settings are none that an engine can have.
    #[error(transparent)]
    Decision(#[from] counsel_decision::Error),
    /// Its radius does not follow from its scores.
    #[error(transparent)]
    Calibration(#[from] counsel_calibration::Error),
    /// A derivation in a manifest that cannot be read.
    #[error("a part of the manifest cannot be read: {reason}; run the study again to restore it")]
    Derivation {
        /// What is wrong with it.
        reason: String,
    },
    /// A log of another length than its manifest says.
    #[error("its log has {found} rows, its manifest says {said}")]
    Rows {
        /// Rows of the log.
        found: usize,
        /// Rows by the manifest.
        said: u64,
    },
}
