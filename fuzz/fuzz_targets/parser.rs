//! Any text, in both forms: the parser never panics, stays in range, agrees with the slow reading of its table, and takes
//! no notice of white space around the text.
#![no_main]

#[path = "../../crates/decision/tests/suite/slow.rs"]
mod slow;

use counsel_decision::{Form, Parser, Reply, Response};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let text = String::from_utf8_lossy(bytes);
    let parser = Parser::new(["left", "right", "forward", "pickup", "drop", "toggle", "done"]).unwrap();
    for form in [Form::Word, Form::Json] {
        let parser = parser.clone().in_form(form);
        let response = parser.read(&text);
        if let Response::Recommends(action) = response {
            assert!(action.index() < parser.words().len());
        }
        assert_eq!(response, slow::read(parser.words(), form, &text));
        assert_eq!(response, parser.read(&format!("\u{2003}\n{text} \t")));
        assert_eq!(response, parser.parse(&Reply::simulated(text.clone())));
        assert_eq!(Response::Unusable, parser.parse(&Reply { text: text.to_string(), ..Reply::lost() }));
    }
});
