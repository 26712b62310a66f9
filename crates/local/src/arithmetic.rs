//! The small steps of a layer: norms, rotations, the gate, attention.
//!
//! Invariant: sums run over sixteen interleaved partial sums that are added up in one fixed tree, and the exponential is
//! our own polynomial, so that no vector width and no C library changes a bit.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the processor's vector instructions")]

use pulp::{Simd, WithSimd};

use crate::geometry::Geometry;

/// As many partial sums as the widest vector has numbers: a narrower one computes the same sums, some at a time.
const LANES: usize = 16;

/// The sum of products of two equally long slices.
#[inline(always)]
pub(crate) fn dot(left: &[f32], right: &[f32]) -> f32 {
    let mut sums = [0.0_f32; LANES];
    let ((left, left_rest), (right, right_rest)) = (left.as_chunks::<LANES>(), right.as_chunks::<LANES>());
    for (left, right) in left.iter().zip(right) {
        for lane in 0..LANES {
            sums[lane] = left[lane].mul_add(right[lane], sums[lane]);
        }
    }
    for (lane, (left, right)) in left_rest.iter().zip(right_rest).enumerate() {
        sums[lane] = left.mul_add(*right, sums[lane]);
    }
    // Halving adds the same pairs whatever the width; a running sum would add others on narrower vectors.
    for half in [8, 4, 2, 1] {
        for lane in 0..half {
            sums[lane] += sums[lane + half];
        }
    }
    sums[0]
}

/// The exponential function, to about one unit in the last place; 0 below -87.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    // Within these limits 2^n below is a normal number, whose bits can be written down.
    let clamped = x.clamp(-87.0, 88.0);
    let n = (clamped * std::f32::consts::LOG2_E).round_ties_even();
    // e^x = 2^n e^r. The logarithm of 2 comes in two parts: the first has so few bits that n times it is exact.
    let r = (-n).mul_add(-2.121_944_4e-4, (-n).mul_add(0.693_359_4, clamped));
    let mut p = 1.987_569_1e-4_f32;
    for c in [1.398_199_9e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 5.0e-1] {
        p = p.mul_add(r, c);
    }
    let p = p.mul_add(r * r, r) + 1.0;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "n is whole and between -126 and 127")]
    let scale = f32::from_bits(((n as i32 + 127) as u32) << 23);
    if x < -87.0 { 0.0 } else { p * scale }
}

/// A row divided by its root mean square, times the weights.
pub(crate) struct Norm<'a> {
    pub(crate) row: &'a [f32],
    pub(crate) weights: &'a [f32],
    pub(crate) epsilon: f32,
    pub(crate) output: &'a mut [f32],
}

impl WithSimd for Norm<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { row, weights, epsilon, output } = self;
        let scale = 1.0 / (dot(row, row) / row.len() as f32 + epsilon).sqrt();
        for ((out, x), weight) in output.iter_mut().zip(row).zip(weights) {
            *out = x * scale * weight;
        }
    }
}

/// `gate` becomes silu(gate) * up.
pub(crate) struct Gate<'a> {
    pub(crate) gate: &'a mut [f32],
    pub(crate) up: &'a [f32],
}

impl WithSimd for Gate<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for (gate, up) in self.gate.iter_mut().zip(self.up) {
            *gate = *gate / (1.0 + exp(-*gate)) * up;
        }
    }
}

/// Rotates the halves of every head of a row by the position's angles.
pub(crate) fn rotate(row: &mut [f32], head: usize, cosines: &[f32], sines: &[f32]) {
    for head in row.chunks_exact_mut(head) {
        let (left, right) = head.split_at_mut(head.len() / 2);
        for (((left, right), cosine), sine) in left.iter_mut().zip(right).zip(cosines).zip(sines) {
            let (x, y) = (*left, *right);
            *left = x * cosine - y * sine;
            *right = y * cosine + x * sine;
        }
    }
}

/// What one row attends to: for all heads, the mean of the values weighted by the softmax of query times key. `keys` and
/// `values` are the visible rows in the order of their positions.
pub(crate) struct Attend<'a> {
    pub(crate) geometry: &'a Geometry,
    pub(crate) query: &'a [f32],
    pub(crate) keys: &'a [&'a [f32]],
    pub(crate) values: &'a [&'a [f32]],
    pub(crate) output: &'a mut [f32],
}

impl WithSimd for Attend<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { geometry, query, keys, values, output } = self;
        let size = geometry.head_size;
        let share = geometry.heads / geometry.key_heads;
        let scale = 1.0 / (size as f32).sqrt();
        let mut weights = vec![0.0_f32; keys.len()];
        for (head, (query, output)) in query.chunks_exact(size).zip(output.chunks_exact_mut(size)).enumerate() {
            let from = head / share * size;
            for (weight, key) in weights.iter_mut().zip(keys) {
                *weight = dot(query, &key[from..from + size]) * scale;
            }
            // The largest exponent is 0, so nothing overflows, and the total is at least 1.
            let top = weights.iter().copied().fold(f32::NEG_INFINITY, f32::max);
            for weight in &mut weights {
                *weight = exp(*weight - top);
            }
            // One after the other, by position: a row that is read in pieces meets the same sums.
            let total: f32 = weights.iter().sum();
            output.fill(0.0);
            for (weight, value) in weights.iter().zip(values) {
                for (out, x) in output.iter_mut().zip(&value[from..from + size]) {
                    *out = weight.mul_add(*x, *out);
                }
            }
            for out in output {
                *out /= total;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Family;

    /// A row of layers' small steps, all of them.
    struct Steps<'a> {
        numbers: &'a [f32],
    }

    impl WithSimd for Steps<'_> {
        type Output = Vec<f32>;

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) -> Vec<f32> {
            let geometry = Geometry {
                family: Family::Qwen2,
                layers: 1,
                width: 88,
                inner: 88,
                heads: 4,
                key_heads: 2,
                head_size: 22,
                context: 9,
                base: 1e4,
                epsilon: 1e-6,
            };
            let rows: Vec<&[f32]> = self.numbers.chunks_exact(88).collect();
            let mut normed = vec![0.0; 88];
            Norm { row: rows[0], weights: rows[1], epsilon: 1e-6, output: &mut normed }.with_simd(simd);
            let mut gated = rows[2].to_vec();
            Gate { gate: &mut gated, up: rows[3] }.with_simd(simd);
            let mut mixed = vec![0.0; 88];
            let (keys, values) = (&rows[1..8], &rows[2..9]);
            Attend { geometry: &geometry, query: rows[0], keys, values, output: &mut mixed }.with_simd(simd);
            [normed, gated, mixed].concat()
        }
    }

    #[test]
    fn no_vector_width_changes_a_bit() {
        let numbers: Vec<f32> = (0..88 * 9_u16).map(|at| f32::from(at * 37 % 1_009) / 211.0 - 2.4).collect();
        let numbers = numbers.as_slice();
        let plain = Steps { numbers }.with_simd(pulp::Scalar::new());
        assert!(plain.iter().all(|number| number.is_finite()) && plain.iter().any(|number| *number != 0.0));
        assert_eq!(pulp::Arch::new().dispatch(Steps { numbers }), plain);
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = pulp::x86::V3::try_new() {
            assert_eq!(Simd::vectorize(simd, Steps { numbers }), plain);
        }
    }

    #[test]
    fn the_exponential_is_right_to_two_units_in_the_last_place() {
        for step in -8_700..8_800_i16 {
            let x = f32::from(step) / 100.0;
            let (ours, exact) = (f64::from(exp(x)), libm::exp(f64::from(x)));
            assert!((ours / exact - 1.0).abs() < 2.4e-7, "exp({x}) = {ours}, should be {exact}");
        }
        assert_eq!([exp(0.0), exp(-100.0), exp(f32::NEG_INFINITY)], [1.0, 0.0, 0.0]);
    }
}
