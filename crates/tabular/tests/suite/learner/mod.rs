//! The learners against exact values, closed forms and the paper's lemmas.

mod bounds;
mod contract;
mod convergence;
mod play;
mod posterior;
mod stability;
