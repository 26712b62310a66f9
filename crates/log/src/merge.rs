//! Runs of several machines in one folder: cells are copied whole, their logs first and their manifests last.
//!
//! Everything is checked before it is taken: seals, digests, versions, and that no cell is there with another content. What is
//! there already is left alone, so merging twice does nothing, and a run may be merged while it is still going on: a cell
//! without a manifest does not exist yet.

use crate::{Error, Manifest, Run, Versions, first_difference, write_whole};

/// What merging brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Merged {
    /// Cells that were copied.
    pub taken: usize,
    /// Cells that were there already.
    pub there: usize,
}

impl Run {
    /// Takes over the cells of another run. Whoever merges claims this folder first ([`Run::claim`]). Where a cell
    /// contradicts what is here, nothing is taken.
    pub fn take_from(&self, other: &Self) -> Result<Merged, Error> {
        let keys = other.keys()?;
        let mut studies: Vec<&str> = keys.iter().map(|key| key.study.as_str()).collect();
        studies.dedup();
        let sheets = studies.into_iter().map(|study| other.sheet(study)).collect::<Result<Vec<_>, Error>>()?;
        for sheet in &sheets {
            self.lacks_sheet(sheet)?;
        }
        let (mut due, mut there) = (Vec::new(), 0);
        for key in &keys {
            let cell = other.cell(key)?.ok_or_else(|| other.gone(key))?;
            if cell.manifest.versions != Versions::current() {
                let found = cell.manifest.versions.counsel.clone();
                return Err(Error::OtherVersion { path: key.path(other.root(), "json"), found });
            }
            match self.cell(key)? {
                Some(ours) if ours.manifest != cell.manifest => {
                    let what = contradiction(&ours.manifest, &cell.manifest);
                    return Err(Error::Conflict { key: key.clone(), there: other.root().to_path_buf(), what });
                }
                Some(ours) if ours.intact().is_ok() => there += 1,
                _ => due.push(cell),
            }
        }
        sheets.iter().try_for_each(|sheet| self.write_sheet(sheet))?;
        for cell in &due {
            let bytes = cell.intact()?;
            write_whole(&cell.manifest.key.path(self.root(), "parquet"), &bytes)?;
            cell.manifest.clone().write(&cell.manifest.key.path(self.root(), "json"))?;
        }
        Ok(Merged { taken: due.len(), there })
    }
}

/// The first thing in which two manifests of one cell differ.
fn contradiction(here: &Manifest, there: &Manifest) -> String {
    let value = |manifest: &Manifest| serde_json::to_value(manifest).unwrap_or_default();
    first_difference(&value(there), &value(here))
}
