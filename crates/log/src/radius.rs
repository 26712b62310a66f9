//! The radius of every logged decision again, the screen of the execution rule and the factor of the bounds, from the scores in the
//! manifest.

use counsel_calibration::{BoundFactor, CalibratedRadius, Derivation, Opportunity, RadiusSpec, Screen, scale_features};
use counsel_decision::Execution;

use crate::{Decision, Disagreement, Error, Manifest};

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
        let rule = Execution::Screened { alpha: screen.alpha.value(), threshold: screen.threshold };
        if rule != manifest.settings.execution {
            let reason = format!("the rule in force is {:?}, its scores give {rule:?}", manifest.settings.execution);
            return Err(Error::Derivation { reason });
        }
    }
    if let Some(bounds) = &calibration.bounds {
        let factor: BoundFactor =
            serde_json::from_value(bounds.clone()).map_err(|error| Error::Derivation { reason: error.to_string() })?;
        factor.verify()?;
    }
    let updates = manifest.spec.pointer("/calibration/updates").and_then(serde_json::Value::as_str);
    let online = updates == Some("online");
    let mut disagreements = Vec::new();
    for decision in decisions {
        let record = &decision.record;
        let again = radius.of(&record.evidence, record.estimate);
        if again != record.evidence.radius() {
            disagreements.push(Disagreement {
                step: record.step,
                column: "radius",
                logged: format!("{:?}", record.evidence.radius().value()),
                computed: format!("{:?}", again.value()),
            });
        }
        if online {
            absorb(&mut radius, decision)?;
        }
    }
    Ok(disagreements)
}

/// A labelled decision adds its score to the radius in force.
pub fn absorb(radius: &mut CalibratedRadius, decision: &Decision) -> Result<(), counsel_calibration::Error> {
    if decision.hindsight.proxy_value.or(decision.hindsight.exact_value).is_some() {
        let met = opportunity(decision, decision.record.estimate, radius.spec());
        radius.absorb(&met)?;
    }
    Ok(())
}

/// A labelled decision as calibration sees it, with the estimate of the gate that will be deployed, in a stratum of this radius.
pub fn opportunity(decision: &Decision, estimate: f64, radius: &RadiusSpec) -> Opportunity {
    let Decision { record, hindsight, .. } = decision;
    Opportunity {
        estimate,
        label: hindsight.proxy_value.or(hindsight.exact_value).unwrap_or(0.0),
        monte_carlo: hindsight.proxy_radius.unwrap_or(0.0),
        features: scale_features(&record.evidence),
        group: radius.stratum(estimate),
        trajectory: record.episode,
        step: record.step,
    }
}
