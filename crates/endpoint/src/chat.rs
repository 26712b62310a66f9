//! The bodies of `/v1/chat/completions`: what is sent, and a total reading of what comes back.
//!
//! Bytes become a [`Completion`] or an outage that says what is wrong with them. What is not needed is not looked at, so servers may
//! add what they like.

use counsel_advisor::{Decoding, Message, Outage, Request};
use serde_json::{Value, json};

use crate::dialect::is_same_model;
use crate::key::{quote, strike_out};
use crate::{EndpointSettings, LogProbabilities, OtherModel};

/// As many as endpoints list.
const LISTED: u32 = 20;
/// Why words cannot be scored.
pub(crate) const NO_LOG_PROBABILITIES: &str = "the endpoint gives no log-probabilities; use generate";
/// Endpoints read seeds as signed numbers.
const SEEDS: u64 = i64::MAX as u64;

/// The body for a request, or why it cannot be asked.
pub(crate) fn body(settings: &EndpointSettings, request: &Request) -> Result<Value, Outage> {
    if request.prompt.messages().is_empty() {
        return Err(Outage::new("the prompt has no message"));
    }
    // Questions share their decoding, so one that cannot be asked for is no matter of this question alone.
    let refuse = |reason: &str| Err(Outage::systematic(reason));
    let mut body = json!({ "model": settings.model, "messages": messages(request.prompt.messages()), "stream": false });
    let more = match &request.decoding {
        Decoding::Generate { max_tokens: 0, .. } => return refuse("0 tokens are asked for"),
        Decoding::Generate { temperature, .. } if !(0.0..=100.0).contains(temperature) => {
            return refuse(&format!("the temperature {temperature} is not between 0 and 100"));
        }
        Decoding::Generate { max_tokens, temperature, seed } => {
            json!({ "max_tokens": max_tokens, "temperature": temperature, "seed": seed & SEEDS })
        }
        Decoding::Scored { words } if words.is_empty() || words.iter().any(String::is_empty) => {
            return refuse("there are no words to score, or an empty one");
        }
        Decoding::Scored { .. } if settings.log_probabilities == LogProbabilities::Absent => {
            return refuse(NO_LOG_PROBABILITIES);
        }
        Decoding::Scored { .. } => first_token(),
    };
    extend(&mut body, more);
    Ok(body)
}

/// The body that asks for one token with its log-probabilities, to see whether they come.
pub(crate) fn probe(settings: &EndpointSettings, message: &Message) -> Value {
    let mut body =
        json!({ "model": settings.model, "messages": messages(std::slice::from_ref(message)), "stream": false });
    extend(&mut body, first_token());
    body
}

fn first_token() -> Value {
    json!({ "max_tokens": 1, "temperature": 1.0, "top_p": 1.0, "seed": 0, "logprobs": true, "top_logprobs": LISTED })
}

fn messages(messages: &[Message]) -> Vec<Value> {
    let told = messages.iter().filter(|message| !message.is_default_of_qwen());
    told.map(|message| json!({ "role": message.role.name(), "content": message.content })).collect()
}

fn extend(body: &mut Value, more: Value) {
    if let (Value::Object(body), Value::Object(more)) = (body, more) {
        body.extend(more);
    }
}

/// A token that could have come first, and its natural log-probability.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Candidate {
    pub(crate) token: String,
    pub(crate) log_probability: f64,
}

/// What is needed of a reply.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Completion {
    /// What was said; perhaps nothing.
    pub(crate) text: String,
    /// The tokens listed for the first place, if any are.
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) request_tokens: Option<u32>,
    pub(crate) response_tokens: Option<u32>,
    /// The model that the reply names, as it may be quoted.
    pub(crate) model: Option<String>,
}

/// Reads a reply.
pub(crate) fn read(bytes: &[u8], settings: &EndpointSettings) -> Result<Completion, Outage> {
    let key = settings.key.as_ref();
    if bytes.is_empty() {
        return Err(Outage::new("the reply has no body"));
    }
    let whole: Value = serde_json::from_slice(bytes).map_err(|error| {
        Outage::new(format!("the reply is no JSON (line {}, column {})", error.line(), error.column()))
    })?;
    let Some(choices) = whole["choices"].as_array() else {
        let said = complaint(&whole).map(|message| format!("; the endpoint says: {}", quote(key, message)));
        return Err(Outage::new(format!("the reply has no choices{}", said.unwrap_or_default())));
    };
    if let (OtherModel::Refused, Some(model)) = (settings.other_model, whole["model"].as_str())
        && !is_same_model(&settings.model, model)
    {
        let model = quote(key, model);
        return Err(Outage::systematic(format!(
            "the reply is of model `{model}`, `{}` was asked for; --any-model takes such answers",
            settings.model
        )));
    }
    let choice = choices.first().ok_or_else(|| Outage::new("the reply has an empty list of choices"))?;
    let text = match &choice["message"]["content"] {
        Value::String(text) => strike_out(key, text.clone()),
        Value::Null if choice["message"].is_object() => String::new(),
        _ => return Err(Outage::new("the reply has a choice without text")),
    };
    let tokens = |name: &str| whole["usage"][name].as_u64().and_then(|count| u32::try_from(count).ok());
    Ok(Completion {
        text,
        candidates: candidates(choice),
        request_tokens: tokens("prompt_tokens"),
        response_tokens: tokens("completion_tokens"),
        model: whole["model"].as_str().map(|model| quote(key, model)),
    })
}

/// What a body says went wrong, in the forms that servers use.
fn complaint(whole: &Value) -> Option<&str> {
    let error = &whole["error"];
    [&error["message"], error, &whole["detail"], &whole["message"]].into_iter().find_map(Value::as_str)
}

/// The tokens listed for the first place, the one that came included; those that are not well-formed are left out.
fn candidates(choice: &Value) -> Vec<Candidate> {
    let first = &choice["logprobs"]["content"][0];
    let read = |entry: &Value| {
        // Some servers write -9999 for a probability that they do not know.
        let log_probability = entry["logprob"].as_f64().filter(|value| *value > -9999.0 && *value <= 1e-3)?;
        Some(Candidate { token: entry["token"].as_str()?.to_owned(), log_probability })
    };
    let listed = first["top_logprobs"].as_array().into_iter().flatten();
    let mut candidates: Vec<Candidate> = Vec::new();
    for candidate in listed.chain([first]).filter_map(read) {
        if candidates.iter().all(|known| known.token != candidate.token) {
            candidates.push(candidate);
        }
    }
    candidates
}

/// What a body of a refused request says; not yet as it may be quoted.
pub(crate) fn complaint_of(bytes: &[u8]) -> Option<String> {
    let whole: Value = serde_json::from_slice(bytes).ok()?;
    complaint(&whole).map(str::to_owned)
}
