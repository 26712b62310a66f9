//! The informative advisor with a known likelihood: a hidden task, an answer that is evidence about it, and three ways to
//! value the answer beforehand.
//!
//! DIFFERENCE: tasks and rewards are ours; see "The informative advisor" in docs/DIFFERENCES.md.

use counsel_advisor::Context;
use counsel_advisor::predictor::Paid;
use counsel_calibration::RadiusSpec;
use counsel_decision::refusal::decisions_fit;
use counsel_decision::{
    Action, AdviceModel, Belief, Budget, CandidateOnly, ContextKey, Execution, FallbackAfter, Gate, Informative,
    Likelihood, Parser, Preview, Record, Reply, Response, Seed, Settings, ValueBounds, ValueSamples, argmax,
};
use counsel_log::Hindsight;
use counsel_session::{
    CalibrationSpec, Controller, Episode, Error, Fork, Heard, Known, Learning, Outcome, Phases, Played, Scene, Shared,
    Situation, advised, refuse, run_phases,
};
use counsel_tabular::{LatentChain, LatentWorld};
use counsel_world::Environment;
use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::replay::{Track, WorldTrack};
use crate::scenario::Playable;

/// How the value of an answer is estimated, and what happens to the belief afterwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Estimator {
    /// Unconditional values times the marginal response law: the invalid shortcut, open because the advisor is declared
    /// candidate-only when it is not.
    MarginalFactorization,
    /// The advised action is valued under the joint law; the belief is not updated by the answer.
    CandidateOnly,
    /// The belief is conditioned on the answer, before it for the estimate and after it for the rest of the episode.
    ResponseConditioned,
}

/// The settings of the informative study.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `world` | see [`LatentChain`] | |
/// | `estimator`, `gate`, `budget` | none | see their types |
/// | `price` | none | 0 or more |
/// | `episodes` | none | 1 or more |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Latent {
    /// The hidden task.
    #[serde(default)]
    pub world: LatentChain,
    /// How an answer is valued.
    pub estimator: Estimator,
    /// When to ask.
    pub gate: Gate,
    /// What may be spent.
    pub budget: Budget,
    /// The cost of a call.
    pub price: f64,
    /// Episodes, each with a task of its own.
    pub episodes: u64,
}

const ACTIONS: usize = 2;

impl Playable for Latent {
    /// Plays a single episode of the settings.
    fn check(&self, seed: Seed) -> Result<(), Error> {
        refuse(self.episodes == 0, "episodes is 0; let there be at least one")?;
        let episodes = usize::try_from(self.episodes).unwrap_or(usize::MAX);
        decisions_fit(&[episodes, self.world.length], "run fewer episodes")?;
        Self { episodes: 1, ..self.clone() }.played(seed, None).map(|_| ())
    }

    fn forks(&self) -> bool {
        true
    }

    fn cell(&self, seed: Seed, shared: Shared<'_>) -> Result<Played, Error> {
        self.played(seed, shared.fork)
    }

    fn track(&self, seed: Seed) -> Result<Option<Box<dyn Track>>, Error> {
        let world = self.world.build(seed).map_err(Error::world)?;
        // All moments are one context.
        let look = |world: &LatentWorld| Ok((ContextKey(0), world.sight()));
        Ok(Some(Box::new(WorldTrack { world, enter: |_, _| {}, look })))
    }
}

impl Latent {
    fn played(&self, seed: Seed, fork: Option<Fork>) -> Result<Played, Error> {
        let settings = Settings::new(self.gate.clone(), Execution::Certified { tolerance: 1.0 }, self.budget.clone());
        // The likelihood is known, so the estimate of a valid estimator has no error to protect against.
        let calibration = CalibrationSpec::declared(RadiusSpec::Zero);
        let phases = Phases { fork, ..Phases::deployment(&settings, &calibration, self.episodes) };
        run_phases(&phases, HiddenTask::new(self, seed)?, seed)
    }

    /// p(y | M), in which every reply is usable.
    fn likelihood(&self) -> Result<Likelihood, Error> {
        let table = self.world.likelihood().iter().flat_map(|row| [row[0], row[1], 0.0]).collect();
        Ok(Likelihood::new(ACTIONS, table)?)
    }

    /// The advice as this estimator sees it.
    fn advice(&self, belief: &Belief, likelihood: &Likelihood, base: Action) -> Result<AdviceModel, Error> {
        match self.estimator {
            Estimator::MarginalFactorization => {
                let means = model_values()?.means(Some(belief.weights()));
                let samples = ValueSamples::new(ACTIONS, means)?;
                let advice = CandidateOnly::new(belief.predict(likelihood)?, samples, bounds()?, base)?;
                Ok(AdviceModel::CandidateOnly(advice))
            }
            Estimator::CandidateOnly => joint(belief, likelihood, base, FallbackAfter::Unchanged),
            Estimator::ResponseConditioned => joint(belief, likelihood, base, FallbackAfter::Greedy),
        }
    }
}

/// An agent that does not know which of two tasks it is in.
#[derive(Clone)]
struct HiddenTask<'a> {
    spec: &'a Latent,
    likelihood: Likelihood,
    world: LatentWorld,
    belief: Belief,
    /// What the fallback does with nothing to go by, for an episode.
    side: Action,
    seed: Seed,
    over: bool,
}

impl<'a> HiddenTask<'a> {
    fn new(spec: &'a Latent, seed: Seed) -> Result<Self, Error> {
        Ok(Self {
            spec,
            likelihood: spec.likelihood()?,
            world: spec.world.build(seed).map_err(Error::world)?,
            belief: Belief::exact(LatentChain::PRIOR.to_vec())?,
            side: Action(0),
            seed,
            over: true,
        })
    }

    fn right(&self) -> Action {
        Action::new(self.world.task())
    }

    /// The best action under the belief, or the episode's side where the belief is even.
    fn base(&self) -> Action {
        let weights = self.belief.weights();
        if weights[0] == weights[1] { self.side } else { argmax(weights) }
    }
}

impl Scene for HiddenTask<'_> {
    type Moment = ();

    fn parser(&self) -> Parser {
        Parser::numbered(ACTIONS)
    }

    fn price(&self) -> f64 {
        self.spec.price
    }

    fn begin(&mut self, _: Episode, seed: Seed) -> Result<(), Error> {
        self.world = self.spec.world.build(seed.stream("environment")).map_err(Error::world)?;
        self.belief = Belief::exact(LatentChain::PRIOR.to_vec())?;
        self.side = Action(u16::from(seed.stream("base").rng().random_bool(0.5)));
        (self.seed, self.over) = (seed, false);
        Ok(())
    }

    fn know(&mut self, _: &mut Controller, _: Seed) -> Result<Option<Known>, Error> {
        if self.over {
            return Ok(None);
        }
        let advice = self.spec.advice(&self.belief, &self.likelihood, self.base())?;
        let situation = Situation::with_advice(Context::new(ContextKey(0), Vec::new()), advice);
        let hindsight = Hindsight { right: Some(self.right()), ..Hindsight::default() };
        Ok(Some(Known { situation, hindsight }))
    }

    /// The exact pre-posterior one-step value of an answer at this belief.
    fn exact_value(&mut self, _: &Preview) -> Result<Option<f64>, Error> {
        let (values, belief) = (model_values()?, &self.belief);
        let best = |belief: &Belief| values.means(Some(belief.weights())).into_iter().fold(0.0, f64::max);
        let law = belief.predict(&self.likelihood)?;
        let given = |y| belief.given(&self.likelihood, y);
        let with_answer: f64 = Response::all(ACTIONS)
            .filter_map(|y| given(y).map(|posterior| law.probability(y) * best(posterior.belief())))
            .sum();
        Ok(Some(with_answer - values.means(Some(belief.weights()))[self.base().index()]))
    }

    fn moment(&self) {}

    /// The right action, as often as the advisor is accurate.
    fn ask(&mut self, _: Seed) -> Result<Heard, Error> {
        let randomness = self.seed.stream("advisor").index(self.world.stage() as u64);
        let right = self.right();
        let said = if randomness.rng().random_bool(self.spec.world.accuracy) { right } else { Action(1 - right.0) };
        Ok(Heard { reply: Reply::simulated(format!("a{said}")), corrupted: None })
    }

    fn hear(&mut self, paid: &Paid) -> Result<(), Error> {
        if self.spec.estimator == Estimator::ResponseConditioned
            && let Some(posterior) = self.belief.given(&self.likelihood, paid.response.response())
        {
            self.belief = posterior.into_belief();
        }
        Ok(())
    }

    fn judge(&mut self, record: &Record, hindsight: &mut Hindsight) -> Result<(), Error> {
        let right = self.right();
        let gap = |action: Action| if action == right { 0.0 } else { 1.0 };
        hindsight.advice_gap = advised(record).map(gap);
        hindsight.base_gap = Some(gap(record.evidence.advice().none().base()));
        hindsight.executed_gap = Some(gap(record.executed));
        hindsight.log_score = Some(self.belief.weights()[right.index()].ln());
        Ok(())
    }

    fn act(&mut self, action: Action, _: Learning, _: Seed) -> Result<Outcome, Error> {
        let transition = self.world.step(action);
        self.over = transition.end.is_some();
        Ok(Outcome::reward(transition.reward))
    }
}

fn joint(belief: &Belief, likelihood: &Likelihood, base: Action, after: FallbackAfter) -> Result<AdviceModel, Error> {
    let advice = Informative::new(model_values()?, belief.clone(), likelihood.clone(), bounds()?, base, after)?;
    Ok(AdviceModel::Informative(Box::new(advice)))
}

/// The value of each action in each task.
fn model_values() -> Result<ValueSamples, Error> {
    Ok(ValueSamples::new(ACTIONS, LatentChain::action_values().concat())?)
}

fn bounds() -> Result<ValueBounds, Error> {
    Ok(ValueBounds::new(vec![0.0; ACTIONS], vec![1.0; ACTIONS])?)
}
