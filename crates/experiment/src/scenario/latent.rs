//! The informative advisor with a known likelihood: a hidden task, an answer that is evidence about it, and four ways to
//! value the answer beforehand.
//!
//! DIFFERENCE: tasks and rewards are ours; see "The informative advisor" in docs/DIFFERENCES.md.

use counsel_decision::refusal::fits;
use counsel_decision::{
    Acted, Action, AdviceModel, Belief, BudgetSpec, CacheSpec, CandidateOnly, ContextKey, Controller, Engine,
    Environment, Evidence, ExecutionRule, FallbackAfter, GateSpec, Informative, Likelihood, Parser, PriceSpec, Radius,
    Reply, Response, Seed, Turn, ValueBounds, ValueSamples, argmax,
};
use counsel_log::{Before, Decision, Hindsight, Totals};
use counsel_tabular::{LatentChain, LatentWorld};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::Played;
use crate::Error;
use crate::error::refuse;

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
/// | `kappa` | none | 0 or more |
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
    pub gate: GateSpec,
    /// What may be spent.
    pub budget: BudgetSpec,
    /// The cost of a call.
    pub kappa: f64,
    /// Episodes, each with a task of its own.
    pub episodes: u64,
}

const ACTIONS: usize = 2;

impl Latent {
    /// Plays a single episode of the settings.
    pub(super) fn check(&self, seed: Seed) -> Result<(), Error> {
        refuse(self.episodes == 0, "episodes is 0; let there be at least one")?;
        let episodes = usize::try_from(self.episodes).unwrap_or(usize::MAX);
        fits("the run", &[episodes, self.world.length], "run fewer episodes")?;
        Self { episodes: 1, ..self.clone() }.play(seed).map(|_| ())
    }

    fn settings(&self) -> Controller {
        Controller {
            gate: self.gate.clone(),
            execution: ExecutionRule::Certified { tolerance: 1.0 },
            budget: self.budget.clone(),
            price: PriceSpec::default(),
            cache: CacheSpec::Off,
        }
    }

    /// Plays one cell.
    pub(crate) fn play(&self, seed: Seed) -> Result<Played, Error> {
        let settings = self.settings();
        let parser = Parser::numbered(ACTIONS);
        let (words, form) = (parser.words().to_vec(), parser.form());
        let engine_seed = seed.stream("engine");
        let mut engine = Engine::new(&settings, parser, engine_seed)?;
        let mut decisions = Vec::new();
        for episode in 0..self.episodes {
            engine.begin_episode();
            self.play_episode(&mut engine, seed.stream("deployment").index(episode), &mut decisions)?;
        }
        let totals = Totals::of(&decisions, Before::default());
        Ok(Played {
            controller: settings,
            advisor: "simulated".into(),
            words,
            form,
            engine_seed,
            calibration: None,
            totals,
            decisions,
        })
    }

    fn play_episode(&self, engine: &mut Engine, seed: Seed, decisions: &mut Vec<Decision>) -> Result<(), Error> {
        let mut world: LatentWorld = self.world.build(seed.stream("environment"))?;
        let mut belief = Belief::exact(LatentChain::PRIOR.to_vec())?;
        // With nothing to go by, the fallback picks a side for the episode.
        let side = Action(u16::from(seed.stream("base").rng().random_bool(0.5)));
        let likelihood = self.likelihood()?;
        loop {
            let right = Action::new(world.task());
            let base = preferred(&belief, side);
            let advice = self.advice(&belief, &likelihood, base)?;
            let exact = exact_value(&belief, &likelihood, base)?;
            let mut evidence = Evidence::new(ContextKey(0), advice, self.kappa)?;
            // The likelihood is known, so the estimate of a valid estimator has no error to protect against.
            evidence.radius = Radius::ZERO;
            evidence.visits = world.stage() as u64;
            let Acted { action, paid, record } = match engine.decide(evidence) {
                Turn::Act(acted) => *acted,
                Turn::Ask(question) => {
                    let heard = self.hear(right, seed.stream("advisor").index(world.stage() as u64));
                    engine.resume(*question, Reply::simulated(format!("a{heard}")))
                }
            };
            if let (Some(paid), Estimator::ResponseConditioned) = (paid, self.estimator)
                && let Some(posterior) = belief.given(&likelihood, paid.response())
            {
                belief = posterior.into_belief();
            }
            let transition = world.step(action);
            let gap = |action: Action| if action == right { 0.0 } else { 1.0 };
            let hindsight = Hindsight {
                reward: transition.reward,
                right: Some(right),
                advice_gap: record.answer().and_then(|answer| match answer.response {
                    Response::Recommends(advised) => Some(gap(advised)),
                    Response::Unusable => None,
                }),
                base_gap: Some(gap(base)),
                executed_gap: Some(gap(action)),
                exact_value: Some(exact),
                log_score: Some(belief.weights()[right.index()].ln()),
                ..Hindsight::default()
            };
            decisions.push(Decision { record, hindsight });
            if transition.end.is_some() {
                return Ok(());
            }
        }
    }

    /// What the advisor says: the right action as often as it is accurate.
    fn hear(&self, right: Action, seed: Seed) -> Action {
        if seed.rng().random_bool(self.world.accuracy) { right } else { Action(1 - right.0) }
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

/// The exact pre-posterior one-step value of an answer at this belief.
fn exact_value(belief: &Belief, likelihood: &Likelihood, base: Action) -> Result<f64, Error> {
    let values = model_values()?;
    let best = |belief: &Belief| values.means(Some(belief.weights())).into_iter().fold(0.0, f64::max);
    let law = belief.predict(likelihood)?;
    let with_answer: f64 = Response::all(ACTIONS)
        .filter_map(|y| belief.given(likelihood, y).map(|posterior| law.probability(y) * best(posterior.belief())))
        .sum();
    Ok(with_answer - values.means(Some(belief.weights()))[base.index()])
}

fn joint(belief: &Belief, likelihood: &Likelihood, base: Action, after: FallbackAfter) -> Result<AdviceModel, Error> {
    let advice = Informative::new(model_values()?, belief.clone(), likelihood.clone(), bounds()?, base, after)?;
    Ok(AdviceModel::Informative(Box::new(advice)))
}

/// The best action under the belief, or the episode's side where the belief is even.
fn preferred(belief: &Belief, side: Action) -> Action {
    let weights = belief.weights();
    if weights[0] == weights[1] { side } else { argmax(weights) }
}

/// The value of each action in each task.
fn model_values() -> Result<ValueSamples, Error> {
    Ok(ValueSamples::new(ACTIONS, LatentChain::action_values().concat())?)
}

fn bounds() -> Result<ValueBounds, Error> {
    Ok(ValueBounds::new(vec![0.0; ACTIONS], vec![1.0; ACTIONS])?)
}
