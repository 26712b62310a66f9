//! Intervals and tests: arrays in, numbers out.

use counsel_report::{Format, Observations, PairedReport, View};
use counsel_stats::{self as stats, Interval};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;

use crate::array::Argument;
use crate::error::refuse;
use crate::whole;

const SAMPLE: Argument<1> = Argument::new("sample", ["observations"]);

fn ends(interval: Interval) -> (f64, f64, f64) {
    (interval.estimate, interval.low, interval.high)
}

/// The mean and its Student interval (estimate, low, high); None below two observations.
///
/// Parameters
/// ----------
/// sample : array of shape (n,)
///     The observations.
/// level : float
///     How often the interval covers the mean.
#[pyfunction]
#[pyo3(signature = (sample, level = 0.95))]
pub(crate) fn mean_interval(sample: &Bound<'_, PyAny>, level: f64) -> PyResult<Option<(f64, f64, f64)>> {
    let sample = SAMPLE.reals(sample)?.numbers;
    Ok(stats::mean_interval(&sample, level).map_err(refuse)?.map(ends))
}

/// The exact interval of a share (estimate, low, high).
///
/// Parameters
/// ----------
/// successes, trials : int
///     How many of how many.
/// level : float
///     How often the interval covers the share.
#[pyfunction]
#[pyo3(signature = (successes, trials, level = 0.95))]
pub(crate) fn clopper_pearson(
    #[pyo3(from_py_with = whole::successes)] successes: usize,
    #[pyo3(from_py_with = whole::trials)] trials: usize,
    level: f64,
) -> PyResult<(f64, f64, f64)> {
    Ok(ends(stats::clopper_pearson(successes, trials, level).map_err(refuse)?))
}

/// The mean of the middle half of a `sample`.
#[pyfunction]
pub(crate) fn interquartile_mean(sample: &Bound<'_, PyAny>) -> PyResult<f64> {
    stats::interquartile_mean(&SAMPLE.reals(sample)?.numbers).map_err(refuse)
}

/// The p values `p` after Holm's correction, in their order.
#[pyfunction]
pub(crate) fn holm<'py>(py: Python<'py>, p: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let p = Argument::new("p", ["comparisons"]).reals(p)?.numbers;
    Ok(stats::holm(&p).map_err(refuse)?.into_pyarray(py))
}

/// Every arm of a table in CSV against the baseline, on shared seeds: the comparisons as JSON, and the table as text.
#[pyfunction]
pub(crate) fn paired(table: &str, baseline: &str) -> PyResult<(String, String)> {
    let observations = Observations::parse(table).map_err(refuse)?;
    let report = PairedReport::compare(&observations, baseline).map_err(refuse)?;
    let json = serde_json::to_string(&report).map_err(|error| refuse(error.to_string()))?;
    let text = report.render(&View::whole(Format::Text)).map_err(refuse)?;
    Ok((json, text))
}
