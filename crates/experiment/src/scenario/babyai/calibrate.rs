//! The phases between warm-up and deployment: fitting the predictor, and labelling opportunities for the radius.
//!
//! Opportunities come from episodes in which the frozen learner acts alone, one from each, so that they are exchangeable;
//! the episodes go through the schedule of ε as deployment will.

use counsel_advisor::AnyPredictor;
use counsel_calibration::Opportunity as Labelled;
use counsel_decision::gate::random::Random;
use counsel_decision::{BudgetSpec, Controller, Engine, GateSpec, Seed, estimate};
use rand::RngExt;

use super::consultant::Consultant;
use super::label::Opportunity;
use super::session::{Known, Session};
use super::settings::{Agent, BabyAi};
use crate::Error;
use crate::scenario::calibrate::{Calibrated, features, group};

/// Fits the agent's predictor and derives the radius. The learner stays as it is.
pub(super) fn calibrate(
    spec: &BabyAi,
    consultant: &mut Consultant<'_>,
    agent: &mut Agent,
    seed: Seed,
) -> Result<Calibrated, Error> {
    let mut copy = agent.clone();
    let prefix_calls = fit_predictor(spec, consultant, &mut copy, seed.stream("prefix"))?;
    agent.predictor = copy.predictor.clone();
    let wanted = spec.calibration.fit + spec.calibration.calibrate;
    let mut engine = engine(spec, consultant, GateSpec::Never, 0, seed)?;
    let mut session = Session::new(spec, consultant, &mut copy, &mut engine)?;
    let (mut opportunities, mut calls) = (Vec::with_capacity(wanted), prefix_calls);
    for number in 0..wanted {
        let seed = seed.stream("opportunity").index(number as u64);
        let (opportunity, asked) = opportunity(spec, &mut session, number * spec.episodes / wanted, number, seed)?;
        opportunities.push(opportunity);
        calls += asked;
    }
    Calibrated::derive(&spec.calibration, opportunities, calls)
}

/// Questions at half of the decisions, at random. The predictor learns from the first half of the episodes; its
/// temperature is set on the second.
fn fit_predictor(spec: &BabyAi, consultant: &mut Consultant<'_>, agent: &mut Agent, seed: Seed) -> Result<u64, Error> {
    let episodes = spec.calibration.prefix_episodes;
    let decisions = episodes * u64::from(spec.horizon);
    let gate = GateSpec::Random(Random { calls: decisions / 2, decisions });
    let mut engine = engine(spec, consultant, gate, decisions, seed)?;
    let mut session = Session::new(spec, consultant, agent, &mut engine)?;
    let count = usize::try_from(episodes).unwrap_or(usize::MAX).max(1);
    let run = |number: u64| spec.episode(usize::try_from(number).unwrap_or(0) * spec.episodes / count);
    session.play((0..episodes.div_ceil(2)).map(run), seed.stream("fit"))?;
    let mut fitted = session.agent.predictor.clone();
    session.paid.clear();
    session.play((episodes.div_ceil(2)..episodes).map(run), seed.stream("temperature"))?;
    if let AnyPredictor::Feature(feature) = &mut fitted {
        feature.calibrate_temperature(&session.paid);
    }
    agent.predictor = fitted;
    Ok(engine.calls_made())
}

fn engine(spec: &BabyAi, consultant: &Consultant<'_>, gate: GateSpec, calls: u64, seed: Seed) -> Result<Engine, Error> {
    let settings = Controller { budget: BudgetSpec::per_run(calls), ..spec.settings(gate) };
    Ok(Engine::new(&settings, consultant.parser().clone(), seed.stream("engine"))?)
}

/// One labelled opportunity: a random decision of an episode that is played without advice.
fn opportunity(
    spec: &BabyAi,
    session: &mut Session<'_, '_>,
    episode: usize,
    number: usize,
    seed: Seed,
) -> Result<(Labelled, u64), Error> {
    session.begin(spec.episode(episode), seed)?;
    let mut met = Vec::new();
    let mut state = Vec::new();
    loop {
        session.world.active_features(&mut state);
        let known = session.know(&state, seed.stream("step").index(met.len() as u64))?;
        let before = session.world.clone();
        let over = counsel_decision::Environment::step(&mut session.world, known.preview.no_query.action).end.is_some();
        met.push((before, known));
        if over {
            break;
        }
    }
    let chosen = seed.stream("choice").rng().random_range(0..met.len());
    let (world, Known { situation, greedy, evidence, preview, .. }) = &met[chosen];
    let frozen = session.frozen();
    let opportunity = Opportunity { world, situation, greedy: *greedy, preview };
    let label = opportunity.label(spec, session.consultant(), || frozen, None, seed.stream("label"))?;
    let estimate = estimate(&evidence.advice, &preview.prospects, preview.no_query.action, spec.gate.valuation());
    let labelled = Labelled {
        estimate,
        label: label.value,
        monte_carlo: label.radius,
        features: features(evidence),
        group: group(estimate),
        trajectory: number as u64,
        step: number as u64,
    };
    Ok((labelled, label.calls))
}
