//! How a radius came about: all that a log reader needs to compute it again.

use counsel_decision::Radius;
use serde::{Deserialize, Serialize};

use crate::rank::{quantile_of_sorted, sort_scores};
use crate::{Alpha, Error, RadiusSpec, ScaleModel, Wager, conformal_rank};

/// The quantile of one group of scores.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupDerivation {
    /// The group; absent when all scores stand together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<u32>,
    /// How many scores there are.
    pub n: usize,
    /// ⌈(n + 1)(1 - α)⌉.
    pub rank: usize,
    /// The score of that rank; infinite when the rank exceeds n.
    pub quantile: Radius,
    /// The scores, smallest first; an infinite one is written as nothing.
    #[serde(with = "unbounded")]
    pub scores: Vec<f64>,
}

impl GroupDerivation {
    /// The quantile of these scores.
    pub(crate) fn new(group: Option<u32>, mut scores: Vec<f64>, alpha: Alpha) -> Result<Self, Error> {
        sort_scores(&mut scores)?;
        let (n, rank) = (scores.len(), conformal_rank(scores.len(), alpha));
        Ok(Self { group, n, rank, quantile: quantile_of_sorted(&scores, alpha)?, scores })
    }

    /// Adds a score. The others are sorted already, so only its place has to be found.
    pub(crate) fn absorb(&mut self, score: f64, alpha: Alpha) -> Result<(), Error> {
        let place = self.scores.partition_point(|known| *known <= score);
        self.scores.insert(place, score);
        self.n = self.scores.len();
        self.rank = conformal_rank(self.n, alpha);
        self.quantile = quantile_of_sorted(&self.scores, alpha)?;
        Ok(())
    }
}

/// A radius, from its declaration to its quantiles.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Derivation {
    /// The radius as declared.
    pub spec: RadiusSpec,
    /// The miscoverage level of one opportunity; absent for a radius that needs no data.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alpha: Option<Alpha>,
    /// The fitted scale model, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<ScaleModel>,
    /// The quantile of each group, or of all scores together.
    pub groups: Vec<GroupDerivation>,
    /// The wager, where the radius is in force only if it was won.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wager: Option<Wager>,
}

/// Scores that may be infinite, which JSON has no number for.
mod unbounded {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(scores: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
        let finite = |score: &f64| score.is_finite().then_some(*score);
        scores.iter().map(finite).collect::<Vec<_>>().serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
        let scores = Vec::<Option<f64>>::deserialize(deserializer)?;
        Ok(scores.into_iter().map(|score| score.unwrap_or(f64::INFINITY)).collect())
    }
}

impl Derivation {
    /// Computes level, ranks and quantiles again from the declaration and the scores, and refuses a log that says
    /// something else.
    pub fn verify(&self) -> Result<(), Error> {
        let declared = self.spec.alpha()?;
        if declared != self.alpha {
            return Err(Error::LevelMismatch {
                logged: self.alpha.map(Alpha::value),
                declared: declared.map(Alpha::value),
            });
        }
        if let (RadiusSpec::NetValue { grid, worst, .. }, Some(wager)) = (&self.spec, &self.wager) {
            wager.verify(grid, *worst)?;
        }
        let Some(alpha) = declared else {
            return Ok(());
        };
        for logged in &self.groups {
            let again = GroupDerivation::new(logged.group, logged.scores.clone(), alpha)?;
            if (logged.n, logged.rank, logged.quantile) != (again.n, again.rank, again.quantile) {
                return Err(Error::DerivationMismatch {
                    n: again.n,
                    logged_rank: logged.rank,
                    logged: logged.quantile.value(),
                    rank: again.rank,
                    recomputed: again.quantile.value(),
                });
            }
        }
        Ok(())
    }
}
