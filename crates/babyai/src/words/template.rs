//! The templates of BabyAI, and what they must not say.
//!
//! Invariant: a template tells no more than it declares ([`Told`]), and its parser reads every answer that it asks for; reading
//! a file that breaks this is an error.

use std::sync::LazyLock;

use counsel_advisor::{Error, Prompt, Talk, Templates, Variant, places};
use counsel_decision::{Form, Parser, Response};
use serde::Deserialize;

use super::wording::{ByErrand, Wording};
use super::{Errand, Object, Place, Situation};
use crate::Act;

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

/// The words of a template, as they are written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    /// What it tells.
    pub told: Told,
    /// How it asks again.
    pub variant: Variant,
    #[serde(default)]
    form: Form,
    max_tokens: u32,
    system: String,
    #[serde(rename = "words")]
    answers: Answers,
    wording: Vec<Wording>,
    #[serde(default)]
    example: Vec<Example>,
}

/// The words that may be answered.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Answers {
    generate: Vec<String>,
    scored: Option<ByErrand<Vec<String>>>,
}

/// An exchange that goes before the question.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Example {
    verb: Errand,
    place: Option<Place>,
    answer: String,
}

/// A template.
pub type Template = counsel_advisor::Template<Words>;

/// The built-in templates.
pub static TEMPLATES: LazyLock<Templates<Words>> = LazyLock::new(|| {
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
    Templates::built_in(files, Words::check)
});

impl Words {
    /// The template that a file holds.
    pub fn read(file: &str) -> Result<Template, Error> {
        Template::read(file, Self::check)
    }

    /// How many wordings there are.
    pub fn wordings(&self) -> usize {
        self.wording.len()
    }

    /// The words that can be of use for an errand, where answers can be scored.
    pub(crate) fn scored(&self, errand: Errand) -> Option<Vec<String>> {
        self.answers.scored.as_ref().map(|words| words.of(errand).clone())
    }

    /// What is said in this situation.
    pub fn prompt(&self, situation: &Situation) -> Prompt {
        let wording = &self.wording[situation.wording % self.wording.len()];
        let examples = self
            .example
            .iter()
            .filter(|example| example.verb == situation.errand)
            .map(|example| (Situation::imagined(example.verb, Object::ANY, example.place), example.answer.clone()));
        let talk = Talk { system: &self.system, stem: &wording.stem, tail: &wording.tail };
        talk.prompt(examples, situation, |situation, place| wording.word(situation, place))
    }

    /// What reads the answers and how many tokens they have at most, or what is wrong with the words and the remedy.
    fn check(&self) -> Result<(Parser, u32), String> {
        let seven = Act::ALL.map(Act::name);
        if self.answers.generate != seven {
            return Err(format!("words.generate must be the seven actions by number: {}", seven.join(", ")));
        }
        for words in self.answers.scored.iter().flat_map(ByErrand::all) {
            let known = |word: &String| seven.contains(&word.as_str());
            let twice = words.iter().enumerate().any(|(at, word)| words[..at].contains(word));
            if words.is_empty() || twice || !words.iter().all(known) {
                return Err(format!("words.scored has {words:?}; give distinct ones of {}", seven.join(", ")));
            }
        }
        if self.answers.scored.is_some() && self.form != Form::Word {
            return Err("scored answers are bare words; leave out words.scored, or the form".to_owned());
        }
        let parser = Parser::new(seven).map_err(|error| error.to_string())?.in_form(self.form);
        let unreadable = |example: &&Example| parser.read(&example.answer) == Response::Unusable;
        if let Some(example) = self.example.iter().find(unreadable) {
            return Err(format!("its parser cannot read the example's answer {:?}; name one action", example.answer));
        }
        if !self.example.is_empty() && self.told != Told::Target {
            return Err(
                "examples know only the target's place; leave them out, or declare told = \"target\"".to_owned()
            );
        }
        let several = self.wording.len() > 1;
        if self.wording.is_empty() || several && self.variant != Variant::Paraphrase {
            let count = self.wording.len();
            return Err(format!("it has {count} wordings; give one, or several and variant = \"paraphrase\""));
        }
        self.wording.iter().try_for_each(|wording| self.check_wording(wording))?;
        Ok((parser, self.max_tokens))
    }

    fn check_wording(&self, wording: &Wording) -> Result<(), String> {
        if !wording.stem.is_empty() && !wording.stem.ends_with('\n') {
            return Err("a stem must end with its line; break the line after it".to_owned());
        }
        match (self.variant, wording.repairs(), wording.tail.contains("{repair}")) {
            (Variant::Repair, false, _) => {
                return Err("a repair needs after_action, after_unusable and {repair} in its tail".to_owned());
            }
            (Variant::Identical | Variant::Paraphrase, _, true) => {
                return Err("only a repair speaks of the answer before; leave {repair} out".to_owned());
            }
            _ => {}
        }
        let everywhere = ["verb", "state", "rule", "repair", "place", "n", "ahead", "aside", "word"];
        let allowed: &[&str] = match self.told {
            Told::Target => &[],
            Told::Object => &["object"],
            Told::Scene => &["object", "carried", "scene"],
            Told::Grid => &["object", "carried", "grid"],
        };
        let told = format!("{:?}", self.told).to_lowercase();
        match wording.texts().flat_map(places).find(|name| !everywhere.contains(name) && !allowed.contains(name)) {
            Some(name) => Err(format!("{{{name}}} is more than told = {told} may tell; leave it out")),
            None => Ok(()),
        }
    }
}
