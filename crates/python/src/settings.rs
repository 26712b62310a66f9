//! Settings as they come from Python: a dataclass that gives its JSON, in the words of the study files.

use counsel_advisor::Digest;
use counsel_decision::{Controller, Engine, Form, Parser, Seed};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use serde::Deserialize;

use crate::array::Argument;
use crate::error::{misset, refuse};

/// A controller and whom it asks.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Settings {
    /// The version of the advisor.
    pub(crate) advisor: String,
    #[serde(flatten)]
    pub(crate) controller: Controller,
}

impl Settings {
    /// The settings of a `counsel.Settings`.
    pub(crate) fn of(settings: &Bound<'_, PyAny>) -> PyResult<Self> {
        if !settings.hasattr("_json")? {
            return Err(misset("these are no settings; pass a counsel.Settings"));
        }
        let text: String = settings.call_method0("_json")?.extract()?;
        serde_json::from_str(&text).map_err(|error| {
            misset(format!(
                "the settings cannot be read: {error}; pass values of the types that counsel.Settings declares"
            ))
        })
    }

    /// A fresh engine. Its chance, if the gate has any, comes from `seed`.
    pub(crate) fn engine(&self, parser: Parser, seed: u64) -> PyResult<Engine> {
        let engine = Engine::new(&self.controller, parser, Seed::root(seed)).map_err(refuse)?;
        Ok(engine.advised_by(self.advisor.clone()))
    }
}

/// The words of the parser: as they are listed, or numbered.
pub(crate) fn parser(words: &Bound<'_, PyAny>, form: &str) -> PyResult<Parser> {
    let form = match form {
        "word" => Form::Word,
        "json" => Form::Json,
        other => return Err(misset(format!("the form `{other}` is unknown; choose `word` or `json`"))),
    };
    if let Ok(actions) = words.extract::<u16>() {
        return Ok(Parser::numbered(usize::from(actions)).in_form(form));
    }
    let wrong = || refuse("`words` names no actions; pass one word per action, or how many actions there are");
    if words.is_instance_of::<PyString>() {
        return Err(wrong());
    }
    let words: Vec<String> = words.extract().map_err(|_| wrong())?;
    if words.is_empty() {
        return Err(wrong());
    }
    Ok(Parser::new(words).map_err(refuse)?.in_form(form))
}

/// Refuses settings that no engine can be made of.
#[pyfunction]
pub(crate) fn check_settings(settings: &Bound<'_, PyAny>) -> PyResult<()> {
    Settings::of(settings)?.engine(Parser::numbered(1), 0).map(|_| ())
}

/// The key of a context: the first eight bytes of the SHA-256 digest of what the advisor would be shown. Text is taken as UTF-8,
/// an array by its bytes. Keys of prompts are those in the logs of `counsel reproduce`.
#[pyfunction]
#[pyo3(signature = (data, /))]
pub(crate) fn context_key(data: &Bound<'_, PyAny>) -> PyResult<u64> {
    if let Ok(text) = data.cast::<PyString>() {
        return Ok(Digest::of(text.to_cow()?.as_bytes()).context_key().0);
    }
    if let Ok(bytes) = data.cast::<PyBytes>() {
        return Ok(Digest::of(bytes.as_bytes()).context_key().0);
    }
    let bytes = data.call_method0("tobytes").ok();
    let bytes = bytes.as_ref().and_then(|bytes| bytes.cast::<PyBytes>().ok());
    let what = data.get_type();
    let bytes = bytes.ok_or_else(|| refuse(format!("{what} has no bytes; pass bytes, text or an array")))?;
    Ok(Digest::of(bytes.as_bytes()).context_key().0)
}

/// The context of one decision: a key, or what a key is made of.
pub(crate) fn context(context: &Bound<'_, PyAny>) -> PyResult<u64> {
    if let Ok(key) = context.extract::<u64>() {
        return Ok(key);
    }
    if let Ok(key) = context.extract::<i64>() {
        return Ok(key.cast_unsigned());
    }
    context_key(context)
}

/// The features of one decision.
pub(crate) fn features(features: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<f64>> {
    const FEATURES: Argument<1> = Argument::new("features", ["features"]);
    features.map_or_else(|| Ok(Vec::new()), |features| Ok(FEATURES.reals(features)?.numbers))
}
