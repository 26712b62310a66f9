//! What a controller refuses. Every message names the offending value and the remedy.

/// A number beyond this is none that anybody meant, and sums and squares of such numbers overflow.
const LARGEST: f64 = 1e100;

/// Whether a number can be reckoned with.
pub(crate) fn is_sane(number: f64) -> bool {
    number.abs() <= LARGEST
}

/// A call that a controller cannot serve.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A decision that the engine refuses.
    #[error(transparent)]
    Decision(#[from] counsel_decision::Error),
    /// A predictor that cannot be built.
    #[error(transparent)]
    Advisor(#[from] counsel_advisor::Error),
    /// A radius that cannot be had.
    #[error(transparent)]
    Calibration(#[from] counsel_calibration::Error),
    /// A factor that is none.
    #[error("the {name} is multiplied by {factor}; pass a factor of 0 or more")]
    Stretch {
        /// What is multiplied.
        name: &'static str,
        /// The factor.
        factor: f64,
    },
    /// A situation without a proposal.
    #[error("the situation proposes no action; say what your agent would do by itself with `proposing`")]
    NoProposal,
    /// A situation without values, before books that keep none.
    #[error(
        "the situation has no values, and this controller learns none; hand them in with `valued`, or use Controller::recommended"
    )]
    NoValues,
    /// Values, bounds or a law over another number of actions.
    #[error("{what} is about {got} actions, but the controller knows {actions}; pass one entry per action")]
    Actions {
        /// What was handed in.
        what: &'static str,
        /// Its number of actions.
        got: usize,
        /// The actions of the controller.
        actions: usize,
    },
    /// Features of another length than before.
    #[error("the situation has {got} features, earlier ones had {expected}; pass the same ones every time")]
    Features {
        /// Their number now.
        got: usize,
        /// Their number before.
        expected: usize,
    },
    /// A feature that is no number.
    #[error("feature {place} is {value:?}; pass finite numbers, up to 1e100")]
    Feature {
        /// Its place.
        place: usize,
        /// Its value.
        value: f64,
    },
    /// A reward without a decision before it.
    #[error("no decision waits for its outcome; call `decide`, and `resume` where it asks, before each `outcome`")]
    NoDecision,
    /// An override by an action that there is not.
    #[error("the override names action {action}, but there are only {actions}; pass a number from 0 to {}", .actions.saturating_sub(1))]
    Override {
        /// The action.
        action: usize,
        /// The number of actions at the decision.
        actions: usize,
    },
    /// An override by nobody.
    #[error(
        "the override is by {by:?}; pass who decided in 1 to 64 characters that can be printed, such as the role of a person"
    )]
    Overrider {
        /// Who decided, as it was passed.
        by: String,
    },
    /// A reward that nothing can be learned from.
    #[error("the reward is {reward:?}; pass a finite number, up to 1e100")]
    Reward {
        /// The reward.
        reward: f64,
    },
    /// A reward outside the range that a bounded loss needs.
    #[error("the reward is {reward}; scale rewards to [0, 1], where 1 is right")]
    RewardRange {
        /// The reward.
        reward: f64,
    },
    /// A cost that nobody can pay.
    #[error("the cost is {cost:?}; pass a number from 0 to 1e100")]
    Cost {
        /// The cost.
        cost: f64,
    },
    /// A question of another controller, or one that was answered before.
    #[error("question {serial} is not open here; resume each question once, with the controller that asked it")]
    NotOpen {
        /// The number of the call.
        serial: u64,
    },
    /// A gate that cannot choose among several advisors.
    #[error("the gate `{gate}` reads what is known of one question alone; with several advisors choose `amortised`")]
    Several {
        /// The gate.
        gate: &'static str,
    },
    /// A chronicle that cannot be decided again.
    #[error("line {line} of the chronicle cannot be decided again: {reason}; restore the file as it was written")]
    Chronicle {
        /// Its line, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A checkpoint that cannot be read.
    #[error("the checkpoint cannot be read: {reason}; save it again with this version of counsel")]
    Checkpoint {
        /// What is wrong with it.
        reason: String,
    },
}

impl From<counsel_decision::refusal::Refusal> for Error {
    fn from(refusal: counsel_decision::refusal::Refusal) -> Self {
        Self::Decision(refusal.into())
    }
}
