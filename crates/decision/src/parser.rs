//! The parser g(Y, z): a total function from raw text to an admissible action or `Unusable`.
//!
//! It is fixed before any answer is seen and knows nothing of the environment, so a bad answer cannot be repaired with
//! the truth.

use serde::{Deserialize, Serialize};

use crate::{Action, Error, Reply, ReplySource, Response};

/// Reads the one word that names an action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parser {
    words: Vec<String>,
}

impl Parser {
    /// A parser for this vocabulary, one word per action; words are compared without regard to case.
    pub fn new(words: impl IntoIterator<Item = impl Into<String>>) -> Result<Self, Error> {
        let words: Vec<String> = words.into_iter().map(|word| word.into().to_lowercase()).collect();
        for (index, word) in words.iter().enumerate() {
            if words[..index].contains(word) {
                return Err(Error::AmbiguousWord { word: word.clone() });
            }
            if word.is_empty() || plain(word) != *word {
                return Err(Error::UnreadableWord { word: word.clone() });
            }
        }
        Ok(Self { words })
    }

    /// The vocabulary `a0`, `a1`, … of environments whose actions have no names.
    pub fn numbered(actions: usize) -> Self {
        Self { words: (0..actions).map(|a| format!("a{a}")).collect() }
    }

    /// The words, one per action.
    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The action a reply names. White space, quotes and one final full stop around the word are ignored; anything else
    /// than exactly one known word is unusable.
    pub fn parse(&self, reply: &Reply) -> Response {
        if reply.source == ReplySource::Lost {
            return Response::Unusable;
        }
        let text = plain(&reply.text);
        self.words
            .iter()
            .position(|word| *word == text)
            .map_or(Response::Unusable, |index| Response::Recommends(Action::new(index)))
    }
}

/// A text without white space, quotes and one full stop around it, in lower case.
fn plain(text: &str) -> String {
    let quotes = |text: &str| text.trim_matches(['"', '\'', '`', ' ']).to_owned();
    let text = quotes(text.trim());
    quotes(text.strip_suffix('.').unwrap_or(&text).trim()).to_lowercase()
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
        assert!(matches!(Parser::new(["a", "A"]), Err(Error::AmbiguousWord { .. })));
        for word in ["", "go.", " up ", "'x'"] {
            assert!(matches!(Parser::new([word]), Err(Error::UnreadableWord { .. })), "{word:?}");
        }
    }
}
