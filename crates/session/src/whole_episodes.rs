//! Radii that are tried on whole episodes: the gate is let loose on copies of the frozen agent, at each radius of a grid, and on
//! the same randomness.
//!
//! Nothing in an episode depends on the one before: agent, predictor and values stay as they are, no answer is kept, and the
//! budget of an episode is its own. So rehearsals and deployment are exchangeable, which is all that the guarantees of
//! [`least_clean`] and [`Wager`] need. Every call of a rehearsal is counted, and every step is a simulated one: the same
//! episode can be played twice only on a copy of the world.

use counsel_calibration::{CalibratedRadius, RadiusSpec, Wager, least_clean};
use counsel_controller::{Learning, RadiusInForce};
use counsel_decision::{Radius, Seed};
use counsel_log::Calibration;

use crate::Error;
use crate::calibrate::Calibrated;
use crate::phases::{Phases, Stage};
use crate::scene::{Episode, Scene};
use crate::session::Labelled;

/// Tries the radii of the grid on as many episodes as the calibration declares.
pub(crate) fn rehearse<S: Scene>(phases: &Phases<'_>, stage: &Stage<S>, seed: Seed) -> Result<Calibrated, Error> {
    let spec = phases.calibration;
    let mut trial = Trial { phases, stage: stage.clone(), residuals: 0.0, labels: 0, calls: 0, steps: 0 };
    let (fit, calibrate) = (spec.fit as u64, spec.calibrate as u64);
    let radius = match &spec.radius {
        RadiusSpec::NetValue { grid, worst, .. } => {
            let mut tuned = vec![0.0; grid.len()];
            for number in 0..fit {
                let seed = seed.stream("tuning").index(number);
                let silent = trial.episode(Radius::INFINITE, &Labelled::None, number, seed)?;
                let mut last = silent;
                for (radius, tuned) in grid.iter().zip(&mut tuned) {
                    last = trial.lower(last, *radius, &Labelled::None, number, seed)?;
                    *tuned += (last.net - silent.net) / fit as f64;
                }
            }
            let chosen = Wager::choice(&tuned).map(|place| grid[place]);
            let mut gains = Vec::new();
            if let Some(radius) = chosen {
                for number in 0..calibrate {
                    let seed = seed.stream("wager").index(number);
                    let silent = trial.episode(Radius::INFINITE, &Labelled::None, number, seed)?;
                    let tried = trial.lower(silent, radius, &Labelled::None, number, seed)?;
                    gains.push(tried.net - silent.net);
                }
            }
            CalibratedRadius::wagered(&spec.radius, Wager::new(chosen, tuned, gains, *worst)?)?
        }
        declared => {
            let mut scores = Vec::with_capacity(spec.calibrate);
            for number in 0..calibrate {
                let seed = seed.stream("episode").index(number);
                let mut last = trial.episode(Radius::INFINITE, &Labelled::Asked, number, seed)?;
                scores.push(least_clean(declared.grid().unwrap_or_default(), |radius| {
                    last = trial.lower(last, radius, &Labelled::Asked, number, seed)?;
                    Ok::<_, Error>(last.is_clean)
                })?);
            }
            CalibratedRadius::closed_loop(declared, scores)?
        }
    };
    let Trial { residuals, labels, calls, steps, .. } = trial;
    let calibration = Some(Calibration {
        opportunities: labels,
        mean_residual: residuals / f64::max(labels as f64, 1.0),
        derivation: serde_json::to_value(radius.derivation()).unwrap_or_default(),
        screen: None,
        bounds: None,
    });
    Ok(Calibrated { radius, calibration, settings: phases.settings.clone(), calls, steps })
}

/// The frozen agent on which radii are tried.
struct Trial<'a, S> {
    phases: &'a Phases<'a>,
    stage: Stage<S>,
    /// The sum of |estimate - label| over the labelled queries, and how many there are.
    residuals: f64,
    labels: u64,
    calls: u64,
    steps: u64,
}

/// One episode at one radius.
#[derive(Clone, Copy)]
struct Tried {
    /// The return, less the price of the calls.
    net: f64,
    /// Whether no labelled query was worth less than its price.
    is_clean: bool,
    /// The largest radius at which one more query would have been wanted.
    next: f64,
}

impl<S: Scene> Trial<'_, S> {
    /// The same episode at a smaller radius. As long as no other decision reaches its price, it is the very same run.
    fn lower(
        &mut self,
        last: Tried,
        radius: f64,
        labelled: &Labelled,
        number: u64,
        seed: Seed,
    ) -> Result<Tried, Error> {
        if radius > last.next { Ok(last) } else { self.episode(Radius::new(radius)?, labelled, number, seed) }
    }

    fn episode(&mut self, radius: Radius, labelled: &Labelled, number: u64, seed: Seed) -> Result<Tried, Error> {
        let settings = self.phases.settings;
        let mut session = self.stage.session(settings, Learning::Frozen, seed.stream("engine"))?;
        session.controller = session.controller.with_radius(RadiusInForce::Declared(radius));
        session.labelled = labelled.clone();
        session.episode(Episode::Rehearsal { number, of: self.phases.episodes.max(number + 1) }, seed)?;
        let mut tried = Tried { net: 0.0, is_clean: true, next: f64::NEG_INFINITY };
        for decision in &session.decisions {
            let (record, hindsight) = (&decision.record, &decision.hindsight);
            let asked = record.asked();
            tried.net += hindsight.reward - if asked { record.paced_price } else { 0.0 };
            let label = hindsight.proxy_value.or(hindsight.exact_value);
            if let (true, Some(label)) = (asked, label) {
                tried.is_clean &= label >= record.paced_price;
                self.residuals += (record.estimate - label).abs();
                self.labels += 1;
            }
            if !asked {
                tried.next = tried.next.max(record.estimate - record.paced_price);
            }
        }
        self.steps += session.decisions.len() as u64 + session.steps_simulated();
        self.calls += session.controller.engine().calls_made();
        let books = session.controller.into_books();
        self.stage.books = books;
        Ok(tried)
    }
}
