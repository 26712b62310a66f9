//! Text that came from outside is shown, not obeyed: no character that a terminal acts upon reaches it.

use std::fs;

use crate::server::{Server, answer};
use crate::support::{Said, counsel, path};

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
    let lock = include_str!("../../../experiment/studies/lock.toml");
    let hostile = r"\u001b]0;owned\u0007\u009b2J\u202e";
    let titled =
        lock.replacen("id = \"lock\"", "id = \"mine\"", 1).replacen("title = \"", &format!("title = \"{hostile}"), 1);
    fs::write(&file, &titled).unwrap();
    let run = folder.path().join("run");
    let reproduce = ["reproduce", path(&file), "--seeds", "0..0", "--set", "episodes=2", "--out", path(&run)];
    for verb in [&reproduce[..], &["tables", path(&run)], &["tables", path(&run), "--format", "markdown"]] {
        let said = counsel(verb);
        assert_harmless(&said);
        assert!(said.expect_success().contains("owned"), "{verb:?}");
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
    let shown = crate::support::counsel_typing(&["world", "play", "BabyAI-GoToObj-v0"], "\u{1b}\nq\n");
    assert!(shown.contains(r"`\u{1b}` is no action"), "{shown}");
}

/// For a program the text is as it came; a terminal gets none of it to obey.
#[cfg(target_os = "linux")]
#[test]
fn a_table_for_programs_is_harmless_at_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("results.csv");
    let rows = ["never", HOSTILE].map(|arm| format!("0,{arm},0.5\n1,{arm},0.25\n")).concat();
    fs::write(&file, format!("seed,arm,value\n{rows}")).unwrap();
    let words = ["stats", "paired", path(&file), "--baseline", "never", "--format", "csv"];
    assert!(counsel(&words).expect_success().contains(HOSTILE), "in a pipe it is as it came");
    let line = format!("{} {}", env!("CARGO_BIN_EXE_counsel"), words.join(" "));
    let shown = std::process::Command::new("script").args(["-qec", &line, "/dev/null"]).output();
    // Not every machine has the command that makes a terminal.
    let Ok(shown) = shown else { return };
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(
        shown.contains(r"left\u{1b}]0;owned") && !shown.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']),
        "{shown:?}"
    );
}
