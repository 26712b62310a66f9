//! The engine for those who have bounds and a response law of their own.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use counsel_decision::{
    Action, AdviceModel, CandidateOnly, ContextKey, Engine, Evidence, Radius, ResponseLaw, Turn, ValueBounds,
    ValueSamples,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::act::{Act, Ask, locked, reply};
use crate::array::{Argument, place};
use crate::circumstances::Circumstances;
use crate::error::refuse;
use crate::process::{Home, no_copy};
use crate::settings::{Settings, context, parser};

const VALUES: Argument<2> = Argument::new("values", ["samples", "actions"]);
const LOWER: Argument<1> = Argument::new("lower", ["actions"]);
const UPPER: Argument<1> = Argument::new("upper", ["actions"]);
const LAW: Argument<1> = Argument::new("law", ["actions + 1"]);

/// A number that no other gate or controller of this process has.
pub(crate) fn identity() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The engine, for those who have bounds and a response law of their own.
#[pyclass(frozen, module = "counsel")]
pub(crate) struct Gate {
    engine: Mutex<Engine>,
    identity: u64,
    home: Home,
}

#[pymethods]
impl Gate {
    #[new]
    #[pyo3(signature = (settings, words, *, seed = 0, form = "word"))]
    fn new(settings: &Bound<'_, PyAny>, words: &Bound<'_, PyAny>, seed: u64, form: &str) -> PyResult<Self> {
        let engine = Settings::of(settings)?.engine(parser(words, form)?, seed)?;
        Ok(Self { engine: Mutex::new(engine), identity: identity(), home: Home::here() })
    }

    /// Starts the next episode. The first one starts by itself.
    fn begin_episode(&self) -> PyResult<()> {
        self.home.check("gate")?;
        locked(&self.engine).begin_episode();
        Ok(())
    }

    /// Decides whether to act or to ask, before any answer exists.
    ///
    /// `circumstances` say what else is known of it: `visits`, `monitored`, `stalled`, `expected_uses`, `fallback_law`,
    /// `credited_gain` and `forecast`, by their names in the log.
    #[pyo3(signature = (values, lower, upper, law, base, *, context = None, radius = None, kappa, **circumstances))]
    #[expect(clippy::too_many_arguments, reason = "they are the evidence of a decision, named in Python")]
    fn decide<'py>(
        &self,
        py: Python<'py>,
        values: &Bound<'py, PyAny>,
        lower: &Bound<'py, PyAny>,
        upper: &Bound<'py, PyAny>,
        law: &Bound<'py, PyAny>,
        base: i64,
        context: Option<&Bound<'py, PyAny>>,
        radius: Option<f64>,
        kappa: f64,
        circumstances: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.home.check("gate")?;
        let values = VALUES.reals(values)?;
        let actions = values.shape[1];
        let advice = CandidateOnly::new(
            ResponseLaw::new(actions, LAW.reals(law)?.numbers).map_err(refuse)?,
            ValueSamples::new(actions, values.numbers).map_err(refuse)?,
            ValueBounds::new(LOWER.reals(lower)?.numbers, UPPER.reals(upper)?.numbers).map_err(refuse)?,
            Action::new(place(base)),
        );
        let advice = AdviceModel::CandidateOnly(advice.map_err(refuse)?);
        let key = ContextKey(context.map_or(Ok(0), self::context)?);
        let mut evidence = Evidence::new(key, advice, kappa).map_err(refuse)?;
        evidence.radius = Radius::new(radius.unwrap_or(f64::INFINITY)).map_err(refuse)?;
        Circumstances::of(circumstances, actions)?.tell(&mut evidence);
        let turn = locked(&self.engine).decide(evidence);
        Ok(match turn {
            Turn::Act(acted) => Bound::new(py, Act::of(*acted))?.into_any(),
            Turn::Ask(question) => Bound::new(py, Ask::new(*question, self.identity))?.into_any(),
        })
    }

    /// Takes the reply to a question and acts on it. `None` says that no answer came; the call is paid for all the same.
    #[pyo3(signature = (ask, reply))]
    fn resume(&self, ask: &Bound<'_, Ask>, reply: Option<&Bound<'_, PyAny>>) -> PyResult<Act> {
        self.home.check("gate")?;
        let reply = self::reply(reply)?;
        let question = ask.get().take(self.identity)?;
        Ok(Act::of(locked(&self.engine).resume(question, reply)))
    }

    /// How many calls were made.
    #[getter]
    fn calls(&self) -> u64 {
        locked(&self.engine).calls_made()
    }

    /// How many calls could be made now.
    #[getter]
    fn calls_left(&self) -> u64 {
        locked(&self.engine).calls_left()
    }

    /// What advice may still lose, where that is limited.
    #[getter]
    fn bankroll(&self) -> Option<f64> {
        locked(&self.engine).bankroll().map(|bankroll| bankroll.left())
    }

    fn __reduce_ex__(&self, _protocol: i32) -> PyResult<()> {
        let _ = self.identity;
        Err(no_copy("gate"))
    }
}
