//! A slippery chain with a small reward near and a large one far (RiverSwim in miniature).
//!
//! From state s, `right` leads to s + 1 with probability 1 - slip and else stays; `left` leads to s - 1. At the right
//! end, `right` pays 1; at the left end, where episodes start, `left` pays the distractor.
//!
//! DIFFERENCE: the paper does not print its chain; see "The chain" in docs/DIFFERENCES.md.

use counsel_decision::Action;
use counsel_decision::refusal::{at_least, fits, in_range};
use serde::{Deserialize, Serialize};

use crate::{Error, TabularMdp, TabularSpec};

/// The parameters of a chain.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `length` | 6 | 2 or more |
/// | `horizon` | 12 | 1 or more |
/// | `slip` | 0.1 | [0, 1) |
/// | `distractor` | 0.05 | [0, 1] |
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Chain {
    /// How many states there are.
    pub length: usize,
    /// How many steps an episode has.
    pub horizon: usize,
    /// How often `right` stays where it is.
    pub slip: f64,
    /// What `left` pays at the left end.
    pub distractor: f64,
}

impl Default for Chain {
    fn default() -> Self {
        Self { length: 6, horizon: 12, slip: 0.1, distractor: 0.05 }
    }
}

impl Chain {
    /// The action that leads away from the large reward.
    pub const LEFT: Action = Action(0);
    /// The action that leads to the large reward.
    pub const RIGHT: Action = Action(1);

    /// The chain as tables. Nothing of its structure is random.
    pub fn build(&self) -> Result<TabularMdp, Error> {
        at_least("the length of the chain", self.length, 2, "give the chain two ends")?;
        let ok = (0.0..=1.0 - f64::EPSILON).contains(&self.slip);
        in_range(ok, "the slip", self.slip, "[0, 1)", "leave `right` a chance to move")?;
        fits("the table of values", &[self.length, 2, self.horizon], "make the world smaller")?;
        let last = self.length - 1;
        let mut transitions = Vec::with_capacity(2 * self.length);
        let mut rewards = vec![0.0; 2 * self.length];
        for state in 0..self.length {
            transitions.push(vec![(state.saturating_sub(1), 1.0)]);
            transitions.push(if state == last {
                vec![(last, 1.0)]
            } else {
                vec![(state + 1, 1.0 - self.slip), (state, self.slip)]
            });
        }
        rewards[Self::LEFT.index()] = self.distractor;
        rewards[2 * last + Self::RIGHT.index()] = 1.0;
        TabularMdp::new(&TabularSpec {
            states: self.length,
            actions: 2,
            horizon: self.horizon,
            transitions,
            rewards,
            ..TabularSpec::default()
        })
    }
}
