//! Intervals of what sums up many runs on many tasks: the stratified bootstrap of rliable, and its performance profiles.
//!
//! Runs are drawn with replacement within each task, so every replicate has as many runs of a task as the arm has. The ends are
//! percentiles of the replicates. A profile is the share of all scores above a threshold. Invariant: equal arguments give equal bytes.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::distribution::check_level;
use crate::moments::check_finite;
use crate::quantile::{sorted, sorted_quantile};
use crate::{Bootstrap, Error, Interval, Scores};

impl Scores {
    /// The share of all scores above a threshold.
    pub fn share_above(&self, threshold: f64) -> f64 {
        let scores = || self.by_task.iter().flatten();
        scores().filter(|score| **score > threshold).count() as f64 / scores().count() as f64
    }

    /// How many scores there are, of all tasks.
    pub fn runs(&self) -> usize {
        self.by_task.iter().map(Vec::len).sum()
    }

    /// The lowest and the highest of all scores.
    pub fn extremes(&self) -> (f64, f64) {
        let scores = || self.by_task.iter().flatten().copied();
        (scores().fold(f64::INFINITY, f64::min), scores().fold(f64::NEG_INFINITY, f64::max))
    }

    /// As many runs of each task, drawn with replacement.
    fn redrawn(&self, rng: &mut ChaCha8Rng) -> Self {
        let draw = |scores: &Vec<f64>| (0..scores.len()).map(|_| scores[rng.random_range(0..scores.len())]).collect();
        Self { by_task: self.by_task.iter().map(draw).collect() }
    }
}

impl Bootstrap {
    /// The percentile interval of a statistic of one arm.
    pub fn stratified(&self, scores: &Scores, statistic: impl Fn(&Scores) -> f64) -> Result<Interval, Error> {
        self.percentiles(statistic(scores), |rng| statistic(&scores.redrawn(rng)))
    }

    /// The percentile interval of a statistic of two arms, whose runs are drawn independently.
    pub fn stratified_pair(
        &self,
        one: &Scores,
        other: &Scores,
        statistic: impl Fn(&Scores, &Scores) -> f64,
    ) -> Result<Interval, Error> {
        self.percentiles(statistic(one, other), |rng| statistic(&one.redrawn(rng), &other.redrawn(rng)))
    }

    fn percentiles(&self, estimate: f64, replicate: impl Fn(&mut ChaCha8Rng) -> f64) -> Result<Interval, Error> {
        check_level(self.level)?;
        check_finite("a bootstrap estimate", &[estimate])?;
        if self.resamples == 0 {
            return Err(Error::NoResamples);
        }
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        let replicates: Vec<f64> = (0..self.resamples).map(|_| replicate(&mut rng)).collect();
        let replicates = sorted("a bootstrap distribution", &replicates)?;
        let tail = 0.5 * (1.0 - self.level);
        let [low, high] = [tail, 1.0 - tail].map(|share| sorted_quantile(&replicates, share));
        Ok(Interval::between(estimate, low, high))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_is_the_share_above() {
        let scores = Scores::from_runs(&[[0.0, 1.0], [0.5, 1.0]]).unwrap();
        assert_eq!([-1.0, 0.0, 0.5, 1.0].map(|threshold| scores.share_above(threshold)), [1.0, 0.75, 0.5, 0.0]);
        assert_eq!((scores.runs(), scores.extremes()), (4, (0.0, 1.0)));
    }

    /// The spread within tasks counts, the distance between tasks does not: runs of a task never take the place of another's.
    #[test]
    fn runs_are_redrawn_within_their_task() {
        let runs: Vec<[f64; 2]> = (0..20).map(|run| [f64::from(run % 2) * 0.1, 10.0]).collect();
        let scores = Scores::from_runs(&runs).unwrap();
        let interval = Bootstrap { resamples: 2000, ..Bootstrap::seeded(3) }.stratified(&scores, Scores::mean).unwrap();
        assert!((interval.estimate - 5.025).abs() < 1e-12);
        // The mean of the first task has a standard error of 0.05 / sqrt(20), and half of it counts.
        let expected = 1.96 * 0.05 / 20.0_f64.sqrt() / 2.0;
        assert!((interval.high - interval.estimate - expected).abs() < 0.2 * expected, "{interval:?}");
        assert!((interval.estimate - interval.low - expected).abs() < 0.2 * expected, "{interval:?}");
    }

    #[test]
    fn the_interval_of_an_improvement_holds_the_estimate_and_stays_within_one() {
        let better: Vec<[f64; 1]> = (0..15).map(|run| [f64::from(run)]).collect();
        let worse: Vec<[f64; 1]> = (0..15).map(|run| [f64::from(run) - 4.0]).collect();
        let [better, worse] = [better, worse].map(|runs| Scores::from_runs(&runs).unwrap());
        let chance = |one: &Scores, other: &Scores| one.probability_of_improvement(other).unwrap_or(f64::NAN);
        let bootstrap = Bootstrap { resamples: 1000, ..Bootstrap::seeded(0) };
        let interval = bootstrap.stratified_pair(&better, &worse, chance).unwrap();
        assert!(interval.low > 0.5 && interval.high <= 1.0, "{interval:?}");
        assert!(interval.low < interval.estimate && interval.estimate < interval.high, "{interval:?}");
        assert_eq!(bootstrap.stratified_pair(&better, &worse, chance), Ok(interval), "equal seeds, equal bytes");
        assert_eq!(Bootstrap { resamples: 0, ..bootstrap }.stratified(&better, Scores::mean), Err(Error::NoResamples));
    }
}
