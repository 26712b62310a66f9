//! The tabular worlds that a controlled study may choose, with their exact optimal values.

use std::sync::Arc;

use counsel_decision::Seed;
use counsel_env::{Chain, ComponentMdp, Lock, RepeatedContexts, StageValues, TabularMdp, optimal};
use serde::{Deserialize, Serialize};

use crate::Error;

/// A world as declared.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum WorldSpec {
    /// A chain with one rewarding end.
    Chain(Chain),
    /// A combination lock.
    Lock(Lock),
    /// A random process with one good action per state.
    Component(ComponentMdp),
    /// Contexts that come round again whatever is done.
    Repeated(RepeatedContexts),
}

/// A world whose optimal values are known.
#[derive(Debug, Clone)]
pub(super) struct KnownWorld {
    pub(super) mdp: Arc<TabularMdp>,
    pub(super) optimal: StageValues,
}

impl WorldSpec {
    pub(super) fn build(&self, seed: Seed) -> Result<KnownWorld, Error> {
        let mdp = match self {
            Self::Chain(chain) => chain.build()?,
            Self::Lock(lock) => lock.build(seed)?,
            Self::Component(component) => component.build(seed)?,
            Self::Repeated(repeated) => repeated.build(seed)?,
        };
        let optimal = optimal(&mdp);
        Ok(KnownWorld { mdp: Arc::new(mdp), optimal })
    }
}
