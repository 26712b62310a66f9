//! What a study plays: a world with an agent in it, and all settings of both.
//!
//! A scene file describes one kind of it by [`Playable`], and `registry.rs` gives the kind its name. A [`Scenario`] is one with its settings: read from
//! a study, where every part is built once as a check, or from a manifest.

use std::fmt::Debug;
use std::sync::Arc;

use counsel_advisor::AdvisorName;
use counsel_decision::{Seed, Settings};
use counsel_log::CellKey;
use counsel_session::{Bookkeeping, Deployment, Error, Played, Shared};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use toml::Table;

use crate::registry::find;
use crate::replay::{Track, seed_of};

/// A world with an agent in it, and all settings of both.
pub(crate) trait Playable: Debug + Send + Sync {
    /// Builds every part once, so that a setting that cannot work is refused before anything runs.
    fn check(&self, seed: Seed) -> Result<(), Error>;

    /// Plays one cell.
    fn cell(&self, seed: Seed, shared: Shared<'_>) -> Result<Played, Error>;

    /// Plays one cell, where the number of its seed matters: an order of rows may be a published one.
    fn cell_of(&self, key: &CellKey, shared: Shared<'_>) -> Result<Played, Error> {
        self.cell(seed_of(key), shared)
    }

    /// Whether its run can go another way from a decision on.
    fn forks(&self) -> bool {
        false
    }

    /// Its world, to be played again without the agent; none if the agent itself chooses the contexts.
    fn track(&self, _seed: Seed) -> Result<Option<Box<dyn Track>>, Error> {
        Ok(None)
    }

    /// The language models whose answers it needs.
    fn models(&self) -> Vec<AdvisorName> {
        Vec::new()
    }

    /// Who is asked, if settings name an advisor.
    fn advisor(&self) -> Option<String> {
        None
    }

    /// What its run depends on, if that is less than all settings.
    fn run_key(&self) -> Option<String> {
        None
    }

    /// What is wrong with settings that could not be read, and where, if the message of their reader does not say where.
    fn misread(_settings: &Table) -> Option<String>
    where
        Self: Sized,
    {
        None
    }
}

/// A scenario with all its settings.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// The settings as data, with the name of the kind.
    spec: Arc<Value>,
    pub(crate) playable: Arc<dyn Playable>,
}

/// Settings as they are written down.
#[derive(Clone, Copy)]
pub(crate) enum RawSettings<'a> {
    Study(&'a Table),
    Manifest(&'a Value),
}

impl Scenario {
    /// Reads the settings of the kind with this name, fills in the defaults, refuses unknown keys and what cannot run.
    pub fn resolve(kind: &str, settings: &Table) -> Result<Self, String> {
        if settings.contains_key(SCENARIO) {
            return Err(format!(
                "`{SCENARIO}` is what the study is, no setting of it; choose a study that has another"
            ));
        }
        refuse_infinities("", &toml::Value::Table(settings.clone()))?;
        let kind = find(kind)?;
        (kind.read)(kind.name, RawSettings::Study(settings))
    }

    /// Reads a scenario as a manifest has it.
    pub fn from_spec(spec: &Value) -> Result<Self, String> {
        let mut settings = spec.clone();
        let kind = settings.as_object_mut().and_then(|settings| settings.remove(SCENARIO));
        let kind = find(kind.as_ref().and_then(Value::as_str).unwrap_or_default())?;
        (kind.read)(kind.name, RawSettings::Manifest(&settings))
    }

    pub(crate) fn read<T>(kind: &str, written: RawSettings<'_>) -> Result<Self, String>
    where
        T: Playable + Serialize + DeserializeOwned + 'static,
    {
        let settings: T = match written {
            RawSettings::Study(table) => located(table)?,
            RawSettings::Manifest(value) => T::deserialize(value).map_err(|error| error.to_string())?,
        };
        let mut spec = as_data(&settings)?;
        match written {
            RawSettings::Study(table) => {
                refuse_unknown("", &as_data(table)?, &spec)?;
                settings.check(Seed::root(0)).map_err(|error| error.to_string())?;
            }
            // A run of a version with other settings would be read as another one.
            RawSettings::Manifest(value) => refuse_unknown("", value, &spec)?,
        }
        spec[SCENARIO] = kind.into();
        Ok(Self { spec: Arc::new(spec), playable: Arc::new(settings) })
    }

    /// The same as data, for the manifest.
    pub fn spec(&self) -> &Value {
        &self.spec
    }

    /// The language models whose answers it needs.
    pub fn models(&self) -> Vec<AdvisorName> {
        self.playable.models()
    }

    /// Plays one cell. The same key always gives the same decisions; arms with the same seed share their randomness.
    pub(crate) fn run(&self, key: &CellKey, shared: Shared<'_>) -> Result<Played, Error> {
        self.playable.cell_of(key, shared)
    }

    /// What its run depends on. Cells of one study and seed with the same key are the same run.
    pub(crate) fn run_key(&self) -> String {
        self.playable.run_key().unwrap_or_else(|| self.spec.to_string())
    }
}

/// The key under which a manifest has the name of a scenario.
const SCENARIO: &str = "scenario";

/// How a message says where a setting stands.
const PLACE: &str = " in `";

fn as_data(settings: &impl Serialize) -> Result<Value, String> {
    serde_json::to_value(settings).map_err(|error| error.to_string())
}

/// Reads the settings of one kind as a study has them; the message of an error says where it is.
fn located<T: Playable + DeserializeOwned>(settings: &Table) -> Result<T, String> {
    settings.clone().try_into().map_err(|error| {
        let message = line(&error);
        if message.contains(PLACE) { message } else { T::misread(settings).unwrap_or(message) }
    })
}

/// What is wrong with a part of the settings, and where. Serde buffers the keys of a flattened part and forgets where they stand; read by itself, the part
/// has them at first hand.
pub(crate) fn misread_part<T: DeserializeOwned>(settings: &Table) -> Option<String> {
    settings.clone().try_into::<T>().err().map(|error| line(&error)).filter(|message| message.contains(PLACE))
}

/// The same of the books, the controller and its phases, which most scenarios have.
pub(crate) fn misread_deployment(settings: &Table) -> Option<String> {
    misread_part::<Bookkeeping>(settings)
        .or_else(|| misread_part::<Deployment>(settings))
        .or_else(|| misread_part::<Settings>(settings))
}

/// The message of an error, on one line.
fn line(error: &toml::de::Error) -> String {
    error.to_string().trim().replace('\n', " ")
}

/// Refuses a key that was written but not understood. (Serde ignores keys beside the name of a choice without settings.)
pub(crate) fn refuse_unknown(path: &str, given: &Value, understood: &Value) -> Result<(), String> {
    for (key, value) in given.as_object().into_iter().flatten() {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match understood.get(key) {
            Some(inner) => refuse_unknown(&path, value, inner)?,
            None => return Err(format!("unknown key `{path}`; remove it or correct its spelling")),
        }
    }
    Ok(())
}

/// Refuses numbers that a manifest cannot hold.
fn refuse_infinities(path: &str, value: &toml::Value) -> Result<(), String> {
    let inside = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match value {
        toml::Value::Float(number) if !number.is_finite() => {
            Err(format!("`{path}` is {number}; write a finite number"))
        }
        toml::Value::Table(table) => table.iter().try_for_each(|(key, value)| refuse_infinities(&inside(key), value)),
        toml::Value::Array(list) => list.iter().try_for_each(|value| refuse_infinities(path, value)),
        _ => Ok(()),
    }
}
