//! A condition on a state: what is left of a goal once its variables are replaced by the things of the game.
//!
//! It speaks of facts that change alone, and is small: for "put a mug in the shelf" one fact per mug and shelf.

use crate::State;
use crate::fact::Fact;

/// A condition on a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Condition {
    Fact(Fact),
    Not(Box<Condition>),
    /// All of these; of none, this is true.
    All(Vec<Condition>),
    /// At least one of these; of none, this is false.
    Any(Vec<Condition>),
}

impl Condition {
    pub(crate) const TRUE: Self = Self::All(Vec::new());
    pub(crate) const FALSE: Self = Self::Any(Vec::new());

    pub(crate) fn holds(&self, state: &State) -> bool {
        match self {
            Self::Fact(fact) => state.has(*fact),
            Self::Not(part) => !part.holds(state),
            Self::All(parts) => parts.iter().all(|part| part.holds(state)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(state)),
        }
    }

    pub(crate) fn negated(self) -> Self {
        match self {
            Self::Not(part) => *part,
            Self::All(parts) if parts.is_empty() => Self::FALSE,
            Self::Any(parts) if parts.is_empty() => Self::TRUE,
            other => Self::Not(Box::new(other)),
        }
    }
}

/// How parts make a whole.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Join {
    And,
    Or,
}

impl Join {
    /// The part that decides the whole, whatever the others are.
    pub(crate) fn settled(self) -> Condition {
        match self {
            Self::And => Condition::FALSE,
            Self::Or => Condition::TRUE,
        }
    }
}

/// The whole, without parts inside parts of the same kind; so what has no say in it, which is an empty whole, is gone too.
pub(crate) fn join(parts: Vec<Condition>, how: Join) -> Condition {
    let mut flat = Vec::with_capacity(parts.len());
    for part in parts {
        match (part, how) {
            (Condition::All(inner), Join::And) | (Condition::Any(inner), Join::Or) => flat.extend(inner),
            (part, _) => flat.push(part),
        }
    }
    match (flat.len(), how) {
        (1, _) => flat.swap_remove(0),
        (_, Join::And) => Condition::All(flat),
        (_, Join::Or) => Condition::Any(flat),
    }
}
