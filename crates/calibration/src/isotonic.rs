//! Isotonic regression: the non-decreasing step function that is nearest to the data in squares.
//!
//! Pool adjacent violators: points in the order of x are gathered into blocks; as long as a block's mean is not above that of
//! the one before, the two become one. Points with the same x are one point, so the result is a function of x. Invariant: the steps
//! rise strictly in both coordinates.

use counsel_decision::refusal::in_range;

use crate::Error;

/// A fitted step function.
#[derive(Debug, Clone, PartialEq)]
pub struct Isotonic {
    steps: Vec<(f64, f64)>,
}

struct Block {
    from: f64,
    sum: f64,
    count: f64,
}

impl Block {
    fn mean(&self) -> f64 {
        self.sum / self.count
    }
}

impl Isotonic {
    /// The fit to these points (x, y), in any order. Without points it is nowhere defined.
    pub fn fit(points: impl IntoIterator<Item = (f64, f64)>) -> Result<Self, Error> {
        let mut points: Vec<(f64, f64)> = points.into_iter().collect();
        for &(x, y) in &points {
            let wrong = if x.is_finite() { y } else { x };
            in_range(wrong.is_finite(), "a point of a regression", wrong, "the finite numbers", "pass finite numbers")?;
        }
        points.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut blocks: Vec<Block> = Vec::new();
        for (x, y) in points {
            match blocks.last_mut() {
                Some(last) if last.from == x => {
                    last.sum += y;
                    last.count += 1.0;
                }
                _ => blocks.push(Block { from: x, sum: y, count: 1.0 }),
            }
        }
        let mut pooled: Vec<Block> = Vec::with_capacity(blocks.len());
        for mut block in blocks {
            while pooled.last().is_some_and(|before| before.mean() >= block.mean()) {
                if let Some(before) = pooled.pop() {
                    let (sum, count) = (before.sum + block.sum, before.count + block.count);
                    block = Block { from: before.from, sum, count };
                }
            }
            pooled.push(block);
        }
        Ok(Self { steps: pooled.iter().map(|block| (block.from, block.mean())).collect() })
    }

    /// The steps: from each x on, the function has this value, up to the next step. Before the first step it has the first
    /// value.
    pub fn steps(self) -> Vec<(f64, f64)> {
        self.steps
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn steps(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
        Isotonic::fit(points.iter().copied()).unwrap().steps()
    }

    #[test]
    fn violators_are_pooled() {
        assert_eq!(steps(&[(1.0, 1.0), (2.0, 3.0), (3.0, 2.0), (4.0, 4.0)]), [(1.0, 1.0), (2.0, 2.5), (4.0, 4.0)]);
        assert_eq!(steps(&[(2.0, 0.0), (1.0, 6.0), (3.0, 3.0)]), [(1.0, 3.0)]);
        assert_eq!(steps(&[(1.0, 0.0), (1.0, 2.0), (2.0, 3.0)]), [(1.0, 1.0), (2.0, 3.0)]);
        assert_eq!(steps(&[]), []);
        assert!(Isotonic::fit([(f64::NAN, 0.0)]).is_err());
    }

    fn at(steps: &[(f64, f64)], x: f64) -> f64 {
        steps[steps.partition_point(|(from, _)| *from <= x).max(1) - 1].1
    }

    proptest! {
        /// The fit is monotone and keeps the mean, and its residuals pass the condition of a projection onto the cone of monotone
        /// functions: no indicator of an upper set correlates positively with them.
        #[test]
        fn it_is_the_projection(points in prop::collection::vec((0u8..12, -5.0..5.0f64), 1..40)) {
            let points: Vec<(f64, f64)> = points.into_iter().map(|(x, y)| (f64::from(x), y)).collect();
            let steps = steps(&points);
            prop_assert!(steps.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1));
            let residual = |from: f64| points.iter().filter(|(x, _)| *x >= from).map(|&(x, y)| y - at(&steps, x)).sum::<f64>();
            prop_assert!(residual(0.0).abs() < 1e-9);
            for from in 0..12 {
                prop_assert!(residual(f64::from(from)) < 1e-9);
            }
        }
    }
}
