//! What lies in the folder of a run, name by name.
//!
//! Invariant: a cell has one spelling, `STUDY/ARM/seed-00007.json` with `….parquet` beside it. A second spelling would count a
//! seed twice, so whatever else lies in the folder of a study is refused. Hidden files are passed over, and so are files that
//! are still being written. A folder without a sheet and without cells, such as that of the figures, is no study.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use counsel_file::{is_part_of, listed};

use crate::sheet::SHEET;
use crate::{CellKey, Error, Run};

/// How the names of a cell's files begin.
const SEED: &str = "seed-";

/// Which file of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Half {
    Manifest,
    Log,
}

impl Half {
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Self::Manifest => "json",
            Self::Log => "parquet",
        }
    }
}

/// The name of a cell's file.
pub(crate) fn file_name(seed: u64, half: Half) -> String {
    format!("{SEED}{seed:05}.{}", half.extension())
}

/// Which file of which seed has exactly this name.
fn seed_of(name: &str) -> Option<(u64, Half)> {
    [Half::Manifest, Half::Log].into_iter().find_map(|half| {
        let number = name.strip_prefix(SEED)?.strip_suffix(half.extension())?.strip_suffix('.')?;
        let seed = number.parse().ok()?;
        (file_name(seed, half) == name).then_some((seed, half))
    })
}

/// What lies in the folder of one study.
#[derive(Default)]
struct Contents {
    has_sheet: bool,
    cells: Vec<(CellKey, Half)>,
    /// What is being written, or was when its writer was killed.
    parts: Vec<PathBuf>,
    /// What no run holds.
    strays: Vec<PathBuf>,
}

impl Contents {
    fn of(folder: &Path) -> Result<Self, Error> {
        let mut contents = Self::default();
        let study = word(folder.file_name());
        for path in listed(folder)? {
            match word(path.file_name()) {
                name if is_part_of(name, SHEET) => contents.parts.push(path),
                name if name.starts_with('.') => {}
                SHEET => contents.has_sheet = true,
                arm if !arm.is_empty() && path.is_dir() => contents.add_arm(study, arm, &path)?,
                _ => contents.strays.push(path),
            }
        }
        Ok(contents)
    }

    fn add_arm(&mut self, study: &str, arm: &str, folder: &Path) -> Result<(), Error> {
        for path in listed(folder)? {
            let name = word(path.file_name());
            if is_part_of(name, SEED) {
                self.parts.push(path);
            } else if let Some((seed, half)) = seed_of(name) {
                self.cells.push((CellKey { study: study.into(), arm: arm.into(), seed }, half));
            } else if !name.starts_with('.') {
                self.strays.push(path);
            }
        }
        Ok(())
    }

    fn is_study(&self) -> bool {
        self.has_sheet || !self.cells.is_empty()
    }
}

/// The name, if it can be that of a study, an arm or a file of a run; otherwise nothing.
fn word(name: Option<&OsStr>) -> &str {
    name.and_then(OsStr::to_str).unwrap_or_default()
}

impl Run {
    fn studies(&self) -> Result<Vec<Contents>, Error> {
        let folders =
            listed(self.root())?.into_iter().filter(|path| path.is_dir() && !word(path.file_name()).is_empty());
        let contents = folders.map(|folder| Contents::of(&folder)).collect::<Result<Vec<_>, Error>>()?;
        Ok(contents.into_iter().filter(Contents::is_study).collect())
    }

    /// The keys of all cells that have this file, in order.
    pub(crate) fn keys_with(&self, half: Half) -> Result<Vec<CellKey>, Error> {
        let mut keys = Vec::new();
        for study in self.studies()? {
            if let Some(path) = study.strays.into_iter().min() {
                return Err(Error::Stray { path });
            }
            keys.extend(study.cells.into_iter().filter(|(_, found)| *found == half).map(|(key, _)| key));
        }
        keys.sort();
        Ok(keys)
    }

    /// Removes what killed writers left. Only for one that has claimed the folder.
    pub(crate) fn sweep(&self) -> Result<(), Error> {
        for part in self.studies()?.iter().flat_map(|study| &study.parts) {
            // It is in nobody's way.
            let _ = fs::remove_file(part);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_a_cell_has_one_name() {
        for (name, seed) in [("seed-00007.json", 7), ("seed-99999.json", 99_999), ("seed-100000.json", 100_000)] {
            assert_eq!(seed_of(name), Some((seed, Half::Manifest)));
        }
        assert_eq!(seed_of("seed-00000.parquet"), Some((0, Half::Log)));
        for name in
            ["seed-0.json", "seed-+0.json", "seed-000000.json", "seed-0000.json", "seed-00000.JSON", "seed-.json"]
        {
            assert_eq!(seed_of(name), None, "{name}");
        }
    }
}
