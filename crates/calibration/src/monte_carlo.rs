//! The Monte-Carlo term ρ: how far a proxy label may be from the value it stands for, Eq. `main:mc`.
//!
//! Invariant: only the J independent response blocks count. Continuations that share a response are averaged into their
//! block first. Whoever labels vouches that the blocks are independent.

use counsel_decision::refusal::{Refusal, at_least, in_range};
use serde::{Deserialize, Serialize};

use crate::Error;

/// ρ = range √(2 ln(2n/δ) / J): Hoeffding's bound for block means in [-range, range], for all n labels at once.
pub fn hoeffding(range: f64, labels: usize, delta: f64, blocks: usize) -> Result<f64, Error> {
    check(range, labels, delta)?;
    at_least("the number of response blocks", blocks, 1, "draw at least one response")?;
    Ok(range * (2.0 * (2.0 * labels as f64 / delta).ln() / blocks as f64).sqrt())
}

/// ρ = √(2 V ln(4n/δ) / J) + 7 (2 range) ln(4n/δ) / (3 (J - 1)): the empirical Bernstein bound of Maurer and Pontil
/// (2009, Theorem 4) for block means in [-range, range], with the unbiased variance V of the block means, on both sides
/// and for all n labels at once.
pub fn empirical_bernstein(block_means: &[f64], range: f64, labels: usize, delta: f64) -> Result<f64, Error> {
    check(range, labels, delta)?;
    at_least("the number of response blocks", block_means.len(), 2, "draw at least two responses, or use hoeffding")?;
    for &mean in block_means {
        in_range(mean.abs() <= range, "a block mean", mean, "[-range, range]", "declare the true range of returns")?;
    }
    let blocks = block_means.len() as f64;
    let mean = block_means.iter().sum::<f64>() / blocks;
    let variance = block_means.iter().map(|block| (block - mean).powi(2)).sum::<f64>() / (blocks - 1.0);
    let log = (4.0 * labels as f64 / delta).ln();
    Ok((2.0 * variance * log / blocks).sqrt() + 14.0 * range * log / (3.0 * (blocks - 1.0)))
}

fn check(range: f64, labels: usize, delta: f64) -> Result<(), Refusal> {
    let what = "the range of return differences";
    in_range(range > 0.0 && range.is_finite(), what, range, "(0, infinity)", "pass the window's largest return")?;
    in_range(delta > 0.0 && delta < 1.0, "delta_mc", delta, "(0, 1)", "pass a failure probability")?;
    at_least("the number of labels", labels, 1, "count the calibration opportunities")
}

/// Which Monte-Carlo term is added to a label.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "kebab-case", deny_unknown_fields)]
pub enum MonteCarloSpec {
    /// None: the label is exact, or the bare residual is wanted (β_conf of the paper).
    None,
    /// The range-based term of the paper.
    Hoeffding {
        /// Return differences lie in [-range, range].
        range: f64,
        /// δ_MC: how often any label may be further off.
        delta_mc: f64,
    },
    /// The variance-based alternative.
    EmpiricalBernstein {
        /// Return differences lie in [-range, range].
        range: f64,
        /// δ_MC: how often any label may be further off.
        delta_mc: f64,
    },
}

impl MonteCarloSpec {
    /// ρ of one label with these block means, among `labels` labels.
    pub fn term(&self, block_means: &[f64], labels: usize) -> Result<f64, Error> {
        match *self {
            Self::None => Ok(0.0),
            Self::Hoeffding { range, delta_mc } => hoeffding(range, labels, delta_mc, block_means.len()),
            Self::EmpiricalBernstein { range, delta_mc } => empirical_bernstein(block_means, range, labels, delta_mc),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_numbers_come_out() {
        let beta_form = hoeffding(1.0, 48, 0.1, 3).unwrap();
        assert!((beta_form - 2.14).abs() < 0.005, "{beta_form}");
        let at_j_eight = empirical_bernstein(&[0.0; 8], 1.0, 150, 0.1).unwrap();
        assert!((at_j_eight - 5.8).abs() < 0.05, "{at_j_eight}");
    }

    #[test]
    fn many_quiet_blocks_favour_bernstein() {
        let quiet = vec![0.1; 5000];
        assert!(empirical_bernstein(&quiet, 1.0, 10, 0.1).unwrap() < hoeffding(1.0, 10, 0.1, 5000).unwrap());
    }

    #[test]
    fn what_cannot_be_bounded_is_refused() {
        assert!(hoeffding(1.0, 1, 0.1, 0).is_err());
        assert!(hoeffding(1.0, 0, 0.1, 1).is_err());
        assert!(empirical_bernstein(&[0.0], 1.0, 1, 0.1).is_err());
        assert!(empirical_bernstein(&[0.0, 1.5], 1.0, 1, 0.1).is_err());
    }
}
