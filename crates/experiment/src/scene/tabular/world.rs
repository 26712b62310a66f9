//! The tabular worlds that a controlled study may choose, with their exact optimal values.

use std::sync::Arc;

use counsel_decision::Seed;
use counsel_session::Error;
use counsel_tabular::{Chain, ComponentMdp, Dynamics, Lock, RepeatedContexts, StageValues, TabularMdp, optimal};
use serde::{Deserialize, Serialize};

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

/// How far the declared continuation looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Continuation {
    /// To the end of the episode.
    #[default]
    ToHorizon,
    /// The present reward alone, which is all that an action decides where contexts come round whatever is done. The
    /// learner plans again before every decision.
    OneStep,
}

/// A world whose optimal values are known.
#[derive(Debug, Clone)]
pub(in crate::scene) struct KnownWorld {
    /// The world as it is played.
    pub(in crate::scene) mdp: Arc<TabularMdp>,
    /// The world as far as the declared continuation looks, for the learner and for exact values.
    pub(in crate::scene) valued: Arc<TabularMdp>,
    /// The optimal values in it.
    pub(in crate::scene) optimal: StageValues,
}

impl KnownWorld {
    /// The stage of the declared continuation at a stage of the episode.
    pub(in crate::scene) fn valued_stage(&self, stage: usize) -> usize {
        stage.min(self.valued.horizon() - 1)
    }
}

impl WorldSpec {
    /// The world as it is played.
    pub(in crate::scene) fn tables(&self, seed: Seed) -> Result<TabularMdp, Error> {
        let mdp = match self {
            Self::Chain(chain) => chain.build(),
            Self::Lock(lock) => lock.build(seed),
            Self::Component(component) => component.build(seed),
            Self::Repeated(repeated) => repeated.build(seed),
        };
        mdp.map_err(Error::world)
    }

    pub(in crate::scene) fn build(&self, continuation: Continuation, seed: Seed) -> Result<KnownWorld, Error> {
        let mdp = Arc::new(self.tables(seed)?);
        let valued = match continuation {
            Continuation::ToHorizon => mdp.clone(),
            Continuation::OneStep => Arc::new(mdp.with_horizon(1).map_err(Error::world)?),
        };
        let optimal = optimal(&*valued);
        Ok(KnownWorld { mdp, valued, optimal })
    }
}
