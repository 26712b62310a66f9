//! What a batch of decisions comes to, as arrays with one entry per place.

use numpy::PyArray1;
use pyo3::prelude::*;

/// The decisions of a batch. Where a question is open the action is that of the fallback, until the batch is resumed.
#[pyclass(frozen, module = "counsel")]
pub(crate) struct Batch {
    /// What each place must do.
    #[pyo3(get)]
    pub(crate) actions: Py<PyArray1<i64>>,
    /// The places with an open question, in order.
    #[pyo3(get)]
    pub(crate) asks: Py<PyArray1<i64>>,
    /// The estimated value of the query at each place; NaN where nothing was decided.
    #[pyo3(get)]
    pub(crate) estimate: Py<PyArray1<f64>>,
    /// How much spoke for asking.
    #[pyo3(get)]
    pub(crate) score: Py<PyArray1<f64>>,
    /// How much was needed.
    #[pyo3(get)]
    pub(crate) threshold: Py<PyArray1<f64>>,
    /// The number of the batch, as in the log.
    #[pyo3(get)]
    pub(crate) number: u64,
    /// The numbers of the open questions, in the order of `asks`.
    pub(crate) serials: Vec<u64>,
    /// The controller that decided it.
    pub(crate) of: u64,
}

#[pymethods]
impl Batch {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (places, asks) = (self.actions.bind(py).len()?, self.asks.bind(py).len()?);
        Ok(format!("Batch(number={}, places={places}, asks={asks})", self.number))
    }
}
