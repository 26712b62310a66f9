//! Fits an execution rule that screens out wrong advice: the deployment is rehearsed on a copy, and one wrong answer of each
//! episode gives its score.
//!
//! What an agent is told depends on what it obeyed before. The first rehearsal obeys every answer; where pilots are declared,
//! each of them rehearses with the screen as it stands, on fresh episodes, so that the last scores come from the rule that is
//! deployed. An answer is wrong if it is worse than the best action, which the world tells afterwards.

use counsel_calibration::{Alpha, Screen};
use counsel_decision::{Controller, Engine, ExecutionRule, GateSpec, Record, Seed};
use counsel_log::Decision;
use rand::RngExt;

use crate::Error;
use crate::phases::Phases;
use crate::scene::{Episode, Learning, Scene, advised};
use crate::session::Session;

/// Advice is wrong if it is worse than the best action by more than rounding leaves.
const ROUNDING: f64 = 1e-9;

/// What was found, and what it cost.
pub(crate) struct Screened {
    /// The rule with its threshold.
    pub(crate) rule: ExecutionRule,
    pub(crate) screen: Screen,
    pub(crate) calls: u64,
    pub(crate) steps: u64,
}

/// Fits the rule; nothing where it needs no fitting, or nobody is asked.
pub(crate) fn screen<S: Scene>(phases: &Phases<'_>, scene: &S, seed: Seed) -> Result<Option<Screened>, Error> {
    let ExecutionRule::Screened { alpha, .. } = phases.controller.execution else { return Ok(None) };
    if phases.controller.gate == GateSpec::Never {
        return Ok(None);
    }
    let level = Alpha::new(alpha)?;
    let (mut rule, mut found) = (ExecutionRule::Trusting, Screen::new(level, Vec::new())?);
    let (mut calls, mut steps) = (0, 0);
    let mut copy = scene.clone();
    for pilot in 0..=phases.calibration.pilots {
        let seed = seed.stream("screen").index(pilot);
        let controller = Controller { execution: rule, ..phases.controller.clone() };
        let mut scores = Vec::new();
        for number in 0..phases.calibration.calibrate as u64 {
            let seed = seed.index(number);
            let engine = Engine::new(&controller, copy.parser(), seed.stream("engine"))?;
            let mut engine = engine.advised_by(copy.advisor());
            let mut session = Session::new(&mut copy, &mut engine, Learning::Frozen);
            session.episode(Episode::Rehearsal { number, of: phases.episodes.max(number + 1) }, seed)?;
            let wrong: Vec<f64> = session.decisions.iter().filter_map(wrong_score).collect();
            if !wrong.is_empty() {
                scores.push(wrong[seed.stream("choice").rng().random_range(0..wrong.len())]);
            }
            steps += session.decisions.len() as u64;
            calls += engine.calls_made();
        }
        found = Screen::new(level, scores)?;
        rule = ExecutionRule::Screened { alpha, threshold: found.threshold };
    }
    Ok(Some(Screened { rule, screen: found, calls, steps }))
}

/// The score of a wrong answer; nothing where none was heard.
fn wrong_score(decision: &Decision) -> Option<f64> {
    decision.hindsight.advice_gap.filter(|gap| *gap > ROUNDING)?;
    score(&decision.record)
}

/// How far ahead of every other action the advised one seems.
fn score(record: &Record) -> Option<f64> {
    let advised = advised(record)?;
    Some(record.evidence.advice.kept(advised).lead(advised))
}
