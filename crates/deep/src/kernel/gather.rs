//! The first layer: its inputs are zeros and a few ones, so that its product is a sum of rows.
//!
//! Invariant: an output is its start plus the named rows in the order in which they are named.

use pulp::{Simd, WithSimd};

/// One line of `output` per list: the row `start` of the table plus all rows that the list names.
pub(crate) fn gather<'a>(
    table: &[f32],
    width: usize,
    start: usize,
    lists: impl Iterator<Item = &'a [u16]>,
    output: &mut [f32],
) {
    pulp::Arch::new().dispatch(Gather { table, width, start, lists, output });
}

struct Gather<'a, I> {
    table: &'a [f32],
    width: usize,
    start: usize,
    lists: I,
    output: &'a mut [f32],
}

impl<'a, I: Iterator<Item = &'a [u16]>> WithSimd for Gather<'_, I> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { table, width, start, lists, output } = self;
        let start = &table[start * width..];
        for (list, line) in lists.zip(output.chunks_exact_mut(width)) {
            let mut column = 0;
            while column < width {
                let columns = if width - column >= 8 * S::F32_LANES {
                    sum::<S, 8>(simd, table, width, column, start, list)(line)
                } else {
                    sum::<S, 1>(simd, table, width, column, start, list)(line)
                };
                column += columns;
            }
        }
    }
}

/// Sums `WIDE` vectors of the named rows; the result writes them to a line and says how many columns that was.
#[inline(always)]
fn sum<S: Simd, const WIDE: usize>(
    simd: S,
    table: &[f32],
    width: usize,
    column: usize,
    start: &[f32],
    list: &[u16],
) -> impl FnOnce(&mut [f32]) -> usize {
    let columns = WIDE * S::F32_LANES;
    let mut sums = [simd.splat_f32s(0.0); WIDE];
    let (first, _) = S::as_simd_f32s(&start[column..column + columns]);
    sums.copy_from_slice(&first[..WIDE]);
    for &place in list {
        let from = usize::from(place) * width + column;
        let (row, _) = S::as_simd_f32s(&table[from..from + columns]);
        let Some(row) = row.first_chunk::<WIDE>() else { continue };
        for (sum, &number) in sums.iter_mut().zip(row) {
            *sum = simd.add_f32s(*sum, number);
        }
    }
    move |line| {
        let (line, _) = S::as_mut_simd_f32s(&mut line[column..column + columns]);
        line.copy_from_slice(&sums);
        columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Numbers;

    #[test]
    fn rows_are_added_in_the_order_of_the_list() {
        for width in [16, 48, 128, 160] {
            let table = Numbers::new(4).take(9 * width, 1.0);
            let lists: [&[u16]; 3] = [&[], &[3], &[0, 2, 5, 7]];
            let mut output = vec![f32::NAN; lists.len() * width];
            gather(&table, width, 8, lists.into_iter(), &mut output);
            for (line, list) in output.chunks_exact(width).zip(lists) {
                for (column, &got) in line.iter().enumerate() {
                    let of = |row: usize| table[row * width + column];
                    let expected = list.iter().fold(of(8), |sum, &place| sum + of(usize::from(place)));
                    assert_eq!(got, expected);
                }
            }
        }
    }
}
