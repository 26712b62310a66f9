//! The same ridge from many labelled requests at once, with as many buckets as there are.
//!
//! The recursive form keeps a matrix of features by features. With 4096 buckets and some hundred labels the dual form is smaller:
//! a = (Φ S Φ' + I)⁻¹ (y - ȳ), w = S Φ' a, with S the prior variances. Both forms have the same mean. Several targets, such as
//! the rewards of all advisors, share the matrix.

use counsel_decision::refusal::{at_least, fits, shape};
use serde::{Deserialize, Serialize};

use super::book_spec::BookSpec;
use super::features::{Request, Sparse};
use crate::Error;
use crate::error::is_sane;

/// Labelled requests: the rewards of all advisors are known.
#[derive(Debug, Clone)]
pub struct Batch {
    spec: BookSpec,
    vectors: Vec<Sparse>,
    targets: Vec<Vec<f64>>,
}

/// What a batch has taught: one linear function per target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Fitted {
    spec: BookSpec,
    means: Vec<f64>,
    weights: Vec<Vec<f64>>,
}

impl Batch {
    /// An empty batch.
    pub fn new(spec: BookSpec) -> Result<Self, Error> {
        spec.check()?;
        Ok(Self { spec, vectors: Vec::new(), targets: Vec::new() })
    }

    /// Adds a request with what every advisor's answer to it brought.
    pub fn add(&mut self, request: &Request, targets: &[f64]) -> Result<(), Error> {
        if let Some(first) = self.targets.first() {
            shape("the rewards of a request", targets.len(), first.len(), "advisor")?;
        }
        if let Some(reward) = targets.iter().copied().find(|target| !is_sane(*target)) {
            return Err(Error::Reward { reward });
        }
        self.vectors.push(self.spec.layout.encode(request)?);
        self.targets.push(targets.to_vec());
        Ok(())
    }

    /// Fits all targets.
    pub fn fit(&self) -> Result<Fitted, Error> {
        let labels = self.vectors.len();
        at_least("labels", labels, 1, "add labelled requests to the batch")?;
        fits("the matrix of a batch", &[labels, labels], "fit on 3,000 labels or fewer")?;
        let prior = self.spec.shrinkage.prior(&self.spec.layout);
        let factor = cholesky(&self.kernel(&prior), labels);
        let target = |column: usize| self.targets.iter().map(move |row| row[column]);
        let count = self.targets.first().map_or(0, Vec::len);
        let means: Vec<f64> = (0..count).map(|column| target(column).sum::<f64>() / labels as f64).collect();
        let weights = (0..count).map(|column| {
            let centred: Vec<f64> = target(column).map(|value| value - means[column]).collect();
            let dual = solve(&factor, &centred);
            let mut weights = vec![0.0; prior.len()];
            for (vector, share) in self.vectors.iter().zip(&dual) {
                for (place, value) in vector.up_to(prior.len()) {
                    weights[place] += prior[place] * value * share;
                }
            }
            weights
        });
        let weights = weights.collect();
        Ok(Fitted { spec: self.spec, means, weights })
    }

    /// Φ S Φ' + I, its lower triangle by rows.
    fn kernel(&self, prior: &[f64]) -> Vec<f64> {
        let labels = self.vectors.len();
        let mut kernel = vec![0.0; labels * labels];
        let mut dense = vec![0.0; prior.len()];
        for (row, vector) in self.vectors.iter().enumerate() {
            for (place, value) in vector.up_to(prior.len()) {
                dense[place] = prior[place] * value;
            }
            for (column, other) in self.vectors[..=row].iter().enumerate() {
                kernel[row * labels + column] =
                    other.up_to(prior.len()).map(|(place, value)| dense[place] * value).sum::<f64>();
            }
            kernel[row * labels + row] += 1.0;
            for (place, _) in vector.up_to(prior.len()) {
                dense[place] = 0.0;
            }
        }
        kernel
    }
}

/// The lower factor of a positive definite matrix, by rows.
fn cholesky(matrix: &[f64], size: usize) -> Vec<f64> {
    let mut factor = matrix.to_vec();
    for row in 0..size {
        let (above, rest) = factor.split_at_mut(row * size);
        let own = &mut rest[..=row];
        for column in 0..row {
            let other = &above[column * size..=column * size + column];
            let sum: f64 = own[..column].iter().zip(other).map(|(one, other)| one * other).sum();
            own[column] = (own[column] - sum) / other[column];
        }
        let sum: f64 = own[..row].iter().map(|value| value * value).sum();
        own[row] = (own[row] - sum).sqrt();
    }
    factor
}

fn solve(factor: &[f64], target: &[f64]) -> Vec<f64> {
    let size = target.len();
    let mut solution = target.to_vec();
    for row in 0..size {
        let entries = &factor[row * size..=row * size + row];
        let sum: f64 = entries[..row].iter().zip(&solution).map(|(one, other)| one * other).sum();
        solution[row] = (solution[row] - sum) / entries[row];
    }
    for row in (0..size).rev() {
        let entries = &factor[row * size..=row * size + row];
        solution[row] /= entries[row];
        let value = solution[row];
        solution[..row].iter_mut().zip(entries).for_each(|(one, entry)| *one -= entry * value);
    }
    solution
}

impl Fitted {
    /// What is expected of each target.
    pub fn predict(&self, request: &Request) -> Result<Vec<f64>, Error> {
        let phi = self.spec.layout.encode(request)?;
        let sum =
            |weights: &Vec<f64>| phi.up_to(weights.len()).map(|(place, value)| weights[place] * value).sum::<f64>();
        Ok(self.means.iter().zip(&self.weights).map(|(mean, weights)| mean + sum(weights)).collect())
    }
}
