//! The ledger as a file: what is in it, what a crash leaves, and who may write.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use counsel_advisor::{Digest, LanguageModel};
use counsel_endpoint::{Ending, Endpoint, Ledger, Note, Settlement};
use counsel_ledger::Error;
use proptest::prelude::*;

use crate::server::{Server, answer, entries, question, quick};

fn note() -> Note {
    Note { model: "m".into(), prompt: Digest::of(b"?"), attempt: 1, worst: None }
}

fn settlement() -> Settlement {
    let reason = Some("cut".to_owned());
    Settlement {
        ending: Ending::Outage,
        reason,
        status: None,
        request_tokens: None,
        response_tokens: None,
        latency_ms: 1.0,
        cost: None,
    }
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(5)
}

/// A file with three reservations, two of them settled.
fn used(folder: &Path) -> PathBuf {
    let path = folder.join("calls.jsonl");
    let ledger = Ledger::open(&path, 10).unwrap();
    for number in 1..=3 {
        let reservation = ledger.reserve(&note(), soon()).unwrap();
        assert_eq!(reservation.number(), number);
        if number < 3 {
            ledger.settle(reservation, &settlement(), soon()).unwrap();
        }
    }
    path
}

#[test]
fn a_person_can_read_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("calls.jsonl");
    let server = Server::start(|_, stream| answer(stream, "left"));
    let mut endpoint = Endpoint::new(quick(&server), Ledger::open(&path, 5).unwrap()).unwrap();
    endpoint.answer(&[question("?")]).remove(0).unwrap();
    let text = fs::read_to_string(&path).unwrap();
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    assert_eq!(lines, endpoint.ledger().lines().unwrap());
    let entries = entries(&lines);
    assert_eq!(lines[0], r#"{"ledger":"counsel","version":1}"#);
    assert_eq!(
        (&entries[0]["reserved"], &entries[0]["limit"], &entries[0]["attempt"]),
        (&1.into(), &5.into(), &1.into())
    );
    assert_eq!(entries[0]["prompt"], question("?").prompt.digest().to_string());
    assert_eq!(
        (&entries[1]["settled"], &entries[1]["outcome"], &entries[1]["status"]),
        (&1.into(), &"answered".into(), &200.into())
    );
    assert_eq!((&entries[1]["request_tokens"], &entries[1]["response_tokens"]), (&11.into(), &2.into()));
}

#[test]
fn what_is_not_settled_stays_spent() {
    let folder = tempfile::tempdir().unwrap();
    let path = used(folder.path());
    let ledger = Ledger::open(&path, 4).unwrap();
    assert_eq!((ledger.spent().unwrap(), ledger.limit()), (3, 4));
    assert_eq!(ledger.reserve(&note(), soon()).unwrap().number(), 4);
    let refusal = ledger.reserve(&note(), soon()).unwrap_err();
    assert_eq!(refusal.to_string(), "the budget of 4 calls is spent; raise --budget to go on");
    // A smaller budget than what is spent already is spent, a larger one is not.
    assert!(matches!(Ledger::open(&path, 2).unwrap().reserve(&note(), soon()), Err(Error::Spent { limit: 2 })));
    assert_eq!(Ledger::open(&path, 9).unwrap().reserve(&note(), soon()).unwrap().number(), 5);
}

#[test]
fn wherever_a_crash_tears_the_file_it_can_be_used_and_gives_nothing_back() {
    let folder = tempfile::tempdir().unwrap();
    let whole = fs::read(used(folder.path())).unwrap();
    let heading = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    for length in 0..=whole.len() {
        let path = folder.path().join("torn.jsonl");
        fs::write(&path, &whole[..length]).unwrap();
        let kept = &whole[heading.min(length)..length];
        let complete = kept.split_inclusive(|byte| *byte == b'\n');
        let reserved =
            complete.filter(|line| line.starts_with(b"{\"reserved\"") && line.ends_with(b"\n")).count() as u64;
        let ledger = Ledger::open(&path, 10).unwrap();
        let spent = ledger.spent().unwrap();
        assert!(spent == reserved || spent == reserved + 1, "{length}: {spent} of {reserved}");
        assert_eq!(ledger.reserve(&note(), soon()).unwrap().number(), spent + 1);
        // A line of its own, also for a ledger that was open before and one that is opened after.
        assert_eq!(Ledger::open(&path, 10).unwrap().spent().unwrap(), spent + 1);
        let last = ledger.lines().unwrap().pop().unwrap();
        assert!(last.starts_with(&format!("{{\"reserved\":{},", spent + 1)), "{length}: {last}");
    }
}

#[test]
fn other_files_are_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notes.txt");
    for text in ["hello\n", "{\"reserved\":1}\n", "{\"ledger\":\"counsel\",\"version\":2}\n", "\u{0}"] {
        fs::write(&path, text).unwrap();
        assert!(matches!(Ledger::open(&path, 9), Err(Error::Foreign { .. })), "{text}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    assert!(matches!(Ledger::open(folder.path(), 9), Err(Error::File(_))));
    let message = Ledger::open(folder.path().join("no/such/folder"), 9).unwrap_err().to_string();
    assert!(message.starts_with("cannot open the ledger ") && message.contains("no/such/folder"), "{message}");
}

#[test]
fn a_ledger_that_is_cut_while_in_use_stops_the_calls() {
    let folder = tempfile::tempdir().unwrap();
    let path = used(folder.path());
    let ledger = Ledger::open(&path, 10).unwrap();
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..60]).unwrap();
    assert!(matches!(ledger.reserve(&note(), soon()), Err(Error::Shortened { .. })));
}

#[test]
fn a_ledger_that_another_holds_is_waited_for_until_the_deadline() {
    let folder = tempfile::tempdir().unwrap();
    let path = used(folder.path());
    let server = Server::start(|_, stream| answer(stream, "left"));
    let mut settings = quick(&server);
    settings.deadline = Duration::from_millis(300);
    let mut endpoint = Endpoint::new(settings, Ledger::open(&path, 10).unwrap()).unwrap();
    let holder = fs::File::open(&path).unwrap();
    holder.lock().unwrap();
    let started = Instant::now();
    let outage = endpoint.answer(&vec![question("?"); 5]).remove(4).unwrap_err();
    assert!(outage.reason.contains("locked by another process") || outage.reason.contains("busy"), "{outage}");
    assert!(started.elapsed() < Duration::from_secs(1), "{:?}", started.elapsed());
    assert_eq!(server.count(), 0);
    drop(holder);
    assert!(endpoint.answer(&[question("?")])[0].is_ok());
}

#[test]
fn waiting_for_a_ledger_can_be_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let path = used(folder.path());
    let server = Server::start(|_, stream| answer(stream, "left"));
    let mut settings = quick(&server);
    settings.deadline = Duration::from_secs(30);
    let mut endpoint = Endpoint::new(settings, Ledger::open(&path, 10).unwrap()).unwrap();
    let holder = fs::File::open(&path).unwrap();
    holder.lock().unwrap();
    let cancel = endpoint.cancel();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        cancel.cancel();
    });
    let started = Instant::now();
    let answers = endpoint.answer(&vec![question("?"); 20]);
    assert!(answers.iter().all(|answer| answer.as_ref().unwrap_err().reason == "cancelled"), "{answers:?}");
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
    assert_eq!(server.count(), 0);
}

#[test]
fn threads_never_hold_more_than_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("calls.jsonl");
    let held = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let ledger = Ledger::open(&path, 20).unwrap();
                while let Ok(reservation) = ledger.reserve(&note(), soon()) {
                    held.fetch_add(1, Ordering::SeqCst);
                    ledger.settle(reservation, &settlement(), soon()).unwrap();
                }
            });
        }
    });
    assert_eq!(held.load(Ordering::SeqCst), 20);
    let numbers: Vec<u64> = entries(&Ledger::open(&path, 20).unwrap().lines().unwrap())
        .iter()
        .filter_map(|entry| entry["reserved"].as_u64())
        .collect();
    assert_eq!(numbers, (1..=20).collect::<Vec<_>>());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Any damage after the heading leaves a ledger that opens and counts at least its readable reservations.
    #[test]
    fn damage_never_gives_calls_back(damage in proptest::collection::vec(any::<u8>(), 0..40), at in 0_usize..2) {
        let folder = tempfile::tempdir().unwrap();
        let path = used(folder.path());
        let mut bytes = fs::read(&path).unwrap();
        let place = if at == 0 { bytes.len() } else { 33 };
        bytes.splice(place..place, damage);
        fs::write(&path, bytes).unwrap();
        let spent = Ledger::open(&path, 100).unwrap().spent().unwrap();
        prop_assert!(spent >= 3, "{spent}");
    }
}
