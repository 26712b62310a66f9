//! Whose answer is executed, with the decision behind it.

use pyo3::prelude::*;

use crate::error::refuse;

/// An answer that a cascade or a router obtained.
#[pyclass(frozen, module = "counsel")]
pub(crate) struct Answer {
    /// What the model returned.
    #[pyo3(get)]
    pub(crate) value: Py<PyAny>,
    /// The number of the decision, for `feedback`.
    #[pyo3(get)]
    pub(crate) id: u64,
    /// Who answered: `cheap` or `strong` in a cascade, the name of the advisor in a router.
    #[pyo3(get)]
    pub(crate) advisor: String,
    /// The decision: a Consultation or a Route.
    #[pyo3(get)]
    pub(crate) decision: Py<PyAny>,
}

#[pymethods]
impl Answer {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let Self { id, advisor, .. } = self;
        let value = self.value.bind(py).repr()?;
        Ok(format!("Answer(value={value}, id={id}, advisor='{advisor}')"))
    }
}

/// What a model returned, if it is no coroutine: that would be taken for the answer itself.
pub(crate) fn answered(value: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyAny>> {
    if !value.hasattr("__await__")? {
        return Ok(value);
    }
    // One that is closed is no coroutine that was never awaited.
    let _ = value.call_method0("close");
    Err(refuse("the model is an async def; await `acall` of the cascade or the router, or pass an ordinary callable"))
}

/// What a model returned, or its error once the decision that was paid for is given up as `lost`.
pub(crate) fn or_lost<T>(returned: PyResult<T>, lost: impl FnOnce() -> PyResult<()>) -> PyResult<T> {
    if returned.is_err() {
        lost()?;
    }
    returned
}
