//! The advisors of a router, as they come from Python: names with prices, and perhaps with what is called.

use counsel_controller::route::Offer;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping};

use crate::error::refuse;

/// What is called for each advisor, in the order of the offers.
pub(crate) struct Models(Vec<Py<PyAny>>);

impl Models {
    /// The callables of a mapping by the names of the advisors.
    pub(crate) fn named(models: &Bound<'_, PyAny>, offers: &[Offer]) -> PyResult<Self> {
        let called = |offer: &Offer| {
            let model = models.get_item(&offer.name).ok().filter(Bound::is_callable);
            model.map(Bound::unbind).ok_or_else(|| {
                let name = &offer.name;
                refuse(format!("`models` has no callable for {name}; pass one for every advisor, by its name"))
            })
        };
        offers.iter().map(called).collect::<PyResult<_>>().map(Self)
    }

    /// All that is called.
    pub(crate) fn all(&self) -> &[Py<PyAny>] {
        &self.0
    }

    /// What is called for an advisor.
    pub(crate) fn of<'py>(&self, py: Python<'py>, advisor: usize) -> &Bound<'py, PyAny> {
        self.0[advisor].bind(py)
    }
}

/// The offers of a mapping from names to prices, or to pairs of a callable and a price.
pub(crate) fn offers(
    advisors: &Bound<'_, PyAny>,
    worst: Option<&Bound<'_, PyAny>>,
) -> PyResult<(Vec<Offer>, Option<Models>)> {
    let wrong = |given: &Bound<'_, PyAny>| {
        refuse(format!("`advisors` holds {given}; pass a mapping of names to prices, or to (callable, price)"))
    };
    let given = PyDict::new(advisors.py());
    let mapping = advisors.cast::<PyMapping>().map_err(|_| wrong(advisors))?;
    given.update(mapping)?;
    let (mut offers, mut models) = (Vec::new(), Vec::new());
    for (name, offered) in &given {
        let name: String = name.extract().map_err(|_| wrong(&name))?;
        let price = if let Ok(price) = offered.extract::<f64>() {
            price
        } else {
            let (model, price) = offered.extract::<(Bound<'_, PyAny>, f64)>().map_err(|_| wrong(&offered))?;
            if !model.is_callable() {
                return Err(wrong(&offered));
            }
            models.push(model.unbind());
            price
        };
        offers.push(Offer::at(&name, price));
    }
    if !models.is_empty() && models.len() < offers.len() {
        return Err(refuse(
            "some advisors have a callable and some have none; pass (callable, price) for all, or prices only",
        ));
    }
    if let Some(worst) = worst {
        let wrong =
            || refuse(format!("`worst` is {worst}; pass a mapping of names of advisors to what an answer can cost"));
        let listed = worst.cast::<PyMapping>().map_err(|_| wrong())?;
        for pair in listed.items()? {
            let (name, most): (String, f64) = pair.extract().map_err(|_| wrong())?;
            offers.iter_mut().find(|offer| offer.name == name).ok_or_else(wrong)?.worst = most;
        }
    }
    Ok((offers, (!models.is_empty()).then_some(Models(models))))
}
