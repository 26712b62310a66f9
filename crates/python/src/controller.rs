//! One environment: an engine with bounds, predictor, radius, price and log inside.

use std::sync::{Arc, Mutex};

use counsel_advisor::Context;
use counsel_decision::{Acted, Reply, Turn};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::act::{Act, Ask, Open, locked, reply};
use crate::array::{Argument, place};
use crate::circumstances::Circumstances;
use crate::desk::{Desk, Given, Setup};
use crate::error::{refuse, state};
use crate::gate::identity;
use crate::log::{Known, Log, Settles};
use crate::predictor::Predictor;
use crate::process::{Home, no_copy};
use crate::settings::{context, features};

pub(crate) const VALUES: Argument<2> = Argument::new("values", ["samples", "actions"]);

/// A desk with at most one open question.
struct One {
    desk: Desk,
    open: Option<(Open, Context)>,
}

impl One {
    /// Takes a reply and writes the decision down.
    fn complete(&mut self, question: counsel_decision::Question, context: Context, reply: Reply) -> Acted {
        let acted = self.desk.resume(question, reply);
        if let Some(paid) = acted.paid {
            self.desk.learn(&[(context, paid)]);
        }
        self.desk.note(&acted);
        acted
    }
}

impl Settles for One {
    /// A question that was not resumed counts as lost. It was paid for, so it must be in the log.
    fn settle(&mut self) {
        if let Some((open, context)) = self.open.take() {
            let question = locked(&open).take();
            if let Some(question) = question {
                self.complete(question, context, Reply::lost());
            }
        }
    }
}

/// An engine with bounds, predictor, radius, price and log inside: the ordinary way in.
#[pyclass(frozen, module = "counsel")]
pub(crate) struct Controller {
    one: Arc<Mutex<One>>,
    log: Option<Py<Log>>,
    identity: u64,
    home: Home,
}

#[pymethods]
impl Controller {
    #[new]
    #[pyo3(signature = (settings, words, *, kappa, radius = None, bounds = None, predictor = None, log = None, seed = 0, form = "word"))]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn new(
        py: Python<'_>,
        settings: &Bound<'_, PyAny>,
        words: &Bound<'_, PyAny>,
        kappa: f64,
        radius: Option<&Bound<'_, PyAny>>,
        bounds: Option<&Bound<'_, PyAny>>,
        predictor: Option<Py<Predictor>>,
        log: Option<Py<Log>>,
        seed: u64,
        form: &str,
    ) -> PyResult<Self> {
        let kept = log.as_ref().map(|log| log.clone_ref(py));
        let (desk, head) = Desk::new(Setup { settings, words, kappa, radius, bounds, predictor, log, seed, form })?;
        let one = Arc::new(Mutex::new(One { desk, open: None }));
        if let Some(log) = &kept {
            log.get().bind(head, one.clone())?;
        }
        Ok(Self { one, log: kept, identity: identity(), home: Home::here() })
    }

    /// Starts the next episode. The first one starts by itself. What is left of a budget per run stays as it is.
    fn begin_episode(&self) -> PyResult<()> {
        self.home.check("controller")?;
        let mut one = locked(&self.one);
        one.settle();
        one.desk.engine.begin_episode();
        Ok(())
    }

    /// Decides whether to act or to ask, before any answer exists. An open question that was not resumed counts as lost.
    ///
    /// `circumstances` say what else is known of it: `visits`, `monitored`, `stalled`, `expected_uses`, `fallback_law`,
    /// `credited_gain` and `forecast`, by their names in the log.
    #[pyo3(signature = (values, base, *, context = None, features = None, **circumstances))]
    fn decide<'py>(
        &self,
        py: Python<'py>,
        values: &Bound<'py, PyAny>,
        base: i64,
        context: Option<&Bound<'py, PyAny>>,
        features: Option<&Bound<'py, PyAny>>,
        circumstances: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.home.check("controller")?;
        let values = VALUES.reals(values)?;
        let given = Given {
            circumstances: Circumstances::of(circumstances, values.shape[1])?,
            actions: values.shape[1],
            samples: values.numbers,
            base: place(base),
            context: context.map_or(Ok(0), self::context)?,
            features: self::features(features)?,
        };
        // Python objects are made after the lock is given back: making one may run any code.
        let acted = {
            let mut one = locked(&self.one);
            one.settle();
            match one.desk.decide(given).map_err(refuse)? {
                (Turn::Act(acted), _) => {
                    one.desk.note(&acted);
                    acted
                }
                (Turn::Ask(question), context) => {
                    let ask = Ask::new(*question, self.identity);
                    one.open = Some((Arc::clone(&ask.open), context));
                    drop(one);
                    return Ok(Bound::new(py, ask)?.into_any());
                }
            }
        };
        Ok(Bound::new(py, Act::of(*acted))?.into_any())
    }

    /// Takes the reply to a question, teaches the predictor and acts. `None` says that no answer came; the call is paid for all
    /// the same.
    #[pyo3(signature = (ask, reply))]
    fn resume(&self, ask: &Bound<'_, Ask>, reply: Option<&Bound<'_, PyAny>>) -> PyResult<Act> {
        self.home.check("controller")?;
        let reply = self::reply(reply)?;
        let mut one = locked(&self.one);
        let question = ask.get().take(self.identity)?;
        let context = one.open.take().map(|(_, context)| context);
        let Some(context) = context else {
            return Err(state("no question is open; decide first"));
        };
        Ok(Act::of(one.complete(question, context, reply)))
    }

    /// Decides, and asks the advisor where it is worth it: `decide`, `ask()` and `resume` in one. If the advisor raises, the call
    /// is lost, the decision is completed without it, and the exception goes on.
    #[pyo3(signature = (values, base, ask, *, context = None, features = None, **circumstances))]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn advise(
        &self,
        py: Python<'_>,
        values: &Bound<'_, PyAny>,
        base: i64,
        ask: &Bound<'_, PyAny>,
        context: Option<&Bound<'_, PyAny>>,
        features: Option<&Bound<'_, PyAny>>,
        circumstances: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Py<Act>> {
        let turn = self.decide(py, values, base, context, features, circumstances)?;
        let question = match turn.cast_into::<Act>() {
            Ok(act) => return Ok(act.unbind()),
            Err(other) => other.into_inner().cast_into::<Ask>()?,
        };
        let replied = ask.call0().and_then(|said| self.resume(&question, Some(&said)));
        match replied {
            Ok(act) => Py::new(py, act),
            Err(error) => {
                locked(&self.one).settle();
                Err(error)
            }
        }
    }

    /// Completes the last decision in the log by what became known afterwards: the reward, and, where it was found out, the true
    /// value of the query with its Monte-Carlo radius.
    #[pyo3(signature = (reward, *, label = None, monte_carlo = None))]
    fn outcome(&self, reward: f64, label: Option<f64>, monte_carlo: Option<f64>) -> PyResult<()> {
        self.home.check("controller")?;
        let one = locked(&self.one);
        if one.open.is_some() {
            return Err(state("a question is open; resume it before its outcome is known"));
        }
        if let Some(log) = &self.log {
            log.get().complete(0, Known { reward, label, monte_carlo })?;
        }
        Ok(())
    }

    /// How many actions there are.
    #[getter]
    fn actions(&self) -> usize {
        locked(&self.one).desk.actions()
    }

    /// How many calls were made.
    #[getter]
    fn calls(&self) -> u64 {
        locked(&self.one).desk.engine.calls_made()
    }

    /// How many calls could be made now.
    #[getter]
    fn calls_left(&self) -> u64 {
        locked(&self.one).desk.engine.calls_left()
    }

    /// What advice may still lose, where that is limited.
    #[getter]
    fn bankroll(&self) -> Option<f64> {
        locked(&self.one).desk.engine.bankroll().map(|bankroll| bankroll.left())
    }

    fn __reduce_ex__(&self, _protocol: i32) -> PyResult<()> {
        let _ = self.identity;
        Err(no_copy("controller"))
    }
}
