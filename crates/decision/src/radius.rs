//! The calibrated radius around the estimated value of a query, β of Eq. `main:gate`.
//!
//! The default is infinite: without calibration the conservative gate stays silent.

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::refusal::in_range;

/// How far the estimate may be from the truth: a number of 0 or more, or infinite where nothing is known about the error.
///
/// ```
/// use counsel_decision::Radius;
///
/// assert_eq!(Radius::new(0.25)?.value(), 0.25);
/// assert_eq!(Radius::default(), Radius::INFINITE);
/// assert!(Radius::new(-1.0).is_err() && Radius::new(f64::NAN).is_err());
/// # Ok::<(), counsel_decision::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Radius(f64);

impl Radius {
    /// No protection at all: the nonconservative ablation.
    pub const ZERO: Self = Self(0.0);

    /// Nothing is known about the error.
    pub const INFINITE: Self = Self(f64::INFINITY);

    /// A radius from a number; a negative number or NaN is refused.
    pub fn new(value: f64) -> Result<Self, Error> {
        in_range(value >= 0.0, "a radius", value, "[0, infinity]", "pass a calibrated radius")?;
        Ok(Self(value))
    }

    /// The radius as a number.
    pub fn value(self) -> f64 {
        self.0
    }

    /// The radius as a number, unless it is infinite.
    pub fn finite(self) -> Option<f64> {
        self.0.is_finite().then_some(self.0)
    }
}

impl Default for Radius {
    fn default() -> Self {
        Self::INFINITE
    }
}

/// A radius as manifests write it: JSON has no infinity.
#[derive(Serialize, Deserialize)]
enum Written {
    Finite(f64),
    Infinite,
}

impl From<Radius> for Written {
    fn from(radius: Radius) -> Self {
        radius.finite().map_or(Self::Infinite, Self::Finite)
    }
}

impl TryFrom<Written> for Radius {
    type Error = Error;

    fn try_from(written: Written) -> Result<Self, Error> {
        match written {
            Written::Finite(value) => Self::new(value),
            Written::Infinite => Ok(Self::INFINITE),
        }
    }
}
