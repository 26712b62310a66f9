//! A table of numbers whose rows are reckoned with as a whole.
//!
//! A row is padded with zeros to full blocks, so that a compiler turns each operation on it into a few instructions
//! without a loop. Every number is reckoned as it would be alone, so the blocks change no bit of a result.

use serde::{Deserialize, Serialize};

const LANES: usize = 8;

/// Eight neighbours of a row.
pub(super) type Block = [f64; LANES];

/// Rows of equal width.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Table {
    width: usize,
    blocks: Vec<Block>,
}

impl Table {
    /// So many rows of zeros.
    pub(super) fn zeros(rows: usize, width: usize) -> Self {
        Self { width, blocks: vec![[0.0; LANES]; rows * width.div_ceil(LANES)] }
    }

    pub(super) fn row(&self, place: usize) -> &[Block] {
        let length = self.width.div_ceil(LANES);
        &self.blocks[place * length..][..length]
    }

    pub(super) fn row_mut(&mut self, place: usize) -> &mut [Block] {
        let length = self.width.div_ceil(LANES);
        &mut self.blocks[place * length..][..length]
    }

    /// The numbers of a row without its padding.
    pub(super) fn numbers(&self, place: usize) -> &[f64] {
        &self.row(place).as_flattened()[..self.width]
    }

    /// See `numbers`.
    pub(super) fn numbers_mut(&mut self, place: usize) -> &mut [f64] {
        let width = self.width;
        &mut self.row_mut(place).as_flattened_mut()[..width]
    }
}

/// Adds a multiple of a row to a row.
pub(super) fn add_scaled(to: &mut [Block], row: &[Block], factor: f64) {
    for (to, block) in to.iter_mut().zip(row) {
        for lane in 0..LANES {
            to[lane] += block[lane] * factor;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Table, add_scaled};

    #[test]
    fn rows_wider_than_a_block_are_kept_apart() {
        let mut table = Table::zeros(3, 11);
        for row in 0..3 {
            table.numbers_mut(row).iter_mut().zip(1_u32..).for_each(|(number, n)| *number = f64::from(n) + row as f64);
        }
        let last = table.clone();
        add_scaled(table.row_mut(1), last.row(2), 2.0);
        let expected: Vec<f64> = (1..=11).map(|n| f64::from(n) + 1.0 + 2.0 * (f64::from(n) + 2.0)).collect();
        assert_eq!(table.numbers(1), expected);
        assert_eq!((table.numbers(0), table.numbers(2)), (last.numbers(0), last.numbers(2)));
    }
}
