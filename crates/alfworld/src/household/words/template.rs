//! Templates of a household: files of data that turn a line, or an object and a kind of place, into a prompt.
//!
//! A template is known by its name and version, and its digest is that of its file: another wording is another template.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use counsel_advisor::{Decoding, Digest, Edition, Error, Message, Prompt, Role};
use counsel_decision::refusal::nearest;
use serde::Deserialize;

use crate::Task;

/// The name of the template that asks where objects are found.
pub const WHEREABOUTS: &str = "whereabouts";

/// A template as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Data {
    name: String,
    version: u32,
    about: String,
    #[serde(rename = "pick-and-place")]
    pick_and_place: Option<Talk>,
    #[serde(rename = "look-at-object")]
    look_at_object: Option<Talk>,
    whereabouts: Option<Talk>,
    /// How people say what the games write as one word.
    #[serde(default)]
    names: BTreeMap<String, String>,
}

/// What is said around a question.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Talk {
    system: String,
    /// In the last message before and after the question.
    before: String,
    after: String,
    /// Questions and answers that go before.
    examples: Vec<(String, String)>,
}

impl Talk {
    fn prompt(&self, question: &str) -> Prompt {
        let mut messages = vec![Message::new(Role::System, self.system.as_str())];
        for (question, answer) in &self.examples {
            messages.push(Message::new(Role::User, question.as_str()));
            messages.push(Message::new(Role::Assistant, answer.as_str()));
        }
        messages.push(Message::new(Role::User, format!("{}{question}{}", self.before, self.after)));
        Prompt::new(messages, self.before.len())
    }
}

/// A template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    data: Data,
    digest: Digest,
}

static ALL: LazyLock<Vec<Template>> = LazyLock::new(|| {
    let files = [
        include_str!("household-few-shot.toml"),
        include_str!("household-when.toml"),
        include_str!("whereabouts.toml"),
    ];
    let read = |file: &str| Template {
        data: toml::from_str(file).expect("a test reads the built-in templates"),
        digest: Digest::of(file.as_bytes()),
    };
    files.into_iter().map(read).collect()
});

impl Template {
    /// The built-in templates.
    pub fn all() -> &'static [Self] {
        &ALL
    }

    /// The built-in template with this name.
    pub fn find(name: &str) -> Result<&'static Self, Error> {
        let names = || Self::all().iter().map(|template| template.data.name.as_str());
        Self::all().iter().find(|template| template.data.name == name).ok_or_else(|| Error::UnknownTemplate {
            name: name.to_owned(),
            nearest: nearest(name, names()),
            known: names().collect::<Vec<_>>().join(", "),
        })
    }

    /// What it is known by.
    pub fn edition(&self) -> Edition {
        let Data { name, version, about, .. } = &self.data;
        Edition { name: name.clone(), version: *version, digest: self.digest, about: about.clone() }
    }

    /// Whether it asks where objects are found.
    pub fn is_whereabouts(&self) -> bool {
        self.data.whereabouts.is_some()
    }

    /// What is said when the outlook is this line.
    pub(crate) fn of_line(&self, task: Task, line: &str) -> Prompt {
        let talk = match task {
            Task::PickAndPlace => &self.data.pick_and_place,
            Task::LookAtObject => &self.data.look_at_object,
        };
        talk.as_ref().map_or_else(|| Prompt::question(line), |talk| talk.prompt(line))
    }

    /// What is said to ask whether an object is often found at a kind of place.
    pub(crate) fn of_pair(&self, object: &str, place: &str) -> Prompt {
        let name = |word: &str| self.data.names.get(word).map_or_else(|| word.to_owned(), Clone::clone);
        let question = format!("{}, {}", name(object), name(place));
        self.data
            .whereabouts
            .as_ref()
            .map_or_else(|| Prompt::question(question.as_str()), |talk| talk.prompt(&question))
    }

    /// How answers are taken: `generate`, or `scored` over these words.
    pub(crate) fn decoding(&self, name: &str, words: &[&str]) -> Result<Decoding, Error> {
        match name {
            "generate" => Ok(Decoding::greedy(4)),
            "scored" => Ok(Decoding::scored(words.iter().copied())),
            _ => Err(Error::UnknownDecoding {
                template: self.data.name.clone(),
                name: name.to_owned(),
                known: "generate and scored",
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_templates_say_what_they_should() {
        let few_shot = Template::find("household-few-shot").unwrap().of_line(Task::PickAndPlace, "You hold nothing.");
        assert_eq!(few_shot.messages().len(), 8);
        let when = Template::find("household-when").unwrap().of_line(Task::LookAtObject, "You hold nothing.");
        let asked = &when.messages()[1].content;
        assert!(
            asked.contains("light: when") && asked.ends_with("You hold nothing.\nAnswer with one action word only.")
        );
        let pair = Template::find(WHEREABOUTS).unwrap().of_pair("winebottle", "sinkbasin");
        assert_eq!(pair.messages().last().unwrap().content, "wine bottle, sink");
        assert!(Template::find("household").unwrap_err().to_string().contains("household-when"));
    }
}
