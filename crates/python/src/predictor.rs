//! Predictors of what the advisor will say. They learn from paid responses and nothing else.

use std::sync::Mutex;

use counsel_advisor::predictor::{FeatureSpec, Paid as PaidWhere};
use counsel_advisor::{AnyPredictor, Context, Predictor as _, PredictorSpec};
use counsel_controller::Books;
use counsel_decision::{ContextKey, PaidResponse};
use numpy::{PyArray2, PyArrayMethods, ToPyArray};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::act::{Paid, locked, word};
use crate::array::{Argument, Reals};
use crate::error::{damaged, failed, refuse, state};
use crate::whole;

const FEATURES: Argument<2> = Argument::new("features", ["situations", "features"]);
const CONTEXTS: Argument<1> = Argument::new("contexts", ["situations"]);

/// A predictor of what the advisor will say. A controller goes on with a copy of its own; an engine is handed laws.
#[pyclass(frozen, module = "counsel")]
pub(crate) struct Predictor {
    pub(crate) inner: Mutex<AnyPredictor>,
    spec: PredictorSpec,
    /// How many actions there are.
    #[pyo3(get)]
    actions: usize,
    /// How many features describe a situation.
    #[pyo3(get)]
    features: usize,
}

impl Predictor {
    fn of(spec: PredictorSpec, actions: usize, features: usize) -> PyResult<Self> {
        let inner = spec.build(actions, features).map_err(refuse)?;
        Ok(Self { inner: Mutex::new(inner), spec, actions, features })
    }

    /// The books of a controller with what this predictor has learned so far; from then on they learn by themselves.
    pub(crate) fn taught(&self, books: Books, actions: usize) -> PyResult<Books> {
        let own = self.actions;
        if own != actions {
            return Err(refuse(format!(
                "the predictor is for {own} actions, but the controller has {actions}; make one for {actions}"
            )));
        }
        let mut books = books.predicting(self.spec, self.features).map_err(failed)?;
        if let Some(predictor) = books.predictor_mut() {
            *predictor = locked(&self.inner).clone();
        }
        Ok(books)
    }

    /// Its declaration, and the number of features where it reads any.
    pub(crate) fn declared(&self) -> (PredictorSpec, Option<usize>) {
        (self.spec, matches!(self.spec, PredictorSpec::Feature(_)).then_some(self.features))
    }

    /// Its declaration, for the manifest of a log.
    pub(crate) fn json(&self) -> Value {
        json!({ "spec": self.spec, "features": self.features })
    }

    /// Situations in rows: features, contexts, or both.
    fn situations(
        &self,
        features: Option<&Bound<'_, PyAny>>,
        contexts: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Context>> {
        let features = features.map(|features| FEATURES.reals(features)).transpose()?;
        self.check_features(features.as_ref())?;
        let contexts = contexts.map(|contexts| CONTEXTS.keys(contexts)).transpose()?;
        let rows = features.as_ref().map(|features| features.shape[0]).or(contexts.as_ref().map(Vec::len));
        let rows = rows.ok_or_else(|| {
            refuse("neither `features` nor `contexts` were given; pass what describes the situations")
        })?;
        if contexts.as_ref().is_some_and(|contexts| contexts.len() != rows) {
            return Err(refuse("`features` and `contexts` differ in length; pass one of each per situation"));
        }
        let row = |at: usize| {
            let own = features.as_ref().map(|features| features.row(at).to_vec());
            let key = contexts.as_ref().map_or(0, |contexts| contexts[at]);
            Context::new(ContextKey(key), own.unwrap_or_default())
        };
        Ok((0..rows).map(row).collect())
    }

    /// Refuses features of another width than was declared, and such as are no numbers.
    fn check_features(&self, features: Option<&Reals<2>>) -> PyResult<()> {
        let reads = matches!(self.spec, PredictorSpec::Feature(_));
        let (declared, came) = (self.features, features.map_or(0, |features| features.shape[1]));
        if reads && came != declared {
            return Err(refuse(format!(
                "`features` has {came} columns, but the predictor was made for {declared}; pass the same ones"
            )));
        }
        let unusable = features.and_then(|features| features.numbers.iter().position(|value| !value.is_finite()));
        let Some((at, features)) = unusable.zip(features) else { return Ok(()) };
        let (row, column, value) = (at / came, at % came, features.numbers[at]);
        Err(refuse(format!("`features` has {value} in row {row}, column {column}; pass finite numbers")))
    }

    /// The same with what was paid for in each.
    fn paid_in(
        &self,
        paid: Vec<Paid>,
        features: Option<&Bound<'_, PyAny>>,
        contexts: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<(Context, PaidResponse)>> {
        let situations = self.situations(features, contexts)?;
        let (rows, came) = (situations.len(), paid.len());
        if rows != came {
            return Err(refuse(format!("{came} paid responses came for {rows} situations; pass one for each")));
        }
        Ok(situations.into_iter().zip(paid.into_iter().map(|Paid(paid)| paid)).collect())
    }
}

#[pymethods]
impl Predictor {
    /// Every response equally likely, among this number of `actions`.
    #[staticmethod]
    fn uniform(#[pyo3(from_py_with = whole::actions)] actions: usize) -> PyResult<Self> {
        Self::of(PredictorSpec::Uniform, actions, 0)
    }

    /// The smoothed frequency over all contexts; the uniform prior is worth `strength` responses.
    ///
    /// Parameters
    /// ----------
    /// actions : int
    ///     How many actions there are.
    /// strength : float
    ///     How many responses the prior counts for.
    #[staticmethod]
    #[pyo3(signature = (actions, *, strength = 0.3))]
    fn frequency(#[pyo3(from_py_with = whole::actions)] actions: usize, strength: f64) -> PyResult<Self> {
        Self::of(PredictorSpec::Frequency { strength }, actions, 0)
    }

    /// The smoothed frequency within each context.
    ///
    /// Parameters
    /// ----------
    /// actions : int
    ///     How many actions there are.
    /// strength : float
    ///     How many responses the prior counts for, in each context.
    #[staticmethod]
    #[pyo3(signature = (actions, *, strength = 0.3))]
    fn per_context(#[pyo3(from_py_with = whole::actions)] actions: usize, strength: f64) -> PyResult<Self> {
        Self::of(PredictorSpec::PerContext { strength }, actions, 0)
    }

    /// Logistic regression on the features.
    ///
    /// Parameters
    /// ----------
    /// actions : int
    ///     How many actions there are.
    /// features : int
    ///     How many features describe a situation.
    /// penalty : float
    ///     How strongly weights are held at zero.
    /// steps, memory : int
    ///     How many steps it learns by after each response, and how many responses a step looks at.
    #[staticmethod]
    #[pyo3(signature = (actions, features, *, penalty = 0.1, steps = 8, memory = 256))]
    fn feature(
        #[pyo3(from_py_with = whole::actions)] actions: usize,
        #[pyo3(from_py_with = whole::features)] features: usize,
        penalty: f64,
        #[pyo3(from_py_with = whole::steps)] steps: usize,
        #[pyo3(from_py_with = whole::memory)] memory: usize,
    ) -> PyResult<Self> {
        Self::of(PredictorSpec::Feature(FeatureSpec { penalty, steps, memory }), actions, features)
    }

    fn __repr__(&self) -> String {
        let name = word(&json!(self.spec)["predictor"]);
        format!("Predictor('{name}', actions={}, features={})", self.actions, self.features)
    }

    /// A copy or a pickle holds what was learned.
    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let Self { inner, spec, actions, features } = this.get();
        let text = serde_json::to_string(&(spec, &*locked(inner), actions, features));
        let text =
            text.map_err(|error| state(format!("the predictor cannot be written: {error}; please report this")))?;
        Ok((this.get_type().getattr("_restore")?, (text,)))
    }

    /// The predictor that was pickled as this text.
    #[staticmethod]
    fn _restore(text: &str) -> PyResult<Self> {
        let read = serde_json::from_str::<(PredictorSpec, AnyPredictor, usize, usize)>(text);
        let (spec, inner, actions, features) = read.map_err(|error| {
            damaged(format!("the pickled predictor cannot be read: {error}; pickle it again with this version"))
        })?;
        Ok(Self { inner: Mutex::new(inner), spec, actions, features })
    }

    /// The predicted probability of every action being advised, then of an unusable reply, one row per situation.
    ///
    /// Parameters
    /// ----------
    /// features, contexts : array, optional
    ///     What describes the situations, one row for each: numbers, keys, or both.
    #[pyo3(signature = (features = None, contexts = None))]
    fn laws<'py>(
        &self,
        py: Python<'py>,
        features: Option<&Bound<'py, PyAny>>,
        contexts: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let situations = self.situations(features, contexts)?;
        let laws: Vec<f64> = {
            let inner = locked(&self.inner);
            situations.iter().flat_map(|situation| inner.law(situation).as_slice().to_vec()).collect()
        };
        laws.to_pyarray(py).reshape([situations.len(), self.actions + 1])
    }

    /// Learns from responses that were paid for, one per situation, with one fit for all of them.
    ///
    /// Parameters
    /// ----------
    /// paid : list of Paid
    ///     The responses, `act.paid` of each decision.
    /// features, contexts : array, optional
    ///     What describes the situations, one row for each: numbers, keys, or both.
    #[pyo3(signature = (paid, features = None, contexts = None))]
    fn observe(
        &self,
        py: Python<'_>,
        paid: Vec<Paid>,
        features: Option<&Bound<'_, PyAny>>,
        contexts: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let taught = self.paid_in(paid, features, contexts)?;
        py.detach(|| locked(&self.inner).observe_all(&taught));
        Ok(())
    }

    /// Sets the temperature that predicts these responses best, and says which. They must not have been observed before.
    ///
    /// Parameters
    /// ----------
    /// paid : list of Paid
    ///     The responses.
    /// features, contexts : array, optional
    ///     What describes the situations, one row for each: numbers, keys, or both.
    #[pyo3(signature = (paid, features = None, contexts = None))]
    fn calibrate_temperature(
        &self,
        paid: Vec<Paid>,
        features: Option<&Bound<'_, PyAny>>,
        contexts: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<f64> {
        let taught = self.paid_in(paid, features, contexts)?;
        let prefix: Vec<PaidWhere> =
            taught.into_iter().map(|(context, response)| PaidWhere { context, response }).collect();
        let AnyPredictor::Feature(feature) = &mut *locked(&self.inner) else {
            return Err(refuse("only a feature predictor has a temperature; make it by Predictor.feature"));
        };
        Ok(feature.calibrate_temperature(&prefix))
    }
}
