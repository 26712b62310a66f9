//! Runs of several machines in one folder: cells are copied whole, their logs first and their manifests last.
//!
//! Everything of all parts is checked before anything is written: seals, digests, versions, and that no cell is there with another content. What is
//! there already is left alone, so merging twice does nothing, and a run may be merged while it is still going on: a cell
//! without a manifest does not exist yet.

use std::collections::{BTreeMap, BTreeSet};

use counsel_file::write_whole;

use crate::folder::Half;
use crate::{Cell, CellKey, Error, Manifest, Run, StudySheet, Versions, first_difference};

/// What merging brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Merged {
    /// Cells that were copied.
    pub taken: usize,
    /// Cells that were there already.
    pub there: usize,
}

impl Run {
    /// Takes over the cells of other runs, and says what each brought. Whoever merges claims this folder first
    /// ([`Run::claim`]). Where anything is damaged or contradicts what is here or in another part, nothing is written.
    pub fn take_from(&self, others: &[Self]) -> Result<Vec<Merged>, Error> {
        let transfers = others.iter().map(|other| self.transfer(other)).collect::<Result<Vec<_>, Error>>()?;
        agree(&transfers)?;
        let mut brought = BTreeSet::new();
        transfers.iter().map(|transfer| self.carry_out(transfer, &mut brought)).collect()
    }

    /// What another run has to give, all of it checked.
    fn transfer<'a>(&self, from: &'a Self) -> Result<Transfer<'a>, Error> {
        let keys = from.keys()?;
        let mut studies: Vec<&str> = keys.iter().map(|key| key.study.as_str()).collect();
        studies.dedup();
        let sheets = studies.into_iter().map(|study| from.sheet(study)).collect::<Result<Vec<_>, Error>>()?;
        self.lacking_sheets(&sheets)?;
        let (mut due, mut there) = (Vec::new(), 0);
        for key in &keys {
            let cell = from.cell(key)?.ok_or_else(|| from.gone(key))?;
            if cell.manifest.versions != Versions::current() {
                let found = cell.manifest.versions.counsel.clone();
                return Err(Error::OtherVersion { path: key.path(from.root(), Half::Manifest), found });
            }
            match self.cell(key)? {
                Some(ours) if ours.manifest != cell.manifest => {
                    return Err(conflict(&ours.manifest, &cell.manifest, from));
                }
                Some(ours) if ours.intact().is_ok() => there += 1,
                _ => {
                    cell.intact()?;
                    due.push(cell);
                }
            }
        }
        Ok(Transfer { from, sheets, due, there })
    }

    /// Copies what was checked, and not by an earlier part.
    fn carry_out(&self, transfer: &Transfer<'_>, brought: &mut BTreeSet<CellKey>) -> Result<Merged, Error> {
        transfer.sheets.iter().try_for_each(|sheet| self.write_sheet(sheet))?;
        let mut merged = Merged { taken: 0, there: transfer.there };
        for cell in &transfer.due {
            let key = &cell.manifest.key;
            if !brought.insert(key.clone()) {
                merged.there += 1;
                continue;
            }
            write_whole(&key.path(self.root(), Half::Log), &cell.intact()?)?;
            cell.manifest.clone().write(&key.path(self.root(), Half::Manifest))?;
            merged.taken += 1;
        }
        Ok(merged)
    }
}

/// The cells of one part that are not here yet.
struct Transfer<'a> {
    from: &'a Run,
    sheets: Vec<StudySheet>,
    due: Vec<Cell>,
    there: usize,
}

/// Refuses parts that say different things of one study or one cell.
fn agree(transfers: &[Transfer<'_>]) -> Result<(), Error> {
    let (mut sheets, mut cells) = (BTreeMap::new(), BTreeMap::new());
    for Transfer { from, sheets: told, due, .. } in transfers {
        for sheet in told {
            if let Some(what) = sheets.insert(&sheet.id, sheet).and_then(|other| other.contradiction(sheet)) {
                return Err(Error::OtherSheet { path: from.sheet_path(&sheet.id), what });
            }
        }
        for Cell { manifest, .. } in due {
            match cells.insert(&manifest.key, manifest) {
                Some(other) if other != manifest => return Err(conflict(other, manifest, from)),
                _ => {}
            }
        }
    }
    Ok(())
}

fn conflict(here: &Manifest, there: &Manifest, from: &Run) -> Error {
    Error::Conflict { key: there.key.clone(), there: from.root().to_path_buf(), what: contradiction(here, there) }
}

/// The first thing in which two manifests of one cell differ.
fn contradiction(here: &Manifest, there: &Manifest) -> String {
    let value = |manifest: &Manifest| serde_json::to_value(manifest).unwrap_or_default();
    first_difference(&value(there), &value(here))
}
