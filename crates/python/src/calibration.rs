//! From labelled opportunities to a radius. The three parts of the data are three classes: a function that wants one cannot be
//! called with another.

use counsel_calibration::{self as calibration, Alpha, Audited, CoverageAudit, Cuts, Opportunity, RadiusSpec, Splits};
use counsel_decision::{Action, ResponseLaw};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;

use crate::act::word;
use crate::array::Argument;
use crate::error::{damaged, misset, refuse};
use crate::shown::html;
use crate::whole;

const ESTIMATE: Argument<1> = Argument::new("estimate", ["opportunities"]);
const LABEL: Argument<1> = Argument::new("label", ["opportunities"]);
const MONTE_CARLO: Argument<1> = Argument::new("monte_carlo", ["opportunities"]);
const FEATURES: Argument<2> = Argument::new("features", ["opportunities", "features"]);
const TRAJECTORY: Argument<1> = Argument::new("trajectory", ["opportunities"]);
const STEP: Argument<1> = Argument::new("step", ["opportunities"]);

macro_rules! parts {
    ($($(#[$doc:meta])+ $part:ident)+) => {
        $(
            $(#[$doc])+
            #[pyclass(frozen, module = "counsel")]
            pub(crate) struct $part(calibration::$part<Opportunity>);

            #[pymethods]
            impl $part {
                fn __len__(&self) -> usize {
                    self.0.len()
                }
            }
        )+
    };
}

parts! {
    /// The earliest part of the data: models are fitted on it.
    FitSet
    /// The middle part: ranks are taken on it.
    CalibrationSet
    /// The last part: coverage is measured on it.
    EvaluationSet
}

/// Cuts opportunities in the order of time into a part to fit on, a part to calibrate on, and the rest to evaluate on.
#[pyfunction]
#[pyo3(signature = (estimate, label, *, fit = 0, calibration, monte_carlo = None, features = None, trajectory = None, step = None))]
#[expect(clippy::too_many_arguments, reason = "they are the columns of a table, named in Python")]
pub(crate) fn split(
    estimate: &Bound<'_, PyAny>,
    label: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = whole::fit)] fit: usize,
    #[pyo3(from_py_with = whole::calibration)] calibration: usize,
    monte_carlo: Option<&Bound<'_, PyAny>>,
    features: Option<&Bound<'_, PyAny>>,
    trajectory: Option<&Bound<'_, PyAny>>,
    step: Option<&Bound<'_, PyAny>>,
) -> PyResult<(FitSet, CalibrationSet, EvaluationSet)> {
    let estimate = ESTIMATE.reals(estimate)?.numbers;
    let rows = estimate.len();
    let label = LABEL.reals(label)?.numbers;
    let monte_carlo = monte_carlo.map(|column| MONTE_CARLO.reals(column)).transpose()?;
    let monte_carlo = monte_carlo.map_or_else(|| vec![0.0; rows], |column| column.numbers);
    let features = features.map(|column| FEATURES.reals(column)).transpose()?;
    let counted = |argument: Argument<1>, column: Option<&Bound<'_, PyAny>>| {
        column.map_or_else(|| Ok((0..rows as u64).collect()), |column| argument.keys(column))
    };
    let (trajectory, step) = (counted(TRAJECTORY, trajectory)?, counted(STEP, step)?);
    let lengths = [
        ("label", label.len()),
        ("monte_carlo", monte_carlo.len()),
        ("features", features.as_ref().map_or(rows, |features| features.shape[0])),
        ("trajectory", trajectory.len()),
        ("step", step.len()),
    ];
    if let Some((name, got)) = lengths.into_iter().find(|(_, got)| *got != rows) {
        return Err(refuse(format!("`{name}` has {got} entries for {rows} opportunities; pass one for each")));
    }
    let opportunity = |at: usize| Opportunity {
        estimate: estimate[at],
        label: label[at],
        monte_carlo: monte_carlo[at],
        features: features.as_ref().map_or_else(Vec::new, |all| all.row(at).to_vec()),
        group: 0,
        trajectory: trajectory[at],
        step: step[at],
    };
    let items = (0..rows).map(opportunity).collect();
    let Splits { fit, calibration, evaluation } =
        Splits::chronological(items, |item| item.step, Cuts { fit, calibration }).map_err(refuse)?;
    Ok((FitSet(fit), CalibrationSet(calibration), EvaluationSet(evaluation)))
}

/// A calibrated radius. Strata, where it has any, are those of the estimate.
#[pyclass(frozen, module = "counsel")]
pub(crate) struct CalibratedRadius(pub(crate) calibration::CalibratedRadius);

#[pymethods]
impl CalibratedRadius {
    /// Derives the radius that `spec` declares, in the words of the study files: the scale from the fit part, the quantiles from
    /// the calibration part.
    #[staticmethod]
    fn _derive(spec: &str, fit: &Bound<'_, FitSet>, calibration: &Bound<'_, CalibrationSet>) -> PyResult<Self> {
        let spec: RadiusSpec =
            serde_json::from_str(spec).map_err(|error| misset(format!("the radius cannot be read: {error}")))?;
        spec.check().map_err(refuse)?;
        if spec.grid().is_some() {
            return Err(misset("a radius of whole episodes needs a world that can be copied; choose another method"));
        }
        let placed = |item: Opportunity| Opportunity { group: spec.stratum(item.estimate), ..item };
        let fit = fit.get().0.clone().map(placed);
        let calibration = calibration.get().0.clone().map(placed);
        Ok(Self(calibration::CalibratedRadius::calibrate(&spec, &fit, &calibration).map_err(refuse)?))
    }

    /// β at estimates, and at features where the radius is scaled; infinite where nothing is known.
    #[pyo3(signature = (estimate, features = None))]
    fn at<'py>(
        &self,
        py: Python<'py>,
        estimate: &Bound<'py, PyAny>,
        features: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let estimate = ESTIMATE.reals(estimate)?.numbers;
        let features = features.map(|column| FEATURES.reals(column)).transpose()?;
        if features.as_ref().is_some_and(|features| features.shape[0] != estimate.len()) {
            return Err(refuse("`features` and `estimate` differ in length; pass one row per estimate"));
        }
        let row = |at: usize| features.as_ref().map_or(&[][..], |all| all.row(at));
        let radii = estimate.iter().enumerate();
        let radii = radii.map(|(at, estimate)| self.0.at(row(at), self.0.spec().stratum(*estimate)).value());
        Ok(radii.collect::<Vec<f64>>().into_pyarray(py))
    }

    /// This radius with one more labelled opportunity; the scale stays as it was fitted.
    ///
    /// Parameters
    /// ----------
    /// estimate, label : float
    ///     The estimated value of the query before any answer, and what it turned out to be worth.
    /// monte_carlo : float
    ///     How far the label may be from the truth.
    /// features : array of shape (features,), optional
    ///     What a scaled radius looks at.
    #[pyo3(signature = (estimate, label, *, monte_carlo = 0.0, features = None))]
    fn updated(
        &self,
        estimate: f64,
        label: f64,
        monte_carlo: f64,
        features: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        for (name, number) in [("estimate", estimate), ("label", label), ("monte_carlo", monte_carlo)] {
            if !number.is_finite() {
                return Err(refuse(format!("`{name}` is {number}; pass a finite number")));
            }
        }
        let features = features.map(|row| Argument::new("features", ["features"]).reals(row)).transpose()?;
        let features = features.map_or_else(Vec::new, |row| row.numbers);
        let group = self.0.spec().stratum(estimate);
        let mut radius = self.0.clone();
        let met = Opportunity { estimate, label, monte_carlo, features, group, trajectory: 0, step: 0 };
        radius.absorb(&met).map_err(refuse)?;
        Ok(Self(radius))
    }

    fn __repr__(&self) -> String {
        let (method, scores) = (self.method(), self.scores());
        format!("CalibratedRadius(method='{method}', scores={scores})")
    }

    fn _repr_html_(&self) -> String {
        let groups = &self.0.derivation().groups;
        let radii: Vec<String> = groups.iter().map(|group| format!("{:?}", group.quantile)).collect();
        html(
            "CalibratedRadius",
            &[("method", self.method()), ("scores", self.scores().to_string()), ("quantiles", radii.join(", "))],
        )
    }

    /// A pickle holds the derivation, and the radius is derived again from it.
    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((this.get_type().getattr("_restore")?, (this.get().written()?,)))
    }

    /// The radius of this derivation.
    #[staticmethod]
    fn _restore(text: &str) -> PyResult<Self> {
        let read = serde_json::from_str(text).map(Self);
        read.map_err(|error| {
            damaged(format!("the pickled radius cannot be read: {error}; pickle it again with this version"))
        })
    }

    /// How the radius came about, scores included, as JSON: what the manifest of a log keeps, and the audit computes again.
    fn _derivation(&self) -> PyResult<String> {
        self.written()
    }
}

impl CalibratedRadius {
    fn method(&self) -> String {
        word(&serde_json::to_value(self.0.spec()).unwrap_or_default()["method"])
    }

    fn written(&self) -> PyResult<String> {
        serde_json::to_string(self.0.derivation()).map_err(|error| refuse(error.to_string()))
    }

    fn scores(&self) -> usize {
        self.0.derivation().groups.iter().map(|group| group.scores.len()).sum()
    }
}

/// What a radius was worth on the evaluation part, as JSON.
#[pyfunction]
#[pyo3(signature = (evaluation, radius, *, price))]
pub(crate) fn coverage(
    evaluation: &Bound<'_, EvaluationSet>,
    radius: &Bound<'_, CalibratedRadius>,
    price: f64,
) -> PyResult<String> {
    let radius = &radius.get().0;
    let audited = |item: &Opportunity| {
        let group = radius.spec().stratum(item.estimate);
        Audited {
            estimate: item.estimate,
            radius: radius.at(&item.features, group),
            truth: item.label,
            monte_carlo: item.monte_carlo,
            group,
            trajectory: item.trajectory,
            price,
        }
    };
    let audited: Vec<Audited> = evaluation.get().0.as_slice().iter().map(audited).collect();
    serde_json::to_string(&CoverageAudit::new(&audited)).map_err(|error| refuse(error.to_string()))
}

/// The rank ⌈(n + 1)(1 - alpha)⌉ of n scores; n + 1 says that there are too few.
#[pyfunction]
pub(crate) fn conformal_rank(#[pyo3(from_py_with = whole::n)] n: usize, alpha: f64) -> PyResult<usize> {
    Ok(calibration::conformal_rank(n, Alpha::new(alpha).map_err(refuse)?))
}

/// The lead that an answer must exceed so that at most the share alpha of wrong ones passes, from the leads of wrong answers;
/// nothing where they are too few.
#[pyfunction]
#[pyo3(signature = (leads, *, alpha))]
pub(crate) fn screen(leads: &Bound<'_, PyAny>, alpha: f64) -> PyResult<Option<f64>> {
    const LEADS: Argument<1> = Argument::new("leads", ["wrong answers"]);
    let screen = calibration::Screen::new(Alpha::new(alpha).map_err(refuse)?, LEADS.reals(leads)?.numbers);
    Ok(screen.map_err(refuse)?.threshold)
}

/// Hoeffding's Monte-Carlo term for the means of `blocks` blocks in [-`range`, `range`], which holds for all `labels` at once but with
/// probability `delta`.
#[pyfunction]
pub(crate) fn hoeffding(
    range: f64,
    #[pyo3(from_py_with = whole::labels)] labels: usize,
    delta: f64,
    #[pyo3(from_py_with = whole::blocks)] blocks: usize,
) -> PyResult<f64> {
    calibration::hoeffding(range, labels, delta, blocks).map_err(refuse)
}

/// The empirical Bernstein term of these `block_means` in [-`range`, `range`], which holds for all `labels` at once but with probability
/// `delta`.
#[pyfunction]
pub(crate) fn empirical_bernstein(
    block_means: &Bound<'_, PyAny>,
    range: f64,
    #[pyo3(from_py_with = whole::labels)] labels: usize,
    delta: f64,
) -> PyResult<f64> {
    let means = Argument::new("block_means", ["blocks"]).reals(block_means)?.numbers;
    calibration::empirical_bernstein(&means, range, labels, delta).map_err(refuse)
}

/// The exact value of a query: Σ p(y) q(d(y)) - q(a⁰), where `law` is p, `decisions` is d in the order of the law, `values` is q and
/// `no_query` is a⁰.
#[pyfunction]
pub(crate) fn exact_value(
    law: &Bound<'_, PyAny>,
    decisions: &Bound<'_, PyAny>,
    values: &Bound<'_, PyAny>,
    no_query: i64,
) -> PyResult<f64> {
    let law = Argument::new("law", ["actions + 1"]).reals(law)?.numbers;
    let law = ResponseLaw::new(law.len().saturating_sub(1), law).map_err(refuse)?;
    let decisions = Argument::new("decisions", ["actions + 1"]).integers(decisions)?;
    let values = Argument::new("values", ["actions"]).reals(values)?.numbers;
    let action = |name: &str, number: i64| match usize::try_from(number) {
        Ok(index) if index < values.len() => Ok(Action::new(index)),
        _ => {
            let actions = values.len();
            Err(refuse(format!("`{name}` names action {number}, but there are only {actions}; pass numbers from 0")))
        }
    };
    let decisions = decisions.into_iter().map(|number| action("decisions", number)).collect::<PyResult<Vec<_>>>()?;
    calibration::exact_value(&law, &decisions, &values, action("no_query", no_query)?).map_err(refuse)
}
