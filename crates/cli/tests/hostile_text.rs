//! Text that came from outside is shown, not obeyed: no character that a terminal acts upon reaches it.

mod support;

#[path = "../../endpoint/tests/server/mod.rs"]
mod server;

use std::fs;

use server::{Server, answer};
use support::{Said, counsel, path};

/// Sets the terminal's title, clears the screen, and turns letters around.
const HOSTILE: &str = "left\u{1b}]0;owned\u{7}\u{9b}2J\u{202e}";

#[track_caller]
fn assert_harmless(said: &Said) {
    let obeyed = |letter: char| letter.is_control() && letter != '\n' || ('\u{202a}'..='\u{202e}').contains(&letter);
    assert!(!said.all().contains(obeyed), "{said:?}");
}

#[test]
fn a_reply_with_terminal_escapes_is_shown_escaped() {
    let server = Server::start(|_, stream| answer(stream, HOSTILE));
    let ask = ["advisor", "ask", "--base-url", &server.base_url, "--model", "m", "--prompt", "x"];
    let said = counsel(&ask);
    assert_harmless(&said);
    assert!(said.expect_success().starts_with(r"left\u{1b}]0;owned\u{7}\u{9b}2J\u{202e}"));
    let json = counsel(&[&ask[..], &["--json"]].concat()).expect_success();
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["text"], HOSTILE, "for programs the text is as it came");
}

#[test]
fn a_study_with_terminal_escapes_is_shown_escaped() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    let lock = include_str!("../../experiment/studies/lock.toml");
    let hostile = r"\u001b]0;owned\u0007\u009b2J\u202e";
    let titled =
        lock.replacen("id = \"lock\"", "id = \"mine\"", 1).replacen("title = \"", &format!("title = \"{hostile}"), 1);
    fs::write(&file, &titled).unwrap();
    let run = folder.path().join("run");
    let reproduce = ["reproduce", path(&file), "--seeds", "0..0", "--set", "episodes=2", "--out", path(&run)];
    for verb in [&reproduce[..], &["tables", path(&run)], &["tables", path(&run), "--format", "markdown"]] {
        let said = counsel(verb);
        assert_harmless(&said);
        assert!(said.expect_success().contains(r"\u{1b}]0;owned"), "{verb:?}");
    }
    let explain = ["explain", path(&run), "--cell", "mine/never/0", "--step", "0"];
    assert_harmless(&counsel(&explain));
    fs::write(&file, titled.replacen("[shared]\n", &format!("[shared]\n\"{hostile}\" = 1\n"), 1)).unwrap();
    let said = counsel(&reproduce);
    assert_harmless(&said);
    assert!(said.expect_failure().contains(r"unknown key `\u{1b}]0;owned"), "an error is shown escaped, too");
}

#[test]
fn a_key_that_is_no_letter_is_shown_escaped() {
    let shown = support::counsel_typing(&["world", "play", "BabyAI-GoToObj-v0"], "\u{1b}\nq\n");
    assert!(shown.contains(r"`\u{1b}` is no action"), "{shown}");
}
