//! Why a controller did what it did, for Python.

use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::act::word;
use crate::shown::html;

/// Why a controller did not ask, and why answers did not act: counts, and plain words with `str` or `print`.
#[pyclass(frozen, module = "counsel")]
pub(crate) struct Diagnosis(pub(crate) counsel_controller::Diagnosis);

#[pymethods]
impl Diagnosis {
    /// The number of complete decisions.
    #[getter]
    fn decisions(&self) -> u64 {
        self.0.decisions
    }

    /// The number of calls that were paid for.
    #[getter]
    fn calls(&self) -> u64 {
        self.0.calls
    }

    /// The number of answers that changed the action.
    #[getter]
    fn changed(&self) -> u64 {
        self.0.changed
    }

    /// The number of decisions whose action somebody replaced by another.
    #[getter]
    fn overridden(&self) -> u64 {
        self.0.overridden
    }

    /// Every reason that was met, with its count, the most frequent first.
    #[getter]
    pub(crate) fn reasons<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        self.0.reasons.iter().try_for_each(|(reason, count)| dict.set_item(word(reason), count))?;
        Ok(dict)
    }

    fn __str__(&self) -> String {
        self.0.to_string().replace("Controller::", "Controller.")
    }

    fn _repr_html_(&self) -> String {
        html("Diagnosis", &[("", self.__str__())])
    }

    fn __repr__(&self) -> String {
        let counsel_controller::Diagnosis { decisions, calls, changed, .. } = self.0;
        format!("Diagnosis(decisions={decisions}, calls={calls}, changed={changed})")
    }
}
