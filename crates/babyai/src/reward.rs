//! What success is worth, and what a longer way to it costs.
//!
//! Success after n steps of at most N pays 1 - 0.9 n / N; everything else pays nothing.

/// The share of the reward that the clock takes from a success at the last moment.
const CLOCK_SHARE: f64 = 0.9;

/// What success after so many steps is worth in an episode of so many at most.
///
/// The quotient is taken first, as in the original: the rewards are its bits.
pub fn success_reward(steps: u32, max_steps: u32) -> f64 {
    1.0 - CLOCK_SHARE * (f64::from(steps) / f64::from(max_steps))
}

/// What it costs if success comes so many steps later.
pub fn delay_cost(later_steps: u32, max_steps: u32) -> f64 {
    CLOCK_SHARE * f64::from(later_steps) / f64::from(max_steps)
}
