//! Algorithm 1, once, for every scene and every phase of a run.
//!
//! The numbers are those of the lines of the paper's Algorithm 1 (`alg:voi`). Lines 6 to 9 and the certificate of line 12
//! are the engine's; what stands here is the loop around it. Invariant: everything that the gate looks at is fixed before
//! the reply exists, and what only hindsight knows is written into [`Hindsight`], which no gate can read.

use std::collections::{BTreeMap, BTreeSet};

use counsel_advisor::predictor::Paid;
use counsel_audit::absorb;
use counsel_calibration::CalibratedRadius;
use counsel_decision::{Acted, ContextKey, Engine, Evidence, Input, Preview, Radius, Response, Seed, Turn};
use counsel_experience::Recurrence;
use counsel_log::{Decision, Hindsight};

use crate::Error;
use crate::scene::{Episode, Heard, Known, Learning, Scene};

/// Which decisions are labelled.
#[derive(Debug, Clone, PartialEq)]
pub enum Labelled {
    /// No decision.
    None,
    /// Every decision.
    Every,
    /// Every decision at which a question is asked.
    Asked,
    /// Those, and every one at which the gate came within so much of asking.
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

/// Where the radius of a decision comes from.
#[derive(Debug, Clone)]
pub(crate) enum RadiusInForce {
    /// Nothing is calibrated: every conservative gate is silent.
    Silent,
    /// This radius, wherever it comes from.
    Declared(Radius),
    /// What was calibrated before deployment.
    Fixed(CalibratedRadius),
    /// The same, to which every labelled decision adds its score.
    Online(CalibratedRadius),
}

impl RadiusInForce {
    /// β at this evidence.
    fn at(&self, evidence: &Evidence, estimate: f64) -> Radius {
        match self {
            Self::Silent => Radius::Infinite,
            Self::Declared(radius) => *radius,
            Self::Fixed(radius) | Self::Online(radius) => radius.of(evidence, estimate),
        }
    }
}

/// One phase of a run.
pub(crate) struct Session<'a, S: Scene> {
    pub(crate) scene: &'a mut S,
    pub(crate) engine: &'a mut Engine,
    pub(crate) radius: RadiusInForce,
    pub(crate) learning: Learning,
    pub(crate) labelled: Labelled,
    pub(crate) decisions: Vec<Decision>,
    pub(crate) paid: Vec<Paid>,
    /// The decisions of the last episode, where they are kept to be labelled.
    pub(crate) moments: Option<Vec<S::Moment>>,
    /// How often each context was met in this phase.
    visits: BTreeMap<ContextKey, u64>,
    /// In how many episodes each context was met, and which contexts have an answer that nobody can use.
    recurrence: Recurrence,
    unusable: BTreeSet<ContextKey>,
}

impl<'a, S: Scene> Session<'a, S> {
    /// A phase in which nothing is calibrated or labelled.
    pub(crate) fn new(scene: &'a mut S, engine: &'a mut Engine, learning: Learning) -> Self {
        Self {
            scene,
            engine,
            radius: RadiusInForce::Silent,
            learning,
            labelled: Labelled::None,
            decisions: Vec::new(),
            paid: Vec::new(),
            moments: None,
            visits: BTreeMap::new(),
            recurrence: Recurrence::new(0),
            unusable: BTreeSet::new(),
        }
    }

    /// Line 2. Plays these episodes; every random number comes from `seed`.
    pub(crate) fn play(&mut self, episodes: impl Iterator<Item = Episode> + Clone, seed: Seed) -> Result<(), Error> {
        self.recurrence = Recurrence::new(episodes.clone().count() as u64);
        for (number, episode) in episodes.enumerate() {
            self.episode(episode, seed.index(number as u64))?;
        }
        Ok(())
    }

    /// Lines 3 and 4. Plays one episode; every random number comes from `seed`.
    pub(crate) fn episode(&mut self, episode: Episode, seed: Seed) -> Result<(), Error> {
        self.engine.begin_episode();
        self.recurrence.begin_episode();
        self.scene.begin(episode, seed)?;
        if let Some(moments) = &mut self.moments {
            moments.clear();
        }
        for step in 0.. {
            let seed = seed.stream("step").index(step);
            let Some(known) = self.scene.know(self.engine, seed)? else { break };
            self.decide(known, seed)?;
        }
        let simulated = self.scene.end(self.engine, seed)?;
        if let (true, Some(last)) = (simulated > 0, self.decisions.last_mut()) {
            *last.hindsight.simulated_steps.get_or_insert(0) += simulated;
        }
        Ok(())
    }

    /// How many steps of the world were simulated to label decisions of this phase.
    pub(crate) fn steps_simulated(&self) -> u64 {
        self.decisions.iter().filter_map(|decision| decision.hindsight.simulated_steps).sum()
    }

    /// In how many episodes an answer that is bought now would serve: this one alone where none is kept, none where one is
    /// held, or was bought and of no use.
    fn uses(&self, context: ContextKey) -> f64 {
        if !self.engine.cache().keeps() {
            1.0
        } else if self.engine.cache().entry(context).is_some() || self.unusable.contains(&context) {
            0.0
        } else {
            self.recurrence.expected(context)
        }
    }

    /// Lines 5 to 16: one decision. Line 5, what is known, is in the scene's hands.
    fn decide(&mut self, known: Known, seed: Seed) -> Result<(), Error> {
        let Known { context, mut evidence, mut hindsight } = known;
        let met = self.visits.entry(context.key).or_default();
        evidence.visits = *met;
        *met += 1;
        evidence.uses = self.uses(context.key);
        self.recurrence.meet(context.key);
        let wanted = self.labelled.includes(self.decisions.len() as u64);
        let (scene, radius) = (&mut *self.scene, &self.radius);
        let diagnostic = self.engine.gate().is_diagnostic();
        let forecasts = self.engine.gate().reads(Input::Forecast);
        if let Some(moments) = &mut self.moments {
            moments.push(scene.moment());
        }
        // Lines 6 to 9: a⁰, d(y), Δ̂ and the gate, in the engine; β is a function of what it weighs.
        let turn = self.engine.decide_with(evidence, |preview, evidence| {
            hindsight.exact_value = scene.exact_value(preview)?;
            if wanted {
                label(scene, preview, seed, &mut hindsight)?;
            }
            evidence.radius = radius.at(evidence, preview.estimate);
            if forecasts {
                evidence.forecast = scene.forecast(preview, evidence)?;
            }
            if diagnostic {
                evidence.oracle_value = hindsight.exact_value.or(hindsight.proxy_value);
            }
            Ok::<(), Error>(())
        })?;
        let Acted { action, paid, record } = match turn {
            // Line 14.
            Turn::Act(acted) => {
                if matches!(self.labelled, Labelled::Near(near) if acted.record.is_near(near)) {
                    label(self.scene, &acted.record.preview(), seed, &mut hindsight)?;
                }
                *acted
            }
            // Lines 10 and 12.
            Turn::Ask(question) => {
                if matches!(self.labelled, Labelled::Asked | Labelled::Near(_)) {
                    label(self.scene, &question.preview(), seed, &mut hindsight)?;
                }
                let Heard { reply, corrupted } = self.scene.ask(seed)?;
                hindsight.corrupted = corrupted;
                self.engine.resume(*question, reply)
            }
        };
        // Lines 10 and 11: what is learned from the answer.
        if let Some(response) = paid {
            if response.response() == Response::Unusable {
                self.unusable.insert(context.key);
            }
            let paid = Paid { context, response };
            if self.learning != Learning::Frozen {
                self.scene.hear(&paid)?;
            }
            self.paid.push(paid);
        }
        // Line 16.
        self.scene.judge(&record, &mut hindsight)?;
        hindsight.reward = self.scene.act(action, self.learning, seed)?;
        self.scene.reckon(self.engine, &mut hindsight)?;
        let decision = Decision { record, hindsight };
        if let RadiusInForce::Online(radius) = &mut self.radius {
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
