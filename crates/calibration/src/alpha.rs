//! The miscoverage level α, strictly between 0 and 1.

use counsel_decision::refusal::{at_least, in_range};
use serde::{Deserialize, Serialize};

use crate::Error;

/// How often a radius may be too small.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Alpha(f64);

impl Alpha {
    /// A level in (0, 1).
    pub fn new(value: f64) -> Result<Self, Error> {
        in_range(
            value > 0.0 && value < 1.0,
            "alpha",
            value,
            "(0, 1)",
            "pass the share of misses you can accept, such as 0.1",
        )?;
        Ok(Self(value))
    }

    /// The level of each of `evaluations` opportunities when all are to be covered at once with probability at least
    /// 1 - `delta_conf`: α = δ_conf / T_eval, a union bound.
    pub fn simultaneous(delta_conf: f64, evaluations: u64) -> Result<Self, Error> {
        in_range(
            delta_conf > 0.0 && delta_conf < 1.0,
            "delta_conf",
            delta_conf,
            "(0, 1)",
            "pass a failure probability",
        )?;
        let least = usize::try_from(evaluations).unwrap_or(usize::MAX);
        at_least("evaluations", least, 1, "declare how many opportunities will be evaluated at most")?;
        Self::new(delta_conf / evaluations as f64)
    }

    /// The level as a number.
    pub fn value(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Alpha {
    type Error = Error;

    fn try_from(value: f64) -> Result<Self, Error> {
        Self::new(value)
    }
}

impl From<Alpha> for f64 {
    fn from(alpha: Alpha) -> Self {
        alpha.0
    }
}
