//! A controller at work: with the questions that are open, and the rows of its log.
//!
//! Invariants: no Python code runs while a deployment is locked, so errors become exceptions only after the lock is dropped
//! ([`Shared`] sees to it); a question stays open until it is answered once, or is given up as lost when the controller or
//! its log is closed.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use counsel_controller::{
    Act, Action, Ask, Controller, Error, Outcome, Override, RadiusInForce, Reply, Situation, Turn,
};
use counsel_decision::{Completion, Forecast};
use counsel_log::{Decision, Hindsight};
use pyo3::prelude::*;

use crate::act::locked;
use crate::engine::identity;
use crate::error::{failed, refuse, state};
use crate::explained::Explained;
use crate::process::Home;
use crate::rows::Rows;
use crate::situation;

/// What is known before one decision. A forecast is no part of a situation, because books may learn one later.
pub(crate) type Given = (Situation, Option<Forecast>);

/// A decision that is complete, or waits for the answer to a question.
#[expect(clippy::large_enum_variant, reason = "most decisions act, and a box would cost each of them an allocation")]
pub(crate) enum Decided {
    Act(Act),
    Ask(Asked),
}

/// What a batch shows of one of its decisions. A record is many times as large, and a batch has thousands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seated {
    pub(crate) place: usize,
    /// What is done, or the number of the question that waits.
    pub(crate) turn: Result<Action, u64>,
    pub(crate) estimate: f64,
    pub(crate) score: f64,
    pub(crate) threshold: f64,
}

impl Seated {
    fn at(place: usize, decided: &Decided) -> Self {
        match decided {
            Decided::Act(act) => {
                let (estimate, score, threshold) = (act.record.estimate, act.record.score, act.record.threshold);
                Self { place, turn: Ok(act.action), estimate, score, threshold }
            }
            Decided::Ask(Asked { serial, estimate, score, threshold }) => {
                Self { place, turn: Err(*serial), estimate: *estimate, score: *score, threshold: *threshold }
            }
        }
    }
}

/// What a question says of itself; the question stays with the deployment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked {
    pub(crate) serial: u64,
    pub(crate) estimate: f64,
    pub(crate) score: f64,
    pub(crate) threshold: f64,
}

impl Decided {
    /// What Python is handed: an act, or a question of the engine or controller with this number.
    pub(crate) fn shown<'py>(self, py: Python<'py>, of: u64, explained: &Explained) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self {
            Self::Act(act) => Bound::new(py, crate::act::Act(act, explained.clone()))?.into_any(),
            Self::Ask(asked) => Bound::new(py, crate::act::Ask::new(asked, of))?.into_any(),
        })
    }
}

/// The questions that wait for their answers, by number.
#[derive(Default)]
pub(crate) struct Open(BTreeMap<u64, Ask>);

impl Open {
    /// What a turn comes to. Its question is kept, if it has one.
    pub(crate) fn keep(&mut self, turn: Turn) -> Decided {
        let ask = match turn {
            Turn::Act(act) => return Decided::Act(act),
            Turn::Ask(ask) => ask,
        };
        let (serial, standing) = (ask.serial(), ask.standing());
        let (score, threshold) = (standing.score, standing.threshold);
        let asked = Asked { serial, estimate: ask.estimate(), score, threshold };
        self.0.insert(serial, ask);
        Decided::Ask(asked)
    }

    /// The question with this number, if it waits still.
    pub(crate) fn take(&mut self, serial: u64) -> Option<Ask> {
        self.0.remove(&serial)
    }
}

/// A controller with what is open and what is logged.
pub(crate) struct Deployment {
    pub(crate) controller: Controller,
    open: Open,
    rows: Option<Rows>,
    /// The step of the last complete decision at each place, until its outcome is known.
    last: BTreeMap<u64, u64>,
    pub(crate) batches: u64,
    /// The number of places that were handed out or decided at.
    places: usize,
    home: Home,
}

impl Deployment {
    /// A place that nobody has yet.
    pub(crate) fn next_place(&mut self) -> usize {
        self.places += 1;
        self.places - 1
    }

    /// Goes on at this place.
    pub(crate) fn turn_to(&mut self, place: usize) {
        self.places = self.places.max(place + 1);
        self.controller.turn_to(place);
    }

    /// Lets the next episode of a place begin: at once where there is one place, and with its next decision where there are several, since
    /// the audit begins episodes there.
    pub(crate) fn begin_episode(&mut self, place: usize) -> Result<(), Error> {
        self.turn_to(place);
        if self.places > 1 { self.controller.end_episode() } else { self.controller.begin_episode() }
    }

    pub(crate) fn decide(&mut self, (situation, forecast): Given) -> Result<Decided, Error> {
        let complete = |_: &_, _: &_| Ok::<_, Error>(Completion { forecast, ..Completion::default() });
        let decided = self.open.keep(self.controller.decide_with(situation, complete)?);
        if let Decided::Act(act) = &decided {
            self.note(act);
        }
        Ok(decided)
    }

    /// Decides at several places side by side. What was asked before and not answered counts as lost.
    pub(crate) fn decide_batch(&mut self, given: Vec<(usize, Given)>) -> Result<Vec<Seated>, Error> {
        self.settle()?;
        // For the audit, all episodes begin before the first decision of the batch.
        for (place, _) in &given {
            self.controller.turn_to(*place);
            if self.controller.is_between_episodes() {
                self.controller.begin_episode()?;
            }
        }
        if !given.is_empty() {
            self.controller.begin_batch();
            self.batches += 1;
        }
        let mut seated = Vec::with_capacity(given.len());
        for (place, given) in given {
            self.controller.turn_to(place);
            seated.push(Seated::at(place, &self.decide(given)?));
        }
        Ok(seated)
    }

    /// Takes the reply to a question; nothing if that is not open.
    pub(crate) fn resume(&mut self, serial: u64, reply: Reply) -> Result<Option<Act>, Error> {
        let Some(ask) = self.open.take(serial) else { return Ok(None) };
        let act = self.controller.resume(ask, reply)?;
        self.note(&act);
        Ok(Some(act))
    }

    /// Takes the replies to questions of one batch, in their order; nothing if one of them is not open.
    pub(crate) fn resume_all(&mut self, replies: Vec<(u64, Reply)>) -> Result<Option<Vec<Act>>, Error> {
        if !replies.iter().all(|(serial, _)| self.open.0.contains_key(serial)) {
            return Ok(None);
        }
        let take = |(serial, reply)| Some((self.open.take(serial)?, reply));
        let answered = replies.into_iter().filter_map(take).collect();
        let acts = self.controller.resume_all(answered)?;
        acts.iter().for_each(|act| self.note(act));
        Ok(Some(acts))
    }

    /// Gives up every open question as lost. They were paid for, so they must be in the log.
    pub(crate) fn settle(&mut self) -> Result<(), Error> {
        let open: Vec<(u64, Reply)> = self.open.0.keys().map(|serial| (*serial, Reply::lost())).collect();
        self.resume_all(open).map(drop)
    }

    /// Notes what came of the last decision at a place, in the books and in the log.
    pub(crate) fn outcome(&mut self, place: usize, outcome: Outcome, known: Hindsight) -> Result<(), Error> {
        self.controller.turn_to(place);
        // What is refused is not logged, and can be said again.
        self.controller.outcome(outcome)?;
        if let (Some(rows), Some(step)) = (&self.rows, self.last.remove(&(place as u64))) {
            rows.know(step, known);
        }
        Ok(())
    }

    /// Notes that another action is executed than the last decision's at a place, in the books and in the log.
    pub(crate) fn override_with(&mut self, place: usize, action: Action, by: &str) -> Result<Override, Error> {
        self.controller.turn_to(place);
        let step = self.controller.waiting();
        let overridden = self.controller.override_with(action, by)?;
        if let (Some(rows), Some(step)) = (&self.rows, step) {
            rows.set_override(step, overridden.clone());
        }
        Ok(overridden)
    }

    /// Writes a complete decision down, if there is a log.
    fn note(&mut self, act: &Act) {
        if let Some(rows) = &self.rows {
            self.last.insert(act.record.place, act.record.step);
            rows.push(Decision::new(act.record.clone(), Hindsight::default()));
        }
    }
}

impl Drop for Deployment {
    fn drop(&mut self) {
        // A fork has a copy of what its parent still works on.
        if self.rows.is_some() && self.home.check("controller").is_ok() {
            // Nobody is left to be told of an error; the questions are written down as far as possible.
            let _ = self.settle();
        }
    }
}

/// A deployment that threads and places share.
#[derive(Clone)]
pub(crate) struct Shared {
    pub(crate) deployment: Arc<Mutex<Deployment>>,
    pub(crate) identity: u64,
    pub(crate) explained: Explained,
    home: Home,
}

impl Shared {
    pub(crate) fn new(controller: Controller, rows: Option<Rows>) -> Self {
        let explained = Explained::by(controller.engine());
        let deployment = Deployment {
            controller,
            open: Open::default(),
            rows,
            last: BTreeMap::new(),
            batches: 0,
            places: 0,
            home: Home::here(),
        };
        Self { deployment: Arc::new(Mutex::new(deployment)), identity: identity(), explained, home: Home::here() }
    }

    /// Another radius from the next decision on. The audit of a log derives a calibrated radius from the head of the log, and so knows one.
    pub(crate) fn set_radius(&self, radius: RadiusInForce) -> PyResult<()> {
        let is_set = self.with(|deployment| {
            let calibrated =
                |radius: &RadiusInForce| matches!(radius, RadiusInForce::Fixed(_) | RadiusInForce::Online(_));
            let controller = &mut deployment.controller;
            if deployment.rows.is_some() && (calibrated(&radius) || calibrated(controller.radius())) {
                return Ok(false);
            }
            controller.set_radius(radius);
            Ok(true)
        })?;
        if is_set {
            return Ok(());
        }
        Err(state(
            "a log keeps how its calibrated radius came about, and that is one radius; save the controller, and go on with another log",
        ))
    }

    /// Works on the deployment. The lock is dropped before an error becomes a Python exception.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&mut Deployment) -> Result<T, Error>) -> PyResult<T> {
        self.home.check("controller")?;
        let done = work(&mut locked(&self.deployment));
        done.map_err(failed)
    }

    /// The same for longer work, while other Python threads go on.
    pub(crate) fn with_detached<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Deployment) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        self.home.check("controller")?;
        let done = py.detach(|| work(&mut locked(&self.deployment)));
        done.map_err(failed)
    }

    /// The action with this number or name.
    pub(crate) fn action(&self, given: &Bound<'_, PyAny>) -> PyResult<Action> {
        let words = self.look(|controller| controller.engine().parser().words().to_vec());
        if let Ok(number) = given.extract::<i64>() {
            return situation::action("action", "the number of an action", number, words.len());
        }
        let name = given.extract::<String>().ok();
        let found = name.and_then(|name| words.iter().position(|word| *word == name));
        found.map(Action::new).ok_or_else(|| {
            refuse(format!("`action` is {given}; pass the number of an action, or one of {}", words.join(", ")))
        })
    }

    /// Looks something up at a place.
    pub(crate) fn look_at<T>(&self, place: usize, look: impl FnOnce(&Controller) -> T) -> T {
        let deployment = &mut *locked(&self.deployment);
        deployment.controller.turn_to(place);
        look(&deployment.controller)
    }

    /// Looks something up.
    pub(crate) fn look<T>(&self, look: impl FnOnce(&Controller) -> T) -> T {
        look(&locked(&self.deployment).controller)
    }
}
