//! One agent: the controller with its books, its open questions and its log.

use std::path::PathBuf;

use counsel_controller::{Outcome, Reply};
use counsel_log::Hindsight;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::act::{Act, Ask, callable, reply};
use crate::deployment::{Decided, Deployment, Shared};
use crate::diagnosis::Diagnosis;
use crate::error::{refuse, state};
use crate::log::Log;
use crate::predictor::Predictor;
use crate::process::no_copy;
use crate::settings::Settings;
use crate::setup::{Choices, Setup, load, save};
use crate::shown::html;
use crate::situation::{Told, is_keyed, learns, reads_contexts};
use crate::whole;

/// A label beyond this is none that anybody meant.
const LARGEST: f64 = 1e100;

/// Decides when advice is worth its price, and whether an answer may act: the ordinary way in. Start with
/// `Controller.recommended`; a controller with settings of your own takes values, and may take bounds, a radius and a
/// predictor.
///
/// Parameters
/// ----------
/// settings : Settings
///     Gate, rule, budget, pacing, cache and bankroll.
/// actions : sequence of str, or int
///     The name of every action, as the advisor says it; a number n means the names a0, a1, ... of n actions.
/// price : float
///     What a call costs, in units of return.
/// radius : CalibratedRadius, float or None
///     How far an estimate may be from the truth. None is infinite, and gates that subtract a radius are silent then.
/// bounds : Spread, optional
///     How bounds on the optimal values follow from value samples, where a decision has none of its own.
/// predictor : Predictor, optional
///     What the advisor is expected to say. The controller goes on with a copy of its own.
/// log : Log, optional
///     Where decisions are written.
/// seed : int
///     The randomness of a gate that has any.
/// form : {"word", "json"}
///     How an answer must be written.
#[pyclass(frozen, module = "counsel")]
pub(crate) struct Controller {
    shared: Shared,
    /// The environment that it decides for: one of those that share the budget and the books.
    place: usize,
    log: Option<Py<Log>>,
}

#[pymethods]
impl Controller {
    #[new]
    #[pyo3(signature = (settings, actions, *, price, radius = None, bounds = None, predictor = None, log = None, seed = 0, form = "word"))]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn new(
        settings: &Bound<'_, PyAny>,
        actions: &Bound<'_, PyAny>,
        price: f64,
        radius: Option<&Bound<'_, PyAny>>,
        bounds: Option<&Bound<'_, PyAny>>,
        predictor: Option<Py<Predictor>>,
        log: Option<Py<Log>>,
        #[pyo3(from_py_with = whole::seed)] seed: u64,
        form: &str,
    ) -> PyResult<Self> {
        let setup = Setup::of(settings, actions, Choices { price, radius, bounds, predictor, seed, form })?;
        Ok(Self { shared: setup.deployed(log.as_ref())?, place: 0, log })
    }

    /// The controller that the studies recommend: it learns values from your agent's own steps, keeps answers, and closes an
    /// advisor that does not earn its price. Returns of about 0 to 1 are expected, so scale rewards where they are far from
    /// that.
    ///
    /// Parameters
    /// ----------
    /// price : float
    ///     What a call costs, in units of return.
    /// budget : int or Budget
    ///     The most calls in the whole run.
    /// actions : sequence of str, or int
    ///     The name of every action, as the advisor says it; a number n means the names a0, a1, ... of n actions.
    /// episodes : int, optional
    ///     The number of episodes of the run; without it, a run is expected to go on as long as it has lasted.
    /// advisor : str
    ///     The version of the advisor; kept answers of another version no longer serve.
    /// seed : int
    ///     The randomness of the controller.
    /// log : Log, optional
    ///     Where decisions are written.
    #[staticmethod]
    #[pyo3(signature = (price, budget, actions, *, episodes = None, advisor = "", seed = 0, log = None))]
    fn recommended(
        price: f64,
        budget: &Bound<'_, PyAny>,
        actions: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = whole::episodes)] episodes: Option<u64>,
        advisor: &str,
        #[pyo3(from_py_with = whole::seed)] seed: u64,
        log: Option<Py<Log>>,
    ) -> PyResult<Self> {
        let setup = Setup::recommended(price, budget, actions, episodes, advisor, seed)?;
        Ok(Self { shared: setup.deployed(log.as_ref())?, place: 0, log })
    }

    /// The controller that was saved at this path. It goes on where the saved one stood; questions that were open then are
    /// lost. Load a checkpoint once: its budget is spent again by every copy.
    ///
    /// Parameters
    /// ----------
    /// path : path
    ///     The checkpoint.
    /// log : Log, optional
    ///     The log that was written before, opened with ``resume=True``: what came after the checkpoint is cut, and the log goes on.
    #[staticmethod]
    #[pyo3(signature = (path, *, log = None))]
    fn load(path: PathBuf, log: Option<Py<Log>>) -> PyResult<Self> {
        Ok(Self { shared: load(&path, log.as_ref())?, place: 0, log })
    }

    /// The same controller for one more environment, or thread, or task: it has episodes and outcomes of its own, and shares budget, books,
    /// kept answers and log. The first one that is handed out is the place of the controller itself, if that has not decided yet.
    fn place(&self, py: Python<'_>) -> PyResult<Self> {
        let place = self.shared.with(|deployment| Ok(deployment.next_place()))?;
        Ok(Self { shared: self.shared.clone(), place, log: self.log.as_ref().map(|log| log.clone_ref(py)) })
    }

    /// Writes everything that later decisions depend on to the file at `path`, whole or not at all.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        save(py, &self.shared, &path)
    }

    /// Begins the next episode. A decision does it by itself where none runs.
    fn begin_episode(&self) -> PyResult<()> {
        self.shared.with(|deployment| deployment.begin_episode(self.place))
    }

    /// Decides whether to act or to ask, before any answer exists. A question is paid for when it is handed out; several may
    /// be open at once, from several threads.
    ///
    /// Parameters
    /// ----------
    /// context : str, bytes, int, array of integers, or tuples of these
    ///     What tells situations apart, such as what the advisor would be shown. Only a controller that keeps neither answers
    ///     nor values can do without.
    /// base : int
    ///     The action that your agent proposes.
    /// values : array of shape (samples, actions), optional
    ///     Samples of the values of all actions. A recommended controller learns values by itself.
    /// bounds : (lower, upper), optional
    ///     Bounds on the optimal value of every action.
    /// law : array of shape (actions + 1,), optional
    ///     The probability of each action being advised, then of an unusable reply, in the place of the predictor's.
    /// features : array of shape (features,), optional
    ///     Numbers that describe the situation, for a predictor that generalises.
    /// **circumstances
    ///     What else is known: `visits`, `monitored`, `stalled`, `expected_uses`, `fallback_law`, `credited_gain` and
    ///     `forecast`, by their names in the log.
    #[pyo3(signature = (*, context = None, base, values = None, bounds = None, law = None, features = None, **circumstances))]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn decide<'py>(
        &self,
        py: Python<'py>,
        context: Option<&Bound<'py, PyAny>>,
        base: i64,
        values: Option<&Bound<'py, PyAny>>,
        bounds: Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)>,
        law: Option<&Bound<'py, PyAny>>,
        features: Option<&Bound<'py, PyAny>>,
        circumstances: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let told = Told { context, base, values, bounds, law, features, circumstances };
        self.turn(told)?.shown(py, self.shared.identity, &self.shared.explained)
    }

    /// Takes the reply to a question and acts; the books learn from the answer. `None` says that no answer came; the call is
    /// paid for all the same.
    ///
    /// Parameters
    /// ----------
    /// ask : Ask
    ///     The question, as `decide` handed it out.
    /// reply : str, Reply or None
    ///     What the advisor said.
    #[pyo3(signature = (ask, reply))]
    fn resume(&self, ask: &Bound<'_, Ask>, reply: Option<&Bound<'_, PyAny>>) -> PyResult<Act> {
        let serial = ask.get().of(self.shared.identity, "controller")?;
        self.answer(serial, self::reply(reply)?)
    }

    /// Decides, and asks the advisor where it is worth it: `decide`, `ask()` and `resume` in one. If the advisor raises, the call
    /// is lost, the decision is completed without it, and the exception goes on.
    ///
    /// Parameters
    /// ----------
    /// ask : callable
    ///     Asks the advisor: called without arguments, it returns a reply, or None if none came.
    /// context, base, values, bounds, law, features, **circumstances
    ///     As for `decide`.
    #[pyo3(signature = (*, context = None, base, ask, values = None, bounds = None, law = None, features = None, **circumstances))]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn advise(
        &self,
        context: Option<&Bound<'_, PyAny>>,
        base: i64,
        ask: &Bound<'_, PyAny>,
        values: Option<&Bound<'_, PyAny>>,
        bounds: Option<(Bound<'_, PyAny>, Bound<'_, PyAny>)>,
        law: Option<&Bound<'_, PyAny>>,
        features: Option<&Bound<'_, PyAny>>,
        circumstances: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Act> {
        callable(ask)?;
        let told = Told { context, base, values, bounds, law, features, circumstances };
        let serial = match self.turn(told)? {
            Decided::Act(act) => return Ok(Act(act, self.shared.explained.clone())),
            Decided::Ask(asked) => asked.serial,
        };
        match ask.call0().and_then(|said| self::reply(Some(&said))) {
            Ok(reply) => self.answer(serial, reply),
            Err(error) => {
                self.answer(serial, Reply::lost())?;
                Err(error)
            }
        }
    }

    /// Says what came of the last decision.
    ///
    /// Parameters
    /// ----------
    /// reward : float
    ///     The reward of the step.
    /// terminated, truncated : bool
    ///     Whether the task is over, or time ran out: the next decision begins an episode.
    /// changed : bool, optional
    ///     Whether the action changed anything that the agent sees; advice that changes nothing lapses. None where that is not known.
    /// label, monte_carlo : float, optional
    ///     The true value of the query, where it was found out, and how far it may be from the truth. They are for the log.
    #[pyo3(signature = (reward, *, terminated = false, truncated = false, changed = None, label = None, monte_carlo = None))]
    fn outcome(
        &self,
        reward: f64,
        terminated: bool,
        truncated: bool,
        changed: Option<bool>,
        label: Option<f64>,
        monte_carlo: Option<f64>,
    ) -> PyResult<()> {
        let outcome =
            Outcome::reward(reward).terminated(terminated).truncated(truncated).changed(changed.unwrap_or(true));
        let unknown =
            |name, given: Option<f64>, least: f64| match given.filter(|number| !(least..=LARGEST).contains(number)) {
                Some(number) => Err(refuse(format!("`{name}` is {number:?}; pass a finite number, or leave it out"))),
                None => Ok(()),
            };
        unknown("label", label, -LARGEST)?;
        unknown("monte_carlo", monte_carlo, 0.0)?;
        let known = Hindsight { reward, proxy_value: label, proxy_radius: monte_carlo, ..Hindsight::default() };
        self.shared.with(|deployment| deployment.outcome(self.place, outcome, known))
    }

    /// Somebody has the last word: another action is executed than that of the last decision, and the log says so. The controller
    /// learns from what was executed, and advice answers for none of it. Call it before `outcome`; the last override counts.
    ///
    /// Parameters
    /// ----------
    /// act : Act
    ///     The last decision.
    /// action : int or str
    ///     The action that is executed in its place, by its number or its name.
    /// by : str
    ///     Who decided: the role of a person, or the name of a program. It is written to the log.
    ///
    /// Returns
    /// -------
    /// Act
    ///     The same decision with the action that is executed.
    #[pyo3(name = "override", signature = (act, action, *, by))]
    fn override_with(&self, act: &Bound<'_, Act>, action: &Bound<'_, PyAny>, by: &str) -> PyResult<Act> {
        let (Act(decided, explained), action) = (act.get(), self.shared.action(action)?);
        let step = decided.record.step;
        let overridden = self.shared.with(|deployment| {
            deployment.controller.turn_to(self.place);
            let is_last = explained.is(&self.shared.explained) && deployment.controller.waiting() == Some(step);
            is_last.then(|| deployment.override_with(self.place, action, by)).transpose()
        })?;
        let overridden = overridden.ok_or_else(|| {
            state(format!(
                "the act of step {step} is not the last decision here, or its outcome is known; override a decision before `outcome`"
            ))
        })?;
        let mut record = decided.record.clone();
        record.set_override(overridden);
        let decided = counsel_decision::Act { action, paid: decided.paid, record };
        Ok(Act(decided, explained.clone()))
    }

    /// `advise` as a coroutine, whose advisor is one: `await controller.aadvise(..., ask=ask)`. A task that is cancelled while it waits has
    /// lost its answer. Tasks side by side take a `place` each.
    ///
    /// Parameters
    /// ----------
    /// ask : callable
    ///     Asks the advisor: it returns an awaitable of a reply.
    /// **situation
    ///     The keywords of `decide`.
    #[pyo3(signature = (*, ask, **situation))]
    fn aadvise<'py>(
        this: &Bound<'py, Self>,
        ask: Bound<'py, PyAny>,
        situation: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        callable(&ask)?;
        this.py().import("counsel.coroutine")?.getattr("advise")?.call((this, ask), situation)
    }

    /// Gives up all open questions as lost, and closes the log if there is one.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.shared.with(Deployment::settle)?;
        self.log.as_ref().map_or(Ok(()), |log| log.get().close(py))
    }

    /// What it did so far, as numbers by name: `decisions`, `calls`, `changed` (answers that changed the action), `overridden`, `calls_left`,
    /// `bankroll` where there is one, and every reason of `diagnose` with its count.
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        numbers(py, &self.shared, Some(self.place))
    }

    /// Why it did not ask, and why answers did not act: counts, in plain words, each with a remedy.
    fn diagnose(&self) -> Diagnosis {
        Diagnosis(self.shared.look(counsel_controller::Controller::diagnose))
    }

    /// Whether it learns values from the steps of the agent, by context, so that none have to be handed in.
    #[getter]
    fn learns(&self) -> bool {
        self.shared.look(learns)
    }

    /// Whether anything reads contexts: values, kept answers, a predictor, a gate that counts visits, or a log.
    #[getter]
    fn reads_contexts(&self) -> bool {
        self.log.is_some() || self.shared.look(reads_contexts)
    }

    /// What was declared of it.
    #[getter]
    fn settings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Settings::shown(py, &self.shared.look(|controller| Settings::written(controller.engine())))
    }

    /// The names of the actions.
    #[getter]
    fn actions(&self) -> Vec<String> {
        self.shared.look(|controller| controller.engine().parser().words().to_vec())
    }

    /// What a call costs, in units of return.
    #[getter]
    fn price(&self) -> f64 {
        self.shared.look(counsel_controller::Controller::price)
    }

    /// The radius: a CalibratedRadius, a number, or None where it is infinite.
    #[getter]
    fn radius<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        crate::setup::shown(py, self.shared.look(|controller| controller.radius().clone()))
    }

    /// Another radius from the next decision on.
    #[setter]
    fn set_radius(&self, radius: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        self.shared.set_radius(crate::setup::radius(radius)?)
    }

    /// The number of calls that were made.
    #[getter]
    fn calls(&self) -> u64 {
        self.shared.look(|controller| controller.engine().calls_made())
    }

    /// The number of calls that could be made now.
    #[getter]
    fn calls_left(&self) -> u64 {
        self.shared.look_at(self.place, |controller| controller.engine().calls_left())
    }

    /// What advice may still lose, where that is limited.
    #[getter]
    fn bankroll(&self) -> Option<f64> {
        self.shared.look(|controller| controller.engine().bankroll().map(|bankroll| bankroll.left()))
    }

    fn __repr__(&self) -> String {
        self.shared.look_at(self.place, |controller| {
            let (engine, price) = (controller.engine(), controller.price());
            let (gate, calls, left) = (engine.gate().name(), engine.calls_made(), engine.calls_left());
            format!("Controller(gate='{gate}', price={price:?}, calls={calls}, calls_left={left})")
        })
    }

    fn _repr_html_(&self) -> String {
        summary("Controller", &self.shared, Some(self.place))
    }

    fn __reduce_ex__(&self, _protocol: i32) -> PyResult<()> {
        let _ = self.shared.identity;
        Err(no_copy("controller"))
    }
}

/// What a controller did, as numbers by name.
pub(crate) fn numbers<'py>(py: Python<'py>, shared: &Shared, place: Option<usize>) -> PyResult<Bound<'py, PyDict>> {
    let (found, left, bankroll) = shared.look_at(place.unwrap_or_default(), |controller| {
        let engine = controller.engine();
        let bankroll = engine.bankroll().map(|bankroll| bankroll.left());
        (controller.diagnose(), engine.calls_left(), bankroll)
    });
    let dict = PyDict::new(py);
    let counts = [
        ("decisions", found.decisions),
        ("calls", found.calls),
        ("changed", found.changed),
        ("overridden", found.overridden),
    ];
    for (name, count) in counts {
        dict.set_item(name, count)?;
    }
    place.map_or(Ok(()), |_| dict.set_item("calls_left", left))?;
    bankroll.map_or(Ok(()), |left| dict.set_item("bankroll", left))?;
    dict.set_item("reasons", Diagnosis(found).reasons(py)?)?;
    Ok(dict)
}

/// What a controller is and did, as a notebook shows it.
pub(crate) fn summary(title: &str, shared: &Shared, place: Option<usize>) -> String {
    shared.look_at(place.unwrap_or_default(), |controller| {
        let engine = controller.engine();
        let left = place.map(|_| ("calls left", engine.calls_left().to_string()));
        let lines = [
            ("gate", engine.gate().name().to_owned()),
            ("actions", engine.parser().words().join(", ")),
            ("price", format!("{:?}", controller.price())),
            ("calls", engine.calls_made().to_string()),
        ];
        let why = ("why", controller.diagnose().to_string().replace("Controller::", "Controller."));
        html(title, &lines.into_iter().chain(left).chain([why]).collect::<Vec<_>>())
    })
}

impl Controller {
    fn turn(&self, told: Told<'_, '_>) -> PyResult<Decided> {
        let (actions, keyed) = self.shared.look(|controller| (controller.actions(), is_keyed(controller)));
        let given = told.given(actions, keyed)?;
        self.shared.with(|deployment| {
            deployment.turn_to(self.place);
            deployment.decide(given)
        })
    }

    fn answer(&self, serial: u64, reply: Reply) -> PyResult<Act> {
        self.shared
            .with(|deployment| deployment.resume(serial, reply))?
            .map(|act| Act(act, self.shared.explained.clone()))
            .ok_or_else(|| {
                state(format!(
                    "question {serial} was resumed already, or given up as lost; decide again to ask another"
                ))
            })
    }
}
