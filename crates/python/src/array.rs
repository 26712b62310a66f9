//! Arrays from Python: float32 and float64 without a copy in Python, and whatever numpy can make an array of. A wrong shape or
//! type is refused with the name of the argument, what came, and what is wanted.

use numpy::{PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
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
pub(crate) struct Rows<const D: usize, N> {
    pub(crate) shape: [usize; D],
    pub(crate) numbers: Vec<N>,
}

/// Real numbers in rows.
pub(crate) type Reals<const D: usize> = Rows<D, f64>;

impl<const D: usize> Reals<D> {
    /// The numbers at one place of the first axis.
    pub(crate) fn row(&self, place: usize) -> &[f64] {
        let wide: usize = self.shape[1..].iter().product();
        &self.numbers[place * wide..(place + 1) * wide]
    }
}

impl<const D: usize> Argument<D> {
    pub(crate) const fn new(name: &'static str, axes: [&'static str; D]) -> Self {
        Self { name, axes }
    }

    /// Real numbers.
    pub(crate) fn reals(self, any: &Bound<'_, PyAny>) -> PyResult<Reals<D>> {
        self.check_mask(any)?;
        if let Ok(array) = any.cast::<PyArrayDyn<f64>>() {
            return self.taken(array, |number| number);
        }
        if let Ok(array) = any.cast::<PyArrayDyn<f32>>() {
            return self.taken(array, f64::from);
        }
        let array = self.made(any, "f")?;
        self.taken(array.cast().map_err(|_| self.refused(any, "numbers"))?, |number: f64| number)
    }

    /// Whole numbers.
    pub(crate) fn integers(self, any: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
        self.check_mask(any)?;
        if let Ok(array) = any.cast::<PyArrayDyn<i64>>() {
            return Ok(self.taken(array, |number| number)?.numbers);
        }
        let array = self.made(any, "i")?;
        let array = array.cast().map_err(|_| self.refused(any, "whole numbers"))?;
        Ok(self.taken(array, |number: i64| number)?.numbers)
    }

    /// Keys of contexts: whole numbers of 64 bits, with or without a sign.
    pub(crate) fn keys(self, any: &Bound<'_, PyAny>) -> PyResult<Vec<u64>> {
        if let Ok(array) = any.cast::<PyArrayDyn<u64>>() {
            return Ok(self.taken(array, |key| key)?.numbers);
        }
        Ok(self.integers(any)?.into_iter().map(i64::cast_unsigned).collect())
    }

    /// Truth values.
    pub(crate) fn flags(self, any: &Bound<'_, PyAny>) -> PyResult<Vec<bool>> {
        let array = any.cast().map_err(|_| self.refused(any, "booleans"))?;
        Ok(self.taken(array, |flag: bool| flag)?.numbers)
    }

    /// Refuses a masked array with a masked entry: what lies behind a mask is no number of anybody's.
    fn check_mask(self, any: &Bound<'_, PyAny>) -> PyResult<()> {
        if any.is_exact_instance_of::<PyUntypedArray>() || !any.is_instance_of::<PyUntypedArray>() {
            return Ok(());
        }
        let masked = any.py().import("numpy")?.getattr("ma")?.call_method1("is_masked", (any,))?.is_truthy()?;
        let name = self.name;
        if masked {
            Err(refuse(format!("`{name}` is a masked array with masked entries; fill them, or leave the place out")))
        } else {
            Ok(())
        }
    }

    fn taken<T: numpy::Element + Copy, N>(
        self,
        array: &Bound<'_, PyArrayDyn<T>>,
        number: impl Fn(T) -> N,
    ) -> PyResult<Rows<D, N>> {
        let array = array.readonly();
        let shape = self.shaped(array.shape())?;
        let numbers = match array.as_slice() {
            Ok(slice) => slice.iter().map(|&value| number(value)).collect(),
            Err(_) => array.as_array().iter().map(|&value| number(value)).collect(),
        };
        Ok(Rows { shape, numbers })
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
        let array = py.import("numpy")?.call_method1("asarray", (any,)).map_err(|error| {
            // A tensor on another device, or with a gradient, says itself what to do.
            if any.hasattr("detach").unwrap_or(false) {
                let name = self.name;
                return refuse(format!(
                    "`{name}` cannot be read as an array ({}); pass tensor.detach().cpu()",
                    error.value(py)
                ));
            }
            self.refused(any, wanted)
        })?;
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
