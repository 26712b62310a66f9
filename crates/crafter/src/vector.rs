//! Loops over many numbers, compiled for the vector instructions that this processor has.
//!
//! Every number is computed on its own, with the same operations in the same order, so the bits do not depend on the processor.

use pulp::NullaryFnOnce;

/// Does something with the widest vectors there are. Only what is inlined into it is compiled for them.
pub(crate) fn vectorised<F: NullaryFnOnce>(work: F) -> F::Output {
    pulp::Arch::new().dispatch(work)
}
