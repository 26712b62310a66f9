//! Every world through the conformance kit, and every exact value against a slower way to the same number.

mod conformance;
mod learner;
mod random;
mod refusals;
mod values;
mod worlds;
