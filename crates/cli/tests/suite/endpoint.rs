//! Verbs that pay an endpoint: they stop when asking is of no use, lose no answer, and pay nothing without a budget and
//! agreement. The server is a real one on this machine; what it counts is what was paid.

use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use counsel_transcript::Journal;
use tempfile::TempDir;

use crate::server::{Received, Server, answer, completion, reply, send};
use crate::support::{Said, command, counsel, files, is_kind, path};

/// The advisor has 42 prompts in this task.
pub(crate) const PROMPTS: usize = 42;

pub(crate) fn record<'a>(base_url: &'a str, out: &'a Path, more: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec!["advisor", "record", "m/abstract/generate", "--task", "GoToObj", "--yes"];
    arguments.extend(["--base-url", base_url, "--out", path(out)]);
    arguments.extend(more);
    arguments
}

pub(crate) fn recorded(server: &Server, out: &TempDir, more: &[&str]) -> Said {
    counsel(&record(&server.base_url, out.path(), more))
}

fn verify(server: &Server, out: &TempDir, more: &[&str]) -> Said {
    let mut arguments = vec!["advisor", "verify", "m/abstract/generate", "--transcripts", path(out.path())];
    arguments.extend(["--base-url", &server.base_url]);
    arguments.extend(more);
    counsel(&arguments)
}

pub(crate) fn good() -> Server {
    Server::start(|_, stream| answer(stream, "left"))
}

pub(crate) fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// The answers in the journal of a folder.
pub(crate) fn journalled(out: &Path) -> usize {
    let journals: Vec<PathBuf> =
        files(out).keys().filter(|name| is_kind(name, "jsonl")).map(|name| out.join(name)).collect();
    assert!(journals.len() <= 1, "{journals:?}");
    journals.first().map_or(0, |journal| Journal::read(journal).unwrap().0.len())
}

#[track_caller]
pub(crate) fn assert_stopped(said: &Said, parts: &[&str]) {
    assert_eq!(said.code, Some(1), "{said:#?}");
    let message = said.stderr.lines().last().unwrap().to_owned();
    for part in parts {
        assert!(message.contains(part), "{part}: {message}");
    }
}

#[test]
fn recording_a_model_that_names_itself_differently_stops_at_once_and_names_the_flag() {
    let server = Server::start(|_, stream| {
        let other = String::from_utf8(completion("left")).unwrap().replace("\"m\"", "\"m-2026\"");
        send(stream, &reply(200, "", other.as_bytes()))
    });
    let out = folder();
    let said = recorded(&server, &out, &["--budget", "100"]);
    assert_stopped(&said, &["42 of 42 prompts", "`m-2026`", "`m`", "--any-model"]);
    assert_eq!(server.count(), 1);
    assert!(recorded(&server, &out, &["--budget", "100", "--any-model"]).code == Some(0));
}

#[test]
fn recording_over_wrong_tls_stops_at_once() {
    let server = good();
    let (tls, out) = (server.base_url.replace("http://", "https://"), folder());
    let said = counsel(&record(&tls, out.path(), &["--budget", "100"]));
    assert_stopped(&said, &["42 of 42 prompts", "TLS", "certificate"]);
    assert_eq!((server.connections(), server.count()), (1, 0));
}

#[test]
fn recording_from_a_server_with_status_500_stops_after_the_declared_number_of_questions() {
    let server = Server::start(|_, stream| send(stream, &reply(500, "Retry-After: 0\r\n", b"{}")));
    let said = recorded(&server, &folder(), &["--budget", "100", "--retries", "1", "--stop-after", "2"]);
    assert_stopped(&said, &["42 of 42 prompts", "2 questions in a row", "--stop-after", "status 500"]);
    assert_eq!(server.count(), 4, "two questions with two attempts each");
}

#[test]
fn recording_from_nobody_stops_after_three_questions() {
    let out = folder();
    let said = counsel(&record("http://127.0.0.1:9", out.path(), &["--budget", "100", "--retries", "0"]));
    assert_stopped(&said, &["42 of 42 prompts", "3 questions in a row", "Connection refused"]);
}

#[test]
fn one_bad_answer_among_good_ones_stops_nothing_and_is_asked_again() {
    let server = Server::start(|received: &Received, stream: &mut TcpStream| match received.number {
        5 | 6 | 9 => send(stream, &reply(200, "", b"garbage")),
        _ => answer(stream, "left"),
    });
    let out = folder();
    assert_stopped(&recorded(&server, &out, &["--budget", "100"]), &["3 of 42 prompts", "no JSON", "running again"]);
    assert_eq!(server.count(), PROMPTS);
    assert_eq!(recorded(&server, &out, &["--budget", "100"]).code, Some(0));
    assert_eq!(server.count(), PROMPTS + 3);
}

#[test]
fn a_spent_budget_stops_the_recording_and_a_larger_one_asks_only_the_rest() {
    let (server, out) = (good(), folder());
    let ledger = out.path().join("calls.ledger");
    let more = |budget| ["--budget", budget, "--ledger", path(&ledger)];
    assert_stopped(
        &recorded(&server, &out, &more("3")),
        &["39 of 42 prompts", "budget of 3 calls is spent", "--budget"],
    );
    assert_eq!((server.count(), journalled(out.path())), (3, 3));
    assert_stopped(&recorded(&server, &out, &more("3")), &["39 of 42 prompts"]);
    assert_eq!(server.count(), 3, "what the ledger holds counts");
    assert_eq!(recorded(&server, &out, &more("42")).code, Some(0));
    assert_eq!((server.count(), journalled(out.path())), (PROMPTS, PROMPTS));
}

#[test]
fn all_advisors_of_a_command_share_its_budget() {
    let (server, out) = (good(), folder());
    let said = recorded(&server, &out, &["m/plain/generate", "--budget", "50"]);
    assert_stopped(&said, &["m/plain/generate", "budget of 50 calls is spent"]);
    assert_eq!(server.count(), 50);
}

#[test]
fn a_killed_recording_loses_at_most_the_answer_under_way() {
    let server = Server::start(|_, stream| {
        thread::sleep(Duration::from_millis(5));
        answer(stream, "left")
    });
    let out = folder();
    let mut at_least = 0;
    for kill_at in [4, 11, 19] {
        let mut child = command(&record(&server.base_url, out.path(), &["--budget", "100"]));
        let mut child = child.stderr(std::process::Stdio::null()).stdout(std::process::Stdio::null()).spawn().unwrap();
        let started = Instant::now();
        while server.count() < kill_at && started.elapsed() < Duration::from_secs(20) {
            thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        at_least += 1;
        let (asked, kept) = (server.count(), journalled(out.path()));
        assert!(asked >= kill_at && kept + at_least >= asked, "{kept} kept of {asked} after {at_least} kills");
    }
    let before = server.count();
    let kept = journalled(out.path());
    assert_eq!(recorded(&server, &out, &["--budget", "100"]).code, Some(0));
    assert_eq!(server.count() - before, PROMPTS - kept, "running again asks only the rest");
}

#[test]
fn recordings_into_one_folder_share_the_questions_and_pay_for_each_once() {
    let server = Server::start(|_, stream| {
        thread::sleep(Duration::from_millis(20));
        answer(stream, "left")
    });
    let out = folder();
    let start = |at_once| {
        let mut child = command(&record(&server.base_url, out.path(), &["--budget", "100", "--at-once", at_once]));
        child.stderr(std::process::Stdio::null()).stdout(std::process::Stdio::null()).spawn().unwrap()
    };
    let children = ["1", "3", "4"].map(start);
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!((server.count(), journalled(out.path())), (PROMPTS, PROMPTS));
}

#[test]
fn nobody_waits_for_the_question_of_a_process_that_was_killed() {
    let server = Server::start(|received: &Received, stream: &mut TcpStream| {
        // The first question is never answered.
        thread::sleep(Duration::from_secs(if received.number == 1 { 60 } else { 0 }));
        answer(stream, "left")
    });
    let out = folder();
    let start = || {
        let mut child = command(&record(&server.base_url, out.path(), &["--budget", "100"]));
        child.stderr(std::process::Stdio::null()).stdout(std::process::Stdio::null()).spawn().unwrap()
    };
    let mut killed = start();
    while server.count() < 1 {
        thread::yield_now();
    }
    let mut other = start();
    thread::sleep(Duration::from_millis(500));
    assert_eq!(server.count(), 1, "it waits for the answer");
    killed.kill().unwrap();
    killed.wait().unwrap();
    let started = Instant::now();
    assert!(other.wait().unwrap().success());
    assert!(started.elapsed() < Duration::from_secs(20), "{:?}", started.elapsed());
    assert_eq!((server.count(), journalled(out.path())), (1 + PROMPTS, PROMPTS));
}

#[test]
fn several_at_once_are_asked_at_once() {
    let server = Server::start(|_, stream| {
        thread::sleep(Duration::from_millis(50));
        answer(stream, "left")
    });
    let started = Instant::now();
    let said = recorded(&server, &folder(), &["--budget", "42", "--at-once", "42"]);
    assert_eq!((said.code, server.count()), (Some(0), PROMPTS));
    assert!(started.elapsed() < Duration::from_millis(42 * 50), "{:?}", started.elapsed());
}

#[test]
fn verifying_and_measuring_at_an_endpoint_without_a_budget_are_refused_as_recording_is() {
    let (server, out) = (good(), folder());
    assert_stopped(&recorded(&server, &out, &[]), &["recording from an endpoint costs calls; pass --budget CALLS"]);
    assert_stopped(
        &verify(&server, &out, &["--yes"]),
        &["verifying with an endpoint costs calls; pass --budget CALLS"],
    );
    let bench = counsel(&["advisor", "bench", "--model", "m", "--base-url", &server.base_url]);
    assert_stopped(&bench, &["measuring an endpoint costs calls; pass --budget CALLS"]);
    assert_eq!(server.count(), 0);
}

#[test]
fn nothing_is_paid_before_the_cost_is_shown_and_agreed_to() {
    let (server, out) = (good(), folder());
    let prices = out.path().join("prices.toml");
    std::fs::write(&prices, "[default]\neur_per_million_input_tokens = 1.0\neur_per_million_output_tokens = 2.0\n")
        .unwrap();
    let more = ["--budget", "50", "--prices", path(&prices), "--money", "9"];
    let mut arguments = record(&server.base_url, out.path(), &more);
    arguments.retain(|word| *word != "--yes");
    let said = counsel(&arguments);
    for part in [
        "42 questions to m",
        "42 calls, 168 at most with retries",
        "tokens sent",
        "received",
        "EUR",
        "50 of 50",
        "9 of 9 EUR",
    ] {
        assert!(said.stderr.contains(part), "{part}: {}", said.stderr);
    }
    assert_stopped(&said, &["nothing was asked", "--yes"]);
    assert_eq!((server.count(), journalled(out.path())), (0, 0));
    let said = recorded(&server, &out, &more);
    // 42 times 11 tokens sent and 2 received, as the server counts them.
    assert!(said.stderr.ends_with("42 of 50 calls are made, 0.00063 EUR spent and 0 reserved\n"), "{}", said.stderr);
    assert_eq!(said.code, Some(0));
    let said = verify(&server, &out, &["--budget", "50", "--sample", "5"]);
    assert!(said.stderr.contains("about 55 tokens sent"), "recorded counts are taken: {}", said.stderr);
    assert_stopped(&said, &["nothing was asked", "--yes"]);
    assert_eq!(server.count(), PROMPTS);
    let reasoning = folder();
    let said = counsel(&record(&server.base_url, reasoning.path(), &["--budget", "1", "--reasoning-tokens", "1000"]));
    assert!(said.stderr.contains("at most 42336 received"), "42 times 8 and 1000: {}", said.stderr);
    // With nothing left to ask there is nothing to agree to.
    let mut again = record(&server.base_url, out.path(), &more);
    again.retain(|word| *word != "--yes");
    assert_eq!(counsel(&again).code, Some(0));
}

#[test]
fn verifying_says_in_plain_words_what_differs_and_stops_when_asking_is_of_no_use() {
    let (server, out) = (good(), folder());
    assert_eq!(recorded(&server, &out, &["--budget", "42"]).code, Some(0));
    let same = verify(&server, &out, &["--budget", "10", "--sample", "10", "--yes"]);
    assert_eq!((same.code, server.count()), (Some(0), PROMPTS + 10));
    assert!(same.stdout.contains("10 of 10 answers equal"), "{}", same.stdout);
    let other = Server::start(|_, stream| answer(stream, "\u{1b}]0;right\u{7}"));
    let said = verify(&other, &out, &["--budget", "10", "--sample", "4", "--yes"]);
    assert!(said.stdout.contains("0 of 4 answers equal"), "{}", said.stdout);
    assert!(said.stdout.contains("recorded `left`, now `\\u{1b}]0;right\\u{7}`"), "{}", said.stdout);
    assert!(!said.stdout.contains("Utterance") && !said.stdout.contains("Some("), "{}", said.stdout);
    assert_stopped(&said, &["4 answers differ"]);
    let spent = verify(&server, &out, &["--budget", "4", "--sample", "9", "--yes"]);
    assert!(spent.stdout.contains("4 of 4 answers equal, 9 in the sample"), "{}", spent.stdout);
    assert_stopped(&spent, &["stopped with 4 of 9 questions answered", "budget of 4 calls is spent"]);
}

#[test]
fn measuring_at_an_endpoint_measures_the_endpoint() {
    let server = Server::start(|_, stream| {
        thread::sleep(Duration::from_millis(30));
        answer(stream, "left")
    });
    let bench = ["advisor", "bench", "--model", "m", "--base-url", &server.base_url, "--json"];
    let said = counsel(&[&bench[..], &["--questions", "4", "--budget", "4"]].concat()).expect_success();
    let measured: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert!(measured["ms_per_question"].as_f64().unwrap() >= 30.0, "{measured}");
    assert_eq!((server.count(), &measured["questions"]), (4, &4.into()));
    let short = counsel(&[&bench[..], &["--questions", "4", "--budget", "2"]].concat());
    assert_stopped(&short, &["budget of 2 calls is spent"]);
}

#[test]
fn a_money_budget_stops_a_recording_and_says_whether_it_is_spent_or_reserved() {
    let (server, out) = (good(), folder());
    let prices = out.path().join("prices.toml");
    std::fs::write(&prices, "[m]\nusd_per_million_input_tokens = 1000000\nusd_per_million_output_tokens = 1000000\n")
        .unwrap();
    // An answer costs 13; the worst case is a few hundred.
    let more = ["--budget", "50", "--prices", path(&prices), "--money", "700"];
    let said = recorded(&server, &out, &more);
    let asked = server.count();
    assert_stopped(&said, &["the reservation, not the spending,", "700 USD", "at worst", "raise --money"]);
    assert!(asked > 1 && asked < PROMPTS, "{asked}");
    assert_eq!(journalled(out.path()), asked, "every paid answer is kept");
    let unpriced = counsel(&record(&server.base_url, out.path(), &["--budget", "50", "--money", "5"]));
    assert!(unpriced.stderr.contains("--prices"), "{}", unpriced.stderr);
}
