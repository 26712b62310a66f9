//! Arrays from Python: float32 and float64 without a copy in Python, and whatever numpy can make an array of. A wrong shape or
//! type is refused with the name of the argument, what came, and what is wanted.

use numpy::{PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::refuse;

/// What an argument is called, and the names of its axes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Argument<const D: usize> {
    pub(crate) name: &'static str,
    pub(crate) axes: [&'static str; D],
}

/// Numbers in rows, as they lie in memory in C order.
#[derive(Debug)]
pub(crate) struct Reals<const D: usize> {
    pub(crate) shape: [usize; D],
    pub(crate) numbers: Vec<f64>,
}

impl<const D: usize> Argument<D> {
    pub(crate) const fn new(name: &'static str, axes: [&'static str; D]) -> Self {
        Self { name, axes }
    }

    /// Real numbers.
    pub(crate) fn reals(self, any: &Bound<'_, PyAny>) -> PyResult<Reals<D>> {
        if let Ok(array) = any.cast::<PyArrayDyn<f64>>() {
            return self.taken(&array.readonly(), |number| number);
        }
        if let Ok(array) = any.cast::<PyArrayDyn<f32>>() {
            return self.taken(&array.readonly(), f64::from);
        }
        let array = self.made(any, "f")?;
        let array = array.cast::<PyArrayDyn<f64>>().map_err(|_| self.refused(any, "numbers"))?;
        self.taken(&array.readonly(), |number| number)
    }

    /// Whole numbers.
    pub(crate) fn integers(self, any: &Bound<'_, PyAny>) -> PyResult<(Vec<usize>, Vec<i64>)> {
        let taken = |array: &PyReadonlyArrayDyn<'_, i64>| {
            let numbers = array.as_slice().map_or_else(|_| array.as_array().iter().copied().collect(), <[i64]>::to_vec);
            self.shaped(array.shape()).map(|shape| (shape.to_vec(), numbers))
        };
        if let Ok(array) = any.cast::<PyArrayDyn<i64>>() {
            return taken(&array.readonly());
        }
        let array = self.made(any, "i")?;
        let array = array.cast::<PyArrayDyn<i64>>().map_err(|_| self.refused(any, "whole numbers"))?;
        taken(&array.readonly())
    }

    /// Keys of contexts: whole numbers of 64 bits, with or without a sign.
    pub(crate) fn keys(self, any: &Bound<'_, PyAny>) -> PyResult<Vec<u64>> {
        if let Ok(array) = any.cast::<PyArrayDyn<u64>>() {
            let array = array.readonly();
            self.shaped(array.shape())?;
            return Ok(array.as_array().iter().copied().collect());
        }
        Ok(self.integers(any)?.1.into_iter().map(i64::cast_unsigned).collect())
    }

    /// Truth values.
    pub(crate) fn flags(self, any: &Bound<'_, PyAny>) -> PyResult<Vec<bool>> {
        let array = any.cast::<PyArrayDyn<bool>>().map_err(|_| self.refused(any, "booleans"))?.readonly();
        self.shaped(array.shape())?;
        Ok(array.as_array().iter().copied().collect())
    }

    fn taken<T: numpy::Element + Copy>(
        self,
        array: &PyReadonlyArrayDyn<'_, T>,
        number: impl Fn(T) -> f64,
    ) -> PyResult<Reals<D>> {
        let shape = self.shaped(array.shape())?;
        let numbers = match array.as_slice() {
            Ok(slice) => slice.iter().map(|&value| number(value)).collect(),
            Err(_) => array.as_array().iter().map(|&value| number(value)).collect(),
        };
        Ok(Reals { shape, numbers })
    }

    fn shaped(self, shape: &[usize]) -> PyResult<[usize; D]> {
        shape.try_into().map_err(|_| {
            let Self { name, axes } = self;
            let axes = axes.join(", ");
            refuse(format!("`{name}` has the shape {shape:?}; pass an array of shape ({axes})"))
        })
    }

    /// What numpy makes of something else, if its kind is the wanted one: `f` also takes whole numbers, `i` does not take reals.
    fn made<'py>(self, any: &Bound<'py, PyAny>, kind: &str) -> PyResult<Bound<'py, PyAny>> {
        let py = any.py();
        let wanted = if kind == "f" { "numbers" } else { "whole numbers" };
        let array = py.import("numpy")?.call_method1("asarray", (any,)).map_err(|_| self.refused(any, wanted))?;
        let untyped = array.cast::<PyUntypedArray>().map_err(|_| self.refused(any, wanted))?;
        let found: String = untyped.dtype().getattr("kind")?.extract()?;
        let fits = if kind == "f" { "fiu".contains(&found) } else { "iu".contains(&found) };
        if !fits {
            return Err(self.refused(any, wanted));
        }
        let named = PyDict::new(py);
        named.set_item("copy", false)?;
        array.call_method("astype", (if kind == "f" { "float64" } else { "int64" },), Some(&named))
    }

    fn refused(self, any: &Bound<'_, PyAny>, wanted: &str) -> PyErr {
        let Self { name, axes } = self;
        let axes = axes.join(", ");
        let dtype = any.getattr("dtype").and_then(|dtype| dtype.str()).map(|dtype| dtype.to_string());
        let came = dtype.unwrap_or_else(|_| any.get_type().to_string());
        refuse(format!("`{name}` is {came}, not {wanted}; pass an array of {wanted} of shape ({axes})"))
    }
}

/// Refuses what has not one entry for each environment.
pub(crate) fn one_each(name: &str, got: usize, environments: usize) -> PyResult<()> {
    if got == environments {
        return Ok(());
    }
    Err(refuse(format!("`{name}` has {got} entries for {environments} environments; pass one for each")))
}

/// The place of an action that came as a number; one below zero is past every end, and refused there.
pub(crate) fn place(number: i64) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
