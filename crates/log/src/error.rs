//! What can be wrong with a run's files. Every message names the file and the remedy.

use std::path::PathBuf;

use crate::CellKey;

/// A run that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A log in pieces where a finished one is wanted.
    #[error("the log of {key} grows still, piece by piece; it can be read and audited where it is, and not be merged")]
    Grows {
        /// The cell.
        key: CellKey,
    },
    /// A file that cannot be read or written.
    #[error(transparent)]
    File(#[from] counsel_file::Error),
    /// Another process is writing there.
    #[error("another counsel is writing into {path}; wait until it is done, or choose another folder", path = path.display())]
    Claimed {
        /// The folder.
        path: PathBuf,
    },
    /// A cell that is open already.
    #[error(
        "the log {key} is open already, here or in another program; close it there first, or choose another arm or seed"
    )]
    Open {
        /// The cell.
        key: CellKey,
    },
    /// A log that is not what its manifest says.
    #[error(
        "{path} is damaged: its digest is {found}, its manifest says {expected}; delete this file and run the study again to \
         restore it", path = path.display()
    )]
    Digest {
        /// The log.
        path: PathBuf,
        /// The digest it has.
        found: String,
        /// The digest it should have.
        expected: String,
    },
    /// A manifest or sheet that was changed after it was written.
    #[error(
        "{path} is damaged: {reason}; delete this file and run the study again to restore it", path = path.display()
    )]
    Manifest {
        /// The manifest or sheet.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A log whose content makes no sense.
    #[error("{path} cannot be read as a decision log: {reason}; run the study again to restore it", path = path.display())]
    Log {
        /// The log.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Something in the folder of a study that no run writes.
    #[error(
        "{path} is no part of a run: the folder of a study holds `study.json` and a folder for each arm, and that of an arm \
         `seed-00007.json` and `seed-00007.parquet` for seed 7; move it elsewhere, or delete it", path = path.display()
    )]
    Stray {
        /// What it is.
        path: PathBuf,
    },
    /// A manifest that was there and is no more.
    #[error("{path} is gone; run the study again to restore it", path = path.display())]
    Gone {
        /// The manifest.
        path: PathBuf,
    },
    /// A study without its sheet.
    #[error("{path} is missing, so nothing is known of its study; run the study again to restore it", path = path.display())]
    NoSheet {
        /// The sheet.
        path: PathBuf,
    },
    /// A study that is run otherwise than before.
    #[error(
        "{path} says that this study was run otherwise ({what}); a folder holds a study with one set of settings, one source of \
         answers and one set of findings: nothing was changed; choose another --out, or run it as before", path = path.display()
    )]
    OtherSheet {
        /// The sheet.
        path: PathBuf,
        /// The first difference.
        what: String,
    },
    /// Two runs that say different things of one cell.
    #[error(
        "{there} holds {key} with another content ({what}); nothing of {there} was taken: merge it into another folder, or \
         remove one of the two", there = there.display()
    )]
    Conflict {
        /// The cell.
        key: CellKey,
        /// The run that was to be taken.
        there: PathBuf,
        /// The first difference.
        what: String,
    },
    /// A cell of another version of the program.
    #[error(
        "{path} was made by counsel {found}, this is counsel {current}; merge with the version that made it, or run it again",
        path = path.display(), current = env!("CARGO_PKG_VERSION")
    )]
    OtherVersion {
        /// The manifest.
        path: PathBuf,
        /// The version that made it.
        found: String,
    },
    /// A folder without cells.
    #[error("{path} holds no finished cell; pass the folder that `counsel reproduce` wrote", path = path.display())]
    NoCells {
        /// The folder.
        path: PathBuf,
    },
    /// A log made by another version of the format.
    #[error("{path} has log format {found}, this program reads format {expected}; run the study again", path = path.display())]
    Format {
        /// The manifest or sheet.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The format that can be read.
        expected: u32,
    },
    /// A cell of an arm that its study does not have.
    #[error("the sheet of {study} does not name the arm `{arm}`; add it to the sheet")]
    NoArm {
        /// The arm.
        arm: String,
        /// The study.
        study: String,
    },
    /// Settings that no engine can have.
    #[error(transparent)]
    Decision(#[from] counsel_decision::Error),
    /// A radius that does not follow from its scores.
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
