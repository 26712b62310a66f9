//! Algorithm 1, once, for every scene and every phase of a run.
//!
//! The numbers are those of the lines of the paper's Algorithm 1 (`alg:voi`). Lines 6 to 9 and the certificate of line 12
//! are the engine's, line 11 and the statistics of line 16 the controller's books'; what stands here is the loop around them.
//! Invariant: everything that the gate looks at is fixed before the reply exists, and what only hindsight knows is written into [`Hindsight`], which no gate can read.

use std::collections::BTreeSet;

use counsel_advisor::predictor::Paid;
use counsel_calibration::BoundFactor;
use counsel_controller::{Controller, Learning, Situation};
use counsel_decision::{Act, Completion, Input, Preview, Seed, Turn, ValueBounds};
use counsel_log::{Decision, Hindsight, absorb};

use crate::Error;
use crate::fork::Fork;
use crate::scene::{Episode, Heard, Known, Scene};

/// Which decisions are labelled.
#[derive(Debug, Clone, PartialEq)]
pub enum Labelled {
    /// No decision.
    None,
    /// Every decision.
    Every,
    /// Every decision at which a question is asked.
    Asked,
    /// Those, and every one at which the gate came within this distance of asking.
    Near(f64),
    /// Those with these numbers, from 0.
    At(BTreeSet<u64>),
}

impl Labelled {
    fn includes(&self, step: u64) -> bool {
        match self {
            // What is asked is known only once the gate has decided.
            Self::None | Self::Asked | Self::Near(_) => false,
            Self::Every => true,
            Self::At(steps) => steps.contains(&step),
        }
    }
}

/// One phase of a run.
pub(crate) struct Session<'a, S: Scene> {
    pub(crate) scene: &'a mut S,
    pub(crate) controller: Controller,
    pub(crate) labelled: Labelled,
    pub(crate) decisions: Vec<Decision>,
    pub(crate) paid: Vec<Paid>,
    /// The decisions of the last episode, where they are kept to be labelled.
    pub(crate) moments: Option<Vec<S::Moment>>,
    /// What the bounds of the scene are scaled by, where they are.
    pub(crate) factor: Option<BoundFactor>,
    /// The bounds of every decision as the scene made them, where they are kept.
    pub(crate) as_made: Option<Vec<ValueBounds>>,
    /// From which decision on its settings are changed, if they are.
    pub(crate) fork: Option<Fork>,
}

impl<'a, S: Scene> Session<'a, S> {
    /// A phase in which nothing is labelled.
    pub(crate) fn new(scene: &'a mut S, controller: Controller) -> Self {
        Self {
            scene,
            controller,
            labelled: Labelled::None,
            decisions: Vec::new(),
            paid: Vec::new(),
            moments: None,
            factor: None,
            as_made: None,
            fork: None,
        }
    }

    /// Line 2. Plays these episodes; every random number comes from `seed`.
    pub(crate) fn episodes(
        &mut self,
        episodes: impl Iterator<Item = Episode> + Clone,
        seed: Seed,
    ) -> Result<(), Error> {
        self.controller.expect_episodes(episodes.clone().count() as u64);
        for (number, episode) in episodes.enumerate() {
            self.episode(episode, seed.index(number as u64))?;
        }
        Ok(())
    }

    /// Lines 3 and 4. Plays one episode; every random number comes from `seed`.
    pub(crate) fn episode(&mut self, episode: Episode, seed: Seed) -> Result<(), Error> {
        self.controller.begin_episode_from(seed)?;
        self.scene.begin(episode, seed)?;
        if let Some(moments) = &mut self.moments {
            moments.clear();
        }
        for step in 0.. {
            let seed = seed.stream("step").index(step);
            let Some(known) = self.scene.know(&mut self.controller, seed)? else { break };
            self.decide(known, seed)?;
        }
        let mut simulated = self.scene.end(&mut self.controller, seed)?;
        self.controller.end_episode()?;
        simulated += self.scene.review(&mut self.controller, seed)?;
        if let (true, Some(last)) = (simulated > 0, self.decisions.last_mut()) {
            *last.hindsight.simulated_steps.get_or_insert(0) += simulated;
        }
        Ok(())
    }

    /// The steps of the world that were simulated to label decisions of this phase.
    pub(crate) fn steps_simulated(&self) -> u64 {
        self.decisions.iter().filter_map(|decision| decision.hindsight.simulated_steps).sum()
    }

    /// The situation with its bounds scaled, where they are.
    fn bounded(&mut self, situation: Situation) -> Result<Situation, Error> {
        if self.factor.is_none() && self.as_made.is_none() {
            return Ok(situation);
        }
        let Some(as_made) = situation.bounds().cloned() else {
            let reason = "calibration.value_bounds scales the bounds that a learner hands in, and this agent has none; leave it out";
            return Err(Error::Settings { reason });
        };
        let scaled = self.factor.as_ref().map(|factor| factor.scale(&as_made)).transpose()?;
        if let Some(kept) = &mut self.as_made {
            kept.push(as_made);
        }
        Ok(match scaled {
            Some(scaled) => situation.bounded(scaled),
            None => situation,
        })
    }

    /// Lines 5 to 16: one decision. Line 5, what is known, is in the scene's hands and in the controller's books.
    fn decide(&mut self, known: Known, seed: Seed) -> Result<(), Error> {
        let Known { situation, mut hindsight } = known;
        let situation = self.bounded(situation)?;
        let context = situation.context().clone();
        let step = self.decisions.len() as u64;
        let wanted = self.labelled.includes(step);
        let scene = &mut *self.scene;
        let diagnostic = self.controller.engine().gate().is_diagnostic();
        let forecasts = self.controller.engine().gate().reads(Input::Forecast);
        if let Some(moments) = &mut self.moments {
            moments.push(scene.moment());
        }
        if let Some(fork) = self.fork.filter(|fork| fork.step == step) {
            fork.take(&mut self.controller)?;
        }
        // Lines 6 to 9: a⁰, d(y), Δ̂, β and the gate, in the engine.
        let turn = self.controller.decide_with(situation, |preview, evidence| {
            hindsight.exact_value = scene.exact_value(preview)?;
            if wanted {
                label(scene, preview, seed, &mut hindsight)?;
            }
            Ok::<_, Error>(Completion {
                radius: None,
                forecast: if forecasts { scene.forecast(preview, evidence)? } else { None },
                oracle_value: if diagnostic { hindsight.exact_value.or(hindsight.proxy_value) } else { None },
            })
        })?;
        let Act { action, paid, record } = match turn {
            // Line 14.
            Turn::Act(act) => {
                if matches!(self.labelled, Labelled::Near(near) if act.record.is_near(near)) {
                    label(self.scene, &act.record.preview(), seed, &mut hindsight)?;
                }
                act
            }
            // Lines 10 to 12: the books learn from the answer.
            Turn::Ask(ask) => {
                if matches!(self.labelled, Labelled::Asked | Labelled::Near(_)) {
                    label(self.scene, &ask.preview(), seed, &mut hindsight)?;
                }
                let Heard { reply, corrupted } = self.scene.ask_of(ask.advisor(), seed)?;
                hindsight.corrupted = corrupted;
                self.controller.resume(ask, reply)?
            }
        };
        if let Some(response) = paid {
            let paid = Paid { context, response };
            if self.controller.learning() != Learning::Frozen {
                self.scene.hear(&paid)?;
            }
            self.paid.push(paid);
        }
        // Line 16.
        self.scene.judge(&record, &mut hindsight)?;
        let outcome = self.scene.act(action, self.controller.learning(), seed)?;
        hindsight.reward = outcome.value();
        self.controller.outcome(outcome)?;
        self.scene.reckon(&self.controller, &mut hindsight)?;
        let decision = Decision::new(record, hindsight);
        if let Some(radius) = self.controller.online_radius() {
            absorb(radius, &decision)?;
        }
        self.decisions.push(decision);
        Ok(())
    }
}

/// Labels the present decision.
fn label<S: Scene>(scene: &mut S, preview: &Preview, seed: Seed, hindsight: &mut Hindsight) -> Result<(), Error> {
    let moment = scene.moment();
    let label = scene.label(&moment, preview, seed)?;
    label.note(hindsight);
    hindsight.simulated_steps = (label.exact.is_some() || label.simulated.is_some()).then_some(label.steps);
    Ok(())
}
