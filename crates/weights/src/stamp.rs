//! Which file was checked: a model is hashed once per file and change, not at every start.
//!
//! The stamp lies beside the model and says its size, the time of its last change and its digest. Invariant: it is written only
//! after the digest of just this file was found right.

use std::fs::{File, Metadata};
use std::path::Path;
use std::time::UNIX_EPOCH;

use counsel_advisor::Digest;
use counsel_file::{Expected, io};
use sha2::Digest as _;

use crate::download::{Places, hash};
use crate::{Error, Model};

const STAMP: Expected = Expected { what: "a stamp", most_bytes: 1 << 10 };

impl Model {
    /// Refuses the file of this model in this folder if its digest is not the known one.
    pub(crate) fn check(&self, folder: &Path) -> Result<(), Error> {
        let Places { whole, stamp, .. } = Places::of(self, folder);
        // Taken before the bytes are read: a file that changes meanwhile does not fit its stamp.
        let found = whole.metadata().map_err(io("read", &whole))?;
        let text = self.stamped(&found);
        if let Some(text) = &text
            && counsel_file::read_text(&stamp, STAMP).is_ok_and(|there| there == *text)
        {
            return Ok(());
        }
        let mut file = File::open(&whole).map_err(io("open", &whole))?;
        let hash = hash(&mut file, &mut |_| ()).map_err(io("read", &whole))?;
        let found = Digest::from_bytes(hash.finalize().into());
        if found != self.sha256 {
            let found = format!("is damaged: its digest is {found}");
            return Err(Error::Altered {
                name: self.name.clone(),
                path: whole,
                found,
                expected: self.sha256.to_string(),
            });
        }
        if let Some(text) = text {
            // Where nothing can be written, the model is hashed again the next time.
            let _ = counsel_file::write_whole(&stamp, text.as_bytes());
        }
        Ok(())
    }

    /// What the stamp of this file says; nothing where the system keeps no time of change.
    fn stamped(&self, found: &Metadata) -> Option<String> {
        let changed = found.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
        Some(format!("{} bytes, changed at {} ns, sha256 {}\n", found.len(), changed.as_nanos(), self.sha256))
    }
}
