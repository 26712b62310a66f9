//! One step of Adam, with the target network following by Polyak averaging in the same pass.
//!
//! m += (1 - β1)(g - m), v = β2 v + (1 - β2) g², w -= step m / (√v / √(1 - β2^t) + 10^-8), step = rate / (1 - β1^t), and
//! then w' += τ (w - w'), as PyTorch computes them. The gradient of a row of the first layer is summed here, from the
//! slopes of the batch rows in which its input was 1, and never stored.
//!
//! DIFFERENCE: gradients and moments too small to move a weight (|g| < 10^-17, |m| < 10^-30, v < 10^-36) become zero. A
//! hidden unit that no state wakes would otherwise drag its moments through the subnormal numbers, a hundred times slower.

use pulp::{Simd, WithSimd};

const BETA_1: f64 = 0.9;
const BETA_2: f64 = 0.999;
const EPSILON: f32 = 1e-8;

/// The numbers of one step that are the same for all weights.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    step: f32,
    correction: f32,
    polyak: f32,
}

impl Pace {
    /// The pace of a step before which `powers` held β1^(t - 1) and β2^(t - 1).
    #[expect(clippy::cast_possible_truncation, reason = "weights are single precision")]
    pub(crate) fn next(rate: f64, polyak: f64, powers: &mut [f64; 2]) -> Self {
        powers[0] *= BETA_1;
        powers[1] *= BETA_2;
        let correction = 1.0 / (1.0 - powers[1]).sqrt();
        Self { step: (rate / (1.0 - powers[0])) as f32, correction: correction as f32, polyak: polyak as f32 }
    }
}

/// What one layer consists of while it learns, all of the same length.
pub(crate) struct Slices<'a> {
    pub(crate) weights: &'a mut [f32],
    pub(crate) mean: &'a mut [f32],
    pub(crate) square: &'a mut [f32],
    pub(crate) target: &'a mut [f32],
}

/// Moves every weight along its gradient.
pub(crate) fn step_all(pace: Pace, slices: Slices<'_>, gradient: &[f32]) {
    pulp::Arch::new().dispatch(All { pace, slices, gradient });
}

/// Moves the rows that are `awake`; the gradient of a row is the sum of the `slopes` that its list in `members` names.
/// A row sleeps until its input is first 1: till then its gradient and moments are zero and the step leaves it as it is.
pub(crate) fn step_sparse<'a>(
    pace: Pace,
    slices: Slices<'_>,
    width: usize,
    slopes: &[f32],
    awake: &[bool],
    members: impl Fn(usize) -> &'a [u16],
) {
    pulp::Arch::new().dispatch(Sparse { pace, slices, width, slopes, awake, members });
}

struct All<'a> {
    pace: Pace,
    slices: Slices<'a>,
    gradient: &'a [f32],
}

impl WithSimd for All<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (gradient, _) = S::as_simd_f32s(self.gradient);
        let mut cells = Cells::<S>::of(self.slices);
        cells.step(simd, self.pace, gradient);
    }
}

struct Sparse<'a, F> {
    pace: Pace,
    slices: Slices<'a>,
    width: usize,
    slopes: &'a [f32],
    awake: &'a [bool],
    members: F,
}

impl<'a, F: Fn(usize) -> &'a [u16]> WithSimd for Sparse<'_, F> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { pace, slices, width, slopes, awake, members } = self;
        let Slices { weights, mean, square, target } = slices;
        for (row, _) in awake.iter().enumerate().filter(|(_, awake)| **awake) {
            let list = members(row);
            let mut column = 0;
            while column < width {
                // Eight vectors of sums fill the time that a sum waits for the one before it; the rest goes one by one.
                let columns = if width - column >= 8 * S::F32_LANES { 8 } else { 1 } * S::F32_LANES;
                let cells = row * width + column..row * width + column + columns;
                let mut cells = Cells::<S>::of(Slices {
                    weights: &mut weights[cells.clone()],
                    mean: &mut mean[cells.clone()],
                    square: &mut square[cells.clone()],
                    target: &mut target[cells],
                });
                if columns == S::F32_LANES {
                    let gradient = sum::<S, 1>(simd, slopes, width, column, list);
                    cells.step(simd, pace, &gradient);
                } else {
                    let gradient = sum::<S, 8>(simd, slopes, width, column, list);
                    cells.step(simd, pace, &gradient);
                }
                column += columns;
            }
        }
    }
}

/// The sum of `WIDE` vectors of the named rows of the slopes.
#[inline(always)]
fn sum<S: Simd, const WIDE: usize>(
    simd: S,
    slopes: &[f32],
    width: usize,
    column: usize,
    list: &[u16],
) -> [S::f32s; WIDE] {
    let mut sums = [simd.splat_f32s(0.0); WIDE];
    for &row in list {
        let from = usize::from(row) * width + column;
        let (row, _) = S::as_simd_f32s(&slopes[from..from + WIDE * S::F32_LANES]);
        let Some(row) = row.first_chunk::<WIDE>() else { continue };
        for (sum, &slope) in sums.iter_mut().zip(row) {
            *sum = simd.add_f32s(*sum, slope);
        }
    }
    sums
}

/// The slices as vectors.
struct Cells<'a, S: Simd> {
    weights: &'a mut [S::f32s],
    mean: &'a mut [S::f32s],
    square: &'a mut [S::f32s],
    target: &'a mut [S::f32s],
}

impl<'a, S: Simd> Cells<'a, S> {
    #[inline(always)]
    fn of(slices: Slices<'a>) -> Self {
        let Slices { weights, mean, square, target } = slices;
        let [(weights, _), (mean, _), (square, _), (target, _)] =
            [weights, mean, square, target].map(S::as_mut_simd_f32s);
        Self { weights, mean, square, target }
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "weights are single precision")]
    fn step(&mut self, simd: S, pace: Pace, gradient: &[S::f32s]) {
        let splat = |number: f32| simd.splat_f32s(number);
        let (fresh_1, keep_2, fresh_2) =
            (splat((1.0 - BETA_1) as f32), splat(BETA_2 as f32), splat((1.0 - BETA_2) as f32));
        let (step, correction, polyak, epsilon) =
            (splat(-pace.step), splat(pace.correction), splat(pace.polyak), splat(EPSILON));
        let cells = self.weights.iter_mut().zip(&mut *self.mean).zip(&mut *self.square).zip(&mut *self.target);
        for ((((weight, mean), square), target), &gradient) in cells.zip(gradient) {
            let g = tiny_is_zero(simd, gradient, 1e-17);
            let m = tiny_is_zero(simd, simd.mul_add_f32s(fresh_1, simd.sub_f32s(g, *mean), *mean), 1e-30);
            let fresh = simd.mul_f32s(fresh_2, simd.mul_f32s(g, g));
            let v = tiny_is_zero(simd, simd.mul_add_f32s(keep_2, *square, fresh), 1e-36);
            // The root is corrected rather than v, as in PyTorch.
            let spread = simd.mul_add_f32s(simd.sqrt_f32s(v), correction, epsilon);
            let w = simd.mul_add_f32s(step, simd.div_f32s(m, spread), *weight);
            *target = simd.mul_add_f32s(polyak, simd.sub_f32s(w, *target), *target);
            (*weight, *mean, *square) = (w, m, v);
        }
    }
}

#[inline(always)]
fn tiny_is_zero<S: Simd>(simd: S, number: S::f32s, limit: f32) -> S::f32s {
    let tiny = simd.less_than_f32s(simd.abs_f32s(number), simd.splat_f32s(limit));
    simd.select_f32s(tiny, simd.splat_f32s(0.0), number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Numbers;

    const WIDTH: usize = 144;
    const ROWS: usize = 6;

    struct Layer([Vec<f32>; 4]);

    impl Layer {
        fn new() -> Self {
            let weights = Numbers::new(1).take(ROWS * WIDTH, 0.1);
            Self([weights.clone(), vec![0.0; ROWS * WIDTH], vec![0.0; ROWS * WIDTH], weights])
        }

        fn slices(&mut self) -> Slices<'_> {
            let [weights, mean, square, target] = &mut self.0;
            Slices { weights, mean, square, target }
        }
    }

    /// Three batch rows; input 3 is never 1, and one hidden unit in eight has no slope.
    fn slopes(seed: u32) -> Vec<f32> {
        let mut slopes = Numbers::new(seed).take(3 * WIDTH, 1e-3);
        slopes.iter_mut().step_by(8).for_each(|slope| *slope = 0.0);
        slopes
    }
    const MEMBERS: [&[u16]; ROWS] = [&[0], &[1, 2], &[0, 1, 2], &[], &[2], &[0, 2]];
    const AWAKE: [bool; ROWS] = [true, true, true, false, true, true];

    fn gradient(slopes: &[f32]) -> Vec<f32> {
        let element =
            |at: usize| MEMBERS[at / WIDTH].iter().map(move |&row| slopes[usize::from(row) * WIDTH + at % WIDTH]);
        (0..ROWS * WIDTH).map(|at| element(at).fold(0.0, |sum, slope| sum + slope)).collect()
    }

    #[test]
    fn the_sparse_step_is_the_dense_one_whatever_the_width_and_sleepers_stay() {
        let (mut dense, mut sparse, mut scalar) = (Layer::new(), Layer::new(), Layer::new());
        let mut powers = [1.0; 2];
        for seed in 0..20 {
            let (slopes, pace) = (slopes(seed), Pace::next(1e-3, 0.05, &mut powers));
            step_all(pace, dense.slices(), &gradient(&slopes));
            step_sparse(pace, sparse.slices(), WIDTH, &slopes, &AWAKE, |row| MEMBERS[row]);
            let (slices, awake) = (scalar.slices(), &AWAKE);
            let members = |row: usize| MEMBERS[row];
            Sparse { pace, slices, width: WIDTH, slopes: &slopes, awake, members }.with_simd(pulp::Scalar::new());
        }
        assert!(dense.0 == sparse.0 && dense.0 == scalar.0);
        assert_eq!(dense.0[0][3 * WIDTH..4 * WIDTH], Layer::new().0[0][3 * WIDTH..4 * WIDTH]);
        assert_ne!(dense.0[0], Layer::new().0[0]);
    }

    #[test]
    fn a_step_is_the_formula() {
        let mut layer = Layer::new();
        let mut powers = [1.0; 2];
        let mut exact: Vec<[f64; 4]> = layer.0[0].iter().map(|&w| [f64::from(w), 0.0, 0.0, f64::from(w)]).collect();
        for t in 1..=30_i32 {
            let gradient = gradient(&slopes(t.unsigned_abs()));
            step_all(Pace::next(1e-3, 0.05, &mut powers), layer.slices(), &gradient);
            for ([w, m, v, target], &g) in exact.iter_mut().zip(&gradient) {
                let g = f64::from(g);
                *m = 0.9 * *m + 0.1 * g;
                *v = 0.999 * *v + 0.001 * g * g;
                let (m, v) = (*m / (1.0 - 0.9_f64.powi(t)), *v / (1.0 - 0.999_f64.powi(t)));
                *w -= 1e-3 * m / (v.sqrt() + 1e-8);
                *target += 0.05 * (*w - *target);
            }
        }
        for (at, exact) in exact.iter().enumerate() {
            let got = [layer.0[0][at], layer.0[3][at]].map(f64::from);
            assert!((got[0] - exact[0]).abs() < 1e-6 && (got[1] - exact[3]).abs() < 1e-6, "{got:?} {exact:?}");
        }
    }

    #[test]
    fn moments_that_die_away_become_zero_and_never_subnormal() {
        let mut layer = Layer::new();
        let mut powers = [1.0; 2];
        step_all(Pace::next(1e-3, 0.05, &mut powers), layer.slices(), &gradient(&slopes(1)));
        let rest = vec![0.0; ROWS * WIDTH];
        for _ in 0..2_000 {
            step_all(Pace::next(1e-3, 0.05, &mut powers), layer.slices(), &rest);
            assert!(layer.0[1].iter().chain(&layer.0[2]).all(|moment| *moment == 0.0 || moment.is_normal()));
        }
        assert!(layer.0[1].iter().all(|&mean| mean == 0.0));
    }
}
