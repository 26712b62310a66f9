//! The engine for those who have bounds and a response law of their own.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use counsel_decision::{
    self as decision, AdviceModel, CandidateOnly, ContextKey, Evidence, Radius, ResponseLaw, ValueBounds, ValueSamples,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::act::{Act, Ask, locked, reply};
use crate::array::Argument;
use crate::deployment::Open;
use crate::error::{refuse, state};
use crate::explained::Explained;
use crate::key::key;
use crate::process::{Home, no_copy};
use crate::settings::{Settings, parser};
use crate::situation::{Circumstances, base as action};
use crate::whole;

const VALUES: Argument<2> = Argument::new("values", ["samples", "actions"]);
const LOWER: Argument<1> = Argument::new("lower", ["actions"]);
const UPPER: Argument<1> = Argument::new("upper", ["actions"]);
const LAW: Argument<1> = Argument::new("law", ["actions + 1"]);

/// A number that no other engine or controller of this process has.
pub(crate) fn identity() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The engine, for those who have bounds and a response law of their own.
///
/// Parameters
/// ----------
/// settings : Settings
///     Gate, rule, budget, pacing, cache and bankroll.
/// actions : sequence of str, or int
///     The name of every action, or their number.
/// seed : int
///     The randomness of a gate that has any.
/// form : {"word", "json"}
///     How an answer must be written.
#[pyclass(frozen, module = "counsel")]
pub(crate) struct Engine {
    work: Mutex<(decision::Engine, Open)>,
    identity: u64,
    explained: Explained,
    home: Home,
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (settings, actions, *, seed = 0, form = "word"))]
    fn new(
        settings: &Bound<'_, PyAny>,
        actions: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = whole::seed)] seed: u64,
        form: &str,
    ) -> PyResult<Self> {
        let engine = Settings::of(settings)?.engine(parser(actions, form)?, seed)?;
        let explained = Explained::by(&engine);
        Ok(Self { work: Mutex::new((engine, Open::default())), identity: identity(), explained, home: Home::here() })
    }

    /// Starts the next episode. The first one starts by itself.
    fn begin_episode(&self) -> PyResult<()> {
        self.home.check("engine")?;
        locked(&self.work).0.begin_episode();
        Ok(())
    }

    /// Decides whether to act or to ask, before any answer exists.
    ///
    /// Parameters
    /// ----------
    /// values : array of shape (samples, actions)
    ///     Samples of the values of all actions.
    /// lower, upper : array of shape (actions,)
    ///     Bounds on the optimal value of every action.
    /// law : array of shape (actions + 1,)
    ///     The probability of each action being advised, then of an unusable reply.
    /// base : int
    ///     The action that your agent proposes.
    /// context : optional
    ///     What tells situations apart, as `counsel.context_key` takes it.
    /// radius : float, optional
    ///     How far the estimate may be from the truth; infinite without one.
    /// price : float
    ///     What a call costs, in units of return.
    /// **circumstances
    ///     What else is known: `visits`, `monitored`, `stalled`, `expected_uses`, `fallback_law`, `credited_gain` and `forecast`, by
    ///     their names in the log.
    #[pyo3(signature = (values, lower, upper, law, base, *, context = None, radius = None, price, **circumstances))]
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
        price: f64,
        circumstances: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.home.check("engine")?;
        let values = VALUES.reals(values)?;
        let actions = values.shape[1];
        let advice = CandidateOnly::new(
            ResponseLaw::new(actions, LAW.reals(law)?.numbers).map_err(refuse)?,
            ValueSamples::new(actions, values.numbers).map_err(refuse)?,
            ValueBounds::new(LOWER.reals(lower)?.numbers, UPPER.reals(upper)?.numbers).map_err(refuse)?,
            action(base, actions)?,
        );
        let advice = AdviceModel::CandidateOnly(advice.map_err(refuse)?);
        let key = context.map_or(Ok(ContextKey(0)), key)?;
        let evidence = Evidence::new(key, advice, price).map_err(refuse)?;
        let evidence = evidence.with_radius(Radius::new(radius.unwrap_or(f64::INFINITY)).map_err(refuse)?);
        let evidence = Circumstances::of(circumstances, actions)?.shown(evidence).map_err(refuse)?;
        // The lock is dropped before Python objects are made, since making one may run any code.
        let decided = {
            let (engine, open) = &mut *locked(&self.work);
            engine.decide(evidence).map(|turn| open.keep(turn))
        };
        decided.map_err(refuse)?.shown(py, self.identity, &self.explained)
    }

    /// Takes the reply to a question and acts on it. `None` says that no answer came; the call is paid for all the same.
    ///
    /// Parameters
    /// ----------
    /// ask : Ask
    ///     The question, as `decide` handed it out.
    /// reply : str, Reply or None
    ///     What the advisor said.
    #[pyo3(signature = (ask, reply))]
    fn resume(&self, ask: &Bound<'_, Ask>, reply: Option<&Bound<'_, PyAny>>) -> PyResult<Act> {
        self.home.check("engine")?;
        let reply = self::reply(reply)?;
        let serial = ask.get().of(self.identity, "engine")?;
        let (engine, open) = &mut *locked(&self.work);
        let ask = open.take(serial);
        let ask =
            ask.ok_or_else(|| state(format!("question {serial} was resumed already; decide again to ask another")))?;
        Ok(Act(engine.resume(ask, reply), self.explained.clone()))
    }

    /// How many calls were made.
    #[getter]
    fn calls(&self) -> u64 {
        locked(&self.work).0.calls_made()
    }

    /// How many calls could be made now.
    #[getter]
    fn calls_left(&self) -> u64 {
        locked(&self.work).0.calls_left()
    }

    /// What advice may still lose, where that is limited.
    #[getter]
    fn bankroll(&self) -> Option<f64> {
        locked(&self.work).0.bankroll().map(|bankroll| bankroll.left())
    }

    fn __reduce_ex__(&self, _protocol: i32) -> PyResult<()> {
        let _ = self.identity;
        Err(no_copy("engine"))
    }
}
