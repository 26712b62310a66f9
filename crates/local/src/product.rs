//! Rows times a panel of weights.
//!
//! Invariant: an element of the result is the fused multiply-add over the columns in their order, starting at zero. No
//! tiling, vector width or number of rows changes that order, so the same row gives the same bits whatever it is
//! multiplied along with and on whatever processor.

#![expect(clippy::inline_always, reason = "only what is inlined is compiled for the processor's vector instructions")]

use pulp::{Simd, WithSimd};

/// Weights of so many outputs lie side by side: two of the widest vectors, so that every width makes whole pairs.
pub(crate) const PANEL: usize = 32;

/// Rows that are multiplied at once where the vectors are wide: 24 sums, two vectors of weights and one number take 27 of
/// the 32 registers.
const WIDE: usize = 12;
/// Rows that are multiplied at once where there are but 16 vector registers, of which they take 15.
const NARROW: usize = 6;

/// Rows, laid out for multiplication: tiles of rows, and within a tile all rows of one column side by side.
pub(crate) struct Tiles {
    rows: usize,
    columns: usize,
    high: usize,
    numbers: Vec<f32>,
}

impl Tiles {
    /// Lays out these rows.
    pub(crate) fn new(input: &[f32], columns: usize) -> Self {
        Self::of_height(input, columns, if lanes() >= 16 { WIDE } else { NARROW })
    }

    /// Lays out these rows, so many to a tile.
    fn of_height(input: &[f32], columns: usize, high: usize) -> Self {
        let rows = input.len() / columns;
        let mut numbers = Vec::with_capacity(input.len());
        for tile in input.chunks(high * columns) {
            for column in 0..columns {
                numbers.extend(tile.iter().skip(column).step_by(columns));
            }
        }
        Self { rows, columns, high, numbers }
    }

    /// How many rows there are.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }
}

/// The product of all rows and one panel; `output` has one line of [`PANEL`] numbers per row.
pub(crate) fn multiply(tiles: &Tiles, panel: &[f32], output: &mut [f32]) {
    pulp::Arch::new().dispatch(Multiply { tiles, panel, output });
}

fn lanes() -> usize {
    struct Lanes;
    impl WithSimd for Lanes {
        type Output = usize;
        fn with_simd<S: Simd>(self, _: S) -> usize {
            S::F32_LANES
        }
    }
    pulp::Arch::new().dispatch(Lanes)
}

struct Multiply<'a> {
    tiles: &'a Tiles,
    panel: &'a [f32],
    output: &'a mut [f32],
}

impl WithSimd for Multiply<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { tiles, panel, output } = self;
        let (panel, _) = panel.as_chunks::<PANEL>();
        let (output, _) = output.as_chunks_mut::<PANEL>();
        let inputs = tiles.numbers.chunks(tiles.high * tiles.columns);
        for (input, output) in inputs.zip(output.chunks_mut(tiles.high)) {
            // The height is a constant of each copy, so that the sums stay in registers.
            match output.len() {
                1 => tile::<S, 1>(simd, input, panel, output),
                2 => tile::<S, 2>(simd, input, panel, output),
                3 => tile::<S, 3>(simd, input, panel, output),
                4 => tile::<S, 4>(simd, input, panel, output),
                5 => tile::<S, 5>(simd, input, panel, output),
                6 => tile::<S, 6>(simd, input, panel, output),
                7 => tile::<S, 7>(simd, input, panel, output),
                8 => tile::<S, 8>(simd, input, panel, output),
                9 => tile::<S, 9>(simd, input, panel, output),
                10 => tile::<S, 10>(simd, input, panel, output),
                11 => tile::<S, 11>(simd, input, panel, output),
                _ => tile::<S, 12>(simd, input, panel, output),
            }
        }
    }
}

/// The product of one tile of `ROWS` rows and the panel, two vectors of outputs at a time.
#[inline(always)]
fn tile<S: Simd, const ROWS: usize>(simd: S, input: &[f32], panel: &[[f32; PANEL]], output: &mut [[f32; PANEL]]) {
    let (input, _) = input.as_chunks::<ROWS>();
    let vectors = PANEL / S::F32_LANES;
    for pair in 0..vectors / 2 {
        let mut sums = [[simd.splat_f32s(0.0); 2]; ROWS];
        for (column, weights) in input.iter().zip(panel) {
            let (weights, _) = S::as_simd_f32s(weights);
            let (left, right) = (weights[2 * pair], weights[2 * pair + 1]);
            for (sum, number) in sums.iter_mut().zip(column) {
                let number = simd.splat_f32s(*number);
                sum[0] = simd.mul_add_f32s(number, left, sum[0]);
                sum[1] = simd.mul_add_f32s(number, right, sum[1]);
            }
        }
        for (line, sum) in output.iter_mut().zip(&sums) {
            let (line, _) = S::as_mut_simd_f32s(line);
            line[2 * pair] = sum[0];
            line[2 * pair + 1] = sum[1];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(count: usize, salt: u32) -> Vec<f32> {
        let mut state = salt;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 16_777_216.0 - 0.5
        };
        (0..count).map(|_| next()).collect()
    }

    #[test]
    fn every_element_is_the_fused_sum_in_order_whatever_the_width_and_the_rows() {
        let columns = 37;
        let panel = numbers(columns * PANEL, 1);
        for rows in 1..=29 {
            let input = numbers(rows * columns, 2);
            let mut expected = vec![0.0_f32; rows * PANEL];
            for row in 0..rows {
                for lane in 0..PANEL {
                    expected[row * PANEL + lane] = (0..columns)
                        .fold(0.0, |sum, at| input[row * columns + at].mul_add(panel[at * PANEL + lane], sum));
                }
            }
            for high in [NARROW, WIDE] {
                let tiles = Tiles::of_height(&input, columns, high);
                let mut scalar = vec![0.0; rows * PANEL];
                Multiply { tiles: &tiles, panel: &panel, output: &mut scalar }.with_simd(pulp::Scalar::new());
                assert_eq!(scalar, expected, "{rows} rows, scalar");
                let mut best = vec![0.0; rows * PANEL];
                multiply(&tiles, &panel, &mut best);
                assert_eq!(best, expected, "{rows} rows, this processor");
                #[cfg(target_arch = "x86_64")]
                if let Some(simd) = pulp::x86::V3::try_new() {
                    let mut narrow = vec![0.0; rows * PANEL];
                    Simd::vectorize(simd, Multiply { tiles: &tiles, panel: &panel, output: &mut narrow });
                    assert_eq!(narrow, expected, "{rows} rows, AVX2");
                }
            }
        }
    }
}
