//! The BabyAI studies: language models advise a deep learner, in blocks of one task and one advisor each.
//!
//! Arms are named `BLOCK.ARM`. A table has one row per block and arm, the paired differences that the study is about, and
//! Holm's adjustment over all blocks together. Blocks and arms that a run does not hold are left out; a claim that needs
//! them cannot be told.

mod answer;
mod best;
mod block;
mod column;
mod corruption;
mod difference;
mod episode;
mod exact;
mod family;
mod frontier;
mod heldout;
mod layout;
mod main;
mod matched;
mod persistence;
mod price;
mod radius;
mod repeat;
mod surrogate;
mod tabulate;
mod tolerance;
mod volume;

#[cfg(test)]
mod specimen;
#[cfg(test)]
mod whole;

pub(super) use layout::layout;
pub(super) use tabulate::tabulate;
