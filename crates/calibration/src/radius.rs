//! The deployed radius β(x) = q s(x), Eq. `eq:beta-radius`, in its declared variants.
//!
//! Invariant: wherever the calibration data do not support a finite radius (too few scores, a group that was never seen,
//! features the scale model does not know) the radius is infinite, and the conservative gate stays silent.

use std::collections::BTreeMap;

use counsel_decision::refusal::in_range;
use counsel_decision::{Evidence, Radius};
use serde::{Deserialize, Serialize};

use crate::closed_loop::check_grid;
use crate::{
    Alpha, CalibrationSet, Derivation, Error, FitSet, GroupDerivation, Opportunity, ScaleModel, ScaleSpec, Wager,
    excess, scale_features, score, wager,
};

/// A radius as declared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "kebab-case", deny_unknown_fields)]
pub enum RadiusSpec {
    /// No protection: the nonconservative ablation.
    Zero,
    /// No trust: the gate never asks.
    Infinite,
    /// One quantile for all opportunities.
    Constant {
        /// The miscoverage level.
        alpha: Alpha,
    },
    /// A quantile times a scale model that was fitted on the fit part.
    Scaled {
        /// The miscoverage level.
        alpha: Alpha,
        /// How the scale model is fitted.
        #[serde(default)]
        scale: ScaleSpec,
    },
    /// One quantile per group; a group that was not seen, or too rarely, has none.
    Mondrian {
        /// The miscoverage level within each group.
        alpha: Alpha,
    },
    /// One quantile of how far estimates lie above labels. The gate compares a lower bound on the value with the price, so
    /// an estimate that is too low costs a query at most, and need not be covered.
    OneSided {
        /// How often an estimate may exceed its label by more than the radius.
        alpha: Alpha,
    },
    /// A one-sided quantile for each level of the estimate; a level that was not seen, or too rarely, has none. Whether a gate
    /// stands near its threshold depends on the estimate alone, so what is covered at every level is covered there.
    Local {
        /// How often an estimate of a level may exceed its label by more than the radius.
        alpha: Alpha,
        /// The estimates at which the next level begins, ascending.
        edges: Vec<f64>,
    },
    /// One quantile at the level δ_conf / T_eval, so that all evaluated opportunities are covered at once.
    Bonferroni {
        /// δ_conf: how often any of them may be missed.
        delta_conf: f64,
        /// T_eval: how many opportunities will be evaluated at most.
        evaluations: u64,
    },
    /// The quantile of the least radii at which whole episodes are free of queries below their price.
    ClosedLoop {
        /// How often an episode may have such a query.
        alpha: Alpha,
        /// The radii that are tried on each episode, the largest first.
        grid: Vec<f64>,
    },
    /// The radius with the best net value on some episodes, in force only if it wins a wager on others.
    NetValue {
        /// δ: how often a gate without net value may be deployed.
        delta: f64,
        /// The radii of which one is chosen, the largest first.
        grid: Vec<f64>,
        /// How much an episode can lose at most: its largest return, and the price of all its calls.
        worst: f64,
    },
}

impl RadiusSpec {
    /// The miscoverage level of one opportunity; nothing for a radius that needs no data.
    pub fn alpha(&self) -> Result<Option<Alpha>, Error> {
        match self {
            Self::Zero | Self::Infinite | Self::NetValue { .. } => Ok(None),
            Self::Constant { alpha }
            | Self::Scaled { alpha, .. }
            | Self::Mondrian { alpha }
            | Self::OneSided { alpha }
            | Self::Local { alpha, .. }
            | Self::ClosedLoop { alpha, .. } => Ok(Some(*alpha)),
            Self::Bonferroni { delta_conf, evaluations } => Alpha::simultaneous(*delta_conf, *evaluations).map(Some),
        }
    }

    /// Refuses levels and grids that cannot be used.
    pub fn check(&self) -> Result<(), Error> {
        self.alpha()?;
        if let Some(grid) = self.grid() {
            check_grid(grid)?;
        }
        if let Self::Local { edges, .. } = self {
            let remedy = "list estimates in ascending order";
            for pair in edges.windows(2) {
                in_range(pair[0] < pair[1], "an edge of the local radius", pair[1], "an ascending list", remedy)?;
            }
        }
        if let Self::NetValue { delta, worst, .. } = self {
            wager::check(*delta, *worst)?;
        }
        Ok(())
    }

    /// The radii that are tried on whole episodes; nothing where the radius comes from single opportunities, or needs no data.
    pub fn grid(&self) -> Option<&[f64]> {
        match self {
            Self::ClosedLoop { grid, .. } | Self::NetValue { grid, .. } => Some(grid),
            _ => None,
        }
    }

    /// The stratum of an estimate: its level, or 1 where it says that asking could pay and 0 elsewhere.
    pub fn stratum(&self, estimate: f64) -> u32 {
        match self {
            Self::Local { edges, .. } => edges.iter().map(|edge| u32::from(*edge <= estimate)).sum(),
            _ => u32::from(estimate > 0.0),
        }
    }

    /// Whether each stratum has a quantile of its own.
    fn is_stratified(&self) -> bool {
        matches!(self, Self::Mondrian { .. } | Self::Local { .. })
    }

    /// The group whose quantile an opportunity belongs to; nothing where all stand together.
    fn group(&self, group: u32) -> Option<u32> {
        self.is_stratified().then_some(group)
    }

    /// The score of an opportunity whose error is expected to be of size `scale`.
    fn score(&self, opportunity: &Opportunity, scale: f64) -> Result<f64, Error> {
        match self {
            Self::OneSided { .. } | Self::Local { .. } => excess(opportunity),
            _ => score(opportunity, scale),
        }
    }
}

/// A radius in force. It is written as its derivation, and derived again from its scores where it is read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Derivation", into = "Derivation")]
pub struct CalibratedRadius {
    derivation: Derivation,
}

impl TryFrom<Derivation> for CalibratedRadius {
    type Error = Error;

    fn try_from(derivation: Derivation) -> Result<Self, Error> {
        Self::from_derivation(derivation)
    }
}

impl From<CalibratedRadius> for Derivation {
    fn from(radius: CalibratedRadius) -> Self {
        radius.derivation
    }
}

impl CalibratedRadius {
    /// Derives the radius: the scale from the fit part, the quantiles from the calibration part.
    pub fn calibrate(
        spec: &RadiusSpec,
        fit: &FitSet<Opportunity>,
        calibration: &CalibrationSet<Opportunity>,
    ) -> Result<Self, Error> {
        let alpha = spec.alpha()?;
        let scale = match spec {
            RadiusSpec::Scaled { scale, .. } => Some(ScaleModel::fit(*scale, fit)?),
            _ => None,
        };
        let mut scores: BTreeMap<Option<u32>, Vec<f64>> = BTreeMap::new();
        if !spec.is_stratified() {
            scores.insert(None, Vec::new());
        }
        // A radius of whole episodes learns nothing from single opportunities: without its own data it is infinite.
        let opportunities = if spec.grid().is_some() { &[] } else { calibration.as_slice() };
        for opportunity in opportunities {
            let size = scale.as_ref().map_or(Ok(1.0), |scale| scale.at(&opportunity.features))?;
            scores.entry(spec.group(opportunity.group)).or_default().push(spec.score(opportunity, size)?);
        }
        let groups = match alpha {
            Some(alpha) => scores
                .into_iter()
                .map(|(group, scores)| GroupDerivation::new(group, scores, alpha))
                .collect::<Result<_, _>>()?,
            None => Vec::new(),
        };
        Ok(Self { derivation: Derivation { spec: spec.clone(), alpha, scale, groups, wager: None } })
    }

    /// The radius of a [`RadiusSpec::ClosedLoop`], from the score of each episode.
    pub fn closed_loop(spec: &RadiusSpec, scores: Vec<f64>) -> Result<Self, Error> {
        let alpha = spec.alpha()?;
        let group = |alpha| GroupDerivation::new(None, scores, alpha);
        let groups = alpha.map(group).transpose()?.into_iter().collect();
        Ok(Self { derivation: Derivation { spec: spec.clone(), alpha, scale: None, groups, wager: None } })
    }

    /// The radius of a [`RadiusSpec::NetValue`], from its wager.
    pub fn wagered(spec: &RadiusSpec, wager: Wager) -> Result<Self, Error> {
        let derivation =
            Derivation { spec: spec.clone(), alpha: None, scale: None, groups: Vec::new(), wager: Some(wager) };
        Self::from_derivation(derivation)
    }

    /// The radius of a logged derivation, after computing it again.
    pub fn from_derivation(derivation: Derivation) -> Result<Self, Error> {
        derivation.verify()?;
        Ok(Self { derivation })
    }

    /// Adds the score of one more labelled opportunity: the last line of Algorithm 1. The scale model stays as it was fitted.
    pub fn absorb(&mut self, opportunity: &Opportunity) -> Result<(), Error> {
        let Derivation { spec, alpha, scale, groups, .. } = &mut self.derivation;
        let Some(alpha) = *alpha else { return Ok(()) };
        if spec.grid().is_some() {
            return Ok(());
        }
        let size = scale.as_ref().map_or(Ok(1.0), |scale| scale.at(&opportunity.features))?;
        let (group, score) = (spec.group(opportunity.group), spec.score(opportunity, size)?);
        match groups.iter_mut().find(|entry| entry.group == group) {
            Some(entry) => entry.absorb(score, alpha),
            None => {
                groups.push(GroupDerivation::new(group, vec![score], alpha)?);
                Ok(())
            }
        }
    }

    /// β at these features and in this group. Infinite where the features are not those of the scale model.
    pub fn at(&self, features: &[f64], group: u32) -> Radius {
        match (&self.derivation.spec, &self.derivation.wager) {
            (RadiusSpec::Zero, _) => return Radius::ZERO,
            (RadiusSpec::NetValue { delta, .. }, Some(wager)) => return wager.radius(*delta),
            (RadiusSpec::Infinite | RadiusSpec::NetValue { .. }, _) => return Radius::INFINITE,
            _ => {}
        }
        let quantile = self
            .derivation
            .groups
            .iter()
            .find(|entry| entry.group.is_none_or(|seen| seen == group))
            .map_or(Radius::INFINITE, |entry| entry.quantile);
        match (quantile.finite(), &self.derivation.scale) {
            (Some(q), Some(scale)) => {
                scale.at(features).ok().and_then(|size| Radius::new(q * size).ok()).unwrap_or(Radius::INFINITE)
            }
            _ => quantile,
        }
    }

    /// β of a decision: at its own features, in the stratum of its estimate.
    pub fn of(&self, evidence: &Evidence, estimate: f64) -> Radius {
        self.at(&scale_features(evidence), self.spec().stratum(estimate))
    }

    /// The radius as it was declared.
    pub fn spec(&self) -> &RadiusSpec {
        &self.derivation.spec
    }

    /// How the radius came about.
    pub fn derivation(&self) -> &Derivation {
        &self.derivation
    }
}
