//! The arithmetic on which everything else rests: products of matrices, sums of rows, and the step of the optimiser.
//!
//! All tables are row by row, and every row is filled up with zeros to a multiple of [`LANES`] numbers, so that vectors of
//! any width fit. Invariant: every number is computed by the same operations in the same order on every processor and for
//! every number of rows; a wider vector does more columns at once, and nothing else.

#![expect(clippy::inline_always, reason = "a function is compiled for a processor's vectors where it is inlined")]

mod adam;
mod gather;
mod product;
mod rectify;
mod table;

pub(crate) use adam::{Pace, Slices, step_all, step_sparse};
pub(crate) use gather::gather;
pub(crate) use product::{Left, product};
pub(crate) use rectify::{column_sums, pass_back, rectify, transpose};
pub(crate) use table::Table;

/// The widest vector, in numbers.
pub(crate) const LANES: usize = 16;
