//! A template for worlds that tell facts: a file of data that turns sentences into a prompt.
//!
//! It is known by its name and version, and its digest is that of its file: another wording is another template. Invariant: a
//! prompt tells the facts it is given, and nothing else that changes.

use counsel_decision::Parser;
use counsel_decision::refusal::nearest;
use serde::Deserialize;

use super::Edition;
use crate::{Decoding, Digest, Error, Message, Prompt, Role};

/// A template as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    name: String,
    version: u32,
    about: String,
    max_tokens: u32,
    system: String,
    /// The part that never changes.
    stem: String,
    /// The part that does, with `{facts}` where they go.
    tail: String,
}

/// A template that tells facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactTemplate {
    data: Data,
    digest: Digest,
    parser: Parser,
}

impl FactTemplate {
    /// The template in a file, for answers that are one of these words, by the number of the action.
    pub fn read(file: &str, words: &[&str]) -> Result<Self, Error> {
        let refused = |reason: String| Error::World { reason: format!("the template is not valid: {reason}") };
        Ok(Self {
            data: toml::from_str(file).map_err(|error| refused(error.to_string()))?,
            digest: Digest::of(file.as_bytes()),
            parser: Parser::new(words.iter().copied()).map_err(|error| refused(error.to_string()))?,
        })
    }

    /// The one of these with this name.
    pub fn find<'a>(templates: &'a [Self], name: &str) -> Result<&'a Self, Error> {
        let names = || templates.iter().map(Self::name);
        templates.iter().find(|template| template.name() == name).ok_or_else(|| Error::UnknownTemplate {
            name: name.to_owned(),
            nearest: nearest(name, names()),
            known: names().collect::<Vec<_>>().join(", "),
        })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.data.name
    }

    /// What it is known by.
    pub fn edition(&self) -> Edition {
        let Data { name, version, about, .. } = &self.data;
        Edition { name: name.clone(), version: *version, digest: self.digest, about: about.clone() }
    }

    /// What reads the answers.
    pub fn parser(&self) -> Parser {
        self.parser.clone()
    }

    /// How answers are taken: `generate`, or `scored` over the words.
    pub fn decoding(&self, name: &str) -> Result<Decoding, Error> {
        match name {
            "generate" => Ok(Decoding::greedy(self.data.max_tokens)),
            "scored" => Ok(Decoding::scored(self.parser.words())),
            _ => Err(Error::UnknownDecoding {
                template: self.name().to_owned(),
                name: name.to_owned(),
                known: "generate and scored",
            }),
        }
    }

    /// What is said when these are the facts.
    pub fn prompt(&self, facts: &[String]) -> Prompt {
        let Data { system, stem, tail, .. } = &self.data;
        let told = tail.replace("{facts}", &facts.join("\n"));
        let messages = [(Role::System, system.clone()), (Role::User, format!("{stem}{told}"))];
        Prompt::new(messages.map(|(role, content)| Message::new(role, content)).to_vec(), stem.len())
    }
}
