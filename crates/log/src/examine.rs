//! One cell, examined: every decision and every calibrated radius again, from its files alone.

use std::collections::BTreeSet;

use crate::{
    Cell, Decision, Disagreement, Error, Manifest, Routed, StudySheet, compare_routes, recompute, recompute_radius,
};

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

/// Computes the routes of a cell again, model state included: one for each decision, or why that cannot be done. This crate has no
/// router, so whoever has one hands it in.
pub type Routes<'a> = &'a dyn Fn(&Manifest, &[Decision]) -> Result<Vec<Routed>, String>;

/// Computes every decision of a cell again, and every radius, and compares the totals, and the settings with those of its study. Routes
/// are not computed again; where there are some, that is a fault.
pub fn examine(cell: &Cell, sheet: Option<&StudySheet>) -> Result<Examined, Error> {
    examine_routes(cell, sheet, &|_, _| Err("its routes are computed again by `counsel audit` alone".into()))
}

/// The same, with routes.
pub fn examine_routes(cell: &Cell, sheet: Option<&StudySheet>, routes: Routes<'_>) -> Result<Examined, Error> {
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
    let mut faults: Vec<String> =
        totals.into_iter().chain(sheet.and_then(|sheet| sheet.refuses(&cell.manifest))).collect();
    if decisions.iter().any(|decision| decision.route.is_some()) {
        let known: BTreeSet<u64> = disagreements.iter().map(|fault| fault.step).collect();
        match routes(&cell.manifest, &decisions) {
            Ok(again) if again.len() == decisions.len() => {
                let found = compare_routes(&cell.manifest.key, &decisions, &again);
                disagreements.extend(found.into_iter().filter(|fault| !known.contains(&fault.step)));
            }
            Ok(again) => faults.push(format!("{} routes are computed again for {found} decisions", again.len())),
            Err(reason) => faults.push(reason),
        }
    }
    Ok(Examined { decisions: found, disagreements, faults })
}
