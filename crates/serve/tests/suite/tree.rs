//! The tree of budgets: all limits of a path hold at once, in calls, tokens and money.

use counsel_serve::Request;
use serde_json::{Value, json};

use crate::contract::{Gate, alone, text, value};

const PRICED: &str = "actions = [\"left\", \"right\"]
[budget]
usd = 0.01
tokens = 5000
[[advisors]]
name = \"strong\"
price = 0.01
max_input_tokens = 1000
max_tokens = 100
usd_per_million_input = 1
usd_per_million_output = \"10\"
";

fn within(run: &str, episode: &str, child: Option<&str>, context: &str) -> Value {
    json!({
        "policy": "p", "run": run, "episode": episode, "child": child, "context": { "key": context },
        "fallback": { "action": "left" },
    })
}

/// How many of `count` decisions ask.
fn asked(gate: &mut Gate, count: usize, body: impl Fn(usize) -> Value) -> usize {
    (0..count).filter(|number| gate.decide(&body(*number))["verdict"] == "ask").count()
}

#[test]
fn runs_episodes_and_children_have_limits_of_their_own() {
    let policy = "price = 0.01\nactions = [\"left\", \"right\"]\n[budget]\ncalls = 100\nrun = { calls = 5 }\nepisode = { calls = 3 }\nchild = { calls = 2 }\n";
    let mut gate = Gate::with(policy);
    assert_eq!(asked(&mut gate, 8, |n| within("r1", "e1", Some("c1"), &format!("a{n}"))), 2);
    assert_eq!(asked(&mut gate, 8, |n| within("r1", "e1", Some("c2"), &format!("b{n}"))), 1);
    assert_eq!(asked(&mut gate, 8, |n| within("r1", "e2", None, &format!("c{n}"))), 2);
    assert_eq!(asked(&mut gate, 8, |n| within("r1", "e3", None, &format!("d{n}"))), 0);
    assert_eq!(asked(&mut gate, 8, |n| within("r2", "e1", None, &format!("e{n}"))), 3);
    assert_eq!(gate.get("/v1/budgets/p?run=r1")["calls"], json!({ "limit": 5, "spent": 0, "open": 5 }));
    assert_eq!(gate.get("/v1/budgets/p?run=r1&episode=e1")["calls"]["open"], 3);
    assert_eq!(gate.get("/v1/budgets/p?run=r1&episode=e1&child=c1")["calls"]["open"], 2);
    assert_eq!(gate.calls()["open"], 8);
}

#[test]
fn policies_share_the_budget_of_their_team() {
    let mut gate = Gate::with("price = 0.01\nactions = [\"left\", \"right\"]\n[budget]\ncalls = 100\n");
    let team = |calls: u64| Request::new("PUT", "/v1/budgets/team", json!({ "calls": calls }).to_string());
    assert_eq!(gate.send(&team(3)).status, 200);
    let of_team = "price = 0.01\nactions = [\"left\", \"right\"]\n[budget]\nparent = \"team\"\n";
    for name in ["a", "b"] {
        assert_eq!(gate.put(name, of_team).status, 201);
    }
    let named = |name: &'static str| {
        move |n: usize| {
            let mut body = alone(&format!("{name}{n}"));
            body["policy"] = name.into();
            body
        }
    };
    assert_eq!(asked(&mut gate, 2, named("a")) + asked(&mut gate, 8, named("b")), 3);
    let blocked = gate.decide(&named("a")(99));
    assert_eq!(blocked["reason"], "budget");
    assert!(blocked["because"].as_str().unwrap().contains("`team`"), "{blocked}");
    assert_eq!(gate.send(&team(4)).status, 200, "the limit is raised");
    assert_eq!(asked(&mut gate, 8, |n| named("a")(n + 100)), 1);
    assert_eq!(gate.get("/v1/budgets/team")["calls"], json!({ "limit": 4, "spent": 0, "open": 4 }));
    for (path, body, said) in [
        ("/v1/budgets/p", json!({ "calls": 1 }), "policy"),
        ("/v1/budgets/team", json!({ "parent": "team" }), "loops"),
        ("/v1/budgets/team", json!({ "parent": "nobody" }), "not declared"),
        ("/v1/budgets/team", json!({ "usd": 1 }), "max_tokens"),
        ("/v1/budgets/team", json!({ "run": { "calls": 1 } }), "belong to a policy"),
    ] {
        let answer = gate.send(&Request::new("PUT", path, body.to_string()));
        assert!((400..500).contains(&answer.status), "{path}");
        assert!(text(&answer).contains(said), "{}", text(&answer));
    }
}

#[test]
fn money_and_tokens_are_reserved_at_worst_and_settled_by_the_count() {
    let mut gate = Gate::with(PRICED);
    // 1,000 tokens at $1 and 100 at $10 a million: $0.002 at worst.
    let decision = gate.ask(&alone("a"));
    assert_eq!(decision["permit"]["reserved"], json!({ "calls": 1, "tokens": 1100, "usd": 0.002 }));
    let id = decision["decision"].as_str().unwrap();
    let usage = json!({ "permit": decision["permit"]["id"], "reply": { "text": "right" }, "usage": { "input_tokens": 200, "output_tokens": 10 } });
    let resumed = value(&gate.post(format!("/v1/decisions/{id}/resume"), &usage));
    assert_eq!(resumed["settled"], json!({ "calls": 1, "tokens": 210, "usd": 0.0003 }));
    assert_eq!(
        gate.get("/v1/budgets/p")["usd"],
        json!({ "limit": 0.01, "spent": 0.0003, "open": 0.0, "overrun": 0.0 })
    );
    // $0.0097 and 4,790 tokens are left: four more at worst.
    assert_eq!(asked(&mut gate, 8, |n| alone(&format!("b{n}"))), 4);
    assert_eq!(gate.decide(&alone("c"))["reason"], "budget");
}

#[test]
fn what_is_reported_above_the_reservation_closes_the_budget_further() {
    let mut gate = Gate::with(PRICED);
    let decision = gate.ask(&alone("a"));
    let id = decision["decision"].as_str().unwrap();
    let usage = json!({ "permit": decision["permit"]["id"], "reply": { "text": "right" }, "usage": { "input_tokens": 1000, "output_tokens": 3000 } });
    assert_eq!(gate.post(format!("/v1/decisions/{id}/resume"), &usage).status, 200);
    let budget = gate.get("/v1/budgets/p");
    assert_eq!(budget["tokens"], json!({ "limit": 5000, "spent": 1100, "open": 0, "overrun": 2900 }));
    assert_eq!(gate.decide(&alone("b"))["reason"], "budget");
}

#[test]
fn a_lower_limit_takes_nothing_back_and_lets_nothing_more_out() {
    let policy = |calls: u64| format!("price = 0.01\nactions = [\"left\", \"right\"]\n[budget]\ncalls = {calls}\n");
    let mut gate = Gate::with(&policy(3));
    assert_eq!(asked(&mut gate, 2, |n| alone(&format!("a{n}"))), 2);
    assert_eq!(gate.put("p", &policy(0)).status, 200);
    assert_eq!(gate.calls(), json!({ "limit": 0, "spent": 0, "open": 2 }));
    assert_eq!(asked(&mut gate, 2, |n| alone(&format!("b{n}"))), 0);
    assert!(gate.core.budgets_hold());
    assert_eq!(gate.put("p", &policy(3)).status, 200);
    assert_eq!(asked(&mut gate, 2, |n| alone(&format!("c{n}"))), 1);
    assert!(gate.core.budgets_hold());
}
