//! Whether an answer may act: the execution certificate, Eq. `main:safe`, and the improvement test of Eq. `main:decide`.
//!
//! A screen asks for a lead over every other action that wrong answers rarely seem to have, learned from such answers.
//! An action is certified when L(s, a) >= max_a' U(s, a') - ε. If the bounds cover the optimal values, an executed
//! certified action is at most ε worse than the best one (Lemma `lem:certified`).

use serde::{Deserialize, Serialize};

use crate::refusal::{Refusal, in_range};
use crate::{Action, Branch};

/// The rule that admits an answer. Only `Certified` is the paper's controller; the others are its ablations.
///
/// ```
/// use counsel_decision::{Action, AdviceModel, CandidateOnly, Execution, ResponseLaw, ValueBounds, ValueSamples, Verdict};
///
/// let samples = ValueSamples::new(2, vec![0.2, 0.6])?;
/// let bounds = ValueBounds::new(vec![0.0, 0.25], vec![0.5, 0.75])?;
/// let advice = AdviceModel::CandidateOnly(CandidateOnly::new(ResponseLaw::uniform(2), samples, bounds, Action(0))?);
/// let judge = |rule: Execution| rule.judge(advice.none(), Action(0), Action(1));
/// assert_eq!(judge(Execution::Improving), Verdict::Executed);
/// // Its value may be as low as 0.25, which is 0.5 below the best that is possible.
/// assert_eq!(judge(Execution::Certified { tolerance: 0.25 }), Verdict::Uncertified);
/// assert_eq!(judge(Execution::Certified { tolerance: 0.5 }), Verdict::Executed);
/// # Ok::<(), counsel_decision::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Execution {
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
    /// Ahead of every other action by more than wrong answers seem to be: at most the share `alpha` of them passes.
    Screened {
        /// How many of the wrong answers may pass.
        alpha: f64,
        /// The lead that an answer must exceed, learned from wrong answers; without it nothing passes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        threshold: Option<f64>,
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
    /// The certificate, or the screen, does not admit it.
    Uncertified,
    /// It is certified, but worse than the fallback.
    NotImproving,
    /// The variance-only rule found the state too uncertain.
    TooUncertain,
    /// No believed model could have given this answer.
    Impossible,
}

impl Execution {
    /// Refuses a tolerance or variance that is negative or not a number.
    pub fn check(self) -> Result<(), Refusal> {
        let (what, value) = match self {
            Self::Certified { tolerance } | Self::Unscreened { tolerance } => {
                ("the certificate's tolerance", tolerance)
            }
            Self::LowVariance { max_variance } => ("max_variance", max_variance),
            Self::Screened { alpha, threshold } => {
                let remedy = "pass the share of wrong answers that may pass, such as 0.1";
                in_range(alpha > 0.0 && alpha < 1.0, "the screen's alpha", alpha, "(0, 1)", remedy)?;
                let threshold = threshold.unwrap_or(0.0);
                let what = "the screen's threshold";
                return in_range(
                    threshold.is_finite(),
                    what,
                    threshold,
                    "the finite numbers",
                    "leave it to calibration",
                );
            }
            Self::Improving | Self::Trusting => return Ok(()),
        };
        in_range(value >= 0.0, what, value, "[0, infinity]", "pass a non-negative number")
    }

    /// Whether the rule has to be fitted before it lets anything pass.
    pub fn is_fitted(self) -> bool {
        matches!(self, Self::Screened { .. })
    }

    /// The rule that the gate reckons with when it values answers that are yet to come.
    #[must_use]
    pub fn anticipated(self) -> Self {
        match self {
            Self::Unscreened { tolerance } => Self::Certified { tolerance },
            rule => rule,
        }
    }

    /// What becomes of `candidate` on `branch`, where the fallback proposes `base`.
    pub fn judge(self, branch: &Branch, base: Action, candidate: Action) -> Verdict {
        let improves = || branch.mean(candidate) >= branch.mean(base);
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
            Self::Screened { threshold, .. } => {
                let passes = threshold.is_some_and(|threshold| branch.lead(candidate) > threshold);
                if passes { Verdict::Executed } else { Verdict::Uncertified }
            }
            Self::LowVariance { max_variance } if branch.epistemic_variance() <= max_variance => Verdict::Executed,
            Self::LowVariance { .. } => Verdict::TooUncertain,
        }
    }
}
