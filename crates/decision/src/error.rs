//! What can be wrong with what a caller hands in. Every message names the offending value and the remedy.

/// An input that the decision crate refuses.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An input that is refused in the words all crates share.
    #[error(transparent)]
    Refused(#[from] crate::refusal::Refusal),
    /// A lower bound above its upper bound.
    #[error("the bounds of action {action} are crossed: lower {lower} > upper {upper}; pass lower <= upper")]
    CrossedBounds {
        /// The action.
        action: usize,
        /// Its lower bound.
        lower: f64,
        /// Its upper bound.
        upper: f64,
    },
    /// Probabilities that do not add up.
    #[error("the probabilities of {what} add up to {sum}; normalise them to 1")]
    NotADistribution {
        /// What the probabilities are of.
        what: &'static str,
        /// Their sum.
        sum: f64,
    },
    /// An action index past the end.
    #[error("{what} is action {action}, but there are only {actions} actions (0 to {last}); pass an admissible action", last = actions.saturating_sub(1))]
    NoSuchAction {
        /// What the action was meant for.
        what: &'static str,
        /// The index.
        action: usize,
        /// How many actions there are.
        actions: usize,
    },
    /// A budget that limits nothing.
    #[error("the budget declares no limit; declare at least one of per_run, per_episode or token_bucket")]
    UnlimitedBudget,
    /// A reserve without a total to reserve from.
    #[error("a reserve of {fraction} needs a per_run limit to take its share from; declare per_run")]
    ReserveWithoutTotal {
        /// The reserved fraction.
        fraction: f64,
    },
    /// A gate that reads true values was about to be deployed.
    #[error(
        "the gate `{gate}` reads true values and cannot be deployed; choose another gate, or build the engine with \
         Engine::diagnostic if this is an experiment"
    )]
    DiagnosticGate {
        /// The gate's name.
        gate: &'static str,
    },
    /// A word that no reply can be read as.
    #[error(
        "the word {word:?} cannot be read back from a reply; use a word without quotes, spaces or a stop around it"
    )]
    UnreadableWord {
        /// The word.
        word: String,
    },
    /// A vocabulary with the same word twice.
    #[error("the word {word:?} names two actions; give each action a word of its own")]
    AmbiguousWord {
        /// The repeated word.
        word: String,
    },
    /// More actions than the parser has words for.
    #[error(
        "there are {actions} actions, but the parser has words for {words}; pass values, bounds and a response law with one \
         entry per action, and a word for each"
    )]
    NamelessActions {
        /// The actions of the decision.
        actions: usize,
        /// The words of the parser.
        words: usize,
    },
    /// More actions than an index can number.
    #[error("there are {actions} actions, but at most 65535 can be numbered; merge actions, or let them be options")]
    TooManyActions {
        /// The actions.
        actions: usize,
    },
}

/// Refuses more actions than an index can number.
pub(crate) fn check_count(actions: usize) -> Result<(), Error> {
    if u16::try_from(actions).is_ok() { Ok(()) } else { Err(Error::TooManyActions { actions }) }
}
