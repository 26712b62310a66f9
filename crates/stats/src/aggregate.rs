//! Many runs on many tasks as one number, by the definitions of rliable.
//!
//! Mean and median are over the task means; the interquartile mean is the 25 % trimmed mean of all scores; the
//! optimality gap is `g - mean min(score, g)`; the probability of improvement is `P(X > Y) + P(X = Y)/2` for one random
//! run of each arm on the same task, averaged over tasks (the Mann-Whitney U over the number of pairs). Invariant:
//! `Scores` is a non-empty rectangle of finite numbers; the probabilities of improvement in the two directions add up
//! to 1.

use crate::moments::{check_finite, mean};
use crate::quantile::sorted;
use crate::{Error, median};

/// Scores of one arm: one row per run, one column per task.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores {
    pub(crate) by_task: Vec<Vec<f64>>,
}

impl Scores {
    /// Checks a runs-by-tasks array.
    pub fn from_runs<R: AsRef<[f64]>>(runs: &[R]) -> Result<Self, Error> {
        let tasks = runs.first().map_or(0, |run| run.as_ref().len());
        if tasks == 0 {
            return Err(Error::Empty { what: "a runs-by-tasks score" });
        }
        let mut by_task = vec![Vec::with_capacity(runs.len()); tasks];
        for (index, run) in runs.iter().enumerate() {
            let run = run.as_ref();
            if run.len() != tasks {
                return Err(Error::RaggedScores { run: index, found: run.len(), expected: tasks });
            }
            check_finite("a runs-by-tasks score", run)?;
            for (scores, &score) in by_task.iter_mut().zip(run) {
                scores.push(score);
            }
        }
        Ok(Self { by_task })
    }

    /// Mean of the task means.
    pub fn mean(&self) -> f64 {
        mean(&self.task_means())
    }

    /// Median of the task means.
    pub fn median(&self) -> Result<f64, Error> {
        median(&self.task_means())
    }

    /// Mean of the middle half of all scores, runs and tasks pooled.
    pub fn interquartile_mean(&self) -> Result<f64, Error> {
        interquartile_mean(&self.by_task.concat())
    }

    /// How far the scores, capped at `threshold`, fall short of it on average; lower is better.
    pub fn optimality_gap(&self, threshold: f64) -> Result<f64, Error> {
        check_finite("an optimality threshold", &[threshold])?;
        let capped: Vec<f64> = self.by_task.iter().flatten().map(|score| score.min(threshold)).collect();
        Ok(threshold - mean(&capped))
    }

    /// The chance that a run of this arm beats a run of `other` on the same task, ties counting half.
    pub fn probability_of_improvement(&self, other: &Self) -> Result<f64, Error> {
        if self.by_task.len() != other.by_task.len() {
            return Err(Error::UnequalLengths {
                what: "a probability of improvement",
                left: self.by_task.len(),
                right: other.by_task.len(),
                remedy: "score both arms on the same tasks",
            });
        }
        let tasks = self.by_task.iter().zip(&other.by_task);
        Ok(mean(&tasks.map(|(x, y)| win_share(x, y)).collect::<Vec<_>>()))
    }

    fn task_means(&self) -> Vec<f64> {
        self.by_task.iter().map(|scores| mean(scores)).collect()
    }
}

/// Mean of `values` without the lowest and the highest quarter, each of `floor(n/4)` values.
pub fn interquartile_mean(values: &[f64]) -> Result<f64, Error> {
    let sorted = sorted("an interquartile mean", values)?;
    let cut = sorted.len() / 4;
    Ok(mean(&sorted[cut..sorted.len() - cut]))
}

/// Share of pairs `(x, y)` with `x > y`, a tie being half a win.
fn win_share(xs: &[f64], ys: &[f64]) -> f64 {
    let half_wins: usize =
        xs.iter().map(|x| ys.iter().map(|y| usize::from(x > y) + usize::from(x >= y)).sum::<usize>()).sum();
    half_wins as f64 / (2.0 * xs.len() as f64 * ys.len() as f64)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn trims_a_quarter_on_each_side() {
        assert_eq!(interquartile_mean(&[100.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, -100.0]), Ok(3.5));
        assert_eq!(interquartile_mean(&[1.0, 2.0, 6.0]), Ok(3.0));
        assert!(matches!(interquartile_mean(&[]), Err(Error::Empty { .. })));
    }

    #[test]
    fn aggregates_by_task() {
        let scores = Scores::from_runs(&[[0.0, 1.0, 5.0], [1.0, 2.0, 7.0]]).unwrap();
        assert!((scores.mean() - 8.0 / 3.0).abs() < 1e-15);
        assert_eq!(scores.median(), Ok(1.5));
        assert!((scores.optimality_gap(1.0).unwrap() - 1.0 / 6.0).abs() < 1e-15);
    }

    #[test]
    fn ties_count_half() {
        let x = Scores::from_runs(&[[1.0], [2.0]]).unwrap();
        let y = Scores::from_runs(&[[1.0], [0.0], [3.0]]).unwrap();
        assert!((x.probability_of_improvement(&y).unwrap() - 3.5 / 6.0).abs() < 1e-15);
        assert_eq!(x.probability_of_improvement(&x), Ok(0.5));
    }

    #[test]
    fn shapes_are_checked() {
        assert!(matches!(Scores::from_runs::<Vec<f64>>(&[]), Err(Error::Empty { .. })));
        let ragged = Scores::from_runs(&[vec![1.0, 2.0], vec![3.0]]);
        assert_eq!(ragged, Err(Error::RaggedScores { run: 1, found: 1, expected: 2 }));
        let (one, two) = (Scores::from_runs(&[[1.0]]).unwrap(), Scores::from_runs(&[[1.0, 2.0]]).unwrap());
        assert!(matches!(one.probability_of_improvement(&two), Err(Error::UnequalLengths { left: 1, right: 2, .. })));
    }

    fn few_valued_runs() -> impl Strategy<Value = Vec<[f64; 3]>> {
        prop::collection::vec([0..5, 0..5, 0..5].prop_map(|run| run.map(f64::from)), 1..8)
    }

    proptest! {
        #[test]
        fn interquartile_mean_is_between_the_extremes(values in prop::collection::vec(-1e3..1e3f64, 1..60)) {
            let iqm = interquartile_mean(&values).unwrap();
            let low = values.iter().copied().fold(f64::INFINITY, f64::min);
            let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            prop_assert!(low - 1e-9 <= iqm && iqm <= high + 1e-9);
        }

        #[test]
        fn improvement_in_the_two_directions_adds_up_to_one(x in few_valued_runs(), y in few_valued_runs()) {
            let (x, y) = (Scores::from_runs(&x).unwrap(), Scores::from_runs(&y).unwrap());
            let there = x.probability_of_improvement(&y).unwrap();
            let back = y.probability_of_improvement(&x).unwrap();
            prop_assert!((there + back - 1.0).abs() < 1e-12);
        }
    }
}
