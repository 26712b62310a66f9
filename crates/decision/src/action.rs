//! An action: an index into the finite action set of the environment.

use serde::{Deserialize, Serialize};

/// One of the environment's actions.
///
/// ```
/// use counsel_decision::Action;
///
/// assert_eq!(Action::new(2), Action(2));
/// assert_eq!(Action(2).index(), 2);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Action(pub u16);

impl Action {
    /// The action with this index.
    ///
    /// Indices past 65,535 saturate; no table of that size can be built, so such an action is refused as soon as it
    /// is used.
    pub fn new(index: usize) -> Self {
        Self(u16::try_from(index).unwrap_or(u16::MAX))
    }

    /// Its place in tables with one entry per action.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl std::fmt::Display for Action {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)
    }
}
