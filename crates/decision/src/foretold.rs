//! An answer that is known before it is bought: what the advisor said where it looked like here.
//!
//! It acts as a kept answer would, under the same execution rule and monitors. Buying the answer is then worth only what the
//! doubt about it is worth.

use serde::{Deserialize, Serialize};

use crate::refusal::in_range;
use crate::{Action, Error};

/// An answer that is foretold, with its grounds.
///
/// ```
/// use counsel_decision::{Action, Foretold};
///
/// let foretold = Foretold::new(Action(1), 0.9, 3)?;
/// assert_eq!((foretold.action(), foretold.sources()), (Action(1), 3));
/// assert!(Foretold::new(Action(1), 1.5, 3).is_err());
/// # Ok::<(), counsel_decision::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Foretold {
    action: Action,
    reliability: f64,
    sources: u64,
}

impl Foretold {
    /// An answer that names this action, with the probability that the advisor would say so and the number of answers that
    /// speak for it.
    pub fn new(action: Action, reliability: f64, sources: u64) -> Result<Self, Error> {
        let within = (0.0..=1.0).contains(&reliability);
        let remedy = "pass the probability that the advisor would say so";
        in_range(within, "foretold_reliability", reliability, "[0, 1]", remedy)?;
        Ok(Self { action, reliability, sources })
    }

    /// The action that it names.
    pub fn action(self) -> Action {
        self.action
    }

    /// The probability that the advisor would say so.
    pub fn reliability(self) -> f64 {
        self.reliability
    }

    /// The number of answers that speak for it.
    pub fn sources(self) -> u64 {
        self.sources
    }
}
