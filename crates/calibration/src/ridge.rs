//! Ridge regression: the linear function nearest to the data in squares, with small weights, and how sure it is of itself.
//!
//! With rows x_i, targets y_i and A = penalty I + Σ x_i x_i', the weights are w = A⁻¹ Σ x_i y_i. The standard error of the
//! prediction w·x is s √(x' A⁻¹ x), where s² is the squared residuals over what is left of the data after fitting, n - Σ x_i'
//! A⁻¹ x_i, and at least over one. A is factored once, A = L L' (Cholesky), and M = L⁻¹ is kept, so that x' A⁻¹ x = |M x|²
//! needs products only, and Σ x_i' A⁻¹ x_i = width - penalty |M|² no pass over the data. The penalty keeps A positive
//! definite, so a fit never fails for want of data: without any, every prediction is 0 and its error infinite. There is no
//! hidden intercept: a feature that is always 1 is one.

use counsel_decision::refusal::{Refusal, in_range, shape};
use serde::{Deserialize, Serialize};

use crate::Error;

/// A fitted regression.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ridge {
    weights: Vec<f64>,
    /// M, row by row: row i has i + 1 entries.
    inverse: Vec<Vec<f64>>,
    /// s; nothing where there were no data to tell it from.
    noise: Option<f64>,
}

impl Ridge {
    /// The fit to these rows of `width` features, each with its target.
    ///
    /// | Name | Range |
    /// |---|---|
    /// | `penalty` | (0, infinity): how many observations of weight 0 stand against the data |
    pub fn fit<'a>(
        width: usize,
        data: impl IntoIterator<Item = (&'a [f64], f64)> + Clone,
        penalty: f64,
    ) -> Result<Self, Error> {
        let positive = penalty > 0.0 && penalty.is_finite();
        in_range(positive, "the penalty of a ridge", penalty, "(0, infinity)", "pass a small number such as 1")?;
        let mut gram: Vec<Vec<f64>> = (0..width).map(|row| vec![0.0; row + 1]).collect();
        let mut moments = vec![0.0; width];
        for (x, y) in data.clone() {
            check(x, width)?;
            in_range(y.is_finite(), "a target", y, "the finite numbers", "pass finite numbers")?;
            for (row, moment) in moments.iter_mut().enumerate() {
                add(x[row], x, &mut gram[row]);
                *moment += x[row] * y;
            }
        }
        gram.iter_mut().enumerate().for_each(|(row, entries)| entries[row] += penalty);
        let inverse = inverse(&cholesky(gram));
        let mut weights = vec![0.0; width];
        for row in &inverse {
            add(dot(row, &moments), row, &mut weights);
        }
        let (mut squares, mut count) = (0.0, 0_u32);
        for (x, y) in data {
            squares += (y - dot(&weights, x)).powi(2);
            count += 1;
        }
        let left = f64::from(count) - width as f64 + penalty * inverse.iter().map(|row| dot(row, row)).sum::<f64>();
        let noise = (count > 0).then(|| (squares / left.max(1.0)).sqrt());
        Ok(Self { weights, inverse, noise })
    }

    /// w·x.
    pub fn predict(&self, x: &[f64]) -> Result<f64, Error> {
        check(x, self.weights.len())?;
        Ok(dot(&self.weights, x))
    }

    /// How far the prediction at x may be from the mean of what is to be predicted there; infinite without data.
    pub fn standard_error(&self, x: &[f64]) -> Result<f64, Error> {
        check(x, self.weights.len())?;
        Ok(self.noise.map_or(f64::INFINITY, |noise| noise * self.leverage(x).sqrt()))
    }

    /// How many features a row has.
    pub fn width(&self) -> usize {
        self.weights.len()
    }

    /// x' A⁻¹ x = |M x|².
    fn leverage(&self, x: &[f64]) -> f64 {
        self.inverse.iter().map(|row| dot(row, x).powi(2)).sum()
    }
}

/// The sum of products, over as many entries as both have. Eight sums side by side do not wait for each other.
fn dot(one: &[f64], other: &[f64]) -> f64 {
    let count = one.len().min(other.len());
    let ((one, one_rest), (other, other_rest)) = (one[..count].as_chunks::<8>(), other[..count].as_chunks::<8>());
    let mut sums = [0.0; 8];
    for (one, other) in one.iter().zip(other) {
        sums.iter_mut().zip(one.iter().zip(other)).for_each(|(sum, (one, other))| *sum += one * other);
    }
    let rest = one_rest.iter().zip(other_rest).map(|(one, other)| one * other);
    sums.into_iter().chain(rest).sum()
}

/// Adds a multiple of one row to another, over as many entries as both have.
fn add(times: f64, row: &[f64], to: &mut [f64]) {
    to.iter_mut().zip(row).for_each(|(entry, number)| *entry += times * number);
}

fn check(x: &[f64], width: usize) -> Result<(), Refusal> {
    shape("a row of features", x.len(), width, "feature of the regression")?;
    x.iter().try_for_each(|&x| in_range(x.is_finite(), "a feature", x, "the finite numbers", "pass finite numbers"))
}

/// L of a symmetric positive definite matrix, whose lower half is given row by row.
fn cholesky(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    for row in 0..matrix.len() {
        let (above, rest) = matrix.split_at_mut(row);
        let entries = &mut rest[0];
        for column in 0..row {
            let known = dot(&entries[..column], &above[column]);
            entries[column] = (entries[column] - known) / above[column][column];
        }
        let known = dot(&entries[..row], &entries[..row]);
        // The penalty is added to every pivot, so only rounding can take one below its square root.
        entries[row] = (entries[row] - known).max(f64::MIN_POSITIVE).sqrt();
    }
    matrix
}

/// The inverse of a lower triangular matrix, which is one, too.
fn inverse(factor: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let mut rows: Vec<Vec<f64>> = Vec::with_capacity(factor.len());
    for entries in factor {
        let place = rows.len();
        let mut row = vec![0.0; place + 1];
        row[place] = 1.0;
        for (entry, above) in entries.iter().zip(&rows) {
            add(-entry, above, &mut row);
        }
        row.iter_mut().for_each(|entry| *entry /= entries[place]);
        rows.push(row);
    }
    rows
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fit(rows: &[(Vec<f64>, f64)], penalty: f64) -> Ridge {
        Ridge::fit(rows[0].0.len(), rows.iter().map(|(x, y)| (x.as_slice(), *y)), penalty).unwrap()
    }

    #[test]
    fn a_hand_computed_fit() {
        // A = 1 + 1 + 4 = 6, Σ xy = 1·2 + 2·5 = 12, w = 2; residuals 0 and 1; leverages 1/6 and 4/6, so 7/6 is left.
        let ridge = fit(&[(vec![1.0], 2.0), (vec![2.0], 5.0)], 1.0);
        assert!((ridge.predict(&[3.0]).unwrap() - 6.0).abs() < 1e-12);
        let expected = (6.0 / 7.0_f64).sqrt() * (9.0 / 6.0_f64).sqrt();
        assert!((ridge.standard_error(&[3.0]).unwrap() - expected).abs() < 1e-12);
    }

    #[test]
    fn without_data_nothing_is_predicted_and_nothing_is_sure() {
        let ridge = Ridge::fit(2, [], 1.0).unwrap();
        assert_eq!(ridge.predict(&[1.0, 1.0]), Ok(0.0));
        assert_eq!(ridge.standard_error(&[1.0, 1.0]), Ok(f64::INFINITY));
    }

    #[test]
    fn what_cannot_be_fitted_is_refused() {
        let row: (&[f64], f64) = (&[1.0, 2.0], 1.0);
        assert!(Ridge::fit(2, [row], 0.0).is_err());
        assert!(Ridge::fit(3, [row], 1.0).is_err());
        assert!(Ridge::fit(2, [(&[f64::NAN, 0.0][..], 1.0)], 1.0).is_err());
        assert!(Ridge::fit(2, [(&[0.0, 0.0][..], f64::NAN)], 1.0).is_err());
        assert!(Ridge::fit(2, [row], 1.0).unwrap().predict(&[1.0]).is_err());
    }

    proptest! {
        /// The weights solve the normal equations: the gradient penalty w - Σ x (y - w·x) is zero.
        #[test]
        fn the_gradient_vanishes(
            rows in prop::collection::vec((prop::collection::vec(-3.0..3.0f64, 3), -3.0..3.0f64), 1..20),
            penalty in 0.01..5.0f64,
        ) {
            let ridge = fit(&rows, penalty);
            for feature in 0..3 {
                let pull: f64 = rows.iter().map(|(x, y)| x[feature] * (y - ridge.predict(x).unwrap())).sum();
                prop_assert!((penalty * ridge.weights[feature] - pull).abs() < 1e-8);
            }
        }

        /// What was seen again and again is known better than before, and never worse than its penalty says.
        #[test]
        fn an_observation_makes_its_own_place_surer(rows in prop::collection::vec(prop::collection::vec(-3.0..3.0f64, 3), 1..20)) {
            let rows: Vec<(Vec<f64>, f64)> = rows.into_iter().map(|x| (x, 0.0)).collect();
            let before = fit(&rows, 1.0);
            let again: Vec<_> = rows.iter().cloned().chain([rows[0].clone()]).collect();
            prop_assert!(fit(&again, 1.0).leverage(&rows[0].0) <= before.leverage(&rows[0].0) + 1e-12);
            prop_assert!(before.leverage(&rows[0].0) < 1.0);
        }
    }
}
