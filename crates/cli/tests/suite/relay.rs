//! A run that leaves the asking to `counsel advisor serve` leaves the bytes of one that asks for itself. The test hands the lines on.

use std::io::Write;
use std::path::Path;
use std::sync::Barrier;

use crate::server::{Server, answer};
use crate::support::spoken::Spoken;
use crate::support::{assert_same_files, counsel, files, path, peak_megabytes};

const STUDY: [&str; 9] =
    ["reproduce", "babyai-repeat", "--set", "moments=20", "--advisor", "m/plain/generate", "--live", "--jobs", "2"];

fn serve(server: &Server, budget: &str, out: &Path) -> Spoken {
    let endpoint = ["--base-url", &server.base_url, "--budget", budget, "--retries", "0", "--at-once", "4"];
    Spoken::with(&[&["advisor", "serve", "--out", path(out)], &endpoint[..]].concat())
}

/// A run of one seed in a folder, whose questions are handed to the desk.
fn relayed(server: &Server, desk: &mut Spoken, seed: &str, out: &Path) -> (bool, String) {
    let place = ["--relay", "--base-url", &server.base_url, "--seeds", seed, "--out", path(out)];
    let mut run = Spoken::with(&[&STUDY[..], &place[..]].concat());
    let mut number = 40;
    while let Some(question) = run.hear() {
        number += 1;
        desk.say(&format!("{number} {question}"));
        let answer = desk.hear().unwrap();
        run.say(answer.strip_prefix(&format!("{number} ")).unwrap());
    }
    run.end()
}

#[test]
fn runs_that_share_one_desk_leave_the_bytes_of_one_run_and_pay_for_each_question_once() {
    let server = Server::start(|received, stream| {
        // Answers differ from question to question, and are the same to the same one.
        let words = ["left", "right", "forward"];
        answer(stream, words[received.body.len() % words.len()])
    });
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let mut desk = serve(&server, "100000", &at("desk"));
    for seed in ["0..0", "1..1"] {
        let (ended_well, complaint) = relayed(&server, &mut desk, seed, &at(seed));
        assert!(ended_well, "{complaint}");
    }
    assert!(desk.end().0);
    let paid = server.count();
    assert!(paid > 20, "{paid}");
    counsel(&["merge", path(&at("desk")), path(&at("0..0")), path(&at("1..1"))]).expect_success();

    // A run that asks for itself, with those answers in its folder: it asks nothing more, and is the same to the byte.
    std::fs::create_dir_all(at("whole")).unwrap();
    copy(&at("desk").join("answers"), &at("whole").join("answers"));
    let whole = ["--base-url", &server.base_url, "--budget", "1", "--yes", "--seeds", "0..1", "--out"];
    counsel(&[&STUDY[..], &whole[..], &[path(&at("whole"))]].concat()).expect_success();
    assert_eq!(server.count(), paid);
    let runs = |name: &str| {
        let mut files = files(&at(name));
        // What was paid is the desk's.
        assert!(files.remove("calls.ledger").is_some(), "{name} has no ledger");
        files
    };
    assert_same_files(&runs("whole"), &runs("desk"));
    let audited = counsel(&["audit", path(&at("desk")), "--rerun"]);
    assert_eq!(audited.code, Some(0), "{audited:?}");
}

#[test]
fn questions_are_asked_side_by_side_and_the_same_one_only_once() {
    // The endpoint answers when two questions are under way, and never otherwise.
    let meeting = Barrier::new(2);
    let server = Server::start(move |_, stream| {
        meeting.wait();
        answer(stream, "left")
    });
    let folder = tempfile::tempdir().unwrap();
    let mut desk = serve(&server, "9", folder.path());
    let place = ["--relay", "--base-url", &server.base_url, "--seeds", "0..0", "--out", path(folder.path())];
    let mut run = Spoken::with(&[&STUDY[..], &place[..]].concat());
    let mut question = run.hear().unwrap();
    while question.starts_with("{\"open\"") {
        desk.say(&format!("0 {question}"));
        run.say(desk.hear().unwrap().strip_prefix("0 ").unwrap());
        question = run.hear().unwrap();
    }
    let mut other: serde_json::Value = serde_json::from_str(&question).unwrap();
    let content = &mut other["ask"]["request"]["prompt"]["messages"][0]["content"];
    *content = format!("{} Please.", content.as_str().unwrap()).into();
    for line in [format!("1 {question}"), format!("2 {question}"), format!("3 {other}")] {
        desk.say(&line);
    }
    let mut answers: Vec<String> = (0..3).map(|_| desk.hear().unwrap()).collect();
    answers.sort();
    assert!(answers.iter().zip(["1 ", "2 ", "3 "]).all(|(answer, number)| answer.starts_with(number)), "{answers:?}");
    assert_eq!(answers[0][2..], answers[1][2..], "one question, two answers");
    assert_eq!(server.count(), 2);
    desk.say(&format!("4 {question}"));
    assert_eq!(desk.hear().unwrap()[2..], answers[0][2..]);
    assert!(desk.end().0 && server.count() == 2);
    run.child.kill().unwrap();
}

#[test]
fn a_spent_budget_reaches_the_run_as_it_is_and_no_call_too_many_is_made() {
    let server = Server::start(|_, stream| answer(stream, "left"));
    let folder = tempfile::tempdir().unwrap();
    let mut desk = serve(&server, "3", folder.path());
    let (ended_well, complaint) = relayed(&server, &mut desk, "0..0", &folder.path().join("part"));
    assert!(!ended_well && complaint.contains("the budget of 3 calls is spent"), "{complaint}");
    assert_eq!(server.count(), 3);
    assert!(desk.end().0);
}

#[test]
fn a_line_that_is_no_question_is_refused_by_itself_and_the_others_are_served() {
    let server = Server::start(|_, stream| answer(stream, "left"));
    let folder = tempfile::tempdir().unwrap();
    let mut desk = serve(&server, "3", folder.path());
    // Without a number nobody can be answered, so it is said to who started it.
    let unnumbered = ["nonsense", "x {\"open\":\"m/plain/generate\"}", "", "-1 {}"];
    unnumbered.iter().for_each(|line| desk.say(line));
    desk.input.write_all(b"\xff\xfe\n").unwrap();
    for line in ["1 nonsense", "1 {\"open\":\"m\"}", "1 {\"ask\":{}}", "1 {\"open\":\"m/plain/xyz\"}", "1 "] {
        desk.say(line);
        let refused = desk.hear().unwrap();
        assert!(refused.starts_with("1 {\"refused\":"), "{line}: {refused}");
    }
    desk.input.write_all(b"2 \xff{\"open\"\n").unwrap();
    assert!(desk.hear().unwrap().starts_with("2 {\"refused\":"));
    desk.say("7 {\"open\":\"m/no-such-template/generate\"}");
    let refused = desk.hear().unwrap();
    assert!(refused.starts_with("7 {\"refused\":") && refused.contains("no-such-template"), "{refused}");
    desk.say("8 {\"open\":\"m/plain/generate\"}");
    assert!(desk.hear().unwrap().starts_with("8 {\"opened\":"), "the service goes on");
    let (ended_well, complaint) = desk.end();
    assert!(ended_well, "{complaint}");
    assert!(unnumbered.iter().all(|line| complaint.contains(&format!("`{line}` is no question"))), "{complaint}");
    assert_eq!(server.count(), 0);
}

#[test]
fn however_many_advisors_were_opened_another_one_is_served() {
    let server = Server::start(|_, stream| answer(stream, "left"));
    let folder = tempfile::tempdir().unwrap();
    let mut desk = serve(&server, "3", folder.path());
    for number in 0..300 {
        desk.say(&format!("{number} {{\"open\":\"m{number}/plain/generate\"}}"));
        let opened = desk.hear().unwrap();
        assert!(opened.starts_with(&format!("{number} {{\"opened\":")), "{opened}");
    }
    assert!(desk.end().0 && server.count() == 0);
}

#[test]
fn a_line_without_an_end_is_neither_kept_nor_printed() {
    let server = Server::start(|_, stream| answer(stream, "left"));
    let folder = tempfile::tempdir().unwrap();
    let mut desk = serve(&server, "3", folder.path());
    let piece = vec![b'x'; 1 << 20];
    desk.input.write_all(b"3 ").unwrap();
    (0..100).for_each(|_| desk.input.write_all(&piece).unwrap());
    let most = peak_megabytes(desk.child.id());
    desk.say("");
    let refused = desk.hear().unwrap();
    assert!(refused.starts_with("3 {\"refused\":") && refused.contains("256 KiB") && refused.len() < 500, "{refused}");
    assert!(most.is_none_or(|megabytes| megabytes < 80.0), "{most:?} MB");
    assert!(desk.end().0);
}

#[test]
fn what_is_no_answer_is_named() {
    let server = Server::start(|_, stream| answer(stream, "left"));
    let folder = tempfile::tempdir().unwrap();
    let place = ["--relay", "--base-url", &server.base_url, "--seeds", "0..0", "--out", path(folder.path())];
    let mut run = Spoken::with(&[&STUDY[..], &place[..]].concat());
    assert_eq!(run.hear().unwrap(), "{\"open\":\"m/plain/generate\"}");
    run.say("left");
    let (ended_well, complaint) = run.end();
    assert!(!ended_well && complaint.contains("`left` is no answer"), "{complaint}");
    let error = counsel(&[&STUDY[..], &place[..]].concat()).expect_failure();
    assert!(error.contains("standard input ended") && error.contains("counsel advisor serve"), "{error}");
    let error = counsel(&["advisor", "serve", "--base-url", &server.base_url]).expect_failure();
    assert!(error.contains("--budget"), "{error}");
    assert_eq!(server.count(), 0);
}

fn copy(from: &Path, to: &Path) {
    for (name, bytes) in files(from) {
        let file = to.join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, bytes).unwrap();
    }
}
