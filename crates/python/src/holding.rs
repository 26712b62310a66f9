//! A controller without a world, shared by threads: made when the first request says what it reads, with the lessons that may still be
//! corrected, and its log.
//!
//! Invariants: no Python code runs under the lock; a checkpoint is the core's own text with one key more, so that Rust reads it as well.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use counsel_controller::Error;
use counsel_controller::route::{Chronicled, Happening, Layout, Lesson, Request};
use counsel_decision::refusal::shape;
use counsel_file::Expected;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::act::locked;
use crate::chronicle::{Chronicle, Mark};
use crate::error::{damaged, failed, misset, refuse, state};
use crate::process::Home;
use crate::request::{Reading, Told, check_text};
use crate::settings::read;

/// The decisions whose reward can still be corrected.
const CORRECTABLE: usize = 1024;

/// What the binding keeps beside the core.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Memory {
    lessons: BTreeMap<u64, Lesson>,
    /// Whether both answers were the same, where both were seen, until the reward comes.
    agreed: BTreeMap<u64, bool>,
}

/// What a checkpoint says beside the state of the core.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Beside {
    #[serde(default)]
    price: Option<f64>,
    reading: Reading,
    #[serde(default)]
    memory: Memory,
    /// How far the log had come, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    log: Option<Mark>,
}

impl Beside {
    /// What can be read of requests, by a checkpoint of this layout: as it says itself, and otherwise by these names of groups.
    fn reading(this: Option<&Self>, layout: Layout, groups: Option<&Bound<'_, PyAny>>) -> PyResult<Reading> {
        let Some(groups) = groups else {
            let unnamed =
                || Reading { groups: Reading::numbered(layout.groups), words: layout.buckets, knots: layout.knots };
            return Ok(this.map_or_else(unnamed, |beside| beside.reading.clone()));
        };
        let reading = Reading::of(Some(groups), layout.buckets, layout.knots)?;
        shape("groups", reading.groups.len(), layout.groups, "group of the checkpoint").map_err(refuse)?;
        Ok(reading)
    }
}

/// What differs between the two controllers without a world.
pub(crate) trait Core: Chronicled<Declared: Clone + Send + Sync> + Send {
    /// What is declared of one whose book reads this.
    fn reading(declared: &Self::Declared, layout: Layout) -> Self::Declared;
    /// What was declared of a saved one. Its seed is in its state.
    fn declared(&self) -> Self::Declared;
    /// What its book reads.
    fn layout(&self) -> Layout;
    /// Everything that later decisions depend on.
    fn text(&self) -> Result<String, Error>;
    /// The controller of such a text.
    fn of_text(text: &str) -> Result<Self, Error>;
    /// Another reward for what was learned.
    fn correct(&mut self, lesson: Lesson, reward: f64) -> Result<Lesson, Error>;
}

/// The core with what is kept beside it.
pub(crate) struct Work<C> {
    core: Option<C>,
    memory: Memory,
    log: Option<Chronicle>,
}

impl<C: Core> Work<C> {
    /// The core, if a request was decided.
    pub(crate) fn begun(&mut self) -> PyResult<&mut C> {
        self.core.as_mut().ok_or_else(|| {
            let name = C::KIND;
            state(format!("this {name} has decided nothing yet; call `decide` first"))
        })
    }

    /// Writes what happened into the log, if there is one.
    pub(crate) fn note(&mut self, happening: &Happening) {
        if let Some(log) = &mut self.log {
            log.note(happening);
        }
    }

    /// Keeps a lesson, and forgets the oldest if there are too many.
    fn keep(&mut self, id: u64, lesson: Option<Lesson>) {
        self.memory.agreed.remove(&id);
        self.memory.lessons.extend(lesson.map(|lesson| (id, lesson)));
        while self.memory.lessons.len() > CORRECTABLE {
            self.memory.lessons.pop_first();
        }
    }
}

/// A controller without a world that threads share. It belongs to its process.
pub(crate) struct Holding<C: Core> {
    work: Mutex<Work<C>>,
    home: Home,
    declared: C::Declared,
    reading: Reading,
}

impl<C: Core> Holding<C> {
    /// One that is made at the first request. What could not be made then is refused now.
    pub(crate) fn open(declared: C::Declared, reading: Reading, log: Option<PathBuf>) -> PyResult<Self> {
        C::fresh(C::reading(&declared, reading.declared())).map_err(failed)?;
        let log = log.map(Chronicle::begin).transpose()?;
        let work = Mutex::new(Work { core: None, memory: Memory::default(), log });
        Ok(Self { work, home: Home::here(), declared, reading })
    }

    /// The controller of a checkpoint, with the price that was said beside it.
    pub(crate) fn load(
        path: &Path,
        groups: Option<&Bound<'_, PyAny>>,
        log: Option<PathBuf>,
    ) -> PyResult<(Self, Option<f64>)> {
        #[derive(Deserialize)]
        struct Heading {
            python: Option<Beside>,
        }
        let expected = Expected { what: "a checkpoint", most_bytes: 1 << 32 };
        let text = counsel_file::read_text(path, expected).map_err(damaged)?;
        let core = C::of_text(&text).map_err(failed)?;
        let heading: Heading =
            serde_json::from_str(&text).map_err(|error| failed(Error::Checkpoint { reason: error.to_string() }))?;
        let (declared, layout) = (core.declared(), core.layout());
        let reading = Beside::reading(heading.python.as_ref(), layout, groups)?;
        let (price, memory, mark) =
            heading.python.map_or_else(Default::default, |beside| (beside.price, beside.memory, beside.log));
        let log = log.map(|log| Chronicle::resume(log, mark)).transpose()?;
        let work = Mutex::new(Work { core: Some(core), memory, log });
        Ok((Self { work, home: Home::here(), declared, reading }, price))
    }

    /// What was declared of it.
    pub(crate) fn declared(&self) -> &C::Declared {
        &self.declared
    }

    /// Writes everything that later decisions depend on to a file, whole or not at all.
    pub(crate) fn save(&self, py: Python<'_>, path: &Path, price: Option<f64>) -> PyResult<()> {
        self.home.check(C::KIND)?;
        py.detach(|| {
            let (text, memory, log) = {
                let work = &mut *locked(&self.work);
                let text = work.begun()?.text().map_err(failed)?;
                let log = work.log.as_mut().map(Chronicle::mark).transpose().map_err(damaged)?;
                (text, work.memory.clone(), log)
            };
            let beside = Beside { price, reading: self.reading.clone(), memory, log };
            let beside = serde_json::to_string(&beside).map_err(damaged)?;
            // The text is an object with entries, so that one more fits in front of them.
            let rest = text.strip_prefix('{').unwrap_or(&text);
            counsel_file::write_whole(path, format!("{{\"python\":{beside},{rest}").as_bytes()).map_err(damaged)
        })
    }

    /// Works on it, once all that happened before is in the log.
    pub(crate) fn with<T>(&self, work: impl FnOnce(&mut Work<C>) -> PyResult<T>) -> PyResult<T> {
        self.home.check(C::KIND)?;
        let held = &mut *locked(&self.work);
        held.log.as_mut().map_or(Ok(()), Chronicle::write).map_err(damaged)?;
        work(held)
    }

    /// Works on the core with a request, and writes down what happened. The first request makes the core.
    pub(crate) fn on<T>(
        &self,
        told: &Told<'_>,
        work: impl FnOnce(&mut C, &Request) -> Result<T, Error>,
        happened: impl FnOnce(Request, &T) -> Happening,
    ) -> PyResult<T> {
        let (request, layout) = self.reading.read(told)?;
        self.with(|held| {
            let done = if let Some(core) = &mut held.core {
                check_text(layout, core.layout())?;
                work(core, &request).map_err(failed)?
            } else {
                // A request that is refused settles nothing.
                let declared = C::reading(&self.declared, layout);
                let heading = C::heading(&declared).map_err(failed)?;
                let mut core = C::fresh(declared).map_err(failed)?;
                let done = work(&mut core, &request).map_err(failed)?;
                held.core = Some(core);
                if let Some(log) = &mut held.log {
                    log.declare(heading);
                }
                done
            };
            if held.log.is_some() {
                held.note(&happened(request, &done));
            }
            Ok(done)
        })
    }

    /// Closes a decision by what became known of it, and keeps the lesson. Whether both answers were the same is handed on, as far as it
    /// was seen.
    pub(crate) fn hear(
        &self,
        id: u64,
        learn: impl FnOnce(&mut C, Option<bool>, &mut Vec<Happening>) -> PyResult<Option<Lesson>>,
    ) -> PyResult<()> {
        self.with(|work| {
            let (agreed, mut happened) = (work.memory.agreed.get(&id).copied(), Vec::new());
            let lesson = learn(work.begun()?, agreed, &mut happened);
            happened.iter().for_each(|happening| work.note(happening));
            work.keep(id, lesson?);
            Ok(())
        })
    }

    /// Looks something up, if a request was decided.
    pub(crate) fn look<T>(&self, look: impl FnOnce(&C) -> T) -> Option<T> {
        locked(&self.work).core.as_ref().map(look)
    }

    /// Remembers whether both answers to a question were the same.
    pub(crate) fn note_agreement(&self, id: u64, agreed: bool) {
        locked(&self.work).memory.agreed.insert(id, agreed);
    }

    /// Replaces a reward that was learned.
    pub(crate) fn correct(&self, id: u64, score: f64) -> PyResult<()> {
        self.with(|work| {
            let lesson = work.memory.lessons.get(&id).cloned().ok_or_else(|| {
                state(format!(
                    "decision {id} has no feedback that could be corrected: it has none yet, or {CORRECTABLE} later ones have theirs; \
                     call `feedback` first, and correct it early"
                ))
            })?;
            let lesson = work.begun()?.correct(lesson, score).map_err(failed)?;
            work.memory.lessons.insert(id, lesson);
            work.note(&Happening::Corrected { step: id, reward: score });
            Ok(())
        })
    }
}

/// An error about feedback, in the words of who gives it.
pub(crate) fn unheard(error: Error) -> PyErr {
    match error {
        Error::NotOpen { serial } => state(format!(
            "decision {serial} waits for no feedback: it was not made here, or was closed before; give feedback once, and change it by \
             `correct`"
        )),
        other => failed(other),
    }
}

/// Settings with what was given in the place of their defaults, by the names of their tables in Rust.
pub(crate) fn changed<S: Serialize + DeserializeOwned>(
    default: &S,
    given: Option<&Bound<'_, PyDict>>,
    class: &str,
) -> PyResult<S> {
    let mut settings = serde_json::to_value(default).map_err(|error| misset(error.to_string()))?;
    if let Some(given) = given {
        let py = given.py();
        let plain = py.import("counsel.declaration")?.getattr("plain")?.call1((given,))?;
        let unwritten = |_| {
            misset(format!("the settings {given} hold what is no number, word or dictionary of these; pass numbers"))
        };
        let text: String = py.import("json")?.call_method1("dumps", (plain,)).map_err(unwritten)?.extract()?;
        let given: Value = read(&text, "the settings", class)?;
        if given.pointer("/book/layout").is_some() {
            return Err(misset("`book.layout` follows from the first request; pass `groups` and `words` in its place"));
        }
        merge(&mut settings, given);
    }
    read(&settings.to_string(), "the settings", class)
}

/// Replaces what is given. The tables of a book are filled up with their defaults, which differ between controllers.
fn merge(settings: &mut Value, given: Value) {
    let Value::Object(given) = given else { return };
    for (name, value) in given {
        if matches!(name.as_str(), "book" | "shrinkage") && value.is_object() {
            merge(&mut settings[&name], value);
        } else {
            settings[&name] = value;
        }
    }
}
