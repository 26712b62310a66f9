//! The exact tier and its bounds: until a policy first does something else than was logged, what would have happened is what
//! happened; what came after is not observed, and bounded by what was declared of an episode's return.
//!
//! Declared assumption: an answer affects the agent through the action alone (`answers_act_only`).

use crate::{Followed, Policy, ShadowLog, Shadowed, Would};

/// Why the log stopped being what would have happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeftFor {
    /// Another action.
    Another,
    /// A question that nobody asked, so its answer is not known.
    Unlogged,
    /// A call that it leaves out and from which what is expected of answers learned.
    Unlearned,
    /// Something that was done in an earlier episode.
    Earlier,
}

/// How far a policy can be followed in one episode.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prefix {
    /// Its place among the episodes of the log.
    pub episode: usize,
    /// How many decisions it has.
    pub steps: usize,
    /// How many of them are the policy's as well: up to, and without, the first at which it does something else.
    pub same: usize,
    /// Why it was left, if it was.
    pub left: Option<LeftFor>,
    /// How many of its choices to ask or not are known: the one at which it leaves included.
    pub known: usize,
    /// The policy's calls among these.
    pub calls: u64,
    /// The calls of the log in the steps that are the same.
    pub logged_calls: u64,
    /// The return of the episode as logged.
    pub logged_return: f64,
    /// The lowest and the highest return that the policy can have had; infinite where no range is declared.
    pub bounds: [f64; 2],
}

/// How far a policy can be followed in every episode that is evaluated.
#[derive(Debug, Clone)]
pub struct Exact {
    /// Episode by episode.
    pub prefixes: Vec<Prefix>,
    /// Whose calls are counted.
    policy: Policy,
}

impl Exact {
    /// Compares what would be done with what was, from this episode on.
    pub fn of(log: &ShadowLog, shadowed: &Shadowed, followed: &Followed, from: usize) -> Self {
        let unlearns = shadowed.expects_what_was_learned(log);
        let lasting = log.header.agent_learns || shadowed.remembers() || unlearns;
        let mut left_in: Option<usize> = None;
        let prefix = |(place, episode): (usize, &crate::EpisodeRows)| {
            let rows = episode.rows.clone();
            // The first row that is not the policy's, and why.
            let reason = |row: usize| match followed.rows[row] {
                Would { action: None, .. } => Some((row, LeftFor::Unlogged)),
                Would { action: Some(action), .. } if action != log.executed[row] => Some((row, LeftFor::Another)),
                Would { asks: false, .. } if unlearns && log.asked[row] => Some((row + 1, LeftFor::Unlearned)),
                Would { .. } => None,
            };
            let first = if lasting && left_in == Some(episode.run) {
                Some((rows.start, LeftFor::Earlier))
            } else {
                rows.clone().find_map(reason)
            };
            if first.is_some() {
                left_in = Some(episode.run);
            }
            // What is unlearned in the last row of an episode shows in later ones alone.
            let left = first.filter(|(row, _)| *row < rows.end);
            let end = left.map_or(rows.end, |(row, _)| row);
            let chosen = usize::from(matches!(left, Some((_, LeftFor::Another | LeftFor::Unlogged))));
            let known = rows.start..end + chosen;
            let logged_return = log.return_of(episode);
            let earned = log.discounted(rows.start..end);
            Prefix {
                episode: place,
                steps: rows.len(),
                same: end - rows.start,
                left: left.map(|(_, left)| left),
                known: known.len(),
                calls: followed.rows[known].iter().filter(|would| would.asks).count() as u64,
                logged_calls: log.asked[rows.start..end].iter().filter(|asked| **asked).count() as u64,
                logged_return,
                bounds: match left {
                    None => [logged_return; 2],
                    Some(_) => log.header.return_bounds(earned, end - rows.start),
                },
            }
        };
        let prefixes = log.episodes.iter().enumerate().skip(from).map(prefix).collect();
        Self { prefixes, policy: shadowed.policy }
    }

    fn sum<T: std::iter::Sum>(&self, of: impl Fn(&Prefix) -> T) -> T {
        self.prefixes.iter().map(of).sum()
    }

    /// Decisions in the steps that are the same, and all of them.
    pub fn coverage(&self) -> (usize, usize) {
        (self.sum(|prefix| prefix.same), self.sum(|prefix| prefix.steps))
    }

    /// Episodes that were followed to their end.
    pub fn whole(&self) -> usize {
        self.prefixes.iter().filter(|prefix| prefix.left.is_none()).count()
    }

    /// The log's calls in the steps that are the same.
    pub fn logged_calls(&self) -> u64 {
        self.sum(|prefix| prefix.logged_calls)
    }

    /// The policy's calls in the steps that are the same: the call at a step at which it leaves is not among them.
    pub fn calls(&self, followed: &Followed, log: &ShadowLog) -> u64 {
        self.sum(|prefix| {
            let start = log.episodes[prefix.episode].rows.start;
            followed.rows[start..start + prefix.same].iter().filter(|would| would.asks).count() as u64
        })
    }

    /// The lowest and the highest mean return; infinite if an episode was left and no range was declared.
    pub fn return_bounds(&self) -> [f64; 2] {
        let count = self.prefixes.len() as f64;
        [0, 1].map(|end| self.sum(|prefix| prefix.bounds[end]) / count)
    }

    /// The lowest and the highest mean number of calls; no highest where an episode was left and no number of steps was
    /// declared. Who never asks makes none, whatever happens.
    pub fn call_bounds(&self, max_steps: Option<u64>) -> (f64, Option<f64>) {
        let count = self.prefixes.len() as f64;
        let low: u64 = self.sum(|prefix| prefix.calls);
        let more = |prefix: &Prefix| match (prefix.left, self.policy) {
            (None, _) | (_, Policy::Never) => Some(0),
            (Some(_), Policy::Gate) => max_steps.map(|most| most.saturating_sub(prefix.known as u64)),
        };
        let more = self.prefixes.iter().map(more).sum::<Option<u64>>();
        (low as f64 / count, more.map(|more| (low + more) as f64 / count))
    }
}
