//! Never one call over budget: as the server counts them, with faults, many requests at once, several processes on one
//! ledger, and processes that are killed in the middle.

use std::io::Read;
use std::net::TcpStream;
use std::path::Path;
use std::process::Child;
use std::thread;
use std::time::{Duration, Instant};

use counsel_advisor::LanguageModel;
use counsel_endpoint::{Endpoint, Ledger};
use serde::{Deserialize, Serialize};

use crate::server::{Received, Server, Then, answer, entries, question, quick, reply, send, spawn_child};

/// One in three is answered; the others fail in ways that are tried again.
fn faulty(received: &Received, stream: &mut TcpStream) -> Then {
    thread::sleep(Duration::from_millis((received.number * 7 % 5) as u64));
    match received.number % 6 {
        0 | 3 => answer(stream, "left"),
        1 => send(stream, &reply(500, "", b"{}")),
        2 => Then::Close,
        4 => send(stream, &reply(429, "Retry-After: 0\r\n", b"{}")),
        _ => {
            send(stream, &reply(200, "", b"{\"choices\":[1,2,3]}")[..60]);
            Then::Close
        }
    }
}

/// What a child process is told to do.
#[derive(Serialize, Deserialize)]
struct Orders {
    base_url: String,
    ledger: String,
    limit: u64,
    requests: usize,
}

impl Orders {
    fn new(server: &Server, ledger: &Path, limit: u64, requests: usize) -> Self {
        Self { base_url: server.base_url.clone(), ledger: ledger.to_str().unwrap().to_owned(), limit, requests }
    }

    fn spawn(&self) -> Child {
        spawn_child("budget::child", &serde_json::to_value(self).unwrap())
    }

    /// Asks, all at once.
    fn obey(&self) {
        let ledger = Ledger::open(&self.ledger, self.limit).unwrap();
        let mut settings = counsel_endpoint::EndpointSettings::new(&self.base_url, "m");
        settings.concurrency = 64;
        settings.retries = 4;
        settings.first_pause = Duration::from_millis(2);
        let mut endpoint = Endpoint::new(settings, ledger).unwrap();
        let requests: Vec<_> = (0..self.requests).map(|number| question(&number.to_string())).collect();
        assert_eq!(endpoint.answer(&requests).len(), self.requests);
    }
}

#[test]
#[ignore = "what the other tests run as a process of its own"]
fn child() {
    let mut orders = String::new();
    std::io::stdin().read_to_string(&mut orders).unwrap();
    serde_json::from_str::<Orders>(&orders).unwrap().obey();
}

/// How many reservations and settlements a ledger has.
fn lines(ledger: &Path, limit: u64) -> (usize, usize) {
    let entries = entries(&Ledger::open(ledger, limit).unwrap().lines().unwrap());
    let with = |name: &str| entries.iter().filter(|entry| entry[name].is_u64()).count();
    (with("reserved"), with("settled"))
}

#[test]
fn sixty_four_at_once_stay_within_the_budget() {
    for limit in [0, 1, 23] {
        let server = Server::start(faulty);
        let mut settings = quick(&server);
        settings.concurrency = 64;
        (settings.time_out, settings.deadline) = (Duration::from_secs(10), Duration::from_secs(20));
        let ledger = Ledger::in_memory(limit);
        let mut endpoint = Endpoint::new(settings, ledger.clone()).unwrap();
        let answers = endpoint.answer(&vec![question("?"); 64]);
        let spent = format!("the budget of {limit} calls is spent; raise --budget to go on");
        let refused =
            answers.iter().filter(|answer| answer.as_ref().is_err_and(|outage| outage.reason == spent)).count();
        assert_eq!((server.count() as u64, ledger.spent().unwrap()), (limit, limit));
        assert!(refused >= 64 - usize::try_from(limit).unwrap());
        assert_eq!(ledger.lines().unwrap().len() as u64, 1 + 2 * limit);
    }
}

#[test]
fn processes_that_share_a_ledger_share_its_budget() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = folder.path().join("calls.jsonl");
    let server = Server::start(faulty);
    let limit = 150;
    let children: Vec<_> = (0..4).map(|_| Orders::new(&server, &ledger, limit, 64).spawn()).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    assert_eq!(server.count() as u64, limit);
    assert_eq!(lines(&ledger, limit), (150, 150));
}

#[test]
fn a_killed_process_gives_no_call_back() {
    for kill_at in [1, 5, 9, 14, 22] {
        let folder = tempfile::tempdir().unwrap();
        let ledger = folder.path().join("calls.jsonl");
        let server = Server::start(faulty);
        let mut child = Orders::new(&server, &ledger, 23, 64).spawn();
        let started = Instant::now();
        while server.count() < kill_at && started.elapsed() < Duration::from_secs(20) {
            thread::yield_now();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let (reserved, settled) = lines(&ledger, 23);
        let sent = server.count();
        assert!(sent >= kill_at && sent <= reserved, "{sent} sent, {reserved} reserved");
        Orders::new(&server, &ledger, 23, 64).obey();
        let (all, all_settled) = lines(&ledger, 23);
        // The second life spends what the first had not reserved, and settles all of it.
        assert_eq!(all, 23);
        assert_eq!(all_settled - settled, 23 - reserved);
        assert!(server.count() <= 23, "{} over both lives", server.count());
        assert!(server.count() >= sent + 23 - reserved, "the second life sends what it reserves");
    }
}
