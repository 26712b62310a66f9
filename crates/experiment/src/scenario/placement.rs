//! Where to ask when there are more contexts than calls: the agent works through the contexts that are still open, the one
//! with the highest estimated value of a query first, until the budget is spent.
//!
//! In each context the fallback's habit is wrong, and a right answer resolves the context for good. All predictors share the
//! order in which equally valued contexts are taken.
//!
//! DIFFERENCE: errors are measured over three responses; see "Predictors" in docs/DIFFERENCES.md.

use counsel_advisor::{AnyPredictor, Context, Predictor, PredictorSpec, Reliability, Simulated, Simulation, Truth};
use counsel_calibration::exact_value;
use counsel_decision::{
    Acted, Action, AdviceModel, BudgetSpec, CacheSpec, CandidateOnly, ContextKey, Controller, Engine, Evidence,
    ExecutionRule, GateSpec, Parser, PriceSpec, Radius, Response, Seed, Turn, ValueBounds, ValueSamples,
    gate::predictive::Predictive,
};
use counsel_log::{Before, Decision, Hindsight, Totals};
use counsel_tabular::HeterogeneousContexts;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

use super::Played;
use crate::Error;
use crate::error::refuse;

/// The settings of the placement study.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `world` | see [`HeterogeneousContexts`] | |
/// | `predictor` | none | see [`PredictorSpec`] |
/// | `budget` | none | calls in the run |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Placement {
    /// The contexts.
    #[serde(default)]
    pub world: HeterogeneousContexts,
    /// What the agent expects to be told.
    pub predictor: PredictorSpec,
    /// How many calls it has.
    pub budget: u64,
}

const ACTIONS: usize = 2;

impl Placement {
    /// Plays a single round of the settings.
    pub(super) fn check(&self, seed: Seed) -> Result<(), Error> {
        refuse(self.budget == 0, "budget is 0; let there be at least one call")?;
        Self { budget: 1, ..self.clone() }.play(seed).map(|_| ())
    }

    /// Plays one cell.
    pub(crate) fn play(&self, seed: Seed) -> Result<Played, Error> {
        let world = self.world.build(seed.stream("world"))?;
        let keys = (0..self.world.contexts as u64).map(ContextKey);
        let known = keys.zip(world.reliability.iter().copied()).collect();
        let mut advisor = Simulated::new(ACTIONS, Reliability::PerContext { known, otherwise: 0.0 }, 0.0)?;
        let truth = Truth { right: HeterogeneousContexts::RIGHT };
        let contexts: Vec<Context> = world
            .features
            .iter()
            .enumerate()
            .map(|(index, features)| Context::new(ContextKey(index as u64), features[1..].to_vec()))
            .collect();
        let mut predictor = self.predictor.build(ACTIONS, 1)?;
        if let AnyPredictor::Replay(oracle) = &mut predictor {
            contexts.iter().for_each(|context| oracle.reveal(context.key, advisor.law(context, truth)));
        }
        let settings = Controller {
            gate: GateSpec::Predictive(Predictive::default()),
            execution: ExecutionRule::Improving,
            budget: BudgetSpec::per_run(self.budget),
            price: PriceSpec::default(),
            cache: CacheSpec::Off,
        };
        let parser = Parser::numbered(ACTIONS);
        let (words, form) = (parser.words().to_vec(), parser.form());
        let engine_seed = seed.stream("engine");
        let mut engine = Engine::new(&settings, parser, engine_seed)?;
        engine.begin_episode();
        let mut open: Vec<usize> = (0..contexts.len()).collect();
        open.shuffle(&mut seed.stream("order").rng());
        let mut asked = vec![0u64; contexts.len()];
        let mut decisions = Vec::new();
        for round in 0..self.budget {
            let Some(place) = most_valuable(&open, &contexts, &predictor, &asked) else { break };
            let index = open[place];
            let context = &contexts[index];
            let law_error = law_error(&contexts, &predictor, &advisor, truth);
            let evidence = evidence(context, &predictor, asked[index])?;
            let d: Vec<Action> = engine.preview(&evidence).prospects.iter().map(|prospect| prospect.action).collect();
            let exact = exact_value(&advisor.law(context, truth), &d, &VALUES, HeterogeneousContexts::HABIT)?;
            let Acted { action, paid, record } = match engine.decide(evidence) {
                Turn::Act(acted) => *acted,
                Turn::Ask(question) => {
                    let reply = advisor.reply(context, truth, seed.stream("advisor").index(round));
                    engine.resume(*question, reply)
                }
            };
            asked[index] += u64::from(paid.is_some());
            if let Some(paid) = paid {
                predictor.observe(context, paid);
            }
            let is_right = action == truth.right;
            if is_right {
                open.remove(place);
            }
            let gap = |action: Action| VALUES[truth.right.index()] - VALUES[action.index()];
            let hindsight = Hindsight {
                reward: if is_right { 1.0 } else { 0.0 },
                right: Some(truth.right),
                advice_gap: paid.and_then(|paid| match paid.response() {
                    Response::Recommends(advised) => Some(gap(advised)),
                    Response::Unusable => None,
                }),
                base_gap: Some(gap(HeterogeneousContexts::HABIT)),
                executed_gap: Some(gap(action)),
                exact_value: Some(exact),
                law_error: Some(law_error),
                ..Hindsight::default()
            };
            decisions.push(Decision { record, hindsight });
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
}

/// The place in `open` of the context whose query is estimated highest; among equals the one asked least, then the first.
fn most_valuable(open: &[usize], contexts: &[Context], predictor: &AnyPredictor, asked: &[u64]) -> Option<usize> {
    const SAME: f64 = 1e-12;
    let right = Response::Recommends(HeterogeneousContexts::RIGHT);
    let value = |place: usize| predictor.law(&contexts[open[place]]).probability(right);
    let better = |one: (usize, f64), other: (usize, f64)| {
        one.1 > other.1 + SAME || (one.1 >= other.1 - SAME && asked[open[one.0]] < asked[open[other.0]])
    };
    (0..open.len())
        .map(|place| (place, value(place)))
        .reduce(|best, candidate| if better(candidate, best) { candidate } else { best })
        .map(|(place, _)| place)
}

/// The value of each action in every context.
const VALUES: [f64; ACTIONS] = [0.0, 1.0];

fn evidence(context: &Context, predictor: &AnyPredictor, visits: u64) -> Result<Evidence, Error> {
    let samples = ValueSamples::new(ACTIONS, VALUES.to_vec())?;
    let bounds = ValueBounds::new(VALUES.to_vec(), VALUES.to_vec())?;
    let advice = CandidateOnly::new(predictor.law(context), samples, bounds, HeterogeneousContexts::HABIT)?;
    let mut evidence = Evidence::new(context.key, AdviceModel::CandidateOnly(advice), 0.0)?;
    evidence.radius = Radius::ZERO;
    evidence.visits = visits;
    Ok(evidence)
}

/// The mean absolute error of the predicted laws over all contexts and responses.
fn law_error(contexts: &[Context], predictor: &AnyPredictor, advisor: &Simulated, truth: Truth) -> f64 {
    let mut sum = 0.0;
    for context in contexts {
        let (predicted, law) = (predictor.law(context), advisor.law(context, truth));
        let errors = predicted.as_slice().iter().zip(law.as_slice()).map(|(p, q)| (p - q).abs());
        sum += errors.sum::<f64>() / law.as_slice().len() as f64;
    }
    sum / contexts.len() as f64
}
