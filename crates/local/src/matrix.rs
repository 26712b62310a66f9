//! A matrix of weights, as 32-bit floats, as in the file, or on a GPU; all give the same bits.

use std::borrow::Cow;
use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};

use rayon::prelude::*;

use crate::Error;
use crate::gguf::{Gguf, Placement};
use crate::gpu::{Gpu, Panels};
use crate::product::{PANEL, Tiles, multiply};
use crate::tensor::TensorKind;

/// How weights are kept in memory.
#[derive(Debug, Clone)]
pub(crate) enum Keeping {
    /// As 32-bit floats: fast.
    Floats,
    /// As in the file: frugal. Panels become floats whenever they are used.
    Packed,
    /// As 32-bit floats in the memory of a GPU, which then multiplies.
    Gpu(Gpu),
}

/// In which order the rows of a tensor are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// As they are.
    Plain,
    /// Pairs of neighbours within a head of this size are taken apart into two halves.
    Unpaired {
        /// Rows of a head.
        head: usize,
    },
}

impl Order {
    fn source(self, row: usize) -> usize {
        match self {
            Self::Plain => row,
            Self::Unpaired { head } => {
                let (start, within) = (row - row % head, row % head);
                start + 2 * (within % (head / 2)) + within / (head / 2)
            }
        }
    }
}

/// The rows of a tensor as in the file.
#[derive(Debug)]
pub(crate) struct Rows {
    kind: TensorKind,
    columns: usize,
    row_bytes: usize,
    bytes: Vec<u8>,
}

impl Rows {
    /// Reads the rows of a tensor.
    pub(crate) fn read(gguf: &Gguf, file: &mut File, placement: &Placement) -> Result<Self, Error> {
        let unreadable = |cause| Error::Unreadable { path: gguf.path().to_owned(), cause };
        file.seek(SeekFrom::Start(placement.offset)).map_err(unreadable)?;
        let mut bytes = vec![0; placement.bytes()];
        file.read_exact(&mut bytes).map_err(unreadable)?;
        Ok(Self { kind: placement.kind, columns: placement.columns, row_bytes: placement.row_bytes(), bytes })
    }

    /// How many rows there are.
    pub(crate) fn count(&self) -> usize {
        self.bytes.len() / self.row_bytes
    }

    /// One row as floats.
    pub(crate) fn row(&self, row: usize) -> Vec<f32> {
        let bytes = &self.bytes[row * self.row_bytes..][..self.row_bytes];
        self.kind.floats(bytes)
    }

    /// A panel: the weights of [`PANEL`] rows side by side, column by column; rows past the end are zero.
    fn panel(&self, order: Order, panel: usize) -> Vec<f32> {
        let mut weights = vec![0.0; self.columns * PANEL];
        let first = panel * PANEL;
        for row in first..self.count().min(first + PANEL) {
            let numbers = self.row(order.source(row));
            let (lines, _) = weights.as_chunks_mut::<PANEL>();
            for (line, number) in lines.iter_mut().zip(numbers) {
                line[row - first] = number;
            }
        }
        weights
    }
}

/// A matrix of weights.
#[derive(Debug)]
pub(crate) struct Matrix {
    outputs: usize,
    columns: usize,
    weights: Weights,
}

#[derive(Debug)]
enum Weights {
    Here(Kept),
    Gpu(Panels),
}

/// Weights in this program's memory.
#[derive(Debug)]
enum Kept {
    Floats(Vec<Vec<f32>>),
    Packed(Rows, Order),
}

impl Kept {
    fn panel(&self, panel: usize) -> Cow<'_, [f32]> {
        match self {
            Self::Floats(panels) => Cow::Borrowed(&panels[panel]),
            Self::Packed(rows, order) => Cow::Owned(rows.panel(*order, panel)),
        }
    }

    /// The products of the rows of `input` and so many outputs, row by row.
    fn times(&self, input: &[f32], columns: usize, outputs: usize) -> Vec<f32> {
        let tiles = Tiles::new(input, columns);
        let rows = tiles.rows();
        let mut strips = vec![0.0; outputs.div_ceil(PANEL) * rows * PANEL];
        strips
            .par_chunks_mut(rows * PANEL)
            .enumerate()
            .for_each(|(panel, strip)| multiply(&tiles, &self.panel(panel), strip));
        if rows == 1 {
            strips.truncate(outputs);
            return strips;
        }
        let mut output = vec![0.0; rows * outputs];
        output.par_chunks_mut(outputs).enumerate().for_each(|(row, line)| {
            for (panel, part) in line.chunks_mut(PANEL).enumerate() {
                let from = (panel * rows + row) * PANEL;
                part.copy_from_slice(&strips[from..from + part.len()]);
            }
        });
        output
    }

    /// One element per listed output, of a single row.
    fn at(&self, input: &[f32], columns: usize, outputs: &[u32]) -> Vec<f32> {
        let tiles = Tiles::new(input, columns);
        let one = |output: &u32| {
            let (panel, lane) = (*output as usize / PANEL, *output as usize % PANEL);
            let mut strip = [0.0; PANEL];
            multiply(&tiles, &self.panel(panel), &mut strip);
            strip[lane]
        };
        outputs.iter().map(one).collect()
    }
}

impl Matrix {
    /// A matrix of these rows.
    pub(crate) fn new(rows: Rows, order: Order, keeping: &Keeping) -> Result<Self, Error> {
        let (outputs, columns) = (rows.count(), rows.columns);
        let panels = |rows: &Rows| -> Vec<Vec<f32>> {
            (0..outputs.div_ceil(PANEL)).into_par_iter().map(|panel| rows.panel(order, panel)).collect()
        };
        let weights = match keeping {
            Keeping::Floats => Weights::Here(Kept::Floats(panels(&rows))),
            Keeping::Packed => Weights::Here(Kept::Packed(rows, order)),
            Keeping::Gpu(gpu) => {
                Weights::Gpu(gpu.panels(&panels(&rows).concat(), outputs, columns).map_err(Error::gpu)?)
            }
        };
        Ok(Self { outputs, columns, weights })
    }

    /// The products of the rows of `input` and this matrix, row by row.
    pub(crate) fn times(&self, input: &[f32]) -> Result<Vec<f32>, Error> {
        match &self.weights {
            Weights::Here(kept) => Ok(kept.times(input, self.columns, self.outputs)),
            Weights::Gpu(panels) => panels.times(input).map_err(Error::gpu),
        }
    }

    /// One element per listed output, of a single row.
    pub(crate) fn at(&self, input: &[f32], outputs: &[u32]) -> Result<Vec<f32>, Error> {
        match &self.weights {
            Weights::Here(kept) => Ok(kept.at(input, self.columns, outputs)),
            Weights::Gpu(panels) => {
                let all = panels.times(input).map_err(Error::gpu)?;
                Ok(outputs.iter().map(|output| all[*output as usize]).collect())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_taken_apart_within_every_head() {
        let order = Order::Unpaired { head: 6 };
        assert_eq!((0..12).map(|row| order.source(row)).collect::<Vec<_>>(), [0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11]);
    }
}
