//! How text falls into pieces before pairs of tokens are merged: each family of tokenizers has its own rule.

use fancy_regex::Regex;
use unicode_normalization::UnicodeNormalization as _;

use crate::Error;

const GPT2: &str = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+";
const QWEN2: &str =
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+";

/// A rule by which text falls into pieces.
#[derive(Debug)]
pub(crate) struct Split {
    pattern: Regex,
    /// Digits stand alone before anything else is looked at.
    lone_digits: bool,
    /// Text is brought into the composed normal form first.
    composed: bool,
}

impl Split {
    /// The rule of this name, as in `tokenizer.ggml.pre`.
    pub(crate) fn new(name: &str) -> Result<Self, Error> {
        let (pattern, lone_digits, composed) = match name {
            "gpt-2" => (GPT2, false, false),
            "smollm" => (GPT2, true, false),
            "qwen2" => (QWEN2, false, true),
            _ => {
                let known = "gpt-2, qwen2 and smollm".to_owned();
                return Err(Error::Unknown { what: "pre-tokenizer", found: name.to_owned(), known });
            }
        };
        let why = |error: fancy_regex::Error| Error::Template { why: error.to_string() };
        Ok(Self { pattern: Regex::new(pattern).map_err(why)?, lone_digits, composed })
    }

    /// The text in the form in which it is split.
    pub(crate) fn normal(&self, text: &str) -> String {
        if self.composed { text.nfc().collect() } else { text.to_owned() }
    }

    /// The pieces of a text in its normal form; together they are the text.
    pub(crate) fn pieces<'a>(&self, text: &'a str) -> Vec<&'a str> {
        let mut pieces = Vec::new();
        if self.lone_digits {
            let mut start = 0;
            for (at, digit) in text.char_indices().filter(|(_, letter)| letter.is_numeric()) {
                self.match_all(&text[start..at], &mut pieces);
                start = at + digit.len_utf8();
                pieces.push(&text[at..start]);
            }
            self.match_all(&text[start..], &mut pieces);
        } else {
            self.match_all(text, &mut pieces);
        }
        pieces
    }

    fn match_all<'a>(&self, text: &'a str, pieces: &mut Vec<&'a str>) {
        let mut start = 0;
        while start < text.len() {
            // A pattern that gives up leaves the rest in one piece.
            let found = self.pattern.find_from_pos(text, start).ok().flatten();
            let (from, to) = found.map_or((text.len(), text.len()), |found| (found.start(), found.end()));
            if from > start {
                pieces.push(&text[start..from]);
            }
            if to > from {
                pieces.push(&text[from..to]);
            }
            start = to.max(start + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(name: &str, text: &str) -> Vec<String> {
        Split::new(name).unwrap().pieces(text).into_iter().map(ToOwned::to_owned).collect()
    }

    #[test]
    fn digits_and_spaces_fall_apart_as_each_family_wants() {
        assert_eq!(pieces("gpt-2", "a  12 b"), ["a", " ", " 12", " b"]);
        assert_eq!(pieces("smollm", "a  12 b"), ["a", "  ", "1", "2", " b"]);
        assert_eq!(pieces("qwen2", "a  12 b"), ["a", " ", " ", "1", "2", " b"]);
        assert_eq!(pieces("qwen2", "It'S x.\n\n  y"), ["It", "'S", " x", ".\n\n", " ", " y"]);
        assert_eq!(pieces("smollm", ""), Vec::<String>::new());
    }
}
