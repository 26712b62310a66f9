//! A decision of a router, with all that it was computed from.

use counsel_controller::route;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Who answers, and why.
#[pyclass(frozen, module = "counsel")]
pub(crate) struct Route {
    pub(crate) route: route::Route,
    pub(crate) advisors: Vec<String>,
}

#[pymethods]
impl Route {
    /// Its number, from 0, for `settle` and `feedback`.
    #[getter]
    fn id(&self) -> u64 {
        self.route.step
    }

    /// Who answers.
    #[getter]
    fn advisor(&self) -> &str {
        &self.advisors[self.route.chosen]
    }

    /// The probability of this choice, fixed before the coin was thrown.
    #[getter]
    fn probability(&self) -> f64 {
        self.route.probabilities[self.route.chosen]
    }

    /// The probability of every advisor.
    #[getter]
    fn probabilities<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.by_name(py, &self.route.probabilities)
    }

    /// The expected score of every advisor.
    #[getter]
    fn rewards<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.by_name(py, &self.route.rewards)
    }

    /// The expected cost of every advisor.
    #[getter]
    fn costs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.by_name(py, &self.route.costs)
    }

    /// The score that a unit of cost is worth now.
    #[getter]
    fn price(&self) -> f64 {
        self.route.price
    }

    /// Everything that the decision was computed from, for a log of your own.
    fn record<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let route = &self.route;
        let dict = PyDict::new(py);
        dict.set_item("step", route.step)?;
        dict.set_item("advisors", &self.advisors)?;
        dict.set_item("rewards", &route.rewards)?;
        dict.set_item("costs", &route.costs)?;
        dict.set_item("hopes", &route.hopes)?;
        dict.set_item("price", route.price)?;
        dict.set_item("allowed", &route.allowed)?;
        dict.set_item("probabilities", &route.probabilities)?;
        dict.set_item("greedy", route.greedy)?;
        dict.set_item("optimist", route.optimist)?;
        dict.set_item("account", route.account)?;
        dict.set_item("uniform", route.uniform)?;
        dict.set_item("chosen", route.chosen)?;
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        let (id, advisor, probability) = (self.id(), self.advisor(), self.probability());
        format!("Route(id={id}, advisor='{advisor}', probability={probability:?})")
    }
}

impl Route {
    fn by_name<'py>(&self, py: Python<'py>, numbers: &[f64]) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        self.advisors.iter().zip(numbers).try_for_each(|(name, number)| dict.set_item(name, number))?;
        Ok(dict)
    }
}
