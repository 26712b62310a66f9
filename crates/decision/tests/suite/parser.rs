//! The parser against its table: a snapshot of verdicts, and a slow reading of the same table.

use std::fmt::Write;

use counsel_decision::{Action, Form, Parser, Response};
use proptest::prelude::*;

const WORDS: [&str; 7] = ["left", "right", "forward", "pickup", "drop", "toggle", "done"];

const TEXTS: [&str; 76] = [
    "left",
    "Left",
    "LEFT",
    "  left",
    "left\n",
    "\t\r\n left \u{a0}",
    "\"left\"",
    "'left'",
    "`left`",
    "``left``",
    "```left```",
    "\"left",
    "left'",
    "\"'`left`'\"",
    "' left '",
    "left.",
    "\"left\".",
    "\"left.\"",
    "left .",
    "left. \"",
    "pickup",
    "pic\u{212a}up",
    "",
    " ",
    ".",
    "\"\"",
    "left..",
    "left. .",
    ".left",
    "left!",
    "left?",
    "left,",
    "left:",
    "left;",
    "**left**",
    "_left_",
    "(left)",
    "<left>",
    "“left”",
    "‘left’",
    "left\u{200b}",
    "\u{feff}left",
    "left\0",
    "lef",
    "leftt",
    "le ft",
    "turn left",
    "left right",
    "left left",
    "left\nright",
    "left or right",
    "left, because the target is there",
    "1. left",
    "1",
    "0",
    "pick up",
    "pick-up",
    "backward",
    "izquierda",
    "Action: left",
    "I cannot help with that.",
    "{\"action\": \"left\"}",
    " {\"action\":\"Left\"} \n",
    "{\n\t\"action\" :\r\n \"\\u006ceft\"\n}",
    "{\"\\u0061ction\": \"right\"}",
    "```json\n{\"action\": \"left\"}\n```",
    "```json{\"action\": \"left\"}```",
    "```\n{\"action\": \"left\"}\n```",
    "{\"action\": \"left\"}.",
    "{\"action\": \" left \"}",
    "{\"action\": \"left\", \"action\": \"left\"}",
    "{\"action\": \"left\", \"reason\": \"it is there\"}",
    "{\"Action\": \"left\"}",
    "{\"action\": [\"left\"]}",
    "{'action': 'left'}",
    "{\"action\": \"left\"} {\"action\": \"right\"}",
];

const OBJECTS: [&str; 28] = [
    "{}",
    "{\"action\"}",
    "{\"action\":}",
    "{\"action\":null}",
    "{\"action\":0}",
    "{\"action\":true}",
    "{\"action\":{\"action\":\"left\"}}",
    "[{\"action\":\"left\"}]",
    "[\"left\"]",
    "\"left\"",
    "{\"action\":\"left\",}",
    "{,\"action\":\"left\"}",
    "{\"action\" \"left\"}",
    "{\"action\":\"left\"",
    "{\"action\":\"left}",
    "{\"action\":\"left.\"}",
    "{\"action\":\"\\\"left\\\"\"}",
    "{\"action\":\"l\\eft\"}",
    "{\"action\":\"\\u006Ceft\"}",
    "{\"action\":\"\\u+06ceft\"}",
    "{\"action\":\"\\u06c\"}",
    "{\"action\":\"\\ud800left\"}",
    "{\"action\":\"\\ud83d\\ude00\"}",
    "{\"action\":\"left\n\"}",
    "{\u{a0}\"action\":\"left\"}",
    "{\"action\":\"left\"/**/}",
    "```JSON\n{\"action\":\"left\"}\n```",
    "```json\n{\"action\":\"left\"}\n",
];

fn parser(form: Form) -> Parser {
    Parser::new(WORDS).unwrap().in_form(form)
}

fn verdict(form: Form, text: &str) -> &'static str {
    match parser(form).read(text) {
        Response::Recommends(action) => WORDS[action.index()],
        Response::Unusable => "-",
    }
}

#[test]
fn verdicts() {
    let mut table = String::from("word     json     text\n");
    for text in TEXTS.iter().chain(&OBJECTS) {
        let _ = writeln!(table, "{:<8} {:<8} {text:?}", verdict(Form::Word, text), verdict(Form::Json, text));
    }
    insta::assert_snapshot!(table);
}

#[test]
fn the_slow_reading_agrees_on_the_table() {
    for form in [Form::Word, Form::Json] {
        for text in TEXTS.iter().chain(&OBJECTS) {
            let parser = parser(form);
            assert_eq!(parser.read(text), crate::slow::read(parser.words(), form, text), "{form:?} {text:?}");
        }
    }
}

#[test]
fn the_slow_reading_agrees_on_the_seeds_of_the_fuzzer() {
    let mut seeds = 0;
    for folder in ["parser", "json"] {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/").to_owned() + folder;
        for file in std::fs::read_dir(folder).unwrap() {
            let bytes = std::fs::read(file.unwrap().path()).unwrap();
            let text = String::from_utf8_lossy(&bytes);
            for form in [Form::Word, Form::Json] {
                let parser = parser(form);
                assert_eq!(parser.read(&text), crate::slow::read(parser.words(), form, &text), "{form:?} {text:?}");
            }
            seeds += 1;
        }
    }
    assert!(seeds > 100, "only {seeds} seeds");
}

/// Pieces of answers, so that most texts are nearly right.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(&["left", "RIGHT", "done", "\"", "'", "`", ".", " ", "\n", "{", "}", ":", ","][..])
            .prop_map(str::to_owned),
        2 => prop::sample::select(&["{\"action\":", "\"action\"", "\"left\"", "\\u006ceft", "```json", "```", "\\"][..])
            .prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..9).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn the_slow_reading_agrees(text in text()) {
        for form in [Form::Word, Form::Json] {
            let parser = parser(form);
            let response = parser.read(&text);
            prop_assert_eq!(response, crate::slow::read(parser.words(), form, &text));
            prop_assert_eq!(parser.read(&format!(" \n{text}\t\u{2003}")), response);
        }
    }

    #[test]
    fn every_word_is_read_in_every_dress(word in 0_usize..7, before in "[ \t\n\"'`]{0,4}", after in "[ \n\"'`]{0,3}\\.?[ '\"]{0,2}") {
        let said = Response::Recommends(Action::new(word));
        let dressed = format!("{before}{}{after}", WORDS[word].to_uppercase());
        prop_assert_eq!(parser(Form::Word).read(&dressed), said);
        let escaped = WORDS[word].chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect::<Vec<_>>().concat();
        let object = format!("{{ \"action\" : \"{escaped}\" }}");
        prop_assert_eq!(parser(Form::Json).read(&object), said);
    }
}
