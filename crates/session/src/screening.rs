//! Fits an execution rule that screens out wrong advice: the deployment is rehearsed on a copy, and one wrong answer of each
//! episode gives its score.
//!
//! What an agent is told depends on what it obeyed before. The first rehearsal obeys every answer; where pilots are declared,
//! each of them rehearses with the screen as it stands, on fresh episodes, so that the last scores come from the rule that is
//! deployed. An answer is wrong if it is worse than the best action, which the world tells afterwards.

use counsel_calibration::{Alpha, Screen};
use counsel_controller::Learning;
use counsel_decision::{Execution, Gate, Record, Seed, Settings};
use counsel_log::Decision;
use rand::RngExt;

use crate::Error;
use crate::phases::{Phases, Stage};
use crate::scene::{Episode, Scene, advised};

/// Advice is wrong if it is worse than the best action by more than rounding leaves.
const ROUNDING: f64 = 1e-9;

/// What was found, and what it cost.
pub(crate) struct Screened {
    /// The rule with its threshold.
    pub(crate) rule: Execution,
    pub(crate) screen: Screen,
    pub(crate) calls: u64,
    pub(crate) steps: u64,
}

/// Fits the rule; nothing where it needs no fitting, or nobody is asked.
pub(crate) fn screen<S: Scene>(phases: &Phases<'_>, stage: &Stage<S>, seed: Seed) -> Result<Option<Screened>, Error> {
    let Execution::Screened { alpha, .. } = phases.settings.execution else { return Ok(None) };
    if phases.settings.gate == Gate::Never {
        return Ok(None);
    }
    let level = Alpha::new(alpha)?;
    let (mut rule, mut found) = (Execution::Trusting, Screen::new(level, Vec::new())?);
    let (mut calls, mut steps) = (0, 0);
    let mut copy = stage.clone();
    for pilot in 0..=phases.calibration.pilots {
        let seed = seed.stream("screen").index(pilot);
        let settings = Settings { execution: rule, ..phases.settings.clone() };
        let mut scores = Vec::new();
        for number in 0..phases.calibration.calibrate as u64 {
            let seed = seed.index(number);
            let mut session = copy.session(&settings, Learning::Frozen, seed.stream("engine"))?;
            session.episode(Episode::Rehearsal { number, of: phases.episodes.max(number + 1) }, seed)?;
            let wrong: Vec<f64> = session.decisions.iter().filter_map(wrong_score).collect();
            if !wrong.is_empty() {
                scores.push(wrong[seed.stream("choice").rng().random_range(0..wrong.len())]);
            }
            steps += session.decisions.len() as u64;
            calls += session.controller.engine().calls_made();
            let books = session.controller.into_books();
            copy.books = books;
        }
        found = Screen::new(level, scores)?;
        rule = Execution::Screened { alpha, threshold: found.threshold };
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
    Some(record.evidence.advice().kept(advised).lead(advised))
}
