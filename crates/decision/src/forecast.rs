//! What a query is expected to be worth, learned from what earlier queries turned out to be worth.

/// A learned value with its standard error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Forecast {
    /// The value, in units of return.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
}
