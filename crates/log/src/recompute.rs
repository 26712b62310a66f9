//! Every decision again: the logged evidence and replies go into a fresh engine with the logged settings, and what it does
//! is compared with what was logged, bit for bit.

use counsel_decision::{Acted, Engine, Outcome, Parser, Record, Reply, Turn};

use crate::{Decision, Manifest};

/// A decision that does not come out as logged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    /// The decision's number in its run.
    pub step: u64,
    /// The column that differs.
    pub column: &'static str,
    /// What the log says.
    pub logged: String,
    /// What the engine says.
    pub computed: String,
}

impl std::fmt::Display for Disagreement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { step, column, logged, computed } = self;
        write!(f, "step {step}: {column} is logged as {logged}, recomputed as {computed}")
    }
}

/// Recomputes the decisions of one cell and returns those that disagree.
pub fn recompute(manifest: &Manifest, decisions: &[Decision]) -> Result<Vec<Disagreement>, counsel_decision::Error> {
    let parser = Parser::new(manifest.words.iter().cloned())?.in_form(manifest.form);
    let mut engine = Engine::diagnostic(&manifest.controller, parser, manifest.engine_seed)?;
    let mut begun = 0;
    let mut disagreements = Vec::new();
    for (Decision { record, .. }, episode) in decisions.iter().zip(plausible_episodes(manifest, decisions)) {
        // An episode may have been empty.
        while begun <= episode {
            engine.begin_episode();
            begun += 1;
        }
        let again = decide_again(&mut engine, record);
        disagreements.extend(compare(record, &again));
    }
    Ok(disagreements)
}

/// The episode of every decision, as far as it can be true: none is later than the last one of the run, or than the episode
/// of the decision that follows, and it is earlier if that one is the first of its episode. Where the log says something
/// else, the comparison of the episode column reports it.
fn plausible_episodes(manifest: &Manifest, decisions: &[Decision]) -> Vec<u64> {
    let mut latest = manifest.totals.episodes.saturating_sub(1);
    let mut episodes: Vec<u64> = decisions
        .iter()
        .rev()
        .map(|Decision { record, .. }| {
            let episode = latest.min(record.episode);
            latest = if record.step_in_episode == 0 { episode.saturating_sub(1) } else { episode };
            episode
        })
        .collect();
    episodes.reverse();
    episodes
}

fn decide_again(engine: &mut Engine, logged: &Record) -> Record {
    match engine.decide(logged.evidence.clone()) {
        Turn::Act(acted) => acted.record,
        Turn::Ask(question) => {
            let reply = logged.answer().map_or_else(Reply::lost, |answer| answer.reply.clone());
            let Acted { record, .. } = engine.resume(*question, reply);
            record
        }
    }
}

/// The first column in which two records differ.
fn compare(logged: &Record, again: &Record) -> Option<Disagreement> {
    let said = |record: &Record| match &record.outcome {
        Outcome::Asked(answer) => format!("asked: {:?}, {:?}", answer.response, answer.verdict),
        silent => format!("{silent:?}").to_lowercase(),
    };
    let columns = |r: &Record| {
        [
            ("step", r.step.to_string()),
            ("episode", r.episode.to_string()),
            ("step_in_episode", r.step_in_episode.to_string()),
            ("calls_left", r.calls_left.to_string()),
            ("cached", format!("{:?}", r.cached)),
            ("cache_status", format!("{:?}", r.cache_status)),
            ("no_query", r.no_query.to_string()),
            ("prospects", format!("{:?}", r.prospects)),
            ("estimate", exact(r.estimate)),
            ("lambda", exact(r.lambda)),
            ("price", exact(r.price)),
            ("score", exact(r.score)),
            ("threshold", exact(r.threshold)),
            ("outcome", said(r)),
            ("executed", r.executed.to_string()),
        ]
    };
    let different = columns(logged).into_iter().zip(columns(again)).find(|(one, other)| one != other);
    different.map(|((column, logged), (_, computed))| Disagreement { step: again.step, column, logged, computed })
}

/// A number with every bit visible.
fn exact(value: f64) -> String {
    format!("{value:?}")
}
