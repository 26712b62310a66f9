//! A decision of a cascade, with all that it was computed from.

use counsel_controller::route;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Whether the strong model is asked, and why.
#[pyclass(frozen, module = "counsel")]
pub(crate) struct Consultation(pub(crate) route::Consultation);

#[pymethods]
impl Consultation {
    /// Its number, from 0, for `feedback`.
    #[getter]
    fn id(&self) -> u64 {
        self.0.step
    }

    /// Whether to ask the strong model.
    #[getter]
    fn ask(&self) -> bool {
        self.0.asked
    }

    /// The probability of asking, fixed before the coin was thrown.
    #[getter]
    fn probability(&self) -> f64 {
        self.0.probability
    }

    /// What the strong answer is expected to be worth more, before its price.
    #[getter]
    fn gain(&self) -> f64 {
        self.0.rewards[1] - self.0.rewards[0]
    }

    /// The standard deviation of the gain, as the book knows it.
    #[getter]
    fn doubt(&self) -> f64 {
        self.0.doubt
    }

    /// What the strong answer costs.
    #[getter]
    fn price(&self) -> f64 {
        self.0.price
    }

    /// Everything that the decision was computed from, for a log of your own.
    fn record<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let route::Consultation { step, rewards, doubt, price, bank, held, control, probability, uniform, asked } =
            self.0;
        let dict = PyDict::new(py);
        dict.set_item("step", step)?;
        dict.set_item("rewards", rewards.to_vec())?;
        dict.set_item("doubt", doubt)?;
        dict.set_item("price", price)?;
        dict.set_item("bank", bank)?;
        dict.set_item("held", held)?;
        dict.set_item("control", control)?;
        dict.set_item("probability", probability)?;
        dict.set_item("uniform", uniform)?;
        dict.set_item("asked", asked)?;
        Ok(dict)
    }

    fn __repr__(&self) -> String {
        let route::Consultation { step, probability, asked, .. } = self.0;
        let (ask, gain) = (if asked { "True" } else { "False" }, self.gain());
        format!("Consultation(id={step}, ask={ask}, probability={probability:?}, gain={gain:.3})")
    }
}
