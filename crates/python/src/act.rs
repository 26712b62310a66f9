//! What a decision comes to: an act, or a question that was paid for.

use std::sync::{Mutex, MutexGuard, PoisonError};

use counsel_calibration::scale_features;
use counsel_decision::{self as decision, Outcome, PaidResponse, Response};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::deployment::Asked;
use crate::error::{damaged, refuse, state};
use crate::explained::Explained;
use crate::shown::html;
use crate::whole;

/// Locks what a panic may have left behind: what is locked here is consistent after every step.
pub(crate) fn locked<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The decision is complete.
#[pyclass(frozen, module = "counsel")]
#[derive(Debug)]
pub(crate) struct Act(pub(crate) decision::Act, pub(crate) Explained);

/// A word as specifications write it.
pub(crate) fn word(value: &impl Serialize) -> String {
    serde_json::to_value(value).ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

/// What a word of specifications stands for; the remedy for one that stands for nothing is the caller's.
pub(crate) fn named<T: DeserializeOwned>(word: &str) -> Option<T> {
    serde_json::from_value(word.into()).ok()
}

fn outcome(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Silent => "silent",
        Outcome::Unaffordable => "unaffordable",
        Outcome::Asked(_) => "asked",
    }
}

fn number(response: Response) -> i64 {
    match response {
        Response::Recommends(action) => i64::from(action.0),
        Response::Unusable => -1,
    }
}

#[pymethods]
impl Act {
    /// What the agent must do.
    #[getter]
    fn action(&self) -> u16 {
        self.0.record.executed.0
    }

    /// Whether a call was made.
    #[getter]
    fn asked(&self) -> bool {
        self.0.record.asked()
    }

    /// `silent`, `unaffordable` (it wanted to ask, no call was left) or `asked`.
    #[getter]
    fn outcome(&self) -> &'static str {
        outcome(&self.0.record.outcome)
    }

    /// The response that was paid for; predictors learn from nothing else.
    #[getter]
    fn paid(&self) -> Option<Paid> {
        self.0.paid.map(Paid)
    }

    /// The estimated value of the query, before any answer.
    #[getter]
    fn estimate(&self) -> f64 {
        self.0.record.estimate
    }

    /// How much spoke for asking.
    #[getter]
    fn score(&self) -> f64 {
        self.0.record.score
    }

    /// How much was needed.
    #[getter]
    fn threshold(&self) -> f64 {
        self.0.record.threshold
    }

    /// How many calls could be made before this decision.
    #[getter]
    fn calls_left(&self) -> u64 {
        self.0.record.calls_left
    }

    /// What became of the answer, if there was one.
    #[getter]
    fn verdict(&self) -> Option<String> {
        self.0.record.answer().map(|answer| word(&answer.verdict))
    }

    /// What a scaled radius looks at; the features of an opportunity that is made of this decision.
    #[getter]
    fn scale_features(&self) -> Vec<f64> {
        scale_features(&self.0.record.evidence)
    }

    /// Why it was decided so, in words and numbers: what `counsel explain` says of a logged decision.
    fn explain(&self) -> String {
        self.1.of(&self.0.record)
    }

    fn _repr_html_(&self) -> String {
        let (action, verdict) = (self.1.name(self.0.record.executed), self.verdict());
        let lines = [("action", action), ("outcome", self.outcome().to_owned())].into_iter();
        let lines = lines.chain(verdict.map(|verdict| ("verdict", verdict)));
        let numbers = [("estimate", self.estimate()), ("score", self.score()), ("threshold", self.threshold())];
        let numbers = numbers.into_iter().map(|(name, number)| (name, format!("{number:?}")));
        html("Act", &lines.chain(numbers).collect::<Vec<_>>())
    }

    /// The decision by the names of the columns of the log.
    fn record<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let record = &self.0.record;
        let evidence = &record.evidence;
        let branch = evidence.advice().none();
        let dict = PyDict::new(py);
        dict.set_item("step", record.step)?;
        dict.set_item("place", record.place)?;
        dict.set_item("batch", record.batch)?;
        dict.set_item("episode", record.episode)?;
        dict.set_item("step_in_episode", record.step_in_episode)?;
        dict.set_item("context", evidence.context().0)?;
        dict.set_item("base", branch.base().0)?;
        dict.set_item("value_samples", evidence.advice().samples().as_slice())?;
        dict.set_item("lower_bounds", branch.bounds().lower())?;
        dict.set_item("upper_bounds", branch.bounds().upper())?;
        dict.set_item("response_law", evidence.advice().law().as_slice())?;
        dict.set_item("radius", evidence.radius().value())?;
        dict.set_item("price", evidence.price())?;
        dict.set_item("visits", evidence.visits())?;
        dict.set_item("no_query", record.no_query.0)?;
        dict.set_item("cached", record.cached.map(|action| action.0))?;
        dict.set_item("cache_status", word(&record.cache_status))?;
        let prospects: Vec<u16> = record.prospects.iter().map(|prospect| prospect.action.0).collect();
        dict.set_item("prospects", prospects)?;
        dict.set_item("estimate", record.estimate)?;
        dict.set_item("paced_price", record.paced_price)?;
        dict.set_item("score", record.score)?;
        dict.set_item("threshold", record.threshold)?;
        dict.set_item("calls_left", record.calls_left)?;
        dict.set_item("outcome", outcome(&record.outcome))?;
        let answer = record.answer();
        dict.set_item("reply", answer.map(|answer| answer.reply.text.as_str()))?;
        dict.set_item("reply_source", answer.map(|answer| word(&answer.reply.source)))?;
        dict.set_item("response", answer.map(|answer| number(answer.response)))?;
        dict.set_item("certificate", answer.map(|answer| word(&answer.verdict)))?;
        let overridden = record.overridden.as_ref();
        dict.set_item("override_by", overridden.map(|set| set.by.as_str()))?;
        dict.set_item("override_of", overridden.map(|set| set.instead_of.0))?;
        dict.set_item("executed", record.executed.0)?;
        Ok(dict)
    }

    /// A decision never changes, so it is its own copy.
    fn __copy__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }

    fn __deepcopy__<'py>(this: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        this
    }

    fn __reduce_ex__(&self, _protocol: i32) -> PyResult<()> {
        let step = self.0.record.step;
        Err(PyTypeError::new_err(format!(
            "the act of step {step} cannot be pickled, because only a controller makes one; pickle act.record(), or keep a log"
        )))
    }

    fn __repr__(&self) -> String {
        let (action, outcome) = (self.action(), self.outcome());
        format!("Act(action={action}, outcome='{outcome}', score={:?}, threshold={:?})", self.score(), self.threshold())
    }
}

/// A response that was paid for. Only an engine makes one.
#[pyclass(frozen, module = "counsel", from_py_object)]
#[derive(Debug, Clone, Copy)]
pub(crate) struct Paid(pub(crate) PaidResponse);

#[pymethods]
#[expect(clippy::trivially_copy_pass_by_ref, reason = "Python hands over a reference")]
impl Paid {
    /// The action that was advised, or -1 for a reply that could not be understood.
    #[getter]
    fn response(&self) -> i64 {
        number(self.0.response())
    }

    fn __copy__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }

    fn __deepcopy__<'py>(this: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        this
    }

    fn __reduce_ex__(&self, _protocol: i32) -> PyResult<()> {
        let response = self.response();
        Err(PyTypeError::new_err(format!(
            "the paid response {response} cannot be pickled, because only a paid call makes one; let a predictor observe it, and pickle that"
        )))
    }

    fn __repr__(&self) -> String {
        format!("Paid(response={})", self.response())
    }
}

/// A question that was paid for: send it, and resume with the reply.
#[pyclass(frozen, module = "counsel")]
#[derive(Debug)]
pub(crate) struct Ask {
    /// The number of this call in its run, from 1.
    #[pyo3(get)]
    serial: u64,
    /// The estimated value of the query.
    #[pyo3(get)]
    estimate: f64,
    /// The engine or controller that handed it out, and keeps it.
    of: u64,
}

impl Ask {
    /// A question of the engine or controller with this number.
    pub(crate) fn new(Asked { serial, estimate, .. }: Asked, of: u64) -> Self {
        Self { serial, estimate, of }
    }

    /// Its number, if it is a question of the engine or controller with this number.
    pub(crate) fn of(&self, of: u64, what: &str) -> PyResult<u64> {
        let serial = self.serial;
        if self.of == of {
            return Ok(serial);
        }
        Err(state(format!("question {serial} is one of another {what}; resume it where it was asked")))
    }
}

#[pymethods]
impl Ask {
    /// True: this is a question.
    #[getter]
    #[expect(clippy::unused_self, reason = "Python asks an act and a question alike")]
    fn asked(&self) -> bool {
        true
    }

    fn __repr__(&self) -> String {
        format!("Ask(serial={}, estimate={:?})", self.serial, self.estimate)
    }
}

/// An advisor's answer with what it cost.
///
/// Parameters
/// ----------
/// text : str
///     What the advisor said.
/// source : {"live", "simulated", "replayed", "lost"}
///     Where it came from.
/// request_tokens, response_tokens : int, optional
///     What was counted.
/// latency_ms : float, optional
///     How long it took.
#[pyclass(frozen, module = "counsel", from_py_object)]
#[derive(Debug, Clone)]
pub(crate) struct Reply(decision::Reply);

#[pymethods]
impl Reply {
    #[new]
    #[pyo3(signature = (text, *, source = "live", request_tokens = None, response_tokens = None, latency_ms = None))]
    fn new(
        text: String,
        source: &str,
        #[pyo3(from_py_with = whole::request_tokens)] request_tokens: Option<u32>,
        #[pyo3(from_py_with = whole::response_tokens)] response_tokens: Option<u32>,
        latency_ms: Option<f64>,
    ) -> PyResult<Self> {
        let known = "live, simulated, replayed or lost";
        let source =
            named(source).ok_or_else(|| refuse(format!("the source `{source}` is unknown; choose {known}")))?;
        Ok(Self(decision::Reply { text, source, request_tokens, response_tokens, latency_ms }))
    }

    /// The same reply with this text, for what was read out of it.
    fn saying(&self, text: String) -> Self {
        Self(decision::Reply { text, ..self.0.clone() })
    }

    /// The text, as it came.
    #[getter]
    fn text(&self) -> &str {
        &self.0.text
    }

    /// `live`, `simulated`, `replayed` or `lost`.
    #[getter]
    fn source(&self) -> String {
        word(&self.0.source)
    }

    /// A copy or a pickle is another answer of the same words.
    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let text = serde_json::to_string(&this.get().0);
        let text = text.map_err(|error| state(format!("the reply cannot be written: {error}; please report this")))?;
        Ok((this.get_type().getattr("_restore")?, (text,)))
    }

    /// The reply that was pickled as this text.
    #[staticmethod]
    fn _restore(text: &str) -> PyResult<Self> {
        let read = serde_json::from_str(text).map(Self);
        read.map_err(|error| {
            damaged(format!("the pickled reply cannot be read: {error}; pickle it again with this version"))
        })
    }

    fn __repr__(&self) -> String {
        format!("Reply({:?}, source='{}')", self.text(), self.source())
    }
}

impl Reply {
    /// A reply of the engine.
    pub(crate) fn of(reply: decision::Reply) -> Self {
        Self(reply)
    }
}

/// Refuses an advisor that cannot be asked, before anything is paid.
pub(crate) fn callable(ask: &Bound<'_, PyAny>) -> PyResult<()> {
    if ask.is_callable() {
        return Ok(());
    }
    let shown = ask.repr()?;
    Err(refuse(format!("`ask` is {shown}; pass a callable that asks the advisor and returns its reply")))
}

/// A reply as it comes from Python: text of a live advisor, a [`Reply`], or nothing where no answer came.
pub(crate) fn reply(given: Option<&Bound<'_, PyAny>>) -> PyResult<decision::Reply> {
    let Some(given) = given.filter(|given| !given.is_none()) else { return Ok(decision::Reply::lost()) };
    if let Ok(reply) = given.cast::<Reply>() {
        return Ok(reply.get().0.clone());
    }
    let what = given.get_type();
    let text = given.extract::<String>();
    let text = text.map_err(|_| refuse(format!("a reply is {what}; pass text, a Reply, or None if no answer came")))?;
    Ok(decision::Reply::live(text))
}
