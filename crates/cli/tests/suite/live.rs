//! A live run never mixes, never hides a lost answer, and never pays twice. The endpoint is a real one, on loopback.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use counsel_transcript::Answers;

use crate::server::{Server, answer, reply, send};
use crate::support::{Said, command, counsel, files, is_kind, path};

/// A study of a second, with a model that nobody has recorded: 20 questions in each of two tasks, put again in three ways.
fn run(server: &str, out: &Path, more: &[&str]) -> Said {
    let study = ["reproduce", "babyai-repeat", "--seeds", "0..0", "--set", "moments=20", "--out", path(out)];
    let quick =
        ["--advisor", "m/plain/generate", "--live", "--yes", "--base-url", server, "--retries", "0", "--jobs", "1"];
    counsel(&[&study[..], &quick[..], more].concat())
}

fn saying(word: &'static str) -> Server {
    Server::start(move |_, stream| answer(stream, word))
}

fn manifests(out: &Path) -> usize {
    files(out).keys().filter(|name| is_kind(name, "json") && name.contains("seed-")).count()
}

#[test]
fn a_spent_budget_stops_the_run_and_the_next_run_goes_on_without_paying_twice() {
    let (server, folder) = (saying("left"), tempfile::tempdir().unwrap());
    let out = folder.path().join("cut");
    let said = run(&server.base_url, &out, &["--budget", "3"]);
    let error = said.expect_failure();
    assert!(error.contains("cells are unfinished, since ") && error.contains("question(s) got no answer"), "{error}");
    assert!(error.contains("the budget of 3 calls is spent") && error.contains("goes on from them"), "{error}");
    assert_eq!(server.count(), 3);
    let finished = manifests(&out);

    let said = run(&server.base_url, &out, &["--budget", "100000"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(manifests(&out) > finished);
    let whole = saying("left");
    let unbroken = folder.path().join("whole");
    assert_eq!(run(&whole.base_url, &unbroken, &["--budget", "100000"]).code, Some(0));
    assert_eq!(server.count(), whole.count(), "an answer that was there was paid for again");
    let audited = counsel(&["audit", path(&out), "--rerun"]);
    assert_eq!(audited.code, Some(0), "{audited:?}");
}

#[test]
fn a_dead_endpoint_stops_the_run_after_a_declared_number_of_questions() {
    let folder = tempfile::tempdir().unwrap();
    let dead = {
        let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}", port.local_addr().unwrap())
    };
    let error = run(&dead, folder.path(), &["--budget", "1000", "--stop-after", "4"]).expect_failure();
    assert!(
        error.contains("4 question(s) got no answer: 4 questions in a row") && error.contains("--stop-after"),
        "{error}"
    );
    assert_eq!(manifests(folder.path()), 0);
}

#[test]
fn a_model_under_another_name_stops_the_run_at_its_first_answer() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(|_, stream| {
        let named = String::from_utf8(crate::server::completion("left")).unwrap().replace("\"m\"", "\"someone-else\"");
        send(stream, &reply(200, "", named.as_bytes()))
    });
    let error = run(&server.base_url, folder.path(), &["--budget", "1000"]).expect_failure();
    assert!(error.contains("someone-else") && error.contains("--any-model"), "{error}");
    assert_eq!(server.count(), 1);
}

#[test]
fn an_answer_lost_in_between_leaves_its_cell_for_the_next_run() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(|received, stream| match received.number {
        5 => send(stream, &reply(500, "", b"")),
        _ => answer(stream, "left"),
    });
    let error = run(&server.base_url, folder.path(), &["--budget", "100000"]).expect_failure();
    assert!(error.contains("1 of 6 cells are unfinished, since 1 question(s) got no answer"), "{error}");
    assert_eq!(manifests(folder.path()), 5);
    assert_eq!(run(&server.base_url, folder.path(), &["--budget", "100000"]).code, Some(0));
    assert_eq!(manifests(folder.path()), 6);
}

#[test]
fn live_cells_are_marked_and_never_mixed_with_replayed_ones() {
    let (server, folder) = (saying("left"), tempfile::tempdir().unwrap());
    assert_eq!(run(&server.base_url, folder.path(), &["--budget", "100000"]).code, Some(0));
    for (name, bytes) in files(folder.path()) {
        if is_kind(&name, "json") {
            assert!(String::from_utf8(bytes).unwrap().contains(&server.base_url), "{name} is not marked");
        }
    }
    let listed = counsel(&["list", path(folder.path())]).expect_success();
    assert!(listed.contains(&format!("live answers from {}", server.base_url)), "{listed}");
    let study = ["reproduce", "babyai-repeat", "--set", "moments=20", "--out", path(folder.path()), "--seeds", "1..1"];
    let error = counsel(&[&study[..], &["--advisor", "m/plain/generate"]].concat()).expect_failure();
    assert!(error.contains("live answers from") && error.contains("recorded answers here"), "{error}");
    let other = saying("left");
    let error = run(&other.base_url, folder.path(), &["--budget", "9"]).expect_failure();
    assert!(error.contains(&other.base_url) && other.count() == 0, "{error}");
}

#[test]
fn paid_calls_need_a_budget_and_an_endpoint_needs_live() {
    let (server, folder) = (saying("left"), tempfile::tempdir().unwrap());
    let error = run(&server.base_url, folder.path(), &[]).expect_failure();
    assert!(error.contains("--budget"), "{error}");
    let study = ["reproduce", "babyai-repeat", "--out", path(folder.path()), "--base-url", &server.base_url];
    let error = counsel(&study).expect_failure();
    assert!(error.contains("--base-url") && error.contains("--live"), "{error}");
    assert_eq!((server.count(), files(folder.path()).len()), (0, 0));
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_the_answer_under_way() {
    let server = Server::start(|received, stream| {
        std::thread::sleep(Duration::from_millis(if received.number == 4 { 1000 } else { 0 }));
        answer(stream, "left")
    });
    let folder = tempfile::tempdir().unwrap();
    let study = ["reproduce", "babyai-repeat", "--seeds", "0..0", "--set", "moments=20", "--out", path(folder.path())];
    let live = ["--advisor", "m/plain/generate", "--live", "--yes", "--base-url", &server.base_url, "--jobs", "1"];
    let mut child = command(&[&study[..], &live[..], &["--budget", "1000"]].concat());
    let child = child.stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    while server.count() < 4 {
        std::thread::yield_now();
    }
    std::thread::sleep(Duration::from_millis(200));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{said}");
    let kept: usize =
        counsel_transcript::journals(&folder.path().join("answers")).unwrap().iter().map(Answers::len).sum();
    assert_eq!((server.count(), kept), (4, 4), "what was paid is kept: {said}");
}
