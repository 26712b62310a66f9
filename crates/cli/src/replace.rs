//! Which files may be replaced: those that this program wrote. Anything else that lies in the way is left alone.

use std::fs;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};

/// Refuses a path that holds anything but a file that begins as ours do. `what` is such a file in words: `a figure`.
pub(crate) fn check_replaceable(path: &Path, opening: &[u8], what: &str) -> Result<()> {
    let Ok(found) = fs::symlink_metadata(path) else { return Ok(()) };
    let mut begins = vec![0; opening.len()];
    let is_ours = found.is_file() && {
        let mut file = fs::File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
        file.read_exact(&mut begins).is_ok() && begins == opening
    };
    if !is_ours {
        bail!("{} is there already and is not {what} of counsel; choose another folder with --out", path.display());
    }
    Ok(())
}
