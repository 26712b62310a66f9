//! What is known of a decision, and of the episode that it belongs to.

use std::collections::BTreeSet;
use std::sync::Arc;

use counsel_controller::Ask;

use crate::amount::Amount;
use crate::budget::NodeId;
use crate::event::Decide;

/// An answer that was given, and is given again for the same request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) body: Arc<str>,
}

/// The name of an episode, or of a child of it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct EpisodeId {
    pub(crate) policy: String,
    pub(crate) run: String,
    pub(crate) episode: String,
    pub(crate) child: Option<String>,
}

/// An episode that runs.
#[derive(Debug)]
pub(crate) struct Episode {
    /// The deployment that decides in it, to its end.
    pub(crate) arm: String,
    pub(crate) place: usize,
    /// Whether it has one decision, which named no episode.
    pub(crate) alone: bool,
    /// The last complete decision, until its outcome is known.
    pub(crate) waiting: Option<u64>,
    /// The number of steps that the controller has taken in, and the sum of their rewards.
    pub(crate) learned: usize,
    pub(crate) returned: f64,
    /// Decisions that wait for a reply.
    pub(crate) open: BTreeSet<u64>,
    /// When it ends by itself, if nobody touches it.
    pub(crate) ends_at: u64,
}

/// A question that waits for its reply.
#[derive(Debug)]
pub(crate) struct OpenQuestion {
    pub(crate) permit: u64,
    pub(crate) ask: Ask,
    /// Its place in the sequence of the deployment.
    pub(crate) asked_at: u64,
    pub(crate) reserved: Amount,
    pub(crate) expires_at: u64,
    /// What was decided on, for a second question where the first answer is not followed.
    pub(crate) decide: Box<Decide>,
}

/// How a permit was settled.
#[derive(Debug, Clone)]
pub(crate) struct Settled {
    pub(crate) permit: u64,
    /// The digest of the request that did it; none where the permit ran out, or its episode ended.
    pub(crate) request: Option<String>,
    pub(crate) answer: Answer,
}

/// A decision.
#[derive(Debug)]
pub(crate) struct Decision {
    pub(crate) policy: String,
    pub(crate) digest: String,
    pub(crate) arm: String,
    /// Whether permits are handed out for it.
    pub(crate) applied: bool,
    pub(crate) episode: EpisodeId,
    pub(crate) at: u64,
    /// The answer that it was made with.
    pub(crate) made: Answer,
    /// The word of the action, once it is settled.
    pub(crate) action: Option<String>,
    pub(crate) verdict: &'static str,
    /// The nodes that pay for its questions.
    pub(crate) path: Vec<NodeId>,
    pub(crate) question: Option<Box<OpenQuestion>>,
    pub(crate) settled: Vec<Settled>,
    /// The number of questions it has asked.
    pub(crate) asked: usize,
    /// Its step in the log, once it is complete.
    pub(crate) step: Option<u64>,
    /// Its place among the steps of its episode, once the controller took it in.
    pub(crate) learned: Option<usize>,
    pub(crate) reward: Option<f64>,
    /// How often its outcome was told.
    pub(crate) revisions: u64,
    /// The keys under which it is known, to be forgotten with it.
    pub(crate) keys: Vec<String>,
}
