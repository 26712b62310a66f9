//! A cell at a glance: what its episodes brought, how many of its decisions matter, and which cost most.

use counsel_log::{Decision, Manifest, Matter, in_words, matters};

use super::DEAREST;

/// A curve has at most about this many points.
const POINTS: usize = 60;

/// What is remembered of a cell whose log was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Glance {
    /// Points of its learning curve: an episode, counted from 1, and the mean return of those around it.
    pub curve: Vec<(f64, f64)>,
    /// How many decisions it has.
    pub decisions: usize,
    /// How often it asked.
    pub asked: usize,
    /// How many decisions each matter is found in, in the order of [`Matter::ALL`].
    pub counts: [usize; Matter::ALL.len()],
    /// The mistakes that cost most, dearest first.
    pub dearest: Vec<Mistake>,
}

/// A decision that cost something.
#[derive(Debug, Clone, PartialEq)]
pub struct Mistake {
    /// Its number in its cell.
    pub step: u64,
    /// What it cost, in units of return.
    pub cost: f64,
    /// Why.
    pub matter: Matter,
    /// The decision in plain sentences.
    pub words: String,
}

impl Glance {
    /// What these decisions come to.
    pub fn of(manifest: &Manifest, decisions: &[Decision]) -> Self {
        let mut counts = [0; Matter::ALL.len()];
        let mut mistakes = Vec::new();
        for decision in decisions {
            let Some(found) = matters(decision) else { continue };
            found.matters.iter().for_each(|matter| counts[matter.place()] += 1);
            if found.cost > 0.0 {
                mistakes.push((found.cost, found.dearest, decision));
            }
        }
        mistakes.sort_by(|one, other| other.0.total_cmp(&one.0).then(one.2.record.step.cmp(&other.2.record.step)));
        mistakes.truncate(DEAREST);
        let mistake = |(cost, matter, decision): (f64, Matter, &Decision)| Mistake {
            step: decision.record.step,
            cost,
            matter,
            words: in_words(manifest, decision),
        };
        Self {
            curve: curve(decisions),
            decisions: decisions.len(),
            asked: decisions.iter().filter(|decision| decision.record.asked()).count(),
            counts,
            dearest: mistakes.into_iter().map(mistake).collect(),
        }
    }
}

/// The mean returns of neighbouring episodes.
fn curve(decisions: &[Decision]) -> Vec<(f64, f64)> {
    let at = |decision: &Decision| (decision.record.place, decision.record.episode);
    let episodes = decisions.chunk_by(|one, next| at(one) == at(next));
    let returns: Vec<f64> =
        episodes.map(|of| of.iter().map(|decision| decision.hindsight.reward).sum::<f64>()).collect();
    let window = returns.len().div_ceil(POINTS).max(1);
    let point = |(place, of): (usize, &[f64])| {
        let middle = (place * window) as f64 + f64::midpoint(of.len() as f64, 1.0);
        (middle, of.iter().sum::<f64>() / of.len() as f64)
    };
    returns.chunks(window).enumerate().map(point).collect()
}
