//! What can be wrong with a learner's settings, with what it is shown, or with a checkpoint. Every message names the value
//! and the remedy.

/// An input that the crate refuses.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// An input that is refused in the words all crates share.
    #[error(transparent)]
    Refused(#[from] counsel_decision::refusal::Refusal),
    /// Active features that do not ascend.
    #[error(
        "the active features of {what} name {place} after {before}; name each active feature once, in ascending order"
    )]
    Order {
        /// Which observation.
        what: &'static str,
        /// The feature named too late, or twice.
        place: usize,
        /// The feature before it.
        before: usize,
    },
    /// Settings that exclude each other.
    #[error(
        "prior_scale is {scale} with the posterior `{posterior}`; random priors need the posterior `heads`: set prior_scale to 0"
    )]
    PriorWithoutHeads {
        /// The scale of the priors.
        scale: f64,
        /// The name of the posterior.
        posterior: &'static str,
    },
    /// An episode number past the end of its run.
    #[error("episode {index} of a run of {of} was begun; episodes are numbered from 0, and a run has at least one")]
    Episode {
        /// The number.
        index: usize,
        /// How many there are.
        of: usize,
    },
    /// Values that are no longer finite.
    #[error(
        "after {updates} updates the values are no longer finite; lower the learning rate of {rate} or the discount"
    )]
    Diverged {
        /// How many updates were made.
        updates: u64,
        /// The learning rate.
        rate: f64,
    },
    /// Bytes of another version.
    #[error(
        "the checkpoint has version {found}, and this program reads version {read}; write it again with this program"
    )]
    Version {
        /// The version found.
        found: u32,
        /// The version this program reads.
        read: u32,
    },
    /// Bytes that are no checkpoint, or no longer.
    #[error("the checkpoint cannot be read: {why}; use an undamaged copy")]
    Damaged {
        /// What is wrong.
        why: String,
    },
}

impl Error {
    pub(crate) fn damaged(why: impl Into<String>) -> Self {
        Self::Damaged { why: why.into() }
    }
}
