//! The loop itself, on a world and a learner of a few lines: a signal box, whose every random number comes from its seed.

mod learner;
mod scene;
mod study;
mod whole_loop;
mod world;
