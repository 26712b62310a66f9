//! Any key and any value in an otherwise right object, escaped by a complete writer: read if and only if the key is
//! `action` and the value a word; and any text in the place of the value: as the slow reading says.
#![no_main]

#[path = "../../crates/decision/tests/suite/slow.rs"]
mod slow;

use counsel_decision::{Action, Form, Parser, Response};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let (key, value) = text.split_once('\0').unwrap_or(("action", &text));
    let parser = Parser::new(["left", "right", "a\"b\\c", "été"]).unwrap().in_form(Form::Json);
    let said = value.to_lowercase();
    let expected = match parser.words().iter().position(|word| key == "action" && *word == said) {
        Some(place) => Response::Recommends(Action::new(place)),
        None => Response::Unusable,
    };
    let quoted = |text: &str| serde_json::to_string(text).unwrap();
    let object = format!("{{{}:{}}}", quoted(key), quoted(value));
    assert_eq!(parser.read(&object), expected, "{object}");
    assert_eq!(parser.read(&format!("```json\n{object}```")), expected, "{object}");
    let raw = format!("{{\"action\":{value}}}");
    assert_eq!(parser.read(&raw), slow::read(parser.words(), Form::Json, &raw), "{raw}");
});
