//! The calibrated radius around the estimated value of a query, β of Eq. `main:gate`.
//!
//! The default is infinite: without calibration the conservative gate stays silent.

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::refusal::in_range;

/// How far the estimate may be from the truth.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default, Serialize, Deserialize)]
pub enum Radius {
    /// The error is at most this.
    Finite(f64),
    /// Nothing is known about the error.
    #[default]
    Infinite,
}

impl Radius {
    /// No protection at all: the nonconservative ablation.
    pub const ZERO: Self = Self::Finite(0.0);

    /// A radius from a number; infinity is infinite, a negative number or NaN is refused.
    pub fn new(value: f64) -> Result<Self, Error> {
        in_range(value >= 0.0, "a radius", value, "[0, infinity]", "pass a calibrated radius")?;
        Ok(if value.is_finite() { Self::Finite(value) } else { Self::Infinite })
    }

    /// The radius as a number. One that is negative or not a number protects from nothing and counts as infinite.
    pub fn value(self) -> f64 {
        match self {
            Self::Finite(value) if value >= 0.0 => value,
            _ => f64::INFINITY,
        }
    }
}
