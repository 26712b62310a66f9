//! One cell, examined: every decision and every calibrated radius again, from its files alone.

use std::collections::BTreeSet;

use crate::{Cell, Disagreement, Error, StudySheet, recompute, recompute_radius};

/// What was found in one cell.
#[derive(Debug)]
pub struct Examined {
    /// How many decisions it has.
    pub decisions: usize,
    /// Those that do not come out as logged, each once.
    pub disagreements: Vec<Disagreement>,
    /// What else is wrong with it, in words: its totals, or its settings.
    pub faults: Vec<String>,
}

impl Examined {
    /// How many decisions come out as logged.
    pub fn agreeing(&self) -> usize {
        let steps: BTreeSet<u64> = self.disagreements.iter().map(|fault| fault.step).collect();
        self.decisions - steps.len().min(self.decisions)
    }
}

/// Computes every decision of a cell again, and every radius, and compares the totals, and the settings with those of its study.
pub fn examine(cell: &Cell, sheet: Option<&StudySheet>) -> Result<Examined, Error> {
    let decisions = cell.decisions()?;
    let (found, said) = (decisions.len(), cell.manifest.log.rows);
    if found as u64 != said {
        return Err(Error::Rows { found, said });
    }
    let mut disagreements = recompute(&cell.manifest, &decisions)?;
    let known: BTreeSet<u64> = disagreements.iter().map(|fault| fault.step).collect();
    let radii = recompute_radius(&cell.manifest, &decisions)?;
    disagreements.extend(radii.into_iter().filter(|fault| !known.contains(&fault.step)));
    let totals = cell.manifest.totals.difference(&decisions);
    let faults = totals.into_iter().chain(sheet.and_then(|sheet| sheet.refuses(&cell.manifest))).collect();
    Ok(Examined { decisions: found, disagreements, faults })
}
