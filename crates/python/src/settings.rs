//! Settings as they come from Python: a dataclass that gives its JSON, in the words of the study files.

use counsel_controller::{Parser, Seed};
use counsel_decision::Engine;
use pyo3::prelude::*;
use pyo3::types::PyString;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::act::named;
use crate::error::{misset, refuse};

/// What is declared of a controller, and whom it asks.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Settings {
    /// The version of the advisor.
    pub(crate) advisor: String,
    #[serde(flatten)]
    pub(crate) settings: counsel_decision::Settings,
}

impl Settings {
    /// The settings of a `counsel.Settings`.
    pub(crate) fn of(settings: &Bound<'_, PyAny>) -> PyResult<Self> {
        if !settings.hasattr("_json")? {
            return Err(misset("these are no settings; pass a counsel.Settings"));
        }
        let text: String = settings.call_method0("_json")?.extract()?;
        read(&text, "the settings", "counsel.Settings")
    }

    /// The settings of an engine as text.
    pub(crate) fn written(engine: &Engine) -> String {
        let mut written = json!(engine.settings());
        written["advisor"] = engine.cache().advisor().into();
        written.to_string()
    }

    /// The `counsel.Settings` of a text.
    pub(crate) fn shown<'py>(py: Python<'py>, written: &str) -> PyResult<Bound<'py, PyAny>> {
        let written = py.import("json")?.call_method1("loads", (written,))?;
        py.import("counsel.settings")?.getattr("Settings")?.call_method1("from_dict", (written,))
    }

    /// A fresh engine. The randomness of a gate comes from `seed`.
    pub(crate) fn engine(&self, parser: Parser, seed: u64) -> PyResult<Engine> {
        let engine = Engine::new(&self.settings, parser, Seed::root(seed)).map_err(refuse)?;
        Ok(engine.advised_by(self.advisor.clone()))
    }
}

/// What a text declares. The place in the text says nothing to who never saw it.
pub(crate) fn read<T: DeserializeOwned>(text: &str, what: &str, class: &str) -> PyResult<T> {
    serde_json::from_str(text).map_err(|error| {
        let error = error.to_string();
        let reason = error.rsplit_once(" at line ").map_or(error.as_str(), |(reason, _)| reason);
        misset(format!("{what} cannot be read: {reason}; pass values of the types that {class} declares"))
    })
}

/// The names of the actions: as they are listed, or `a0`, `a1`, ... where only their number is given.
pub(crate) fn parser(actions: &Bound<'_, PyAny>, form: &str) -> PyResult<Parser> {
    let unknown = || misset(format!("the form `{form}` is unknown; choose `word` or `json`"));
    let form = named(form).ok_or_else(unknown)?;
    let wrong = || refuse(format!("`actions` is {actions}; pass one name per action, or their number, 1 to 65535"));
    if let Ok(count) = actions.extract::<i64>() {
        let count = u16::try_from(count).ok().filter(|count| *count > 0).ok_or_else(wrong)?;
        return Ok(Parser::numbered(usize::from(count)).in_form(form));
    }
    if actions.is_instance_of::<PyString>() {
        return Err(wrong());
    }
    let names: Vec<String> = actions.extract().map_err(|_| wrong())?;
    if names.is_empty() {
        return Err(wrong());
    }
    Ok(Parser::new(names).map_err(refuse)?.in_form(form))
}

/// Refuses settings that no engine can be made of.
#[pyfunction]
pub(crate) fn check_settings(settings: &Bound<'_, PyAny>) -> PyResult<()> {
    Settings::of(settings)?.engine(Parser::numbered(1), 0).map(|_| ())
}
