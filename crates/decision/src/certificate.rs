//! Whether an answer may act: the execution certificate, Eq. `main:safe`, and the improvement test of Eq. `main:decide`.
//!
//! An action is certified when L(s, a) >= max_a' U(s, a') - ε. If the bounds cover the optimal values, an executed
//! certified action is at most ε worse than the best one (Lemma `lem:certified`).

use serde::{Deserialize, Serialize};

use crate::refusal::{Refusal, in_range};
use crate::{Action, Branch};

/// The rule that admits an answer. Only `Certified` is the paper's controller; the others are its ablations.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum ExecutionRule {
    /// Certified within `tolerance`, and no worse than the fallback.
    Certified {
        /// ε: how much worse than the best action a certified one may be.
        tolerance: f64,
    },
    /// No worse than the fallback; no certificate.
    Improving,
    /// Whatever parses.
    Trusting,
    /// Whatever parses, while the gate goes on valuing answers as if the certificate screened them: the certificate switched
    /// off at the same questions.
    Unscreened {
        /// ε of the certificate that the gate reckons with.
        tolerance: f64,
    },
    /// Whatever parses, where the state's epistemic variance is at most this.
    LowVariance {
        /// The largest variance at which advice acts.
        max_variance: f64,
    },
}

/// What became of an answer, or of a cached one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It acts.
    Executed,
    /// It named no admissible action.
    Unusable,
    /// The certificate does not admit it.
    Uncertified,
    /// It is certified, but worse than the fallback.
    NotImproving,
    /// The variance-only rule found the state too uncertain.
    TooUncertain,
    /// No believed model could have given this answer.
    Impossible,
}

impl ExecutionRule {
    /// Refuses a tolerance or variance that is negative or not a number.
    pub fn check(self) -> Result<(), Refusal> {
        let (what, value) = match self {
            Self::Certified { tolerance } | Self::Unscreened { tolerance } => {
                ("the certificate's tolerance", tolerance)
            }
            Self::LowVariance { max_variance } => ("max_variance", max_variance),
            Self::Improving | Self::Trusting => return Ok(()),
        };
        in_range(value >= 0.0, what, value, "[0, infinity]", "pass a non-negative number")
    }

    /// The rule that the gate reckons with when it values answers that are yet to come.
    #[must_use]
    pub fn anticipated(self) -> Self {
        match self {
            Self::Unscreened { tolerance } => Self::Certified { tolerance },
            rule => rule,
        }
    }

    /// What becomes of `candidate` on `branch`.
    pub fn judge(self, branch: &Branch, candidate: Action) -> Verdict {
        let improves = || branch.mean(candidate) >= branch.mean(branch.base);
        match self {
            Self::Certified { tolerance } => {
                let bounds = &branch.bounds;
                if bounds.lower()[candidate.index()] < bounds.ceiling() - tolerance {
                    Verdict::Uncertified
                } else if improves() {
                    Verdict::Executed
                } else {
                    Verdict::NotImproving
                }
            }
            Self::Improving if improves() => Verdict::Executed,
            Self::Improving => Verdict::NotImproving,
            Self::Trusting | Self::Unscreened { .. } => Verdict::Executed,
            Self::LowVariance { max_variance } if branch.epistemic_variance() <= max_variance => Verdict::Executed,
            Self::LowVariance { .. } => Verdict::TooUncertain,
        }
    }
}
