//! How an endpoint wants to be spoken to, where endpoints differ.
//!
//! What changes an answer (a parameter left out, tokens to reason in) is part of the endpoint's identity, so that answers which were
//! taken in different ways are never mixed. The name of the limit of tokens changes none.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;

/// The limit of tokens as all endpoints once knew it.
const OLD: &str = "max_tokens";
/// As newer models of OpenAI want it.
const NEW: &str = "max_completion_tokens";

/// Under which name the limit of tokens is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TokenLimit {
    /// `max_tokens`; and `max_completion_tokens` from the first refusal on that asks for it.
    #[default]
    Learned,
    /// `max_tokens`.
    MaxTokens,
    /// `max_completion_tokens`.
    MaxCompletionTokens,
}

/// A parameter that some models refuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Parameter {
    /// The temperature of the draws.
    Temperature,
    /// The seed of the draws.
    Seed,
}

impl Parameter {
    /// Its name in a request.
    pub fn name(self) -> &'static str {
        match self {
            Self::Temperature => "temperature",
            Self::Seed => "seed",
        }
    }
}

/// How an endpoint wants to be spoken to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dialect {
    /// The name of the limit of tokens.
    pub token_limit: TokenLimit,
    /// What is not sent, so that the endpoint's own default holds.
    pub left_out: BTreeSet<Parameter>,
    /// Tokens for reasoning, besides those of the answer.
    pub reasoning_tokens: u32,
}

impl Dialect {
    /// The engine's name with all that changes an answer.
    pub(crate) fn engine(&self) -> String {
        let mut parts = vec!["openai-compatible endpoint, no system message of our own".to_owned()];
        parts.extend(self.left_out.iter().map(|parameter| format!("no {}", parameter.name())));
        parts.extend((self.reasoning_tokens > 0).then(|| format!("{} reasoning tokens", self.reasoning_tokens)));
        parts.join(", ")
    }

    /// A body for this endpoint, of one with `max_tokens`; and how many tokens may be received at most.
    pub(crate) fn spoken(&self, body: &Value, learned: &LearnedLimit) -> (Value, u64) {
        let mut body = body.clone();
        let Value::Object(fields) = &mut body else { return (body, u64::MAX) };
        for parameter in &self.left_out {
            fields.remove(parameter.name());
        }
        let asked = fields.remove(OLD).and_then(|limit| limit.as_u64());
        let limit = asked.map_or(u64::MAX, |asked| asked.saturating_add(u64::from(self.reasoning_tokens)));
        let name = if learned.is_new(self.token_limit) { NEW } else { OLD };
        fields.insert(name.to_owned(), limit.into());
        (body, limit)
    }
}

/// What an endpoint has shown of the name that it wants.
#[derive(Debug, Default)]
pub(crate) struct LearnedLimit(AtomicBool);

impl LearnedLimit {
    fn is_new(&self, declared: TokenLimit) -> bool {
        match declared {
            TokenLimit::Learned => self.0.load(Ordering::Relaxed),
            TokenLimit::MaxTokens => false,
            TokenLimit::MaxCompletionTokens => true,
        }
    }

    /// Whether a request with the other name may help: it was sent under the old one, nothing else is declared, and the refusal asks
    /// for the new one.
    pub(crate) fn learns(&self, declared: TokenLimit, sent: &Value, refusal: &str) -> bool {
        let may_help = declared == TokenLimit::Learned && sent.get(OLD).is_some() && refusal.contains(NEW);
        if may_help {
            self.0.store(true, Ordering::Relaxed);
        }
        may_help
    }
}

/// How to go on where a refusal names something that can be declared.
pub(crate) fn remedy(refusal: &str) -> &'static str {
    let names = |name: &str| refusal.contains(name);
    if names(NEW) {
        "; --token-limit max_completion_tokens sends that"
    } else if names(OLD) {
        "; --token-limit says how the limit is sent"
    } else if names("temperature") {
        "; --leave-out temperature sends none"
    } else if names("'seed'") || names("\"seed\"") || names("`seed`") {
        "; --leave-out seed sends none"
    } else {
        ""
    }
}

/// Whether a model that names itself so is the one that was asked for: by the same name, or by that name with the date of its version
/// (`gpt-4o-2024-08-06`, `claude-3-5-haiku-20241022`, `gpt-4-0613`).
pub(crate) fn is_same_model(asked: &str, named: &str) -> bool {
    named == asked || named.strip_prefix(asked).and_then(|rest| rest.strip_prefix(['-', '@'])).is_some_and(is_date)
}

fn is_date(text: &str) -> bool {
    let digits: String = text.chars().filter(|letter| *letter != '-').collect();
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let is_day = |month_and_day: &str| {
        let (month, day) = month_and_day.split_at(2);
        matches!((month.parse(), day.parse()), (Ok(1_u8..=12), Ok(1_u8..=31)))
    };
    match (text.len(), digits.len()) {
        (10, 8) => text.as_bytes()[4] == b'-' && text.as_bytes()[7] == b'-' && is_day(&digits[4..]),
        (8, 8) => digits.starts_with("20") && is_day(&digits[4..]),
        (4, 4) => is_day(&digits),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_dated_name_is_the_same_model_and_another_name_is_not() {
        for named in ["gpt-4o", "gpt-4o-2024-08-06", "gpt-4o-20240806", "gpt-4o-0806", "gpt-4o@20240806"] {
            assert!(is_same_model("gpt-4o", named), "{named}");
        }
        for named in [
            "gpt-4",
            "gpt-4o-mini",
            "gpt-4o-mini-2024-07-18",
            "gpt-4o-2026",
            "gpt-4o-2024-13-06",
            "gpt-4o2024-08-06",
            "gpt-4o-",
            "",
            "GPT-4o",
            "gpt-4o-2024-08-0é",
            "gpt-4o--2240806-",
        ] {
            assert!(!is_same_model("gpt-4o", named), "{named}");
        }
    }

    #[test]
    fn what_changes_an_answer_is_part_of_the_identity_and_the_name_of_the_limit_is_not() {
        let plain = Dialect::default();
        let renamed = Dialect { token_limit: TokenLimit::MaxCompletionTokens, ..Dialect::default() };
        assert_eq!(plain.engine(), renamed.engine());
        let other = Dialect { left_out: [Parameter::Temperature].into(), reasoning_tokens: 500, ..Dialect::default() };
        assert!(other.engine().ends_with(", no temperature, 500 reasoning tokens"), "{}", other.engine());
        let body = json!({ "max_tokens": 8, "temperature": 0.0, "seed": 1 });
        let learned = LearnedLimit::default();
        assert_eq!(plain.spoken(&body, &learned), (body.clone(), 8));
        assert_eq!(renamed.spoken(&body, &learned).0, json!({ NEW: 8, "temperature": 0.0, "seed": 1 }));
        assert_eq!(other.spoken(&body, &learned), (json!({ "max_tokens": 508, "seed": 1 }), 508));
    }
}
