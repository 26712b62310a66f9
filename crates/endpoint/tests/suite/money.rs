//! Never a billionth over the money budget: by the bills that the server writes, with faults, several processes on one
//! ledger, and processes that are killed in the middle; and no budget is blocked by what nobody spent without saying so.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use counsel_advisor::{Digest, Fault, LanguageModel};
use counsel_endpoint::{Charge, Ending, Endpoint, EndpointSettings, Ledger, Money, Note, Settlement, TokenPrice};
use counsel_ledger::Error;
use proptest::prelude::*;
use serde_json::json;

use crate::server::{Received, Server, Then, question, quick, reply, send, spawn_child};

const NANO_PER_REQUEST_TOKEN: u64 = 150;
const NANO_PER_RESPONSE_TOKEN: u64 = 600;

fn price() -> TokenPrice {
    let million = |nano| Money::from_nano(nano * 1_000_000);
    let (request, response) = (million(NANO_PER_REQUEST_TOKEN), million(NANO_PER_RESPONSE_TOKEN));
    TokenPrice { request, response, currency: "USD".into() }
}

/// A server that bills every request that reaches it, whatever comes of it, and what it billed so far.
fn billing() -> (Server, Arc<AtomicU64>) {
    let billed = Arc::new(AtomicU64::new(0));
    let sum = Arc::clone(&billed);
    let server = Server::start(move |received: &Received, stream| {
        let request = received.body.len() as u64 / 4;
        let asked = received.json()["max_tokens"].as_u64().unwrap();
        let response = received.number as u64 % (asked + 1);
        // The server takes what it may at most, and says so, or says nothing of it and breaks off.
        let told = !received.number.is_multiple_of(3);
        let (request, response) = if told { (request, response) } else { (received.body.len() as u64, asked) };
        sum.fetch_add(request * NANO_PER_REQUEST_TOKEN + response * NANO_PER_RESPONSE_TOKEN, Ordering::SeqCst);
        if !told {
            return if received.number.is_multiple_of(2) { Then::Close } else { send(stream, &reply(500, "", b"{}")) };
        }
        let usage = json!({ "prompt_tokens": request, "completion_tokens": response });
        let body = json!({ "choices": [{ "message": { "content": "left" } }], "usage": usage });
        send(stream, &reply(200, "", body.to_string().as_bytes()))
    });
    (server, billed)
}

fn ask(base_url: &str, ledger: &Path, limit: Money, concurrency: usize) -> Vec<Result<String, Fault>> {
    let mut settings = EndpointSettings::new(base_url, "m");
    settings.concurrency = concurrency;
    settings.first_pause = Duration::from_millis(2);
    settings.price = Some(price());
    let ledger = Ledger::open(ledger, 10_000).unwrap().with_money(limit, "USD");
    let mut endpoint = Endpoint::new(settings, ledger).unwrap();
    let requests: Vec<_> = (0..80).map(|number| question(&number.to_string())).collect();
    let answers = endpoint.answer(&requests).into_iter();
    answers.map(|answer| answer.map(|said| said.text).map_err(|outage| outage.fault)).collect()
}

#[test]
#[ignore = "what the other tests run as a process of its own"]
fn child() {
    let mut orders = String::new();
    std::io::stdin().read_to_string(&mut orders).unwrap();
    let (base_url, ledger, limit): (String, String, u64) = serde_json::from_str(&orders).unwrap();
    ask(&base_url, Path::new(&ledger), Money::from_nano(limit), 8);
}

#[test]
fn processes_that_share_a_ledger_and_are_killed_spend_no_more_than_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("calls.jsonl");
    let (server, billed) = billing();
    // Less than the last process alone would spend.
    let limit: Money = "0.0006".parse().unwrap();
    let orders = json!([server.base_url, ledger.to_str().unwrap(), limit.nano()]);
    for kill_at in [3, 9, 15] {
        let mut children: Vec<_> = (0..2).map(|_| spawn_child("money::child", &orders)).collect();
        let started = Instant::now();
        while server.count() < kill_at && started.elapsed() < Duration::from_secs(20) {
            thread::yield_now();
        }
        for child in &mut children {
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
    let answers = ask(&server.base_url, &ledger, limit, 8);
    assert!(answers.contains(&Err(Fault::Spent)), "the limit is reached: {answers:?}");
    let balance = Ledger::open(&ledger, 1).unwrap().balance("USD").unwrap();
    let bill = Money::from_nano(billed.load(Ordering::SeqCst));
    assert!(bill <= balance.spent.plus(balance.reserved), "{bill} of {balance:?}");
    assert!(balance.spent.plus(balance.reserved) <= limit, "{balance:?}");
}

/// One that always answers, and takes far less than the worst case.
fn modest() -> Server {
    Server::start(|_, stream| {
        thread::sleep(Duration::from_millis(5));
        let usage = json!({ "prompt_tokens": 10, "completion_tokens": 1 });
        let body = json!({ "choices": [{ "message": { "content": "left" } }], "usage": usage });
        send(stream, &reply(200, "", body.to_string().as_bytes()))
    })
}

#[test]
fn many_at_once_wait_for_each_others_reservations_instead_of_giving_up() {
    let folder = tempfile::tempdir().unwrap();
    let server = modest();
    // 80 answers cost 80 x 2,100 billionths; the worst case of one is some 20,000, so few fit at the same time.
    let answers = ask(&server.base_url, &folder.path().join("calls.jsonl"), "0.00025".parse().unwrap(), 64);
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    let balance = Ledger::open(folder.path().join("calls.jsonl"), 1).unwrap().balance("USD").unwrap();
    assert_eq!((balance.spent.to_string().as_str(), balance.reserved), ("0.000168", Money::default()));
}

#[test]
fn when_the_reservation_stops_a_run_the_message_says_so() {
    let server = modest();
    let mut settings = quick(&server);
    settings.price = Some(price());
    let ledger = Ledger::in_memory(100).with_money("0.00002".parse().unwrap(), "USD");
    let mut endpoint = Endpoint::new(settings, ledger).unwrap();
    let outages: Vec<_> = (0..9).filter_map(|_| endpoint.answer(&[question("?")]).remove(0).err()).collect();
    let first = &outages[0];
    assert_eq!(first.fault, Fault::Spent);
    for part in [
        "the reservation, not the spending,",
        "0.00002 USD",
        "0.0000021 spent",
        "0 reserved",
        "left",
        "at worst",
        "--money",
    ] {
        assert!(first.reason.contains(part), "{part}: {first}");
    }
    assert_eq!(server.count(), 9 - outages.len());
}

#[test]
fn when_the_spending_stops_a_run_the_message_says_that() {
    let ledger = Ledger::in_memory(100).with_money(Money::from_nano(10), "USD");
    let reservation = ledger.reserve(&note(10), soon()).unwrap();
    ledger.settle(reservation, &bill(Some(10)), soon()).unwrap();
    let error = ledger.reserve(&note(1), soon()).unwrap_err();
    assert_eq!(error.to_string(), "the money budget of 0.00000001 USD is spent; raise --money to go on");
    let unpriced = Note { worst: None, ..note(1) };
    assert!(matches!(ledger.reserve(&unpriced, soon()), Err(Error::Unpriced { .. })));
    let other = ledger.with_money(Money::from_nano(99), "EUR");
    assert!(matches!(other.reserve(&note(1), soon()), Err(Error::Currency { .. })));
}

fn note(worst: u64) -> Note {
    let worst = Charge { money_nano: Money::from_nano(worst), currency: "USD".into() };
    Note { model: "m".into(), prompt: Digest::of(b"?"), attempt: 1, worst: Some(worst) }
}

fn bill(cost: Option<u64>) -> Settlement {
    Settlement {
        ending: Ending::Answered,
        reason: None,
        status: Some(200),
        request_tokens: None,
        response_tokens: None,
        latency_ms: 1.0,
        cost: cost.map(Money::from_nano),
    }
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(5)
}

/// What happens to one of several processes that share a ledger.
#[derive(Debug, Clone)]
enum Event {
    /// It reserves an attempt and sends it, if it may.
    Send { who: usize, worst: u64 },
    /// The bill of its oldest attempt comes: a share of the worst case, or the attempt breaks off.
    Bill { who: usize, percent: Option<u64> },
    /// It is killed, and starts again.
    Crash { who: usize },
    /// A crash of the machine leaves a piece of a line behind.
    Tear { bytes: usize },
}

fn event() -> impl Strategy<Value = Event> {
    let who = 0_usize..3;
    prop_oneof![
        6 => (who.clone(), 1_u64..400).prop_map(|(who, worst)| Event::Send { who, worst }),
        4 => (who.clone(), proptest::option::weighted(0.8, 0_u64..=100)).prop_map(|(who, percent)| Event::Bill { who, percent }),
        1 => who.prop_map(|who| Event::Crash { who }),
        1 => (1_usize..60).prop_map(|bytes| Event::Tear { bytes }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// An attempt without a bill may have cost its worst case, so that is what it counts as here.
    #[test]
    fn bills_never_exceed_the_limit(events in proptest::collection::vec(event(), 1..60), limit in 0_u64..3000) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("calls.jsonl");
        let open = || Ledger::open(&path, 1000).unwrap().with_money(Money::from_nano(limit), "USD");
        let mut ledgers = [open(), open(), open()];
        let mut under_way = [const { Vec::new() }; 3];
        let mut bills = 0;
        for event in events {
            match event {
                Event::Send { who, worst } => {
                    if let Ok(reservation) = ledgers[who].reserve(&note(worst), soon()) {
                        bills += worst;
                        under_way[who].push((reservation, worst));
                    }
                }
                Event::Bill { who, percent } => {
                    if let Some((reservation, worst)) = under_way[who].pop() {
                        let cost = percent.map(|percent| worst * percent / 100);
                        ledgers[who].settle(reservation, &bill(cost), soon()).unwrap();
                        bills = bills - worst + cost.unwrap_or(worst);
                    }
                }
                Event::Crash { who } => {
                    under_way[who].clear();
                    ledgers[who] = open();
                }
                Event::Tear { bytes } => {
                    let line = fs::read(&path).unwrap();
                    let end = line[..line.len() - 1].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
                    let piece = &line[end..(end + bytes).min(line.len() - 1)];
                    fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(piece).unwrap();
                }
            }
            prop_assert!(bills <= limit, "{bills} of {limit}");
        }
    }

    /// Any damage after the heading leaves at least as much spent, or unknown.
    #[test]
    fn damage_never_gives_money_back(damage in proptest::collection::vec(any::<u8>(), 1..40), at in 0.0..1.0, cut in 0_usize..40) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("calls.jsonl");
        let ledger = Ledger::open(&path, 100).unwrap();
        for number in 0..4 {
            let reservation = ledger.reserve(&note(100), soon()).unwrap();
            if number % 2 == 0 {
                ledger.settle(reservation, &bill(Some(60)), soon()).unwrap();
            }
        }
        let mut bytes = fs::read(&path).unwrap();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place in the file")]
        let place = 33 + ((bytes.len() - 33) as f64 * at) as usize;
        bytes.splice(place..(place + cut).min(bytes.len()), damage);
        fs::write(&path, bytes).unwrap();
        if let Ok(balance) = Ledger::open(&path, 100).unwrap().balance("USD") {
            prop_assert!(balance.spent.plus(balance.reserved) >= Money::from_nano(320), "{balance:?}");
        }
    }
}
