//! The journal: torn ends are cut, damage is refused with its line, and a service that opens again is the one that was.

use std::io::Write;
use std::path::Path;

use counsel_serve::{Core, Error, Request, Service, Surroundings};
use serde_json::{Value, json};

use crate::contract::{Gate, POLICY, alone, body, value};

pub(crate) fn service(dir: &Path) -> Result<Service, Error> {
    let report = |error: &Error| panic!("{error}");
    Service::open(dir, Surroundings { clock: Box::new(|| 1_000_000), report: Box::new(report) })
}

fn read(bytes: &[u8]) -> Result<(Core, u64), Error> {
    Core::read(&mut &bytes[..], Path::new("serve.journal"))
}

/// A gate with a bit of everything in its journal.
fn lived() -> Gate {
    let mut gate = Gate::with(&POLICY.replace("[budget]", "expires_s = 5\n[budget]"));
    for context in 0..6 {
        let decision = gate.decide(&body(&format!("room {context}")));
        gate.now += 700;
        if context % 2 == 0 && decision["verdict"] == "ask" {
            gate.resume(&decision, "right");
            let id = decision["decision"].as_str().unwrap();
            gate.post(format!("/v1/decisions/{id}/outcome"), &json!({ "reward": 0.1 }));
        }
    }
    gate
}

#[test]
fn a_journal_gives_the_same_state_wherever_it_is_torn() {
    let gate = lived();
    let (mut again, whole) = read(&gate.journal).unwrap();
    assert_eq!(whole, gate.journal.len() as u64);
    again.pass(gate.now);
    let mut core = gate.core;
    core.pass(gate.now);
    assert_eq!(again.snapshot(), core.snapshot());
    for end in 0..gate.journal.len() {
        let (_, whole) = read(&gate.journal[..end]).unwrap();
        let lines = gate.journal[..end].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at as u64 + 1);
        assert_eq!(whole, lines, "cut after the last whole line");
    }
}

#[test]
fn a_changed_line_is_refused_with_its_number() {
    let gate = lived();
    let lines: Vec<&[u8]> = gate.journal.split_inclusive(|byte| *byte == b'\n').collect();
    for (number, line) in lines.iter().enumerate() {
        for at in [0, line.len() / 2, line.len() - 3] {
            let mut changed: Vec<Vec<u8>> = lines.iter().map(|line| line.to_vec()).collect();
            changed[number][at] ^= 1;
            let Err(error) = read(&changed.concat()) else { panic!("line {number}, byte {at}") };
            assert!(error.to_string().starts_with(&format!("line {} of the journal", number + 1)), "{error}");
        }
    }
    let missing: Vec<u8> =
        lines.iter().enumerate().filter(|(number, _)| *number != 2).flat_map(|(_, line)| line.to_vec()).collect();
    assert!(read(&missing).unwrap_err().to_string().starts_with("line 3"));
    let swapped: Vec<u8> = [lines[0], lines[2], lines[1]].concat();
    assert!(read(&swapped).unwrap_err().to_string().starts_with("line 2"));
}

#[test]
fn a_service_goes_on_where_it_stood() {
    let folder = tempfile::tempdir().unwrap();
    let post = |service: &Service, key: &str, context: &str| {
        service.answer(&Request::new("POST", "/v1/decisions", alone(context).to_string()).keyed(key))
    };
    let first = {
        let service = service(folder.path()).unwrap();
        service.declare("policies", "p", POLICY.as_bytes()).unwrap();
        assert!(
            matches!(crate::durability::service(folder.path()), Err(Error::Served { .. })),
            "one server for a folder"
        );
        post(&service, "k", "room 3")
    };
    // A line that a crash tore.
    let journal = folder.path().join("serve.journal");
    let length = std::fs::metadata(&journal).unwrap().len();
    std::fs::OpenOptions::new().append(true).open(&journal).unwrap().write_all(b"{\"at\":17,\"ev").unwrap();
    let service = service(folder.path()).unwrap();
    assert_eq!(std::fs::metadata(&journal).unwrap().len(), length, "it is cut");
    let again = post(&service, "k", "room 3");
    assert_eq!((again.status, again.replayed, &again.body), (200, true, &first.body));
    let calls: Value = value(&service.answer(&Request::new("GET", "/v1/budgets/p", "")));
    assert_eq!(calls["calls"], json!({ "limit": 100, "spent": 0, "open": 1 }));
    assert_eq!(post(&service, "k2", "room 4").status, 201);
}

#[test]
fn texts_are_kept_only_where_the_policy_says_so() {
    for (retain, kept) in [("digests", false), ("texts", true)] {
        let mut gate = Gate::with(&POLICY.replace("[budget]", &format!("retain = \"{retain}\"\n[budget]")));
        let decision = gate.ask(&alone("THE-PROMPT"));
        gate.resume(&decision, " \"Right\". ");
        let journal = String::from_utf8(gate.journal.clone()).unwrap();
        assert_eq!(journal.contains("THE-PROMPT"), kept);
        assert_eq!(journal.contains("Right"), kept);
        assert!(journal.contains("right"), "the action that was read is kept");
        assert_eq!(gate.get(&format!("/v1/decisions/{}", decision["decision"].as_str().unwrap()))["action"], "right");
    }
}
