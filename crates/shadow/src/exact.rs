//! The exact tier and its bounds: until a policy first does something else than was logged, what would have happened is what
//! happened; what came after is not observed, and bounded by what was declared of an episode's return.
//!
//! Declared assumption: an answer affects the agent through the action alone (`answers_act_only`).

use crate::{Followed, ShadowLog, Shadowed};

/// Why the log stopped being what would have happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeftFor {
    /// Another action.
    Another,
    /// A question that nobody asked, so its answer is not known.
    Unlogged,
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
    /// The policy's calls as far as it is known what it does: the step at which it leaves included.
    pub calls: u64,
    /// The calls of the log in the steps that are the same.
    pub logged_calls: u64,
    /// The return of the episode as logged.
    pub logged_return: f64,
    /// The lowest and the highest return that the policy can have had; nothing where no range was declared.
    pub bounds: Option<[f64; 2]>,
}

/// How far a policy can be followed in every episode that is evaluated.
#[derive(Debug, Clone)]
pub struct Exact {
    /// Episode by episode.
    pub prefixes: Vec<Prefix>,
}

impl Exact {
    /// Compares what would be done with what was, from this episode on.
    pub fn of(log: &ShadowLog, shadowed: &Shadowed, followed: &Followed, from: usize) -> Self {
        let lasting = log.header.agent_learns || shadowed.remembers();
        let mut left_in: Option<usize> = None;
        let prefix = |(place, episode): (usize, &crate::Episode)| {
            let rows = episode.rows.clone();
            let earlier = lasting && left_in == Some(episode.run);
            let reason = |row: usize| match followed.rows[row].action {
                None => Some(LeftFor::Unlogged),
                Some(action) => (action != log.executed[row]).then_some(LeftFor::Another),
            };
            let first = if earlier {
                Some((rows.start, LeftFor::Earlier))
            } else {
                rows.clone().find_map(|row| Some((row, reason(row)?)))
            };
            let end = first.map_or(rows.end, |(row, _)| row);
            let known = if earlier { end } else { (end + 1).min(rows.end) };
            if first.is_some() {
                left_in = Some(episode.run);
            }
            let calls = |rows: std::ops::Range<usize>| followed.rows[rows].iter().filter(|would| would.asks).count();
            let logged_return = log.return_of(episode);
            Prefix {
                episode: place,
                steps: rows.len(),
                same: end - rows.start,
                left: first.map(|(_, left)| left),
                calls: calls(rows.start..known) as u64,
                logged_calls: log.asked[rows.start..end].iter().filter(|asked| **asked).count() as u64,
                logged_return,
                bounds: if first.is_none() { Some([logged_return; 2]) } else { log.header.return_range },
            }
        };
        Self { prefixes: log.episodes.iter().enumerate().skip(from).map(prefix).collect() }
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

    /// The lowest and the highest mean return; nothing where an episode was left and no range was declared.
    pub fn return_bounds(&self) -> Option<[f64; 2]> {
        let count = self.prefixes.len() as f64;
        let mut sums = [0.0, 0.0];
        for prefix in &self.prefixes {
            let [low, high] = prefix.bounds?;
            sums = [sums[0] + low, sums[1] + high];
        }
        Some(sums.map(|sum| sum / count))
    }

    /// The lowest and the highest mean number of calls; nothing above where an episode was left and no number of steps was
    /// declared.
    pub fn call_bounds(&self, max_steps: Option<u64>) -> (f64, Option<f64>) {
        let count = self.prefixes.len() as f64;
        let low: u64 = self.sum(|prefix| prefix.calls);
        let more = |prefix: &Prefix| match prefix.left {
            None => Some(0),
            Some(left) => {
                let known = prefix.same as u64 + u64::from(left != LeftFor::Earlier);
                max_steps.map(|most| most.saturating_sub(known))
            }
        };
        let more = self.prefixes.iter().map(more).sum::<Option<u64>>();
        (low as f64 / count, more.map(|more| (low + more) as f64 / count))
    }
}
