//! The parser's table once more, written for plainness: every split of the text is tried, and JSON is read by a complete
//! reader. Tests and fuzz targets hold the parser against it.

use std::fmt;

use counsel_decision::{Action, Form, Response};
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;

/// What the table says of a text.
pub(crate) fn read(words: &[String], form: Form, text: &str) -> Response {
    let fits = |word: &&String| match form {
        Form::Word => is_word(word, text),
        Form::Json => is_object(word, text),
    };
    let place = words.iter().position(|word| fits(&word));
    place.map_or(Response::Unusable, |place| Response::Recommends(Action::new(place)))
}

/// Whether the text is: marks, the word, marks, perhaps a full stop, marks.
fn is_word(word: &str, text: &str) -> bool {
    let marks = |text: &str| text.chars().all(|c| c.is_whitespace() || "\"'`".contains(c));
    let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let begins = ends.iter().take_while(|&&begin| marks(&text[..begin]));
    begins.into_iter().any(|&begin| {
        ends.iter().filter(|&&end| end >= begin).any(|&end| {
            let after: Vec<&str> = text[end..].split('.').collect();
            text[begin..end].to_lowercase() == word && after.len() <= 2 && after.iter().all(|part| marks(part))
        })
    })
}

/// Whether the text is the object with this word, perhaps in a fence.
fn is_object(word: &str, text: &str) -> bool {
    let mut text = text.trim();
    if text.len() >= 10 && text.starts_with("```json") && text.ends_with("```") {
        text = text[7..text.len() - 3].trim();
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let Ok(pairs) = reader.deserialize_map(Pairs) else { return false };
    reader.end().is_ok()
        && matches!(&pairs[..], [(key, Value::String(said))] if key == "action" && said.to_lowercase() == word)
}

/// All pairs of an object, with those that repeat a key.
struct Pairs;

impl<'de> Visitor<'de> for Pairs {
    type Value = Vec<(String, Value)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(pairs)
    }
}
