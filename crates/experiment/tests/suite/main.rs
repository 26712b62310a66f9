//! The tests of the crate, in one program.

mod alfworld;
mod babyai;
mod bounds;
mod crafter;
mod decisions;
mod experience;
mod names;
mod pixel;
mod refusals;
mod replay;
mod settings;
mod shift;
mod specs;
mod theory;
