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
