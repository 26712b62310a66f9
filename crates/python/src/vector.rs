//! Many environments side by side, one hard budget. All places are decided before the first question is answered, and the
//! questions of a batch are resumed together, in the order of places; the log says so, and the audit follows it.

use std::path::PathBuf;

use counsel_controller::{Context, ContextKey, Error, Outcome, Reply, Situation, ValueSamples};
use counsel_log::Hindsight;
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::act::{callable, reply};
use crate::array::{Argument, Reals, one_each};
use crate::batch::Batch;
use crate::controller::{numbers, summary};
use crate::deployment::{Deployment, Given, Shared};
use crate::diagnosis::Diagnosis;
use crate::error::{refuse, state};
use crate::log::Log;
use crate::predictor::Predictor;
use crate::process::no_copy;
use crate::settings::Settings;
use crate::setup::{Choices, Setup, load, save};
use crate::situation::{Circumstances, base as action, is_keyed, learns, reads_contexts, unkeyed};
use crate::whole;

const VALUES: Argument<3> = Argument::new("values", ["environments", "samples", "actions"]);
const BASE: Argument<1> = Argument::new("base", ["environments"]);
const CONTEXTS: Argument<1> = Argument::new("contexts", ["environments"]);
const FEATURES: Argument<2> = Argument::new("features", ["environments", "features"]);
const REWARD: Argument<1> = Argument::new("reward", ["environments"]);

/// More places than anybody has environments.
const MOST: usize = 1 << 20;

/// A value beyond this is no value of anything, and sums of such values overflow.
const LARGEST: f64 = 1e100;

/// One controller for environments side by side: one hard budget, one price, one set of books; each environment has episodes of
/// its own. Start with `VectorController.recommended`.
///
/// Parameters
/// ----------
/// settings, actions, price, radius, bounds, predictor, log, seed, form
///     As for `Controller`.
/// num_envs : int
///     The number of environments.
#[pyclass(frozen, module = "counsel")]
pub(crate) struct VectorController {
    shared: Shared,
    log: Option<Py<Log>>,
    /// The number of environments.
    #[pyo3(get)]
    num_envs: usize,
}

impl VectorController {
    fn at(shared: Shared, num_envs: usize, log: Option<Py<Log>>) -> PyResult<Self> {
        if num_envs == 0 || num_envs > MOST {
            return Err(refuse(format!("num_envs is {num_envs}; pass the number of environments, 1 to {MOST}")));
        }
        Ok(Self { shared, log, num_envs })
    }

    /// One entry per environment, or as many of `missing`.
    fn flags(&self, name: &'static str, given: Option<&Bound<'_, PyAny>>, missing: bool) -> PyResult<Vec<bool>> {
        let Some(given) = given else { return Ok(vec![missing; self.num_envs]) };
        let flags = Argument::new(name, ["environments"]).flags(given)?;
        one_each(name, flags.len(), self.num_envs)?;
        Ok(flags)
    }
}

#[pymethods]
impl VectorController {
    #[new]
    #[pyo3(signature = (settings, actions, num_envs, *, price, radius = None, bounds = None, predictor = None, log = None, seed = 0, form = "word"))]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn new(
        settings: &Bound<'_, PyAny>,
        actions: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = whole::num_envs)] num_envs: usize,
        price: f64,
        radius: Option<&Bound<'_, PyAny>>,
        bounds: Option<&Bound<'_, PyAny>>,
        predictor: Option<Py<Predictor>>,
        log: Option<Py<Log>>,
        #[pyo3(from_py_with = whole::seed)] seed: u64,
        form: &str,
    ) -> PyResult<Self> {
        let setup = Setup::of(settings, actions, Choices { price, radius, bounds, predictor, seed, form })?;
        Self::at(setup.deployed(log.as_ref())?, num_envs, log)
    }

    /// The controller that the studies recommend, for environments side by side; see `Controller.recommended`.
    ///
    /// Parameters
    /// ----------
    /// price, budget, actions, advisor, seed, log
    ///     As for `Controller.recommended`; the budget is one for all.
    /// num_envs : int
    ///     The number of environments.
    /// episodes : int, optional
    ///     The number of episodes of all environments together.
    #[staticmethod]
    #[pyo3(signature = (price, budget, actions, num_envs, *, episodes = None, advisor = "", seed = 0, log = None))]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn recommended(
        price: f64,
        budget: &Bound<'_, PyAny>,
        actions: &Bound<'_, PyAny>,
        #[pyo3(from_py_with = whole::num_envs)] num_envs: usize,
        #[pyo3(from_py_with = whole::episodes)] episodes: Option<u64>,
        advisor: &str,
        #[pyo3(from_py_with = whole::seed)] seed: u64,
        log: Option<Py<Log>>,
    ) -> PyResult<Self> {
        let setup = Setup::recommended(price, budget, actions, episodes, advisor, seed)?;
        Self::at(setup.deployed(log.as_ref())?, num_envs, log)
    }

    /// The controller that was saved at this `path`, for `num_envs` environments; its `log` goes on as `Controller.load` says.
    #[staticmethod]
    #[pyo3(signature = (path, num_envs, *, log = None))]
    fn load(
        path: PathBuf,
        #[pyo3(from_py_with = whole::num_envs)] num_envs: usize,
        log: Option<Py<Log>>,
    ) -> PyResult<Self> {
        Self::at(load(&path, log.as_ref())?, num_envs, log)
    }

    /// Writes everything that later decisions depend on to the file at `path`, whole or not at all.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        save(py, &self.shared, &path)
    }

    /// Lets the episodes of the places in `mask`, a flag per environment, begin with their next decision. Where `outcome` said that an episode is over, the next
    /// one begins by itself.
    fn begin_episodes(&self, mask: &Bound<'_, PyAny>) -> PyResult<()> {
        let mask = self.flags("mask", Some(mask), false)?;
        self.shared.with(|deployment| {
            for place in (0..mask.len()).filter(|place| mask[*place]) {
                deployment.controller.turn_to(place);
                deployment.controller.end_episode()?;
            }
            Ok(())
        })
    }

    /// Decides at all places, or at those of the mask, before any answer exists. A batch that was not resumed counts as lost.
    ///
    /// Parameters
    /// ----------
    /// contexts : array of shape (environments,), optional
    ///     Keys, as `counsel.context_key` makes them.
    /// base : array of shape (environments,)
    ///     What each agent proposes.
    /// values : array of shape (environments, samples, actions), optional
    ///     Samples of the values of all actions.
    /// features : array of shape (environments, features), optional
    ///     Numbers that describe the situations.
    /// mask : array of shape (environments,), optional
    ///     Where to decide.
    /// **circumstances
    ///     As for `Controller.decide`, with an entry per environment.
    #[pyo3(signature = (*, contexts = None, base, values = None, features = None, mask = None, **circumstances))]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn decide(
        &self,
        py: Python<'_>,
        contexts: Option<&Bound<'_, PyAny>>,
        base: &Bound<'_, PyAny>,
        values: Option<&Bound<'_, PyAny>>,
        features: Option<&Bound<'_, PyAny>>,
        mask: Option<&Bound<'_, PyAny>>,
        circumstances: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Batch> {
        let (actions, keyed) = self.shared.look(|controller| (controller.actions(), is_keyed(controller)));
        let base = BASE.integers(base)?;
        one_each("base", base.len(), self.num_envs)?;
        if keyed && contexts.is_none() {
            return Err(unkeyed("contexts"));
        }
        let contexts = contexts.map_or_else(|| Ok(vec![0; self.num_envs]), |contexts| CONTEXTS.keys(contexts))?;
        one_each("contexts", contexts.len(), self.num_envs)?;
        let values = values.map(|values| VALUES.reals(values)).transpose()?;
        let features = features.map(|features| FEATURES.reals(features)).transpose()?;
        values.iter().try_for_each(|values| one_each("values", values.shape[0], self.num_envs))?;
        features.iter().try_for_each(|features| one_each("features", features.shape[0], self.num_envs))?;
        let mask = self.flags("mask", mask, true)?;
        let mut circumstances = Circumstances::of_each(circumstances, actions, self.num_envs)?;
        // Everything is checked before anything is decided: a batch is decided as a whole or not at all.
        let mut given: Vec<(usize, Given)> = Vec::with_capacity(self.num_envs);
        for place in (0..self.num_envs).filter(|place| mask[*place]) {
            let own = features.as_ref().map_or_else(Vec::new, |features| features.row(place).to_vec());
            if let Some((at, value)) = own.iter().enumerate().find(|(_, value)| value.is_nan() || value.abs() > LARGEST)
            {
                return Err(refuse(format!("environment {place}: feature {at} is {value:?}; pass finite numbers")));
            }
            let proposed = action(base[place], actions).map_err(|error| at(py, place, error))?;
            let mut situation =
                Situation::in_context(Context::new(ContextKey(contexts[place]), own)).proposing(proposed);
            if let Some(values) = &values {
                let samples = samples(values, place).map_err(|error| at(py, place, error))?;
                situation = situation.valued(samples, None);
            }
            let said = circumstances.get_mut(place).map(std::mem::take).unwrap_or_default();
            given.push((place, said.told(situation)));
        }
        let blank = vec![f64::NAN; self.num_envs];
        let (mut estimate, mut score, mut threshold) = (blank.clone(), blank.clone(), blank);
        let (mut chosen, mut asks, mut serials) = (base, Vec::new(), Vec::new());
        let (number, decided) =
            self.shared.with_detached(py, |deployment| Ok((deployment.batches, deployment.decide_batch(given)?)))?;
        for seated in decided {
            let place = seated.place;
            (estimate[place], score[place], threshold[place]) = (seated.estimate, seated.score, seated.threshold);
            match seated.turn {
                Ok(action) => chosen[place] = i64::from(action.0),
                Err(serial) => {
                    asks.push(i64::try_from(place).unwrap_or(i64::MAX));
                    serials.push(serial);
                }
            }
        }
        Ok(Batch {
            actions: chosen.into_pyarray(py).unbind(),
            asks: asks.into_pyarray(py).unbind(),
            estimate: estimate.into_pyarray(py).unbind(),
            score: score.into_pyarray(py).unbind(),
            threshold: threshold.into_pyarray(py).unbind(),
            number,
            serials,
            of: self.shared.identity,
        })
    }

    /// Decides at all places, and asks the advisor once for all places where it is worth it: `decide`, `ask(places)` and `resume` in one.
    ///
    /// Parameters
    /// ----------
    /// ask : callable
    ///     Called with the places whose question is open; returns one reply for each, None for a lost one. If it raises, all of them are
    ///     lost, the decisions are completed without them, and the exception goes on.
    /// contexts, base, values, features, mask, **circumstances
    ///     As for `decide`.
    #[pyo3(signature = (*, ask, contexts = None, base, values = None, features = None, mask = None, **circumstances))]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn advise<'py>(
        &self,
        py: Python<'py>,
        ask: &Bound<'py, PyAny>,
        contexts: Option<&Bound<'py, PyAny>>,
        base: &Bound<'py, PyAny>,
        values: Option<&Bound<'py, PyAny>>,
        features: Option<&Bound<'py, PyAny>>,
        mask: Option<&Bound<'py, PyAny>>,
        circumstances: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        callable(ask)?;
        let batch = self.decide(py, contexts, base, values, features, mask, circumstances)?;
        let (open, places) = (batch.serials.len(), batch.asks.clone_ref(py));
        if open == 0 {
            return Ok(batch.actions.bind(py).clone());
        }
        let batch = Bound::new(py, batch)?;
        match ask.call1((places,)).and_then(|replies| self.resume(py, &batch, &replies)) {
            Ok(actions) => Ok(actions),
            Err(error) => {
                // A batch that was resumed is none that could be lost.
                let _ = self.resume(py, &batch, vec![None::<String>; open].into_pyobject(py)?.as_any());
                Err(error)
            }
        }
    }

    /// Takes one reply per open question, in the order of `batch.asks`, and says what every place must do.
    ///
    /// Parameters
    /// ----------
    /// batch : Batch
    ///     What `decide` returned.
    /// replies : sequence of str, Reply or None
    ///     What the advisor said; None for a lost answer.
    fn resume<'py>(
        &self,
        py: Python<'py>,
        batch: &Bound<'py, Batch>,
        replies: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let said = replies.try_iter()?.map(|said| reply(Some(&said?))).collect::<PyResult<Vec<Reply>>>()?;
        let batch = batch.get();
        let mut actions = BASE.integers(batch.actions.bind(py))?;
        let (came, open, number) = (said.len(), batch.serials.len(), batch.number);
        if came != open {
            return Err(refuse(format!(
                "{came} replies came for {open} open questions; pass one for each of `batch.asks`, None for a lost one"
            )));
        }
        if batch.of != self.shared.identity {
            return Err(state(format!("batch {number} is one of another controller; resume it where it was decided")));
        }
        let replies = batch.serials.iter().copied().zip(said).collect();
        let acts = self.shared.with_detached(py, |deployment| deployment.resume_all(replies))?;
        let acts = acts.ok_or_else(|| {
            state(format!(
                "batch {number} was resumed already, or given up as lost by a later one; decide again to ask another"
            ))
        })?;
        for act in acts {
            let place = usize::try_from(act.record.place).unwrap_or_default();
            actions[place] = i64::from(act.action.0);
        }
        Ok(actions.into_pyarray(py))
    }

    /// Says what came of the last decision of every place. A place without a decision, as in a step that only resets it, is left out.
    ///
    /// Parameters
    /// ----------
    /// reward : array of shape (environments,)
    ///     The rewards of the step.
    /// terminated, truncated, changed : array of shape (environments,), optional
    ///     As for `Controller.outcome`.
    #[pyo3(signature = (reward, *, terminated = None, truncated = None, changed = None))]
    fn outcome(
        &self,
        reward: &Bound<'_, PyAny>,
        terminated: Option<&Bound<'_, PyAny>>,
        truncated: Option<&Bound<'_, PyAny>>,
        changed: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let reward = REWARD.reals(reward)?.numbers;
        one_each("reward", reward.len(), self.num_envs)?;
        let terminated = self.flags("terminated", terminated, false)?;
        let truncated = self.flags("truncated", truncated, false)?;
        let changed = self.flags("changed", changed, true)?;
        if let Some(reward) = reward.iter().find(|reward| reward.is_nan() || reward.abs() > LARGEST) {
            return Err(refuse(format!("a reward is {reward:?}; pass finite numbers, up to {LARGEST:e}")));
        }
        self.shared.with(|deployment| {
            for (place, &reward) in reward.iter().enumerate() {
                let outcome = Outcome::reward(reward).terminated(terminated[place]).truncated(truncated[place]);
                let known = Hindsight { reward, ..Hindsight::default() };
                match deployment.outcome(place, outcome.changed(changed[place]), known) {
                    Ok(()) | Err(Error::NoDecision) => {}
                    Err(error) => return Err(error),
                }
            }
            Ok(())
        })
    }

    /// Somebody has the last word at an environment: see `Controller.override`.
    ///
    /// Parameters
    /// ----------
    /// place : int
    ///     The environment, from 0.
    /// action : int or str
    ///     The action that is executed there in the place of the last decision's.
    /// by : str
    ///     Who decided.
    #[pyo3(name = "override", signature = (place, action, *, by))]
    fn override_with(
        &self,
        #[pyo3(from_py_with = whole::place)] place: usize,
        action: &Bound<'_, PyAny>,
        by: &str,
    ) -> PyResult<()> {
        let (action, num_envs) = (self.shared.action(action)?, self.num_envs);
        if place >= num_envs {
            return Err(refuse(format!(
                "`place` is {place}, but there are only {num_envs}; pass 0 to {}",
                num_envs - 1
            )));
        }
        self.shared.with(|deployment| deployment.override_with(place, action, by)).map(drop)
    }

    /// Gives up all open questions as lost, and closes the log if there is one.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.shared.with(Deployment::settle)?;
        self.log.as_ref().map_or(Ok(()), |log| log.get().close(py))
    }

    /// What it did so far, as numbers by name: `decisions`, `calls`, `changed` (answers that changed the action), `overridden`,
    /// `bankroll` where there is one, and every reason of `diagnose` with its count.
    fn summary<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        numbers(py, &self.shared, None)
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

    /// The number of calls that were made, at all places together.
    #[getter]
    fn calls(&self) -> u64 {
        self.shared.look(|controller| controller.engine().calls_made())
    }

    /// The number of calls that could be made now, at the first place; what is limited by the episode may differ elsewhere.
    #[getter]
    fn calls_left(&self) -> u64 {
        self.shared.look_at(0, |controller| controller.engine().calls_left())
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

    /// What advice may still lose, at all places together, where that is limited.
    #[getter]
    fn bankroll(&self) -> Option<f64> {
        self.shared.look(|controller| controller.engine().bankroll().map(|bankroll| bankroll.left()))
    }

    fn __repr__(&self) -> String {
        let num_envs = self.num_envs;
        self.shared.look(|controller| {
            let (engine, price) = (controller.engine(), controller.price());
            let (gate, calls) = (engine.gate().name(), engine.calls_made());
            format!("VectorController(gate='{gate}', num_envs={num_envs}, price={price:?}, calls={calls})")
        })
    }

    fn _repr_html_(&self) -> String {
        summary("VectorController", &self.shared, None)
    }

    fn __reduce_ex__(&self, _protocol: i32) -> PyResult<()> {
        let _ = self.num_envs;
        Err(no_copy("controller"))
    }
}

/// The value samples of one place.
fn samples(values: &Reals<3>, place: usize) -> PyResult<ValueSamples> {
    let row = values.row(place);
    match row.iter().find(|value| value.is_nan() || value.abs() > LARGEST) {
        Some(value) => Err(refuse(format!(
            "a value sample is {value:?}; pass values up to {LARGEST:e}, or leave it out by the mask"
        ))),
        None => ValueSamples::new(values.shape[2], row.to_vec()).map_err(refuse),
    }
}

/// The same refusal, with the environment that it is about.
fn at(py: Python<'_>, place: usize, error: PyErr) -> PyErr {
    refuse(format!("environment {place}: {}", error.value(py)))
}
