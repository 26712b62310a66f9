//! The tests of the crate, in one program.

mod account;
mod alteration;
mod claims;
mod columns;
mod each;
mod explained;
mod frame;
mod given;
mod journal;
mod manifest;
mod matters;
mod measures;
mod overridden;
mod play;
mod raw;
mod recompute;
mod robustness;
mod roundtrip;
mod several;
mod sheet;
mod whatif;
