//! numpy's random numbers, bit for bit: `Generator(PCG64(SeedSequence(seed)))` and the two draws the levels make.
//!
//! Invariant: the same seed and the same calls give the same numbers as numpy 1.17 or later; the published vectors are
//! in the tests of this crate.

mod generator;
mod seed_sequence;

pub use generator::Generator;
pub use seed_sequence::SeedSequence;
