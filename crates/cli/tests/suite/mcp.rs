//! `counsel mcp` as a process before the real service. The official client is in `fixtures/agents/check.py`.

use std::path::Path;

use serde_json::json;

use crate::support::tools::Client;
use crate::support::{counsel, path};

const POLICY: &str = "price = 0.01\nactions = [\"own\", \"advice\"]\n[budget]\ncalls = 3\n";

fn policy(folder: &Path) -> String {
    let file = folder.join("p.toml");
    std::fs::write(&file, POLICY).unwrap();
    format!("p={}", path(&file))
}

#[test]
fn a_person_is_asked_within_the_budget_and_the_next_session_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let (policy, dir) = (policy(folder.path()), folder.path().join("gate"));
    let words = ["--dir", path(&dir), "--policy", &policy];
    let mut asked = 0;
    for session in 0..3 {
        let mut client = Client::start(&words);
        for question in 0..4 {
            let told = client.call("ask_advisor", &json!({ "question": format!("what now, {session} {question}?") }));
            if told["asked"] == true {
                asked += 1;
                assert_eq!(told["advice"], "look at the log");
            }
            let outcome = json!({ "decision_id": told["decision_id"], "success": told["may_act"] });
            assert_eq!(client.call("report_outcome", &outcome)["accepted"], true);
        }
        let budget = client.call("advice_budget", &json!({}))["calls"].clone();
        assert_eq!(budget, json!({ "limit": 3, "spent": asked, "open": 0 }));
        client.end();
    }
    assert_eq!(asked, 3, "the budget is of all sessions");
    let audit = counsel(&["audit", path(&dir)]).expect_success();
    assert!(audit.contains("agree"), "{audit}");
}

#[test]
fn lines_that_are_no_messages_are_answered_and_nothing_else_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let (policy, dir) = (policy(folder.path()), folder.path().join("gate"));
    let mut client = Client::start(&["--dir", path(&dir), "--policy", &policy]);
    client.write("nonsense\n\n{}");
    assert_eq!(client.hear()["error"]["code"], -32700);
    assert_eq!(client.hear()["error"]["code"], -32600);
    assert_eq!(client.request("tools/list", &json!({}))["tools"].as_array().unwrap().len(), 3);
    client.end();
}

#[test]
fn what_cannot_be_served_is_said_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let (policy, dir) = (policy(folder.path()), folder.path().join("gate"));
    let bad = folder.path().join("bad.toml");
    std::fs::write(&bad, format!("{POLICY}[endpoints.advisor]\nmodel = \"m\"\n")).unwrap();
    let bad = format!("p={}", path(&bad));
    for (words, said) in [
        (vec!["--policy", "p"], "--dir"),
        (vec!["--dir", path(&dir), "--policy", "../p"], "is no name"),
        (vec!["--dir", path(&dir), "--policy", "p=nowhere.toml"], "nowhere.toml"),
        (vec!["--dir", path(&dir), "--policy", &bad], "base_url"),
        (vec!["--url", "http://127.0.0.1:9", "--policy", &policy], "has its policies already"),
        (vec!["--url", "ftp://x", "--policy", "p"], "is no address"),
        (vec!["--url", "http://127.0.0.1:9", "--policy", "p", "--token-env", "NOBODY_SET_THIS"], "NOBODY_SET_THIS"),
    ] {
        let error = counsel(&[&["mcp"], &words[..]].concat()).expect_failure();
        assert!(error.contains(said), "{words:?}: {error}");
    }
    let first = Client::start(&["--dir", path(&dir), "--policy", &policy]);
    let second = counsel(&["mcp", "--dir", path(&dir), "--policy", &policy]).expect_failure();
    assert!(second.contains("gate"), "{second}");
    first.end();
}
