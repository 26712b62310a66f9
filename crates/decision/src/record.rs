//! One decision, complete: what was known, what was computed, what was done. The log is made of these, and each can be
//! computed again from its own evidence and reply.

use crate::{Action, CacheStatus, Evidence, NoQuery, Panel, Preview, Prospect, Reply, Response, Verdict};

/// A bought answer and what became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The answer as it came.
    pub reply: Reply,
    /// The answer as it was understood.
    pub response: Response,
    /// The certificate's decision on it.
    pub verdict: Verdict,
}

/// What the acquisition side did.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// The gate did not want to ask, or the agent leads.
    Silent,
    /// The gate wanted to ask, but no call was left, or the bankroll did not cover it.
    Unaffordable,
    /// It asked.
    Asked(Answer),
}

/// Somebody had the last word: another action was set in the place of the controller's, after its decision and before the action was
/// executed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Override {
    /// Who decided: a person's role, or the name of a program.
    pub by: String,
    /// The action that was set.
    pub action: Action,
    /// The action that the controller would have executed.
    pub instead_of: Action,
}

/// One decision.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// The number of the decision in its run, from 0.
    pub step: u64,
    /// Where it was made, among environments that are played side by side; 0 where there is one.
    pub place: u64,
    /// The number of the batch it was decided in, where decisions are made in batches.
    pub batch: Option<u64>,
    /// The number of its episode at its place, from 0.
    pub episode: u64,
    /// The number of the decision in its episode, from 0.
    pub step_in_episode: u64,
    /// All that was known.
    pub evidence: Evidence,
    /// a⁰.
    pub no_query: Action,
    /// The cached candidate, if there was one.
    pub cached: Option<Action>,
    /// What the cache had to say.
    pub cache_status: CacheStatus,
    /// d(y) for every response.
    pub prospects: Vec<Prospect>,
    /// Δ̂.
    pub estimate: f64,
    /// Δ̄, where the gate reads it.
    pub reuse_value: Option<f64>,
    /// λ.
    pub pacing: f64,
    /// c = λ κ.
    pub paced_price: f64,
    /// The gate asks when its score reaches its threshold.
    pub score: f64,
    /// See `score`.
    pub threshold: f64,
    /// B_t, before this decision.
    pub calls_left: u64,
    /// W, before this decision, where there is a bankroll.
    pub bankroll: Option<f64>,
    /// The advisors that were considered, where there are several; the engine weighed one of them itself.
    pub panel: Option<Panel>,
    /// What the acquisition side did.
    pub outcome: Outcome,
    /// Who had the last word, where it was not the controller.
    pub overridden: Option<Override>,
    /// What the agent did.
    pub executed: Action,
}

impl Record {
    /// Takes down that somebody set another action in the place of the controller's.
    pub fn set_override(&mut self, overridden: Override) {
        self.executed = overridden.action;
        self.overridden = Some(overridden);
    }

    /// What the controller would have executed, which the agent did unless somebody overrode it.
    pub fn decided(&self) -> Action {
        self.overridden.as_ref().map_or(self.executed, |overridden| overridden.instead_of)
    }

    /// Whether a call was made.
    pub fn asked(&self) -> bool {
        matches!(self.outcome, Outcome::Asked(_))
    }

    /// What was weighed.
    pub fn preview(&self) -> Preview {
        Preview {
            no_query: NoQuery { action: self.no_query, cached: self.cached, status: self.cache_status },
            prospects: self.prospects.clone(),
            estimate: self.estimate,
            reuse_value: self.reuse_value,
        }
    }

    /// Whether it asked, or came within `near` of asking: |Δ̂ - β - c| is at most that.
    pub fn is_near(&self, near: f64) -> bool {
        self.asked() || (self.estimate - self.evidence.radius.value() - self.paced_price).abs() <= near
    }

    /// The bought answer, if there was one.
    pub fn answer(&self) -> Option<&Answer> {
        match &self.outcome {
            Outcome::Asked(answer) => Some(answer),
            _ => None,
        }
    }
}
