//! The log beside the journal: readers of runs see it while the server is at work, and every decision is computed again.

use counsel_log::{Run, examine};
use counsel_serve::{Request, Service};
use serde_json::{Value, json};

use crate::contract::{POLICY, body, text, value};
use crate::durability::service;

fn post(service: &Service, path: &str, key: Option<String>, body: &Value) -> Value {
    let request = Request::new("POST", path, body.to_string());
    let answer = service.answer(&match key {
        Some(key) => request.keyed(key),
        None => request,
    });
    assert!(answer.status < 300, "{}", text(&answer));
    value(&answer)
}

/// Answers a question, and those of the advisors after it. An episode that ended has settled it.
fn answer(service: &Service, id: &str, mut reply: Value) {
    loop {
        let path = format!("/v1/decisions/{id}/resume");
        let resumed = value(&service.answer(&Request::new("POST", path, reply.to_string())));
        if resumed["verdict"] != "ask" {
            return;
        }
        reply["permit"] = resumed["permit"]["id"].clone();
    }
}

/// Episodes whose questions overlap; every third is resumed late, in the reverse order.
fn play(service: &Service, from: usize, to: usize) {
    let words = ["left", "right", "forward", "?"];
    let mut late = Vec::new();
    for number in from..to {
        let mut asked = body(&format!("room {}", number % 23));
        asked["episode"] = format!("e{}", number % 5).into();
        asked["context"]["features"] = json!([number % 7, 1]);
        let decision = post(service, "/v1/decisions", Some(format!("k{number}")), &asked);
        let id = decision["decision"].as_str().unwrap().to_owned();
        if decision["verdict"] == "ask" {
            let reply = json!({ "permit": decision["permit"]["id"], "reply": { "text": words[number % 4] } });
            if number % 3 == 0 {
                late.push((id, reply));
                continue;
            }
            answer(service, &id, reply);
        }
        let last = number % 11 == 0;
        post(
            service,
            &format!("/v1/decisions/{id}/outcome"),
            None,
            &json!({ "reward": (number % 3) as f64 * 0.1, "final": last }),
        );
        if late.len() > 2 || number + 1 == to {
            for (id, reply) in std::mem::take(&mut late).into_iter().rev() {
                answer(service, &id, reply);
            }
        }
    }
}

/// How many decisions of the folder agree, of how many.
fn audited(folder: &std::path::Path) -> (usize, usize) {
    let run = Run::at(folder);
    let sheet = run.sheet("serve").unwrap();
    let (mut agreeing, mut decisions) = (0, 0);
    for key in run.keys().unwrap() {
        let examined = examine(&run.cell(&key).unwrap().unwrap(), Some(&sheet)).unwrap();
        assert!(examined.faults.is_empty(), "{:?}", examined.faults);
        assert!(examined.disagreements.is_empty(), "{:?}", &examined.disagreements[..1]);
        agreeing += examined.agreeing();
        decisions += examined.decisions;
    }
    (agreeing, decisions)
}

#[test]
fn every_decision_of_a_running_server_is_computed_again() {
    let folder = tempfile::tempdir().unwrap();
    let before = {
        let service = service(folder.path()).unwrap();
        service.declare("policies", "p", POLICY.as_bytes()).unwrap();
        play(&service, 0, 200);
        service.publish().unwrap();
        let (agreeing, decisions) = audited(folder.path());
        assert_eq!(agreeing, decisions);
        // What is open holds back what came after it.
        assert!(decisions >= 150, "{decisions}");
        play(&service, 200, 300);
        let explained = service.answer(&Request::new("GET", "/v1/decisions/d2/explain", ""));
        assert!(text(&explained).contains("step 1"), "{}", text(&explained));
        decisions
    };
    let (agreeing, decisions) = audited(folder.path());
    assert_eq!(agreeing, decisions, "after the end");
    assert!(decisions > before);
    let service = service(folder.path()).unwrap();
    play(&service, 300, 350);
    service.publish().unwrap();
    let (agreeing, decisions_then) = audited(folder.path());
    assert_eq!(agreeing, decisions_then);
    assert!(decisions_then > decisions, "it goes on after a start");
}

#[test]
fn several_advisors_and_both_sides_of_a_canary_are_computed_again() {
    let several = "[[advisors]]\nname = \"a\"\nprice = 0.01\n[[advisors]]\nname = \"b\"\nprice = 0.02\n";
    let several = format!(
        "actions = [\"left\", \"right\", \"forward\"]\n[budget]\ncalls = 60\nrun = {{ calls = 40 }}\n{several}"
    );
    let canary = POLICY.replace("[budget]", "mode = \"canary\"\nshare = 0.5\n[budget]");
    for (policy, cells) in [(several, 1), (canary, 2)] {
        let folder = tempfile::tempdir().unwrap();
        let service = service(folder.path()).unwrap();
        service.declare("policies", "p", policy.as_bytes()).unwrap();
        play(&service, 0, 300);
        service.publish().unwrap();
        let (agreeing, decisions) = audited(folder.path());
        assert_eq!(agreeing, decisions);
        assert!(decisions >= 300, "{decisions}");
        assert_eq!(Run::at(folder.path()).keys().unwrap().len(), cells);
    }
}

#[test]
fn a_log_of_several_pieces_takes_late_outcomes() {
    let folder = tempfile::tempdir().unwrap();
    let service = service(folder.path()).unwrap();
    service.declare("policies", "p", POLICY.replace("calls = 100", "calls = 0").as_bytes()).unwrap();
    let decide = |number: usize| {
        let body = json!({ "policy": "p", "episode": "e", "context": { "key": number % 3 }, "fallback": { "action": "left" } });
        post(&service, "/v1/decisions", Some(format!("k{number}")), &body)
    };
    (0..4100).for_each(|number| drop(decide(number)));
    service.publish().unwrap();
    post(&service, "/v1/decisions/d7/outcome", None, &json!({ "reward": 2.5 }));
    post(&service, "/v1/decisions/d4099/outcome", None, &json!({ "reward": 0.5 }));
    service.publish().unwrap();
    assert_eq!(audited(folder.path()), (4100, 4100));
    let run = Run::at(folder.path());
    let cell = run.cell(&run.keys().unwrap()[0]).unwrap().unwrap();
    let decisions = cell.decisions().unwrap();
    assert_eq!((decisions[6].hindsight.reward, decisions[4098].hindsight.reward), (2.5, 0.5));
    assert_eq!((cell.manifest.pieces.len(), cell.manifest.totals.reward), (2, 3.0));
    // A damaged piece is found out.
    let arm = folder.path().join("serve").join(&cell.manifest.key.arm).join(".seed-00000");
    let piece = arm.join(&cell.manifest.pieces[0].file);
    let mut bytes = std::fs::read(&piece).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&piece, bytes).unwrap();
    assert!(matches!(cell.decisions(), Err(counsel_log::Error::Digest { .. })));
}
