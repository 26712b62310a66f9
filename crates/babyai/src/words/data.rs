//! A template as it is written, and what it must not say.
//!
//! Invariant: checked data tells no more than it declares, and its parser reads every answer that it asks for.

use counsel_advisor::Variant;
use counsel_decision::{Form, Parser, Response};
use serde::Deserialize;

use super::wording::{ByErrand, Wording, word_of};
use super::{Errand, Place, Told};
use crate::Act;

/// A template as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Data {
    pub(crate) name: String,
    pub(crate) version: u32,
    pub(crate) about: String,
    pub(crate) told: Told,
    pub(crate) variant: Variant,
    #[serde(default)]
    pub(crate) form: Form,
    pub(crate) max_tokens: u32,
    pub(crate) system: String,
    pub(crate) words: Words,
    pub(crate) wording: Vec<Wording>,
    #[serde(default)]
    pub(crate) example: Vec<Example>,
}

/// The words that may be answered.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Words {
    pub(crate) generate: Vec<String>,
    pub(crate) scored: Option<ByErrand<Vec<String>>>,
}

/// An exchange that goes before the question.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Example {
    pub(crate) verb: Errand,
    pub(crate) place: Option<Place>,
    pub(crate) answer: String,
}

impl Data {
    /// What reads the answers.
    pub(crate) fn parser(&self) -> Parser {
        let parser = Parser::new(Act::ALL.map(word_of)).expect("the seven words are distinct and bare");
        parser.in_form(self.form)
    }

    /// What is wrong with the file, and the remedy.
    pub(crate) fn check(&self) -> Result<(), String> {
        let seven = Act::ALL.map(word_of);
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if self.name.is_empty() || !self.name.bytes().all(plain) {
            return Err("the name must be of small letters, digits and hyphens".to_owned());
        }
        if self.words.generate != seven {
            return Err(format!("words.generate must be the seven actions by number: {}", seven.join(", ")));
        }
        for words in self.words.scored.iter().flat_map(ByErrand::all) {
            let known = |word: &String| seven.contains(&word.as_str());
            let twice = words.iter().enumerate().any(|(at, word)| words[..at].contains(word));
            if words.is_empty() || twice || !words.iter().all(known) {
                return Err(format!("words.scored has {words:?}; give distinct ones of {}", seven.join(", ")));
            }
        }
        if self.words.scored.is_some() && self.form != Form::Word {
            return Err("scored answers are bare words; leave out words.scored, or the form".to_owned());
        }
        let unreadable = |example: &&Example| self.parser().read(&example.answer) == Response::Unusable;
        if let Some(example) = self.example.iter().find(unreadable) {
            return Err(format!("its parser cannot read the example's answer {:?}; name one action", example.answer));
        }
        if !self.example.is_empty() && self.told != Told::Target {
            return Err(
                "examples know only the target's place; leave them out, or declare told = \"target\"".to_owned()
            );
        }
        if self.max_tokens == 0 {
            return Err("max_tokens is 0, but an answer has at least one; give 1 or more".to_owned());
        }
        let several = self.wording.len() > 1;
        if self.wording.is_empty() || several && self.variant != Variant::Paraphrase {
            let count = self.wording.len();
            return Err(format!("it has {count} wordings; give one, or several and variant = \"paraphrase\""));
        }
        self.wording.iter().try_for_each(|wording| self.check_wording(wording))
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
        for text in wording.texts() {
            let places = text.split('{').skip(1).filter_map(|part| part.split_once('}')).map(|(name, _)| name);
            for name in places.filter(|name| name.bytes().all(|byte| byte.is_ascii_lowercase())) {
                if !everywhere.contains(&name) && !allowed.contains(&name) {
                    return Err(format!("{{{name}}} is more than told = {told} may tell; leave it out"));
                }
            }
        }
        Ok(())
    }
}
