//! The templates of a household: those that ask about a line, and the one that asks about an object and a kind of place.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use counsel_advisor::{Prompt, Talk, Templates};
use counsel_decision::Parser;
use serde::Deserialize;

use super::phrasing::{YES_NO, option_words};
use crate::Task;

/// The name of the template that asks where objects are found.
pub const WHEREABOUTS: &str = "whereabouts";

/// The words of a template that asks about a line.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Lines {
    pick_and_place: Exchange,
    look_at_object: Exchange,
}

/// The words of a template that asks about an object and a kind of place.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pairs {
    whereabouts: Exchange,
    /// How people say what the games write as one word.
    names: BTreeMap<String, String>,
}

/// What is said around a question.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Exchange {
    system: String,
    /// Opens the conversation.
    before: String,
    /// Follows the question.
    after: String,
    /// Questions and answers that go before.
    examples: Vec<(String, String)>,
}

/// The built-in templates that ask about a line.
pub static LINE_TEMPLATES: LazyLock<Templates<Lines>> = LazyLock::new(|| {
    let files = [include_str!("household-few-shot.toml"), include_str!("household-when.toml")];
    Templates::built_in(files, |_| one_of(option_words()))
});

/// The built-in template that asks about an object and a kind of place.
pub static PAIR_TEMPLATES: LazyLock<Templates<Pairs>> =
    LazyLock::new(|| Templates::built_in([include_str!("whereabouts.toml")], |_| one_of(YES_NO)));

/// Answers are one of these words, and of four tokens at most.
fn one_of(words: impl IntoIterator<Item = &'static str>) -> Result<(Parser, u32), String> {
    Ok((Parser::new(words).map_err(|error| error.to_string())?, 4))
}

impl Exchange {
    fn prompt(&self, question: &str) -> Prompt {
        let tail = format!("{{question}}{}", self.after);
        let talk = Talk { system: &self.system, stem: &self.before, tail: &tail };
        let examples = self.examples.iter().map(|(question, answer)| (question.as_str(), answer.clone()));
        talk.prompt(examples, &question, |asked, place| (place == "question").then(|| (*asked).to_owned()))
    }
}

impl Lines {
    /// What is said when the outlook is this line.
    pub(crate) fn prompt(&self, task: Task, line: &str) -> Prompt {
        match task {
            Task::PickAndPlace => self.pick_and_place.prompt(line),
            Task::LookAtObject => self.look_at_object.prompt(line),
        }
    }
}

impl Pairs {
    /// What is said to ask whether an object is often found at a kind of place.
    pub(crate) fn prompt(&self, object: &str, place: &str) -> Prompt {
        let name = |word: &str| self.names.get(word).map_or_else(|| word.to_owned(), Clone::clone);
        self.whereabouts.prompt(&format!("{}, {}", name(object), name(place)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_templates_say_what_they_should() {
        let line =
            |template: &str, task| LINE_TEMPLATES.find(template).unwrap().words.prompt(task, "You hold nothing.");
        assert_eq!(line("household-few-shot", Task::PickAndPlace).messages().len(), 8);
        let when = line("household-when", Task::LookAtObject);
        let asked = &when.messages()[1].content;
        assert!(
            asked.contains("light: when") && asked.ends_with("You hold nothing.\nAnswer with one action word only.")
        );
        let pair = PAIR_TEMPLATES.find(WHEREABOUTS).unwrap().words.prompt("winebottle", "sinkbasin");
        assert_eq!(pair.messages().last().unwrap().content, "wine bottle, sink");
        assert!(LINE_TEMPLATES.find("household").unwrap_err().to_string().contains("household-when"));
    }
}
