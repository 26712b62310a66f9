//! The radius of every logged decision again, from the scores in the manifest.

use counsel_calibration::{CalibratedRadius, Derivation};
use counsel_log::{Decision, Disagreement, Manifest};

use super::calibrate::{features, group};
use crate::Error;

/// Derives the radius of a cell again and returns the decisions that were logged with another one. A cell without
/// calibration has nothing to compare.
pub fn recompute_radius(manifest: &Manifest, decisions: &[Decision]) -> Result<Vec<Disagreement>, Error> {
    let Some(calibration) = &manifest.calibration else { return Ok(Vec::new()) };
    let derivation: Derivation = serde_json::from_value(calibration.derivation.clone())
        .map_err(|error| Error::Derivation { reason: error.to_string() })?;
    let radius = CalibratedRadius::from_derivation(derivation)?;
    let mut disagreements = Vec::new();
    for Decision { record, .. } in decisions {
        let again = radius.at(&features(&record.evidence), group(record.estimate));
        if again != record.evidence.radius {
            disagreements.push(Disagreement {
                step: record.step,
                column: "radius",
                logged: format!("{:?}", record.evidence.radius.value()),
                computed: format!("{:?}", again.value()),
            });
        }
    }
    Ok(disagreements)
}
