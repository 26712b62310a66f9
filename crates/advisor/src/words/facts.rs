//! The words of templates that tell facts: sentences go where the tail has `{facts}`, and an answer is the word of an action.

use counsel_decision::Parser;
use serde::Deserialize;

use super::{Talk, Templates};
use crate::Prompt;

/// The words of a template that tells facts.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Facts {
    max_tokens: u32,
    system: String,
    stem: String,
    tail: String,
}

impl Facts {
    /// The templates in files that are part of the program, for answers that are one of these words, by the number of the action.
    pub fn templates<const N: usize>(files: [&str; N], words: &[&str]) -> Templates<Self> {
        let parser = || Parser::new(words.iter().copied()).map_err(|error| error.to_string());
        Templates::built_in(files, |facts: &Self| Ok((parser()?, facts.max_tokens)))
    }

    /// What is said when these are the facts.
    pub fn prompt(&self, facts: &[String]) -> Prompt {
        let Self { system, stem, tail, .. } = self;
        Talk { system, stem, tail }.prompt([], &facts, |facts, place| (place == "facts").then(|| facts.join("\n")))
    }
}
