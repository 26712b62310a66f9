//! The template: a file of data that turns a situation into a prompt.
//!
//! It is known by its name and version, and its digest is that of its file: another wording is another template.
//! Invariant: a prompt tells the facts of a situation and nothing else.

use std::sync::LazyLock;

use counsel_advisor::{Decoding, Digest, Edition, Error, Message, Prompt, Role};
use counsel_decision::Parser;
use counsel_decision::refusal::nearest;
use serde::Deserialize;

use crate::{Move, Situation};

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

/// A template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    data: Data,
    digest: Digest,
}

static ALL: LazyLock<[Template; 1]> = LazyLock::new(|| {
    // The files are part of the program, and a test reads each of them.
    [include_str!("facts.toml")].map(|file| Template {
        data: toml::from_str(file).expect("the built-in templates are valid"),
        digest: Digest::of(file.as_bytes()),
    })
});

impl Template {
    /// The built-in templates.
    pub fn all() -> &'static [Self] {
        &*ALL
    }

    /// The built-in template with this name.
    pub fn find(name: &str) -> Result<&'static Self, Error> {
        let names = || Self::all().iter().map(Self::name);
        Self::all().iter().find(|template| template.name() == name).ok_or_else(|| Error::UnknownTemplate {
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

    /// What reads the answers: one word per move, by number.
    pub fn parser(&self) -> Parser {
        Parser::new(Move::ALL.map(Move::name)).expect("the four words are distinct and bare")
    }

    /// How answers are taken: `generate`, or `scored` over the four words.
    pub fn decoding(&self, name: &str) -> Result<Decoding, Error> {
        match name {
            "generate" => Ok(Decoding::greedy(self.data.max_tokens)),
            "scored" => Ok(Decoding::scored(Move::ALL.map(Move::name))),
            _ => Err(Error::UnknownDecoding {
                template: self.name().to_owned(),
                name: name.to_owned(),
                known: "generate and scored",
            }),
        }
    }

    /// What is said in this situation.
    pub fn prompt(&self, situation: &Situation) -> Prompt {
        let Data { system, stem, tail, .. } = &self.data;
        let told = tail.replace("{facts}", &situation.facts().join("\n"));
        let messages = [(Role::System, system.clone()), (Role::User, format!("{stem}{told}"))];
        Prompt::new(messages.map(|(role, content)| Message::new(role, content)).to_vec(), stem.len())
    }
}
