//! The key of a context: whole numbers stand for themselves, everything else for the digest of its bytes.
//!
//! Invariant: parts of a tuple, list or dictionary are written with their kind and length, so that different contexts have
//! different bytes. Numbers with a fraction are refused: two of them are hardly ever equal, so no answer would be used again.

use counsel_controller::{ContextKey, Keyed};
use numpy::{PyUntypedArray, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple};

use crate::error::refuse;

/// The key of a context: a whole number of 64 bits is a key already; text, bytes, arrays of whole numbers, and tuples, lists
/// and dictionaries of these are digested. Text is taken as UTF-8 and an array by its bytes, so that keys of prompts are
/// those in the logs of `counsel reproduce`.
#[pyfunction]
#[pyo3(signature = (context, /))]
pub(crate) fn context_key(context: &Bound<'_, PyAny>) -> PyResult<u64> {
    Ok(key(context)?.0)
}

/// The key of a context.
pub(crate) fn key(context: &Bound<'_, PyAny>) -> PyResult<ContextKey> {
    if let Ok(text) = context.cast::<PyString>() {
        return Ok(text.to_cow()?.key());
    }
    if let Ok(bytes) = context.cast::<PyBytes>() {
        return Ok(bytes.as_bytes().key());
    }
    if let Ok(key) = context.extract::<u64>() {
        return Ok(ContextKey(key));
    }
    if let Ok(key) = context.extract::<i64>() {
        return Ok(ContextKey(key.cast_unsigned()));
    }
    if let Ok(array) = context.cast::<PyUntypedArray>() {
        check_kind(array)?;
        return Ok(array.call_method0("tobytes")?.cast::<PyBytes>()?.as_bytes().key());
    }
    let mut written = Vec::new();
    write(context, &mut written)?;
    Ok(written.as_slice().key())
}

/// Writes a part of a context, with its kind and its length.
fn write(part: &Bound<'_, PyAny>, out: &mut Vec<u8>) -> PyResult<()> {
    let mut put = |kind: u8, bytes: &[u8]| {
        out.push(kind);
        out.extend((bytes.len() as u64).to_le_bytes());
        out.extend(bytes);
    };
    if part.is_none() {
        put(b'n', &[]);
    } else if let Ok(text) = part.cast::<PyString>() {
        put(b's', text.to_cow()?.as_bytes());
    } else if let Ok(bytes) = part.cast::<PyBytes>() {
        put(b'b', bytes.as_bytes());
    } else if part.is_instance_of::<PyInt>() {
        put(b'i', part.str()?.to_cow()?.as_bytes());
    } else if part.is_instance_of::<PyTuple>() || part.is_instance_of::<PyList>() {
        put(b't', &(part.len()? as u64).to_le_bytes());
        for inner in part.try_iter()? {
            write(&inner?, out)?;
        }
    } else if let Ok(dict) = part.cast::<PyDict>() {
        put(b'd', &(dict.len() as u64).to_le_bytes());
        let keys = dict.keys();
        keys.sort()?;
        for name in keys {
            write(&name, out)?;
            write(&part.get_item(&name)?, out)?;
        }
    } else {
        write_array(part, out)?;
    }
    Ok(())
}

/// Writes an array of whole numbers, or what numpy makes one of.
fn write_array(part: &Bound<'_, PyAny>, out: &mut Vec<u8>) -> PyResult<()> {
    let foreign = !part.is_instance_of::<PyFloat>() && !part.hasattr("dtype")?;
    if foreign {
        return Err(unkeyed(part));
    }
    let array = part.py().import("numpy")?.call_method1("asarray", (part,))?;
    let array = array.cast::<PyUntypedArray>()?;
    check_kind(array)?;
    if array.ndim() == 0 {
        return write(&array.call_method0("item")?, out);
    }
    out.push(b'a');
    let named = array.dtype().getattr("str")?;
    write(&(named, array.shape().to_vec()).into_pyobject(part.py())?.into_any(), out)?;
    write(&array.call_method0("tobytes")?, out)
}

fn check_kind(array: &Bound<'_, PyUntypedArray>) -> PyResult<()> {
    let kind: String = array.dtype().getattr("kind")?.extract()?;
    match kind.as_str() {
        "i" | "u" | "b" | "S" | "U" => Ok(()),
        "f" | "c" => {
            let dtype = array.dtype();
            Err(refuse(format!(
                "the context holds numbers with a fraction ({dtype}), which hardly ever come back exactly; round them to what \
                 tells situations apart, as in `(10 * x).round().astype(int)`"
            )))
        }
        _ => Err(unkeyed(array)),
    }
}

fn unkeyed(context: &Bound<'_, PyAny>) -> PyErr {
    let what = context.get_type();
    refuse(format!(
        "the context holds {what}, which has no key; pass text, bytes, whole numbers, arrays of them, or tuples of these"
    ))
}
