//! Writing: to a neighbour first, flushed to disk, then renamed.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use crate::Error;

/// Writes a file so that, whatever happens, it is either complete or not there.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let io = |action| move |cause| Error::Io { action, path: path.to_path_buf(), cause };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(io("create the folder of"))?;
    }
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".part");
    let part = path.with_file_name(name);
    let written = File::create(&part).map_err(io("create")).and_then(|mut file| {
        file.write_all(bytes).map_err(io("write"))?;
        file.sync_all().map_err(io("flush"))
    });
    let outcome = written.and_then(|()| fs::rename(&part, path).map_err(io("rename")));
    if outcome.is_err() {
        // The first failure is the one to report.
        let _ = fs::remove_file(&part);
    }
    outcome
}
