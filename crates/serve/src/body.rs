//! The bodies of requests, read strictly.
//!
//! Invariant: what is said of a body that cannot be read repeats nothing of it but the place: it may hold a prompt.

use counsel_controller::{ContextKey, Keyed};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::problem::{Kind, Problem};

/// The longest name, in bytes.
const LONGEST_NAME: usize = 200;

/// A body as JSON of this form.
pub(crate) fn parsed<T: DeserializeOwned>(bytes: &[u8], what: &str) -> Result<T, Problem> {
    serde_json::from_slice(bytes).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let said = if error.is_syntax() || error.is_eof() { "it is no JSON".into() } else { said(&error.to_string()) };
        Problem::new(Kind::Body, format!("{what} cannot be read at line {line} column {column}: {said}"))
    })
}

/// A text of a policy as TOML.
pub(crate) fn parsed_toml<T: DeserializeOwned>(text: &str, what: &str) -> Result<T, Problem> {
    toml::from_str(text).map_err(|error| {
        let line = error.span().map_or(1, |span| line_of(text, span.start));
        Problem::new(Kind::Body, format!("{what} cannot be read at line {line}: {}", said(error.message())))
    })
}

/// The line that this byte of a text is in.
fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes()[..at.min(text.len())].split(|byte| *byte == b'\n').count()
}

/// What is wrong, in words that are ours alone: which field is missing, or what was expected. What stands there is not repeated.
fn said(message: &str) -> String {
    let text = message.split(" at line ").next().unwrap_or("");
    if ["missing field", "duplicate field"].iter().any(|start| text.starts_with(start)) {
        return text.to_owned();
    }
    let head = if text.starts_with("unknown field") { "unknown field" } else { "wrong value" };
    match text.rsplit_once(", expected ") {
        Some((_, expected)) => format!("{head}, expected {expected}"),
        None => "it does not have the expected form; see GET /openapi.json".into(),
    }
}

/// Refuses names that are no name of a folder: policies, budgets and advisors have such names.
pub(crate) fn plain_name(what: &str, name: &str) -> Result<(), Problem> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if name.is_empty() || name.len() > 64 || name.starts_with('.') || !name.chars().all(plain) {
        return Err(Problem::value(format!(
            "{what} needs a name of 1 to 64 letters, digits, -, _ and ., which does not begin with a dot"
        )));
    }
    Ok(())
}

/// Refuses names that are too long, or hold what no name holds.
pub(crate) fn free_name(what: &str, name: &str) -> Result<(), Problem> {
    if name.is_empty() || name.len() > LONGEST_NAME || name.chars().any(char::is_control) {
        let length = name.len();
        return Err(Problem::value(format!(
            "`{what}` has {length} bytes; send 1 to {LONGEST_NAME} without control characters"
        )));
    }
    Ok(())
}

/// `POST /v1/decisions`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DecisionBody {
    pub(crate) policy: String,
    #[serde(default)]
    pub(crate) run: Option<String>,
    #[serde(default)]
    pub(crate) episode: Option<String>,
    #[serde(default)]
    pub(crate) child: Option<String>,
    pub(crate) context: ContextBody,
    pub(crate) fallback: FallbackBody,
    #[serde(default)]
    pub(crate) input_tokens: Option<u64>,
}

/// What tells situations apart.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ContextBody {
    pub(crate) key: KeyBody,
    #[serde(default)]
    pub(crate) features: Vec<f64>,
}

/// A key: text, a number or a list of numbers.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "text, an integer or a list of integers")]
pub(crate) enum KeyBody {
    Text(String),
    Number(i64),
    List(Vec<i64>),
}

impl KeyBody {
    /// The key of the context.
    pub(crate) fn key(&self) -> ContextKey {
        match self {
            Self::Text(text) => text.key(),
            Self::Number(number) => number.cast_unsigned().key(),
            Self::List(list) => list.key(),
        }
    }

    /// As text, where texts are kept.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(number) => number.to_string(),
            Self::List(list) => format!("{list:?}"),
        }
    }
}

/// What the agent would do by itself.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FallbackBody {
    pub(crate) action: String,
    #[serde(default)]
    pub(crate) confidence: Option<f64>,
}

/// `POST /v1/decisions/{id}/resume`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResumeBody {
    pub(crate) permit: String,
    pub(crate) reply: ReplyBody,
    #[serde(default)]
    pub(crate) usage: Option<UsageBody>,
    #[serde(default)]
    pub(crate) model: Option<String>,
    #[serde(default)]
    pub(crate) latency_ms: Option<f64>,
}

/// What came of the question.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReplyBody {
    #[serde(default)]
    pub(crate) text: Option<String>,
    #[serde(default)]
    pub(crate) lost: Option<bool>,
}

/// What the endpoint counted.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct UsageBody {
    #[serde(default)]
    pub(crate) input_tokens: Option<u64>,
    #[serde(default)]
    pub(crate) output_tokens: Option<u64>,
}

/// `POST /v1/decisions/{id}/outcome`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OutcomeBody {
    #[serde(default)]
    pub(crate) reward: Option<f64>,
    #[serde(default)]
    pub(crate) success: Option<bool>,
    #[serde(default, rename = "final")]
    pub(crate) last: bool,
    #[serde(default)]
    pub(crate) truncated: bool,
    #[serde(default)]
    pub(crate) changed: Option<bool>,
}

/// `POST /v1/episodes/{id}/end`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EndBody {
    #[serde(default)]
    pub(crate) policy: Option<String>,
    #[serde(default)]
    pub(crate) run: Option<String>,
    #[serde(default, rename = "return")]
    pub(crate) returned: Option<f64>,
    #[serde(default)]
    pub(crate) truncated: bool,
}
