//! `POST /v1/chat/completions` with model `counsel/POLICY`: for clients that can change a base URL and nothing else.
//!
//! The cheap model answers. The service decides whether the strong one is worth asking, and whether its answer stands in the place of the
//! cheap one. The answer has a field `counsel` that says what was done and under which id an outcome is reported.
//!
//! The policy has the actions `own` (the cheap answer) and `advice` (the strong one). Messages are text; what cannot be passed on whole
//! (streams, tools, several choices) is refused, not dropped.

use counsel_advisor::{Message, Prompt, Role};
use counsel_serve::Stopwatch;
use serde_json::{Map, Value, json};

use crate::ask::is_name;
use crate::broker::{Broker, failed};
use crate::consultation::{Consultation, Heard, Seat, Step};
use crate::endpoints::{Attempt, Spoke, Voice};
use crate::question::{ADVICE, OWN, Question, UNNAMED, digest};
use crate::sidecar::{Call, Replied};

/// What the name of a model begins with.
const MODEL: &str = "counsel/";
/// Fields that are passed on, or change nothing.
const KNOWN: [&str; 10] = [
    "model",
    "messages",
    "stream",
    "max_tokens",
    "max_completion_tokens",
    "temperature",
    "n",
    "user",
    "metadata",
    "seed",
];

/// Why a request cannot be served, before anything is decided.
pub(crate) fn refusal(body: &Value) -> Option<Replied> {
    let refuse = |parameter: &str, message: &str| Some(error(400, parameter, message));
    let Some(fields) = body.as_object() else { return refuse("body", "the body is no object; send a chat completion") };
    if fields.get("stream").is_some_and(|stream| !matches!(stream, Value::Bool(false) | Value::Null)) {
        return refuse(
            "stream",
            "streams are not served: whether the strong model answers is decided once the cheap answer is whole; send \"stream\": false",
        );
    }
    if fields.get("n").is_some_and(|n| !n.is_null() && *n != 1) {
        return refuse("n", "one choice is served; send \"n\": 1, or leave it out");
    }
    let unknown = fields.iter().find(|(name, value)| !KNOWN.contains(&name.as_str()) && !value.is_null());
    if let Some((name, _)) = unknown {
        let name: String = name.chars().take(60).collect();
        return refuse(
            &name,
            &format!("`{name}` cannot be passed on to both models; leave it out. Known are {}", KNOWN.join(", ")),
        );
    }
    None
}

/// The models that can be named.
pub(crate) fn models(policies: &[String]) -> Replied {
    let listed = policies.iter().map(
        |policy| json!({ "id": format!("{MODEL}{policy}"), "object": "model", "created": 0, "owned_by": "counsel" }),
    );
    let body = json!({ "object": "list", "data": listed.collect::<Vec<_>>() });
    Replied { status: 200, body, replayed: false }
}

/// What a client sent, checked.
struct Asked {
    policy: String,
    prompt: Prompt,
    max_tokens: Option<u32>,
    temperature: Option<f64>,
    run: String,
    context: Option<String>,
}

/// The answer to a chat completion.
pub(crate) fn answer(broker: &Broker, call: &Call, key: &str) -> Replied {
    let asked = match read(&call.body) {
        Ok(asked) => asked,
        Err((parameter, message)) => return error(400, parameter, &message),
    };
    let endpoints = broker.endpoints(&asked.policy);
    let (Some(cheap), true) = (
        endpoints.as_ref().and_then(|known| known.cheap()),
        endpoints.as_ref().is_some_and(|known| known.has_advisors()),
    ) else {
        let message = format!(
            "the policy `{}` has no door here; start the server with a policy file that has [endpoints.cheap] and [endpoints.advisor]",
            asked.policy
        );
        return error(404, "model", &message);
    };
    let watch = Stopwatch::start();
    let first = cheap.speak(asked.prompt.clone(), asked.max_tokens, asked.temperature);
    broker.tell(call, None, &Attempt::at(cheap, watch, first.as_ref()));
    let first = match first {
        Ok(spoke) => spoke,
        Err(outage) => return error(502, "model", &format!("the cheap model gave no answer: {}", outage.reason)),
    };
    let strong = |name: &str| endpoints.as_ref().and_then(|known| known.advisor(name));
    match decide((broker, call), &asked, key, &strong) {
        Ok(decided) => completion(key, &asked, (cheap, first), decided),
        Err(error) => failed(error),
    }
}

/// What was decided, and the strong answer where one came.
struct Decided<'a> {
    told: Value,
    spoke: Option<(&'a Voice, Spoke)>,
}

fn decide<'a>(
    (broker, call): (&Broker, &Call),
    asked: &Asked,
    key: &str,
    strong: &dyn Fn(&str) -> Option<&'a Voice>,
) -> Result<Decided<'a>, crate::Error> {
    let said: Vec<&str> = asked.prompt.messages().iter().map(|message| message.content.as_str()).collect();
    let context = asked.context.clone().unwrap_or_else(|| format!("{UNNAMED}{}", digest(said.iter().copied())));
    let question =
        Question { text: String::new(), options: Vec::new(), context, features: Vec::new(), confidence: None };
    let watched = broker.within(call);
    let consultation = Consultation::new(&watched, &asked.policy, &question)?;
    if !consultation.is_about_advice() {
        let message = format!(
            "the policy `{}` has other actions than \"{OWN}\" and \"{ADVICE}\"; a door needs these two",
            asked.policy
        );
        return Err(crate::Error::Question(message));
    }
    let seat = Seat { policy: asked.policy.clone(), run: asked.run.clone(), episode: None };
    let mut spoke = None;
    let mut step = consultation.begin(&seat, key, None)?;
    loop {
        let paid = match step {
            Step::Settled(told) => return Ok(Decided { told, spoke }),
            Step::Open(paid) => paid,
        };
        let heard = match strong(&paid.advisor).filter(|_| !paid.replayed) {
            Some(voice) => {
                let watch = Stopwatch::start();
                let said = voice.speak(asked.prompt.clone(), asked.max_tokens, asked.temperature);
                broker.tell(call, Some(&paid.decision), &Attempt::at(voice, watch, said.as_ref()));
                match said {
                    Ok(said) => {
                        let heard = Heard::Said { text: said.text.clone(), usage: said.usage() };
                        spoke = Some((voice, said));
                        heard
                    }
                    Err(outage) => Heard::Lost { reason: outage.reason },
                }
            }
            None => Heard::Lost { reason: format!("nobody can be asked as `{}` now", paid.advisor) },
        };
        step = consultation.finish(&paid, &heard)?;
    }
}

/// The answer, in the form that clients of OpenAI read.
fn completion(key: &str, asked: &Asked, (cheap, first): (&Voice, Spoke), decided: Decided<'_>) -> Replied {
    let Decided { told, spoke } = decided;
    let stands = spoke.as_ref().filter(|_| told["may_act"] == true);
    let (voice, text, by) =
        stands.map_or((cheap, &first.text, "cheap"), |(voice, spoke)| (*voice, &spoke.text, "strong"));
    let tokens = |at: usize| {
        let parts = [Some(&first), spoke.as_ref().map(|(_, spoke)| spoke)];
        parts.into_iter().flatten().map(|spoke| u64::from(spoke.tokens[at].unwrap_or(0))).sum::<u64>()
    };
    let (input, output) = (tokens(0), tokens(1));
    let mut counsel = json!({ "answered_by": by, "decision_id": told["decision_id"], "asked": told["asked"], "verdict": told["verdict"],
        "reason": told["reason"], "model": voice.spec.model });
    if told["lost"].is_string() {
        counsel["lost"] = told["lost"].clone();
    }
    let body = json!({
        "id": format!("chatcmpl-{}", digest([key].into_iter())), "object": "chat.completion", "created": 0,
        "model": format!("{MODEL}{}", asked.policy),
        "choices": [{ "index": 0, "message": { "role": "assistant", "content": text }, "finish_reason": "stop", "logprobs": null }],
        "usage": { "prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output },
        "counsel": counsel,
    });
    Replied { status: 200, body, replayed: false }
}

fn read(body: &Value) -> Result<Asked, (&'static str, String)> {
    let model = body["model"].as_str().unwrap_or("");
    let Some(policy) = model.strip_prefix(MODEL).filter(|policy| is_name(policy)) else {
        return Err((
            "model",
            format!("the model is none of this server; name {MODEL}POLICY, such as those of GET /v1/models"),
        ));
    };
    let metadata = match &body["metadata"] {
        Value::Null => Map::new(),
        Value::Object(metadata) => metadata.clone(),
        _ => return Err(("metadata", "`metadata` is no object; send names and texts".into())),
    };
    let named = |name: &str| match metadata.get(name) {
        None => Ok(None),
        Some(Value::String(text)) if (1..=200).contains(&text.len()) => Ok(Some(text.clone())),
        Some(_) => {
            Err(("metadata", format!("`metadata.{name}` is no text of 1 to 200 bytes; send one, or leave it out")))
        }
    };
    let max_tokens = [&body["max_completion_tokens"], &body["max_tokens"]].into_iter().find(|value| !value.is_null());
    let max_tokens =
        max_tokens.map(|value| value.as_u64().and_then(|most| u32::try_from(most).ok()).filter(|most| *most > 0));
    let temperature = Some(&body["temperature"]).filter(|value| !value.is_null()).map(Value::as_f64);
    Ok(Asked {
        policy: policy.to_owned(),
        prompt: Prompt::new(messages(&body["messages"])?, 0),
        max_tokens: max_tokens
            .map(|most| {
                most.ok_or(("max_tokens", "the limit of tokens is none; send a whole number above 0".to_owned()))
            })
            .transpose()?,
        temperature: temperature
            .map(|value| {
                let fits = value.filter(|value| (0.0..=2.0).contains(value));
                fits.ok_or(("temperature", "the temperature is out of range; send 0 to 2".to_owned()))
            })
            .transpose()?,
        run: named("run")?.unwrap_or_else(|| "door".to_owned()),
        context: named("context")?,
    })
}

fn messages(list: &Value) -> Result<Vec<Message>, (&'static str, String)> {
    let refuse = |what: &str| Err(("messages", format!("{what}; send messages with a role and a text")));
    let Some(list) = list.as_array().filter(|list| !list.is_empty()) else {
        return refuse("`messages` is no list, or empty");
    };
    let mut messages = Vec::with_capacity(list.len());
    for message in list {
        let role = match message["role"].as_str() {
            Some("system" | "developer") => Role::System,
            Some("user") => Role::User,
            Some("assistant") => Role::Assistant,
            _ => return refuse("a message has another role than system, developer, user or assistant"),
        };
        if message.get("tool_calls").is_some_and(|calls| !calls.is_null()) {
            return refuse("a message calls tools, which are not passed on");
        }
        let text = match &message["content"] {
            Value::String(text) => text.clone(),
            Value::Array(parts) => {
                let texts = parts.iter().map(|part| part["text"].as_str().filter(|_| part["type"] == "text"));
                match texts.collect::<Option<Vec<_>>>() {
                    Some(texts) => texts.concat(),
                    None => return refuse("a message has a part that is no text"),
                }
            }
            _ => return refuse("a message has no text"),
        };
        messages.push(Message::new(role, text));
    }
    Ok(messages)
}

/// An error in the form that clients of OpenAI read.
fn error(status: u16, parameter: &str, message: &str) -> Replied {
    let kind = if status < 500 { "invalid_request_error" } else { "upstream_error" };
    let body =
        json!({ "error": { "message": message, "type": kind, "param": parameter, "code": "unsupported_value" } });
    Replied { status, body, replayed: false }
}
