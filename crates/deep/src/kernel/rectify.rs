//! What happens between two products: rectifying, its way back, sums of columns, transposing.

use super::LANES;

/// Negative numbers become zero.
pub(crate) fn rectify(numbers: &mut [f32]) {
    numbers.iter_mut().for_each(|number| *number = number.max(0.0));
}

/// The derivative on its way back through rectified (and thinned) numbers: scaled where they are positive, zero elsewhere.
pub(crate) fn pass_back(numbers: &[f32], scale: f32, slopes: &mut [f32]) {
    for (slope, &number) in slopes.iter_mut().zip(numbers) {
        *slope = if number > 0.0 { *slope * scale } else { 0.0 };
    }
}

/// The sum of every column.
pub(crate) fn column_sums(table: &[f32], sums: &mut [f32]) {
    sums.fill(0.0);
    for row in table.chunks_exact(sums.len()) {
        sums.iter_mut().zip(row).for_each(|(sum, &number)| *sum += number);
    }
}

/// The transpose of a table with rows of `width` numbers, square by square, so that both tables are read and written by
/// whole cache lines. Height and width are multiples of [`LANES`].
pub(crate) fn transpose(table: &[f32], width: usize, turned: &mut [f32]) {
    let height = table.len() / width;
    for top in (0..height).step_by(LANES) {
        for left in (0..width).step_by(LANES) {
            for column in left..left + LANES {
                let line = &mut turned[column * height + top..][..LANES];
                let from = table[top * width + column..].iter().step_by(width);
                line.iter_mut().zip(from).for_each(|(to, &from)| *to = from);
            }
        }
    }
}
