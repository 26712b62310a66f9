//! The product of two matrices.
//!
//! Invariant: an element is its start plus the fused multiply-adds over the depth in their order. Neither tiling, nor vector
//! width, nor the number of rows changes that, so a state has the same values alone and in a crowd.

use pulp::{Simd, WithSimd};

/// The left factor: `rows` by `depth`.
#[derive(Clone, Copy)]
pub(crate) enum Left<'a> {
    /// Stored row by row.
    Plain(&'a [f32]),
    /// Stored column by column: the transpose is row by row.
    Transposed(&'a [f32]),
}

/// `output` = `start` on every row (or zero) + `left` times `right`; `right` has rows of `width` numbers, a multiple of
/// [`super::LANES`].
pub(crate) fn product(left: Left<'_>, right: &[f32], width: usize, start: Option<&[f32]>, output: &mut [f32]) {
    let (rows, depth) = (output.len() / width, right.len() / width);
    pulp::Arch::new().dispatch(Product { left, right, width, start, output, rows, depth });
}

struct Product<'a> {
    left: Left<'a>,
    right: &'a [f32],
    width: usize,
    start: Option<&'a [f32]>,
    output: &'a mut [f32],
    rows: usize,
    depth: usize,
}

impl WithSimd for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let mut tile = vec![0.0; self.depth * 8];
        let mut row = 0;
        while row < self.rows {
            let left = self.rows - row;
            // Eight rows of two vectors need 19 registers, four need 11.
            row += if S::F32_LANES >= 16 && left >= 8 {
                self.rows_at::<S, 8>(simd, row, &mut tile)
            } else if left >= 4 {
                self.rows_at::<S, 4>(simd, row, &mut tile)
            } else {
                self.rows_at::<S, 1>(simd, row, &mut tile)
            };
        }
    }
}

impl Product<'_> {
    /// Computes `ROWS` rows and says how many that was.
    #[inline(always)]
    fn rows_at<S: Simd, const ROWS: usize>(&mut self, simd: S, row: usize, tile: &mut [f32]) -> usize {
        let tile = &mut tile[..self.depth * ROWS];
        self.lay_out::<ROWS>(row, tile);
        let (tile, _) = tile.as_chunks::<ROWS>();
        let mut column = 0;
        while column < self.width {
            column += if self.width - column >= 2 * S::F32_LANES {
                self.block::<S, ROWS, 2>(simd, row, column, tile)
            } else {
                self.block::<S, ROWS, 1>(simd, row, column, tile)
            };
        }
        ROWS
    }

    /// Puts the numbers of `ROWS` rows side by side, one group per step of the depth.
    #[inline(always)]
    fn lay_out<const ROWS: usize>(&self, row: usize, tile: &mut [f32]) {
        let (tile, _) = tile.as_chunks_mut::<ROWS>();
        match self.left {
            Left::Plain(numbers) => {
                for (at, line) in numbers[row * self.depth..].chunks_exact(self.depth).take(ROWS).enumerate() {
                    tile.iter_mut().zip(line).for_each(|(group, &number)| group[at] = number);
                }
            }
            Left::Transposed(numbers) => {
                for (group, line) in tile.iter_mut().zip(numbers.chunks_exact(self.rows)) {
                    group.copy_from_slice(&line[row..row + ROWS]);
                }
            }
        }
    }

    /// Computes `ROWS` rows of `WIDE` vectors and says how many columns that was.
    #[inline(always)]
    fn block<S: Simd, const ROWS: usize, const WIDE: usize>(
        &mut self,
        simd: S,
        row: usize,
        column: usize,
        tile: &[[f32; ROWS]],
    ) -> usize {
        let columns = WIDE * S::F32_LANES;
        let mut sums = [[simd.splat_f32s(0.0); WIDE]; ROWS];
        if let Some(start) = self.start {
            let (start, _) = S::as_simd_f32s(&start[column..column + columns]);
            for sum in &mut sums {
                sum.copy_from_slice(&start[..WIDE]);
            }
        }
        for (group, line) in tile.iter().zip(self.right.chunks_exact(self.width)) {
            let (line, _) = S::as_simd_f32s(&line[column..column + columns]);
            let Some(line) = line.first_chunk::<WIDE>() else { continue };
            for (sum, &number) in sums.iter_mut().zip(group) {
                let number = simd.splat_f32s(number);
                for (sum, &weight) in sum.iter_mut().zip(line) {
                    *sum = simd.mul_add_f32s(number, weight, *sum);
                }
            }
        }
        for (line, sum) in self.output[row * self.width..].chunks_exact_mut(self.width).zip(&sums) {
            let (line, _) = S::as_mut_simd_f32s(&mut line[column..column + columns]);
            line.copy_from_slice(sum);
        }
        columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Numbers;

    #[test]
    fn every_element_is_the_fused_sum_in_order_whatever_the_width_and_the_rows() {
        for (rows, depth, width) in [(1, 5, 16), (3, 64, 48), (4, 7, 32), (13, 33, 64), (64, 128, 80)] {
            let mut numbers = Numbers::new(3);
            let (left, right) = (numbers.take(rows * depth, 1.0), numbers.take(depth * width, 1.0));
            let start = numbers.take(width, 1.0);
            let turned: Vec<f32> = (0..rows * depth).map(|at| left[at % rows * depth + at / rows]).collect();
            let element = |row: usize, column: usize| {
                (0..depth).fold(start[column], |sum, k| left[row * depth + k].mul_add(right[k * width + column], sum))
            };
            let expected: Vec<f32> = (0..rows * width).map(|at| element(at / width, at % width)).collect();
            for left in [Left::Plain(&left), Left::Transposed(&turned)] {
                let mut output = vec![f32::NAN; rows * width];
                product(left, &right, width, Some(&start), &mut output);
                assert_eq!(output, expected, "{rows} x {depth} x {width}");
                output.fill(f32::NAN);
                let (right, output_again) = (&right[..], &mut output[..]);
                let job = Product { left, right, width, start: Some(&start), output: output_again, rows, depth };
                job.with_simd(pulp::Scalar::new());
                assert_eq!(output, expected, "{rows} x {depth} x {width}, scalar");
                #[cfg(target_arch = "x86_64")]
                if let Some(simd) = pulp::x86::V3::try_new() {
                    output.fill(f32::NAN);
                    let output_again = &mut output[..];
                    let job = Product { left, right, width, start: Some(&start), output: output_again, rows, depth };
                    Simd::vectorize(simd, job);
                    assert_eq!(output, expected, "{rows} x {depth} x {width}, AVX2");
                }
            }
        }
    }
}
