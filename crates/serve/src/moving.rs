//! The journal of one server becomes that of several: its lines are the first ones of an empty store.
//!
//! A folder notes that its journal is in a store before the first line is there. From then on nothing begins a second history in it.

use std::path::Path;

use crate::Error;
use crate::core::Core;
use crate::journal::JOURNAL;
use crate::service::FILE;
use crate::shared::SharedJournal;

/// What the journal of a folder is called once it was moved.
const MOVED: &str = "serve.journal.moved";
/// The file that says that the journal of a folder is in a store.
const STORE: &str = "serve.store";

/// Refuses a folder whose journal is in a store.
pub(crate) fn check_own(dir: &Path) -> Result<(), Error> {
    let path = dir.join(STORE);
    if path.exists() { Err(Error::Stored { path }) } else { Ok(()) }
}

/// Makes a folder one of a store. A journal that is in it is moved, or was.
pub(crate) fn move_into(dir: &Path, journal: &mut dyn SharedJournal) -> Result<(), Error> {
    let own = dir.join(JOURNAL);
    let lines = if own.exists() { whole_lines(&own)? } else { Vec::new() };
    let is_empty = journal.hold(1)?.lines.is_empty();
    if !is_empty {
        journal.append(1, &[])?;
        let page = journal.read(lines.len().max(1) as u64)?;
        // The check of a line covers all lines before it.
        if !lines.is_empty() && page.lines.first() != lines.last() {
            return Err(Error::Own { path: own });
        }
    }
    counsel_file::write_whole(&dir.join(STORE), journal.place().as_bytes())?;
    if is_empty {
        journal.append(1, &lines)?;
    }
    if own.exists() {
        std::fs::rename(&own, dir.join(MOVED)).map_err(counsel_file::io("rename", &own))?;
    }
    Ok(())
}

/// The lines of a journal, without one that a crash tore.
fn whole_lines(path: &Path) -> Result<Vec<String>, Error> {
    let bytes = counsel_file::read(path, FILE)?;
    let (_, whole) = Core::read(&mut bytes.as_slice(), path)?;
    let whole = usize::try_from(whole).unwrap_or(bytes.len());
    Ok(String::from_utf8_lossy(&bytes[..whole]).lines().map(str::to_owned).collect())
}
