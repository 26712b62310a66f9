//! A pilot: the gate is deployed on a copy with the radius as it stands, and the radius is calibrated again on what it met there.
//!
//! A radius from decisions of an agent that never asks covers those on average, and not the few that the gate acts on. The
//! opportunities of a pilot are the gate's own: the queries that it issued, and the decisions at which it stood close to issuing
//! one, |Δ̂ - β - c| <= τ. The first pilot flies with the ordinary radius; a new radius moves the threshold, so another pilot may
//! follow, and all that was met counts. Pilots have randomness of their own, so the deployment that is logged is disjoint from them.

use counsel_calibration::{CalibratedRadius, Cuts, Splits};
use counsel_controller::RadiusInForce;
use counsel_decision::Seed;
use counsel_log::opportunity;

use crate::Error;
use crate::calibrate::{Calibrated, described};
use crate::phases::{Phases, Stage};
use crate::scene::{Episode, Scene};
use crate::session::Labelled;

/// Deploys the gate on a copy as often as declared; the radius of each pilot comes from those before.
pub(crate) fn fly<S: Scene>(
    phases: &Phases<'_>,
    stage: &Stage<S>,
    mut calibrated: Calibrated,
    seed: Seed,
) -> Result<Calibrated, Error> {
    let spec = phases.calibration;
    let mut met = Vec::new();
    for number in 0..spec.pilots {
        let seed = seed.stream("pilot").index(number);
        let mut copy = stage.clone();
        let mut session = copy.session(phases.settings, phases.learning, seed.stream("engine"))?;
        session.controller = session.controller.with_radius(RadiusInForce::Fixed(calibrated.radius.clone()));
        session.labelled = Labelled::Near(spec.near);
        session
            .episodes((0..phases.episodes).map(|number| Episode::Rehearsal { number, of: phases.episodes }), seed)?;
        let near = session.decisions.iter().filter(|decision| decision.record.is_near(spec.near));
        let before = met.len();
        met.extend(near.map(|decision| opportunity(decision, decision.record.estimate, &spec.radius)));
        calibrated.steps += session.steps_simulated();
        // Each of these took an answer: it was asked for, or its label was.
        calibrated.calls += (met.len() - before) as u64;
        let cuts = Cuts { fit: 0, calibration: met.len() };
        let splits = Splits::chronological(met.clone(), |_| 0, cuts)?;
        calibrated.radius = CalibratedRadius::calibrate(&spec.radius, &splits.fit, &splits.calibration)?;
        calibrated.calibration = described(&calibrated.radius, splits.calibration.as_slice());
    }
    Ok(calibrated)
}
