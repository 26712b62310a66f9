//! The deep fallback learner of the paper: what acts, and what is believed about values, when no advice is taken.
//!
//! A [`Deep`] learner is described by a [`DeepSpec`], shown [`Experience`]s, and asked for the values of states; an
//! observation is the list of its ones. [`DeepSpec::paper`] is the learner as printed, [`DeepSpec::competent`] one with
//! a shorter horizon and more updates. A [`Critic`] is a frozen view for valuing alone. The [`Spread`] says
//! where samples and bounds come from: bootstrap heads, a Bayesian last layer, or dropout.
//!
//! ```
//! use counsel_decision::Seed;
//! use counsel_deep::{Deep, DeepSpec, Episode, Experience};
//! use counsel_world::End;
//!
//! let mut deep = Deep::new(DeepSpec::competent(), 10, 2, Seed::root(0))?;
//! deep.begin_episode(Episode::Run { index: 0, of: 60 })?;
//! let valued = deep.values(&[3, 7])?;
//! let action = deep.base_action(&valued, Seed::root(0).stream("exploration").index(0));
//! deep.observe(Experience { state: &[3, 7], action, reward: 1.0, next: &[4], end: Some(End::Terminated) })?;
//! deep.learn()?;
//! let kept = deep.snapshot();
//! assert_eq!(Deep::restore(&kept)?.values(&[3, 7])?, deep.values(&[3, 7])?);
//! # Ok::<(), counsel_deep::Error>(())
//! ```

#[cfg(all(test, feature = "long-tests"))]
#[path = "../benches/update/autograd.rs"]
mod autograd;
mod checkpoint;
mod critic;
mod deep;
mod dropout;
mod error;
mod exploration;
mod kernel;
mod last_layer;
mod network;
#[cfg(test)]
#[path = "../tests/unit/pytorch.rs"]
mod pytorch;
mod replay;
#[cfg(test)]
#[path = "../tests/unit/sample.rs"]
mod sample;
mod spec;
mod spread;
mod update;

pub use critic::{Critic, Valued};
pub use deep::{Deep, Learned};
pub use error::Error;
pub use exploration::{Episode, Exploration, epsilon_greedy, epsilon_soft, explored};
pub use replay::Experience;
pub use spec::{DeepSpec, Loss};
pub use spread::{DropoutSpec, LastLayerSpec, Spread};
