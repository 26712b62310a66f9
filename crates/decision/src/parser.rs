//! The parser g(Y, z): a total function from raw text to an admissible action or `Unusable`.
//!
//! It is fixed before any answer is seen and knows nothing of the environment, so a bad answer cannot be repaired with
//! the truth. What it reads is specified here; everything else is unusable.
//!
//! | Form | Read | Ignored around it | Examples | Unusable |
//! |---|---|---|---|---|
//! | `word` | one word of the vocabulary | white space and the marks `"` `'` `` ` ``, paired or not; among them one full stop after the word | `left`, `"Left".`, `` `left.` `` | `go left`, `left right`, `left..`, `left!`, `1. left`, `“left”` |
//! | `json` | one object with the one key `action`, once, whose value is a string that is a word of the vocabulary | white space; one fence, three backticks and `json` before and three backticks after | `{"action": "left"}`, `{"\u0061ction":"LEFT"}` | `left`, `{"action":" left"}`, `{"action":["left"]}`, `{"Action":"left"}`, a second key, a key twice, anything after the object, a bare fence |
//!
//! Words are compared without regard to case, keys exactly. Inside the object only what RFC 8259 calls white space may
//! stand between the parts, and nothing around the word inside its string. Both forms: a reply that never came is
//! unusable whatever its text, and white space around a text never changes what it means.

mod json;

use serde::{Deserialize, Serialize};

use crate::error::check_count;
use crate::{Action, Error, Reply, ReplySource, Response};

/// How an answer must be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// As one bare or quoted word.
    #[default]
    Word,
    /// As a JSON object, `{"action": "word"}`.
    Json,
}

impl Form {
    /// Whether this is the form that goes without saying, and is therefore not written down.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// Reads the one action that an answer names.
///
/// ```
/// use counsel_decision::{Action, Parser, Response};
///
/// let parser = Parser::new(["left", "right"])?;
/// assert_eq!(parser.read(" \"Right\". "), Response::Recommends(Action(1)));
/// assert_eq!(parser.read("I would go right."), Response::Unusable);
/// # Ok::<(), counsel_decision::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Declared")]
pub struct Parser {
    words: Vec<String>,
    #[serde(skip_serializing_if = "Form::is_default")]
    form: Form,
}

/// A parser as it is written down, not yet checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Declared {
    words: Vec<String>,
    #[serde(default)]
    form: Form,
}

impl TryFrom<Declared> for Parser {
    type Error = Error;

    fn try_from(declared: Declared) -> Result<Self, Error> {
        Ok(Self::new(declared.words)?.in_form(declared.form))
    }
}

impl Parser {
    /// A parser for this vocabulary, one word per action, in the form `word`; words are compared without regard to case.
    pub fn new(words: impl IntoIterator<Item = impl Into<String>>) -> Result<Self, Error> {
        let words: Vec<String> = words.into_iter().map(|word| word.into().to_lowercase()).collect();
        check_count(words.len())?;
        for (index, word) in words.iter().enumerate() {
            if words[..index].contains(word) {
                return Err(Error::AmbiguousWord { word: word.clone() });
            }
            if word.is_empty() || bare(word) != word || word.to_lowercase() != *word {
                return Err(Error::UnreadableWord { word: word.clone() });
            }
        }
        Ok(Self { words, form: Form::Word })
    }

    /// The vocabulary `a0`, `a1`, … of environments whose actions have no names.
    pub fn numbered(actions: usize) -> Self {
        Self { words: (0..actions).map(|a| format!("a{a}")).collect(), form: Form::Word }
    }

    /// The same vocabulary, with answers in this form.
    #[must_use]
    pub fn in_form(self, form: Form) -> Self {
        Self { form, ..self }
    }

    /// The words, one per action.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// How an answer must be written.
    pub fn form(&self) -> Form {
        self.form
    }

    /// The action a reply names. A reply that never came names none.
    pub fn parse(&self, reply: &Reply) -> Response {
        match reply.source {
            ReplySource::Lost => Response::Unusable,
            ReplySource::Simulated | ReplySource::Live | ReplySource::Replayed => self.read(&reply.text),
        }
    }

    /// The same where only the first of the vocabulary's actions exist: one past them is unusable.
    pub fn parse_among(&self, reply: &Reply, actions: usize) -> Response {
        match self.parse(reply) {
            Response::Recommends(action) if action.index() >= actions => Response::Unusable,
            response => response,
        }
    }

    /// The action a text names, as the table of this module says.
    pub fn read(&self, text: &str) -> Response {
        let word = match self.form {
            Form::Word => Some(bare(text).to_lowercase()),
            Form::Json => json::advised(text).map(|word| word.to_lowercase()),
        };
        let place = word.and_then(|said| self.words.iter().position(|word| *word == said));
        place.map_or(Response::Unusable, |index| Response::Recommends(Action::new(index)))
    }
}

/// A text without the white space, the quotation marks and the one full stop around it.
fn bare(text: &str) -> &str {
    let around = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`');
    let text = text.trim_matches(around);
    text.strip_suffix('.').unwrap_or(text).trim_matches(around)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_known_word_is_understood() {
        let parser = Parser::new(["left", "Right"]).unwrap();
        let parse = |text: &str| parser.parse(&Reply::simulated(text));
        assert_eq!(parse(" \"LEFT\". "), Response::Recommends(Action(0)));
        assert_eq!(parse("right"), Response::Recommends(Action(1)));
        for text in ["", "left right", "forward", "go left", "le ft"] {
            assert_eq!(parse(text), Response::Unusable, "{text:?}");
        }
        assert_eq!(parser.parse(&Reply { text: "left".into(), ..Reply::lost() }), Response::Unusable);
        assert_eq!(parse("\"left.\""), Response::Recommends(Action(0)));
        assert_eq!(parser.parse_among(&Reply::simulated("left"), 1), Response::Recommends(Action(0)));
        assert_eq!(parser.parse_among(&Reply::simulated("right"), 1), Response::Unusable);
        assert!(matches!(Parser::new(["a", "A"]), Err(Error::AmbiguousWord { .. })));
        for word in ["", "go.", " up ", "'x'"] {
            assert!(matches!(Parser::new([word]), Err(Error::UnreadableWord { .. })), "{word:?}");
        }
    }

    #[test]
    fn the_default_form_is_not_written_down() {
        let parser = Parser::new(["left", "right"]).unwrap();
        let json = parser.clone().in_form(Form::Json);
        for (parser, text) in
            [(parser, r#"{"words":["left","right"]}"#), (json, r#"{"words":["left","right"],"form":"json"}"#)]
        {
            assert_eq!(serde_json::to_string(&parser).unwrap(), text);
            assert_eq!(serde_json::from_str::<Parser>(text).unwrap(), parser);
        }
        for text in [r#"{"words":["a","A"]}"#, r#"{"words":["'a'"]}"#, r#"{"words":["a"],"form":"xml"}"#] {
            assert!(serde_json::from_str::<Parser>(text).is_err(), "{text}");
        }
    }
}
