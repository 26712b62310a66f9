//! What can be wrong with what a caller hands in. Every message names the offending value and the remedy.

/// An input that the decision crate refuses.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// A table whose size does not fit the number of actions.
    #[error("{what} has {got} entries where {expected} are needed; pass one entry per {per}")]
    Shape {
        /// What was handed in.
        what: &'static str,
        /// How many entries it has.
        got: usize,
        /// How many are needed.
        expected: usize,
        /// What each entry stands for.
        per: &'static str,
    },
    /// A number outside its range.
    #[error("{what} is {value}, which is outside {range}; {remedy}")]
    Range {
        /// What was handed in.
        what: &'static str,
        /// The number.
        value: f64,
        /// The allowed range, in words.
        range: &'static str,
        /// What to do about it.
        remedy: &'static str,
    },
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
    #[error("{what} is action {action}, but there are only {actions} actions (0 to {last}); pass an admissible action", last = actions - 1)]
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
    /// A vocabulary with the same word twice.
    #[error("the word {word:?} names two actions; give each action a word of its own")]
    AmbiguousWord {
        /// The repeated word.
        word: String,
    },
}

/// Refuses a number outside `range`; `ok` says whether it is inside.
pub(crate) fn in_range(
    ok: bool,
    what: &'static str,
    value: f64,
    range: &'static str,
    remedy: &'static str,
) -> Result<(), Error> {
    if ok { Ok(()) } else { Err(Error::Range { what, value, range, remedy }) }
}

/// Refuses a table of the wrong size.
pub(crate) fn shape(what: &'static str, got: usize, expected: usize, per: &'static str) -> Result<(), Error> {
    if got == expected { Ok(()) } else { Err(Error::Shape { what, got, expected, per }) }
}
