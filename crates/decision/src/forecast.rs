//! What a query is expected to be worth, learned from what earlier queries turned out to be worth.

use crate::Error;
use crate::refusal::in_range;

/// A learned value with its standard error, in units of return.
///
/// ```
/// use counsel_decision::Forecast;
///
/// let forecast = Forecast::new(0.3, 0.1)?;
/// assert_eq!((forecast.value(), forecast.error()), (0.3, 0.1));
/// # Ok::<(), counsel_decision::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Forecast {
    value: f64,
    error: f64,
}

impl Forecast {
    /// A finite value and a standard error of 0 or more.
    pub fn new(value: f64, error: f64) -> Result<Self, Error> {
        let remedy = "pass the value of the query and its standard error";
        in_range(value.is_finite(), "the value of a forecast", value, "the finite numbers", remedy)?;
        in_range(error >= 0.0 && error.is_finite(), "the error of a forecast", error, "[0, infinity)", remedy)?;
        Ok(Self { value, error })
    }

    /// The value.
    pub fn value(self) -> f64 {
        self.value
    }

    /// Its standard error.
    pub fn error(self) -> f64 {
        self.error
    }
}
