//! The Bayesian last layer: for every action a linear regression of the targets on the features, in closed form.
//!
//! With weights w ~ N(0, I / λ) beforehand and targets y = w·φ + N(0, σ²), the posterior is N(μ, P⁻¹) with
//! P = λ I + Σ φ φᵀ / σ² and μ = P⁻¹ Σ φ y / σ². The target of a transition is r + γ max_a Q'(s', a), Q' being the mean
//! of the target network's heads. A state's value has mean μ·φ and variance φᵀ P⁻¹ φ. Invariant: P = L Lᵀ, L kept.

use counsel_decision::Seed;
use rand::Rng;
use rand_distr::{Distribution, StandardNormal};

use crate::LastLayerSpec;

/// The posterior of all actions, and K weights drawn from it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LastLayer {
    pub(crate) size: usize,
    /// μ, one row per action.
    pub(crate) mean: Vec<f64>,
    /// L, one table per action.
    pub(crate) factor: Vec<f64>,
    /// Drawn weights, one row per sample and action.
    pub(crate) drawn: Vec<f64>,
}

/// One transition to regress on.
pub(crate) struct Point<'a> {
    pub(crate) features: &'a [f32],
    pub(crate) action: usize,
    pub(crate) target: f64,
}

impl LastLayer {
    /// The posterior after these points; none if a number is not finite.
    pub(crate) fn fit<'a>(
        spec: &LastLayerSpec,
        size: usize,
        actions: usize,
        points: impl Iterator<Item = Point<'a>>,
        seed: Seed,
    ) -> Option<Self> {
        let weight = 1.0 / (spec.noise * spec.noise);
        let mut factor = vec![0.0; actions * size * size];
        let mut mean = vec![0.0; actions * size];
        for table in factor.chunks_exact_mut(size * size) {
            table.iter_mut().step_by(size + 1).for_each(|diagonal| *diagonal = spec.prior_precision);
        }
        for point in points {
            let features: Vec<f64> = point.features[..size].iter().map(|&x| f64::from(x)).collect();
            let table = &mut factor[point.action * size * size..(point.action + 1) * size * size];
            for (row, (line, &x)) in table.chunks_exact_mut(size).zip(&features).enumerate() {
                // Rectified features are often zero. Only the lower half is summed: it is all that the factor reads.
                if x != 0.0 {
                    let x = x * weight;
                    line[..=row].iter_mut().zip(&features).for_each(|(cell, y)| *cell += x * y);
                }
            }
            let line = &mut mean[point.action * size..(point.action + 1) * size];
            line.iter_mut().zip(&features).for_each(|(cell, x)| *cell += x * point.target * weight);
        }
        for (table, line) in factor.chunks_exact_mut(size * size).zip(mean.chunks_exact_mut(size)) {
            decompose(table, size)?;
            forward(table, size, line);
            backward(table, size, line);
        }
        let mut layer = Self { size, mean, factor, drawn: Vec::new() };
        layer.draw(spec.samples, &mut seed.rng());
        layer.drawn.iter().chain(&layer.mean).all(|number| number.is_finite()).then_some(layer)
    }

    /// w = μ + L⁻ᵀ z with z standard normal.
    fn draw(&mut self, samples: usize, rng: &mut impl Rng) {
        let size = self.size;
        self.drawn = Vec::with_capacity(samples * self.mean.len());
        for _ in 0..samples {
            for (table, mean) in self.factor.chunks_exact(size * size).zip(self.mean.chunks_exact(size)) {
                let mut line: Vec<f64> = (0..size).map(|_| StandardNormal.sample(rng)).collect();
                backward(table, size, &mut line);
                self.drawn.extend(line.iter().zip(mean).map(|(deviation, mean)| mean + deviation));
            }
        }
    }

    /// The mean value of every action, its standard deviation, and the drawn values, sample by sample.
    pub(crate) fn value(&self, features: &[f32]) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        let size = self.size;
        let features: Vec<f64> = features[..size].iter().map(|&x| f64::from(x)).collect();
        let times = |line: &[f64]| line.iter().zip(&features).map(|(weight, x)| weight * x).sum::<f64>();
        let deviation = |table: &[f64]| {
            // φᵀ P⁻¹ φ is the squared length of L⁻¹ φ: no inverse is made, and it cannot come out negative.
            let mut line = features.clone();
            forward(table, size, &mut line);
            line.iter().map(|x| x * x).sum::<f64>().sqrt()
        };
        (
            self.mean.chunks_exact(size).map(times).collect(),
            self.factor.chunks_exact(size * size).map(deviation).collect(),
            self.drawn.chunks_exact(size).map(times).collect(),
        )
    }
}

/// Replaces a positive definite table, given by its lower half, by its Cholesky factor.
fn decompose(table: &mut [f64], size: usize) -> Option<()> {
    for row in 0..size {
        for column in 0..=row {
            let (above, below) = table.split_at_mut(row * size);
            let line = if column == row { &below[..column] } else { &above[column * size..column * size + column] };
            let rest = below[column] - below[..column].iter().zip(line).map(|(x, y)| x * y).sum::<f64>();
            below[column] = if column == row { rest.sqrt() } else { rest / above[column * size + column] };
        }
        let pivot = table[row * size + row];
        if !(pivot.is_finite() && pivot > 0.0) {
            return None;
        }
    }
    Some(())
}

/// Replaces b by the solution of L x = b.
fn forward(factor: &[f64], size: usize, line: &mut [f64]) {
    for row in 0..size {
        let known: f64 = factor[row * size..row * size + row].iter().zip(&*line).map(|(l, x)| l * x).sum();
        line[row] = (line[row] - known) / factor[row * size + row];
    }
}

/// Replaces b by the solution of Lᵀ x = b.
fn backward(factor: &[f64], size: usize, line: &mut [f64]) {
    for row in (0..size).rev() {
        line[row] /= factor[row * size + row];
        let x = line[row];
        line[..row].iter_mut().zip(&factor[row * size..row * size + row]).for_each(|(rest, l)| *rest -= l * x);
    }
}
