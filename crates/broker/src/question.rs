//! A question of an executor, read from JSON, and what its options are to the policy.
//!
//! A context is what tells situations apart. Where a question names none, it is its own: the same words are the same situation, so advice
//! that was bought for them serves again. A named context says that questions resemble each other, and shares their advice.
//!
//! A policy decides among declared actions. A question meets them in one of two ways:
//!
//! | the policy's actions | options of a question | the executor's own choice |
//! |---|---|---|
//! | `own` and `advice`, and no others | any, or none for advice in free words | the first option; it is `own`, every other one `advice` |
//! | others | some of them, or none for all | the first option |

use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

/// What the executor would do by itself, as an action of a policy.
pub const OWN: &str = "own";
/// What the advisor says, as an action of a policy.
pub const ADVICE: &str = "advice";

/// The longest question, in bytes.
const LONGEST_QUESTION: usize = 64 << 10;
/// The longest option or context, in bytes.
const LONGEST_NAME: usize = 400;
/// Options at most.
const MOST_OPTIONS: usize = 32;
/// How the context of a question begins that names none.
pub(crate) const UNNAMED: &str = "question ";
const FIELDS: [&str; 5] = ["question", "options", "context", "features", "confidence"];

/// A question, checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// What is asked.
    pub text: String,
    /// Among what; the first is what the executor would do by itself. Empty for advice in free words.
    pub options: Vec<String>,
    /// What tells situations apart: a name, or the digest of the question and its options.
    pub context: String,
    /// Numbers that describe the situation.
    pub features: Vec<f64>,
    /// How sure the executor is of its own choice, from 0 to 1.
    pub confidence: Option<f64>,
}

/// Whether a policy decides between the executor's own choice and advice.
pub(crate) fn is_about_advice(actions: &[String]) -> bool {
    actions.len() == 2 && [OWN, ADVICE].iter().all(|word| actions.iter().any(|action| action == word))
}

impl Question {
    /// Reads a question. The error names what is wrong and what would be right, and repeats no text of the question.
    pub fn read(fields: &Map<String, Value>) -> Result<Self, String> {
        if let Some(name) = fields.keys().find(|name| !FIELDS.contains(&name.as_str())) {
            return Err(format!("`{}` is not known; pass {}", shortened(name), FIELDS.join(", ")));
        }
        let asked = text(fields, "question", LONGEST_QUESTION)?;
        let asked = asked.ok_or("`question` is missing; say what is to be decided")?;
        let options = options(fields)?;
        let context = text(fields, "context", LONGEST_NAME)?.unwrap_or_else(|| {
            let parts = options.iter().map(String::as_str);
            format!("{UNNAMED}{}", digest(std::iter::once(asked.as_str()).chain(parts)))
        });
        Ok(Self { text: asked, options, context, features: features(fields)?, confidence: confidence(fields)? })
    }

    /// How it meets the actions of a policy.
    pub(crate) fn meet(&self, actions: &[String]) -> Result<Meeting, String> {
        let is_own_or_advice = is_about_advice(actions);
        if is_own_or_advice {
            return Ok(Meeting { options: self.options.clone(), own: OWN.to_owned(), is_own_or_advice });
        }
        let options = if self.options.is_empty() { actions.to_vec() } else { self.options.clone() };
        let is_known = |option: &String| actions.iter().any(|action| action.to_lowercase() == option.to_lowercase());
        if let Some(at) = options.iter().position(|option| !is_known(option)) {
            let (number, known) = (at + 1, actions.join(", "));
            return Err(format!(
                "option {number} is no action of the policy; pass some of {known}, or give the policy \
                 actions = [\"{OWN}\", \"{ADVICE}\"] for questions with options of their own"
            ));
        }
        let own = options.first().cloned().ok_or("the policy has no actions; declare them")?;
        Ok(Meeting { options, own, is_own_or_advice })
    }

    /// The part of a decision's body that is the question's.
    pub(crate) fn decision(&self, own: &str) -> Value {
        let mut context = json!({ "key": self.context });
        if !self.features.is_empty() {
            context["features"] = json!(self.features);
        }
        let mut fallback = json!({ "action": own });
        if let Some(confidence) = self.confidence {
            fallback["confidence"] = json!(confidence);
        }
        json!({ "context": context, "fallback": fallback })
    }
}

/// A question beside the actions of the policy that decides it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Meeting {
    /// Among what the advisor chooses; empty for free words.
    pub(crate) options: Vec<String>,
    /// The policy's action for the executor's own choice.
    pub(crate) own: String,
    /// Whether the policy decides between these two.
    pub(crate) is_own_or_advice: bool,
}

impl Meeting {
    /// What the advisor said, as the policy's own words; none where nothing usable was said.
    pub(crate) fn in_policy_words(&self, said: &str) -> Option<String> {
        if !self.is_own_or_advice {
            return Some(said.to_owned());
        }
        if self.options.is_empty() {
            return (!said.trim().is_empty()).then(|| ADVICE.to_owned());
        }
        let chosen = self.chosen(said)?;
        Some(if chosen == 0 { OWN } else { ADVICE }.to_owned())
    }

    /// Which option an advisor chose: the one that is the whole answer, or the only one that stands in it as words of its own.
    pub(crate) fn chosen(&self, said: &str) -> Option<usize> {
        let plain = |text: &str| text.trim().trim_matches(|c: char| c.is_ascii_punctuation()).to_lowercase();
        let said = plain(said);
        if let Some(exact) = self.options.iter().position(|option| plain(option) == said) {
            return Some(exact);
        }
        let mut named = (0..self.options.len()).filter(|&at| stands_in(&plain(&self.options[at]), &said));
        let first = named.next()?;
        named.next().is_none().then_some(first)
    }

    /// What the executor does where its own choice stands.
    pub(crate) fn own_choice(&self) -> &str {
        self.options.first().map_or("your own plan", String::as_str)
    }

    /// What an action of the policy is to the executor, where the advisor said this.
    pub(crate) fn in_executor_words(&self, action: &str, said: Option<&str>) -> String {
        if !self.is_own_or_advice {
            return action.to_owned();
        }
        if action == OWN {
            return self.own_choice().to_owned();
        }
        let chosen = said.and_then(|said| self.chosen(said)).map(|at| self.options[at].clone());
        chosen.unwrap_or_else(|| match said {
            Some(_) => "the advice".to_owned(),
            None => "the advice that this context got before".to_owned(),
        })
    }
}

/// What parts of a text are known by.
pub(crate) fn digest<'a>(parts: impl Iterator<Item = &'a str>) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().take(12).map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat()
}

/// Whether these words stand in a text, not as a part of longer words.
fn stands_in(words: &str, text: &str) -> bool {
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    !words.is_empty()
        && text.match_indices(words).any(|(at, _)| {
            let (before, after) = (text[..at].chars().next_back(), text[at + words.len()..].chars().next());
            !is_letter(before) && !is_letter(after)
        })
}

fn text(fields: &Map<String, Value>, name: &str, longest: usize) -> Result<Option<String>, String> {
    match fields.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.trim().is_empty() => {
            Err(format!("`{name}` is empty; leave it out, or fill it"))
        }
        Some(Value::String(text)) if text.len() > longest => {
            Err(format!("`{name}` has {} bytes; pass at most {longest}", text.len()))
        }
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(other) => Err(format!("`{name}` is {}; pass a text", kind(other))),
    }
}

fn options(fields: &Map<String, Value>) -> Result<Vec<String>, String> {
    let list = match fields.get("options") {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(list)) => list,
        Some(other) => return Err(format!("`options` is {}; pass a list of texts", kind(other))),
    };
    if !(2..=MOST_OPTIONS).contains(&list.len()) {
        return Err(format!("`options` has {} entries; pass 2 to {MOST_OPTIONS}, or none", list.len()));
    }
    let mut options: Vec<String> = Vec::new();
    for option in list {
        let option = match option.as_str().map(str::trim) {
            Some(option) if !option.is_empty() && option.len() <= LONGEST_NAME => option.to_owned(),
            _ => {
                return Err(format!(
                    "an option is empty, no text, or longer than {LONGEST_NAME} bytes; name each in a few words"
                ));
            }
        };
        if options.contains(&option) {
            return Err(format!("option {} stands twice; name each once", options.len() + 1));
        }
        options.push(option);
    }
    Ok(options)
}

fn features(fields: &Map<String, Value>) -> Result<Vec<f64>, String> {
    let list = match fields.get("features") {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(list)) => list,
        Some(other) => return Err(format!("`features` is {}; pass a list of numbers", kind(other))),
    };
    let number = |value: &Value| value.as_f64().filter(|number| number.is_finite());
    list.iter()
        .map(|value| number(value).ok_or_else(|| "an entry of `features` is no finite number; pass numbers".to_owned()))
        .collect()
}

fn confidence(fields: &Map<String, Value>) -> Result<Option<f64>, String> {
    match fields.get("confidence") {
        None | Some(Value::Null) => Ok(None),
        Some(value) => match value.as_f64().filter(|number| (0.0..=1.0).contains(number)) {
            Some(number) => Ok(Some(number)),
            None => {
                let said = if value.is_number() { value.to_string() } else { kind(value).to_owned() };
                Err(format!("`confidence` is {said}; pass a number from 0 to 1"))
            }
        },
    }
}

/// What a JSON value is, in words.
fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
