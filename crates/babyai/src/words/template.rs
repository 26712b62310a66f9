//! Templates: files of data that turn situations into prompts.
//!
//! A template is known by its name and version, and its digest is that of its file: another wording is another template.
//! Invariant: a template tells no more than it declares ([`Told`]); reading a file that would is an error.

use std::sync::LazyLock;

use counsel_advisor::{Decoding, Digest, Edition, Message, Prompt, Role, Variant};
use counsel_decision::Parser;
use counsel_decision::refusal::nearest;
use serde::Deserialize;

use super::data::Data;
use super::{Object, Situation, Task};
use crate::Error;

/// What a template tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Told {
    /// The verb, and where the object is.
    Target,
    /// The same, and what the object is called.
    Object,
    /// The mission, everything in view and in the hand, as a list.
    Scene,
    /// The same as a drawing.
    Grid,
}

/// A template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    data: Data,
    digest: Digest,
}

static ALL: LazyLock<Vec<Template>> = LazyLock::new(|| {
    let files = [
        include_str!("templates/plain.toml"),
        include_str!("templates/plain-paraphrase.toml"),
        include_str!("templates/plain-repair.toml"),
        include_str!("templates/plain-json.toml"),
        include_str!("templates/abstract.toml"),
        include_str!("templates/abstract-paraphrase.toml"),
        include_str!("templates/abstract-repair.toml"),
        include_str!("templates/hinted.toml"),
        include_str!("templates/few-shot.toml"),
        include_str!("templates/scene.toml"),
        include_str!("templates/grid.toml"),
    ];
    // The files are part of the program, and a test reads each of them.
    files.iter().map(|file| Template::read(file).expect("the built-in templates are valid")).collect()
});

impl Template {
    /// The built-in templates.
    pub fn all() -> &'static [Self] {
        &ALL
    }

    /// The built-in template with this name.
    pub fn find(name: &str) -> Result<&'static Self, counsel_advisor::Error> {
        let names = || Self::all().iter().map(Self::name);
        Self::all().iter().find(|template| template.name() == name).ok_or_else(|| {
            counsel_advisor::Error::UnknownTemplate {
                name: name.to_owned(),
                nearest: nearest(name, names()),
                known: names().collect::<Vec<_>>().join(", "),
            }
        })
    }

    /// The template that a file holds.
    pub fn read(file: &str) -> Result<Self, Error> {
        let data: Data = toml::from_str(file)
            .map_err(|error| Error::Template { name: String::new(), reason: error.message().to_owned() })?;
        data.check().map_err(|reason| Error::Template { name: format!("`{}` ", data.name), reason })?;
        Ok(Self { data, digest: Digest::of(file.as_bytes()) })
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

    /// What it tells.
    pub fn told(&self) -> Told {
        self.data.told
    }

    /// How it asks again.
    pub fn variant(&self) -> Variant {
        self.data.variant
    }

    /// How many wordings it has.
    pub fn wordings(&self) -> usize {
        self.data.wording.len()
    }

    /// How answers are taken: `generate`, or `scored` over the words that can be of use for the task.
    pub fn decoding(&self, name: &str, task: Task) -> Result<Decoding, counsel_advisor::Error> {
        match (name, &self.data.words.scored) {
            ("generate", _) => Ok(Decoding::greedy(self.data.max_tokens)),
            ("scored", Some(words)) => Ok(Decoding::scored(words.of(task.errand()).iter().cloned())),
            (_, scored) => Err(counsel_advisor::Error::UnknownDecoding {
                template: self.name().to_owned(),
                name: name.to_owned(),
                known: if scored.is_some() { "generate and scored" } else { "generate" },
            }),
        }
    }

    /// What reads the answers, however they were taken: one word per action, by number.
    pub fn parser(&self) -> Parser {
        self.data.parser()
    }

    /// What is said in this situation.
    pub fn prompt(&self, situation: &Situation) -> Prompt {
        let data = &self.data;
        let wording = &data.wording[situation.wording % data.wording.len()];
        let mut messages = vec![Message::new(Role::System, data.system.as_str())];
        let mut stem = wording.stem.as_str();
        for example in data.example.iter().filter(|example| example.verb == situation.errand) {
            let object = Object { kind: None, colour: None };
            let told = wording.tell(&Situation::imagined(example.verb, object, example.place));
            messages.push(Message::new(Role::User, format!("{stem}{told}")));
            messages.push(Message::new(Role::Assistant, example.answer.as_str()));
            stem = "";
        }
        messages.push(Message::new(Role::User, format!("{stem}{}", wording.tell(situation))));
        Prompt::new(messages, stem.len())
    }
}
