//! The models behind a policy, as they are declared when the server is started.
//!
//! ```toml
//! [endpoints.advisor]                     # the name of an advisor of the policy; `advisor` where the policy names none
//! base_url = "https://api.example.com"
//! model = "big-model"
//! key_env = "BIG_MODEL_KEY"               # the variable that holds the key
//! max_tokens = 400
//!
//! [endpoints.cheap]                       # the executor's own model, for POST /v1/chat/completions
//! base_url = "http://127.0.0.1:8080"
//! model = "small-model"
//! ```
//!
//! Invariant: one permit is one attempt. Nothing is sent again by itself, so what a budget of calls counts is what an endpoint sees.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use counsel_advisor::{Decoding, LanguageModel, Outage, Prompt, Request, Utterance};
use counsel_endpoint::{Endpoint, EndpointSettings, Key, Ledger, OtherModel};
use counsel_serve::{PolicySpec, Stopwatch};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Error;
use crate::cascade::QuestionSpec;
use crate::consultation::Heard;
use crate::question::is_about_advice;

/// The name of the executor's own model.
pub(crate) const CHEAP: &str = "cheap";
/// Connections that are kept for the next question.
const KEPT: usize = 8;

/// A model behind an OpenAI-compatible endpoint.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `base_url` | | an address, with or without `/v1` at its end |
/// | `model` | | the model that is asked for |
/// | `key_env` | no key | the environment variable that holds the key |
/// | `max_tokens` | 512 | at least 1 |
/// | `time_out_s` | 60 | 0.001 to 86400 |
/// | `temperature` | 0 | 0 to 2 |
/// | `system` | advice to another program | what sets the scene |
/// | `any_model` | false | whether an answer under another model's name is taken |
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndpointSpec {
    /// Where it is.
    pub base_url: String,
    /// The model that is asked for.
    pub model: String,
    /// The variable that holds the key.
    #[serde(default)]
    pub key_env: Option<String>,
    /// Tokens of an answer at most.
    #[serde(default = "max_tokens")]
    pub max_tokens: u32,
    /// How long an answer may take.
    #[serde(default = "time_out_s")]
    pub time_out_s: f64,
    /// 0 takes the likeliest token at every step.
    #[serde(default)]
    pub temperature: f64,
    /// What sets the scene.
    #[serde(default)]
    pub system: Option<String>,
    /// Whether an answer under another model's name is taken.
    #[serde(default)]
    pub any_model: bool,
}

fn max_tokens() -> u32 {
    512
}

fn time_out_s() -> f64 {
    60.0
}

/// A model that can be asked.
#[derive(Debug)]
pub(crate) struct Voice {
    pub(crate) spec: EndpointSpec,
    settings: EndpointSettings,
    /// Connections that nobody uses now.
    idle: Mutex<Vec<Endpoint>>,
}

/// What a model said, and what it took.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Spoke {
    pub(crate) text: String,
    pub(crate) tokens: [Option<u32>; 2],
}

impl Spoke {
    /// Tokens, as the sidecar takes them; null if they are not known.
    pub(crate) fn usage(&self) -> Value {
        match self.tokens {
            [Some(input), Some(output)] => json!({ "input_tokens": input, "output_tokens": output }),
            _ => Value::Null,
        }
    }
}

/// One attempt at a model, as it is reported to an onlooker.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Attempt {
    pub(crate) model: String,
    pub(crate) watch: Stopwatch,
    pub(crate) tokens: [Option<u32>; 2],
    pub(crate) has_answered: bool,
}

impl Attempt {
    /// An attempt that began then and came to this.
    pub(crate) fn at(voice: &Voice, watch: Stopwatch, spoke: Result<&Spoke, &Outage>) -> Self {
        let tokens = spoke.map_or([None, None], |spoke| spoke.tokens);
        Self { model: voice.spec.model.clone(), watch, tokens, has_answered: spoke.is_ok() }
    }
}

impl Voice {
    fn new(name: &str, spec: EndpointSpec, variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, Error> {
        let refuse = |reason: String| Error::Endpoint { name: name.to_owned(), reason };
        if spec.max_tokens == 0 {
            return Err(refuse("max_tokens is 0; pass 1 or more".into()));
        }
        if !(0.0..=2.0).contains(&spec.temperature) {
            return Err(refuse(format!("temperature is {}; pass 0 to 2", spec.temperature)));
        }
        if !(0.001..=86_400.0).contains(&spec.time_out_s) {
            return Err(refuse(format!("time_out_s is {}; pass 0.001 to 86400", spec.time_out_s)));
        }
        let mut settings = EndpointSettings::new(spec.base_url.as_str(), spec.model.as_str());
        settings.time_out = Duration::from_secs_f64(spec.time_out_s);
        settings.deadline = settings.time_out;
        settings.retries = 0;
        settings.concurrency = 1;
        if spec.any_model {
            settings.other_model = OtherModel::Accepted;
        }
        if let Some(key) = &spec.key_env {
            let unset =
                || refuse(format!("the variable {key} is not set or empty; set it to the key, or leave key_env out"));
            let text = variable(key).filter(|text| !text.trim().is_empty()).ok_or_else(unset)?;
            settings.key = Some(Key::new(text).map_err(|error| refuse(error.to_string()))?);
        }
        let voice = Self { spec, settings, idle: Mutex::default() };
        // What is wrong with the address is said now, not at the first question.
        let first = voice.open().map_err(|outage| refuse(outage.reason))?;
        voice.keep(first);
        Ok(voice)
    }

    fn open(&self) -> Result<Endpoint, Outage> {
        let ledger = Ledger::in_memory(u64::MAX);
        Endpoint::new(self.settings.clone(), ledger).map_err(|error| Outage::new(error.to_string()))
    }

    fn keep(&self, endpoint: Endpoint) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < KEPT {
            idle.push(endpoint);
        }
    }

    /// One attempt.
    pub(crate) fn speak(
        &self,
        prompt: Prompt,
        max_tokens: Option<u32>,
        temperature: Option<f64>,
    ) -> Result<Spoke, Outage> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut endpoint = idle.map_or_else(|| self.open(), Ok)?;
        let decoding = Decoding::Generate {
            max_tokens: max_tokens.unwrap_or(self.spec.max_tokens).min(self.spec.max_tokens),
            temperature: temperature.unwrap_or(self.spec.temperature),
            seed: 0,
        };
        let Utterance { text, request_tokens, response_tokens, .. } =
            endpoint.answer_one(&Request { prompt, decoding })?;
        // One that failed is closed: its breaker counts towards silence.
        self.keep(endpoint);
        Ok(Spoke { text, tokens: [request_tokens, response_tokens] })
    }

    /// One attempt, as what was heard.
    pub(crate) fn hear(&self, prompt: Prompt) -> (Heard, Attempt) {
        let watch = Stopwatch::start();
        let spoke = self.speak(prompt, None, None);
        let asked = Attempt::at(self, watch, spoke.as_ref());
        let heard = match spoke {
            Ok(spoke) => Heard::Said { usage: spoke.usage(), text: spoke.text },
            Err(outage) => Heard::Lost { reason: outage.reason },
        };
        (heard, asked)
    }
}

/// The models behind one policy, by name.
#[derive(Debug, Default)]
pub struct Endpoints {
    voices: BTreeMap<String, Voice>,
}

/// A policy file, taken apart: what the service reads, and what stands before it.
#[derive(Debug)]
pub struct PolicyFile {
    /// The policy as the service reads it.
    pub policy: String,
    /// The models behind it.
    pub endpoints: Endpoints,
    /// The settings of its questions and the price of a call: those of its table `[cascade]`, or those of every policy about advice.
    pub questions: Option<(QuestionSpec, f64)>,
}

impl PolicyFile {
    /// Takes the tables `endpoints` and `cascade` out of the text of a policy.
    pub fn read(text: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<Self, Error> {
        let Taken { policy, endpoints, questions } =
            if text.trim_start().starts_with('{') { from_json(text)? } else { from_toml(text)? };
        let mut voices = BTreeMap::new();
        for (name, spec) in endpoints {
            let voice = Voice::new(&name, spec, variable)?;
            voices.insert(name, voice);
        }
        let questions = questions.or_else(|| {
            let spec = PolicySpec::read(policy.as_bytes()).ok()?;
            let price = spec.price.filter(|_| is_about_advice(&spec.actions))?;
            Some((QuestionSpec::giving_up(), price))
        });
        Ok(Self { policy, endpoints: Endpoints { voices }, questions })
    }
}

impl Endpoints {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.voices.is_empty()
    }

    /// The model of this advisor; where there is one advisor beside the cheap model, its name does not matter.
    pub(crate) fn advisor(&self, name: &str) -> Option<&Voice> {
        let mut advisors = self.voices.iter().filter(|(name, _)| *name != CHEAP);
        match (self.voices.get(name).filter(|_| name != CHEAP), advisors.next(), advisors.next()) {
            (Some(voice), ..) | (None, Some((_, voice)), None) => Some(voice),
            _ => None,
        }
    }

    /// The executor's own model.
    pub(crate) fn cheap(&self) -> Option<&Voice> {
        self.voices.get(CHEAP)
    }

    /// Whether anybody can be asked.
    pub(crate) fn has_advisors(&self) -> bool {
        self.voices.keys().any(|name| name != CHEAP)
    }
}

struct Taken {
    policy: String,
    endpoints: BTreeMap<String, EndpointSpec>,
    questions: Option<(QuestionSpec, f64)>,
}

fn from_toml(text: &str) -> Result<Taken, Error> {
    let refuse = |error: toml::de::Error| Error::Policy { reason: error.message().to_owned() };
    let mut table: toml::Table = text.parse().map_err(refuse)?;
    let endpoints = table.remove("endpoints").map(toml::Value::try_into).transpose().map_err(refuse)?;
    let cascade = table.remove("cascade").map(toml::Value::try_into::<QuestionSpec>).transpose().map_err(refuse)?;
    let number = |value: &toml::Value| value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64));
    let price = table.get("price").and_then(number);
    let is_untouched = endpoints.is_none() && cascade.is_none();
    let questions = priced(cascade, price)?;
    if questions.is_some() {
        table.insert("price".to_owned(), toml::Value::Float(0.0));
    }
    // Untouched, so that what is wrong with it is found in its own lines.
    let policy = if is_untouched { text.to_owned() } else { table.to_string() };
    Ok(Taken { policy, endpoints: endpoints.unwrap_or_default(), questions })
}

fn from_json(text: &str) -> Result<Taken, Error> {
    let refuse = |error: serde_json::Error| Error::Policy { reason: error.to_string() };
    let mut object: serde_json::Map<String, Value> = serde_json::from_str(text).map_err(refuse)?;
    let endpoints = object.remove("endpoints").map(serde_json::from_value).transpose().map_err(refuse)?;
    let cascade = object.remove("cascade").map(serde_json::from_value::<QuestionSpec>).transpose().map_err(refuse)?;
    let price = object.get("price").and_then(Value::as_f64);
    let questions = priced(cascade, price)?;
    if questions.is_some() {
        object.insert("price".to_owned(), json!(0.0));
    }
    Ok(Taken { policy: Value::Object(object).to_string(), endpoints: endpoints.unwrap_or_default(), questions })
}

/// The settings of questions beside the price of a call, which they need.
fn priced(cascade: Option<QuestionSpec>, price: Option<f64>) -> Result<Option<(QuestionSpec, f64)>, Error> {
    let Some(cascade) = cascade else { return Ok(None) };
    match price.filter(|price| *price >= 0.0 && price.is_finite()) {
        Some(price) => Ok(Some((cascade, price))),
        None => Err(Error::Policy {
            reason: "[cascade] needs `price`, the cost of one call in units of return; add it".into(),
        }),
    }
}
