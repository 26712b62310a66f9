//! The radius of every logged decision again, and the screen of the execution rule, from the scores in the manifest.

use counsel_calibration::{CalibratedRadius, Derivation, Screen};
use counsel_decision::ExecutionRule;
use counsel_log::{Decision, Disagreement, Manifest};

use crate::Error;
use crate::calibrate::Updates;
use crate::session::absorb;

/// Derives the radius of a cell again and returns the decisions that were logged with another one. A cell without
/// calibration has nothing to compare.
pub fn recompute_radius(manifest: &Manifest, decisions: &[Decision]) -> Result<Vec<Disagreement>, Error> {
    let Some(calibration) = &manifest.calibration else { return Ok(Vec::new()) };
    let derivation: Derivation = serde_json::from_value(calibration.derivation.clone())
        .map_err(|error| Error::Derivation { reason: error.to_string() })?;
    let mut radius = CalibratedRadius::from_derivation(derivation)?;
    if let Some(screen) = &calibration.screen {
        let screen: Screen =
            serde_json::from_value(screen.clone()).map_err(|error| Error::Derivation { reason: error.to_string() })?;
        screen.verify()?;
        let rule = ExecutionRule::Screened { alpha: screen.alpha.value(), threshold: screen.threshold };
        if rule != manifest.controller.execution {
            let reason = format!("the rule in force is {:?}, its scores give {rule:?}", manifest.controller.execution);
            return Err(Error::Derivation { reason });
        }
    }
    let updates = manifest.spec.pointer("/calibration/updates").cloned().unwrap_or_default();
    let online = serde_json::from_value(updates).is_ok_and(|updates: Updates| updates == Updates::Online);
    let mut disagreements = Vec::new();
    for decision in decisions {
        let record = &decision.record;
        let again = radius.of(&record.evidence, record.estimate);
        if again != record.evidence.radius {
            disagreements.push(Disagreement {
                step: record.step,
                column: "radius",
                logged: format!("{:?}", record.evidence.radius.value()),
                computed: format!("{:?}", again.value()),
            });
        }
        if online {
            absorb(&mut radius, decision)?;
        }
    }
    Ok(disagreements)
}
