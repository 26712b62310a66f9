//! Small clonable worlds with exact values, and the learners that play them: chains, a combination lock, latent tasks.
//!
//! A world is described by a parameter struct ([`Chain`], [`Lock`], [`ComponentMdp`], [`RepeatedContexts`],
//! [`HeterogeneousContexts`], [`LatentChain`]) and built from it. All but the latent chain become a [`TabularMdp`],
//! played through [`TabularWorld`] and solved by [`optimal`] and [`of_policy`]. Whatever implements
//! [`Dynamics`] can be solved in the same way, a learner's guess of the world included. Every world passes
//! [`check_environment`](counsel_world::check_environment).

mod chain;
mod component;
mod dynamics;
mod error;
mod heterogeneous;
mod latent;
mod learner;
mod lock;
mod policy;
mod repeated;
mod sight;
mod tabular;
mod values;
mod world;

pub use chain::Chain;
pub use component::ComponentMdp;
pub use dynamics::Dynamics;
pub use error::Error;
pub use heterogeneous::{FeaturedContexts, HeterogeneousContexts};
pub use latent::{LatentChain, LatentSnapshot, LatentWorld};
pub use learner::{
    BoundTable, BoundsKind, BoundsSpec, Counts, Learner, LearnerKind, LearnerSpec, Model, ModelPosterior, Outline, Plan,
};
pub use lock::Lock;
pub use policy::StagePolicy;
pub use repeated::RepeatedContexts;
pub use tabular::{RewardLaw, TabularMdp, TabularSpec};
pub use values::{StageValues, of_policy, optimal};
pub use world::{TabularSnapshot, TabularWorld};
