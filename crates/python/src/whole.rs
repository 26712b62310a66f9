//! Whole numbers as they come from Python: seeds, counts, and the numbers of decisions.
//!
//! PyO3's own conversion raises an OverflowError for a number below zero or one that is too large. Here it is a refusal as any other: it
//! names the argument, the value and what is allowed.

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::PySequence;

use crate::error::refuse;

/// A whole number of at least 0, or none.
pub(crate) trait Whole: Sized {
    /// The number that was passed for the argument of this name.
    fn of(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Self>;
}

macro_rules! whole {
    ($($kind:ty),+) => {
        $(impl Whole for $kind {
            fn of(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Self> {
                given.extract().map_err(|error: PyErr| {
                    if error.is_instance_of::<PyOverflowError>(given.py()) {
                        refuse(format!("`{name}` is {given}; pass a whole number from 0 to {}", Self::MAX))
                    } else {
                        error
                    }
                })
            }
        })+
    };
}

whole!(u32, u64, usize);

impl<W: Whole> Whole for Option<W> {
    fn of(name: &str, given: &Bound<'_, PyAny>) -> PyResult<Self> {
        if given.is_none() { Ok(None) } else { W::of(name, given).map(Some) }
    }
}

macro_rules! arguments {
    ($($name:ident),+) => {
        $(
            /// The argument of this name.
            pub(crate) fn $name<W: Whole>(given: &Bound<'_, PyAny>) -> PyResult<W> {
                W::of(stringify!($name), given)
            }
        )+
    };
}

arguments!(
    actions,
    at_once,
    blocks,
    budget,
    calibration,
    context,
    episodes,
    features,
    fit,
    id,
    knots,
    labels,
    limit,
    max_steps,
    max_tokens,
    memory,
    n,
    num_envs,
    place,
    request_tokens,
    requests,
    response_tokens,
    retries,
    seed,
    step,
    steps,
    stop_after,
    successes,
    threads,
    trials,
    words
);

/// A seed for each environment, or none.
pub(crate) fn seeds(given: &Bound<'_, PyAny>) -> PyResult<Vec<Option<u64>>> {
    let given = given.cast::<PySequence>()?;
    (0..given.len()?).map(|at| Whole::of(&format!("seed[{at}]"), &given.get_item(at)?)).collect()
}

/// The seed, if it is one: a whole number from 0 to 2**64 - 1.
#[pyfunction]
pub(crate) fn checked_seed(#[pyo3(from_py_with = seed)] seed: u64) -> u64 {
    seed
}
