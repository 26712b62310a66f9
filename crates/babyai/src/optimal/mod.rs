//! Optimal actions: how many steps success needs at least, and every action with which it can still be had in so many.
//!
//! For missions of one single `go to`, `open` or `pick up`. The search is over full states: poses, doors, what lies where
//! and what is carried. It looks at states in the order of steps made plus a lower bound on the steps to come, so it
//! finds what a breadth-first search finds, without most of the states. The clock is left out: a
//! distance may be longer than what is left of the episode.

mod answer;
mod bound;
mod planner;
mod search;

pub use answer::{Acts, Optimum};
pub use planner::{MOST_STATES, Planner};
