//! Ctrl-C ends a run with the words that say how to go on, and the next run goes on.

#![cfg(unix)]

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::support::{command, is_kind, names, path, reproduce};

#[test]
fn an_interrupted_run_says_how_to_go_on_and_does() {
    let folder = tempfile::tempdir().unwrap();
    let words = "query-count --seeds 0..5 --jobs 1";
    let mut arguments = vec!["reproduce"];
    arguments.extend(words.split_whitespace());
    arguments.extend(["--out", path(folder.path())]);
    let child = command(&arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    while names(folder.path()).iter().filter(|name| is_kind(name, "json")).count() < 2 {
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("interrupted; finished cells are in") && said.contains("the same command goes on"), "{said}");
    let resumed = reproduce(words, folder.path());
    assert!(resumed.stderr.contains("were there already"), "{}", resumed.stderr);
}
