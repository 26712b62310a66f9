//! The contract of each call, without a socket: statuses, bodies, keys, permits, outcomes.

use counsel_serve::{Core, Request, Response};
use serde_json::{Value, json};

pub(crate) const POLICY: &str = "price = 0.01\nactions = [\"left\", \"right\", \"forward\"]\n[budget]\ncalls = 100\n";

/// A core, its time, and its journal.
pub(crate) struct Gate {
    pub(crate) core: Core,
    pub(crate) now: u64,
    pub(crate) journal: Vec<u8>,
    keys: u64,
}

impl Gate {
    pub(crate) fn with(policy: &str) -> Self {
        let (core, journal) = Core::begin();
        let mut gate = Self { core, now: 1_000_000, journal, keys: 0 };
        let answer = gate.put("p", policy);
        assert_eq!(answer.status, 201, "{}", text(&answer));
        gate
    }

    pub(crate) fn send(&mut self, request: &Request) -> Response {
        let handled = self.core.handle(self.now, request);
        self.journal.extend(handled.line.iter().flatten());
        handled.response
    }

    pub(crate) fn put(&mut self, name: &str, policy: &str) -> Response {
        self.send(&Request::new("PUT", format!("/v1/policies/{name}"), policy))
    }

    pub(crate) fn get(&mut self, path: &str) -> Value {
        let answer = self.send(&Request::new("GET", path, ""));
        assert_eq!(answer.status, 200, "{}", text(&answer));
        value(&answer)
    }

    pub(crate) fn post(&mut self, path: impl Into<String>, body: &Value) -> Response {
        self.send(&Request::new("POST", path, body.to_string()))
    }

    /// A decision under a new key.
    pub(crate) fn decide(&mut self, body: &Value) -> Value {
        self.keys += 1;
        let request = Request::new("POST", "/v1/decisions", body.to_string()).keyed(format!("key-{}", self.keys));
        let answer = self.send(&request);
        assert_eq!(answer.status, 201, "{}", text(&answer));
        value(&answer)
    }

    /// A decision that asks.
    pub(crate) fn ask(&mut self, body: &Value) -> Value {
        let decision = self.decide(body);
        assert_eq!(decision["verdict"], "ask", "{decision}");
        decision
    }

    pub(crate) fn resume(&mut self, decision: &Value, reply: &str) -> Response {
        let (id, permit) = (decision["decision"].as_str().unwrap(), &decision["permit"]["id"]);
        self.post(format!("/v1/decisions/{id}/resume"), &json!({ "permit": permit, "reply": { "text": reply } }))
    }

    pub(crate) fn calls(&mut self) -> Value {
        self.get("/v1/budgets/p")["calls"].clone()
    }
}

pub(crate) fn text(answer: &Response) -> String {
    String::from_utf8(answer.body.clone()).unwrap()
}

pub(crate) fn value(answer: &Response) -> Value {
    serde_json::from_slice(&answer.body).unwrap()
}

/// The body of a decision in a context.
pub(crate) fn body(context: &str) -> Value {
    json!({
        "policy": "p", "run": "r1", "episode": "e1", "context": { "key": context, "features": [0.1, 1] },
        "fallback": { "action": "left", "confidence": 0.6 },
    })
}

/// A decision without an episode.
pub(crate) fn alone(context: &str) -> Value {
    json!({ "policy": "p", "context": { "key": context }, "fallback": { "action": "left" } })
}

#[test]
fn the_example_of_the_contract_goes_through() {
    let mut gate = Gate::with(POLICY);
    let decision = gate.ask(&body("room 3"));
    assert_eq!(decision["action"], "left");
    assert_eq!(decision["permit"]["reserved"], json!({ "calls": 1 }));
    assert!(decision["value"]["estimate"].as_f64().unwrap() >= 0.01, "{decision}");
    assert_eq!(decision["value"]["price"], 0.01);
    assert_eq!(gate.calls(), json!({ "limit": 100, "spent": 0, "open": 1 }));
    let id = decision["decision"].as_str().unwrap().to_owned();
    let reply = json!({ "permit": decision["permit"]["id"], "reply": { "text": "right" }, "usage": { "input_tokens": 40, "output_tokens": 1 } });
    let resumed = value(&gate.post(format!("/v1/decisions/{id}/resume"), &reply));
    assert_eq!((&resumed["verdict"], &resumed["action"]), (&json!("execute"), &json!("right")), "{resumed}");
    assert_eq!(gate.calls(), json!({ "limit": 100, "spent": 1, "open": 0 }));
    let outcome = gate.post(format!("/v1/decisions/{id}/outcome"), &json!({ "reward": 0.3, "final": true }));
    assert_eq!(value(&outcome), json!({ "accepted": true, "learned": true }));
    assert_eq!(gate.get(&format!("/v1/decisions/{id}"))["reward"], 0.3);
    let record = gate.get("/v1/advisors/advisor");
    assert_eq!((&record["asked"], &record["followed"], &record["tokens"]), (&json!(1), &json!(1), &json!(41)));
}

#[test]
fn the_same_key_gives_the_same_bytes_and_another_body_is_refused() {
    let mut gate = Gate::with(POLICY);
    let request = Request::new("POST", "/v1/decisions", body("room 3").to_string()).keyed("k");
    let first = gate.send(&request);
    let again = gate.send(&request);
    assert_eq!((first.status, again.status), (201, 200));
    assert_eq!((first.replayed, again.replayed), (false, true));
    assert_eq!(first.body, again.body);
    assert_eq!(gate.calls()["open"], 1, "it was decided once");
    let other = gate.send(&Request::new("POST", "/v1/decisions", body("room 4").to_string()).keyed("k"));
    assert_eq!(other.status, 409, "{}", text(&other));
    let elsewhere = gate.send(&Request::new("POST", "/v1/decisions/d1/outcome", body("room 3").to_string()).keyed("k"));
    assert_eq!(elsewhere.status, 409, "a key is for one request: {}", text(&elsewhere));
    let keyless = gate.post("/v1/decisions", &body("room 3"));
    assert_eq!(keyless.status, 400);
    assert!(text(&keyless).contains("Idempotency-Key"));
}

#[test]
fn a_permit_is_resumed_once() {
    let mut gate = Gate::with(POLICY);
    let decision = gate.ask(&body("room 3"));
    let first = gate.resume(&decision, "right");
    let again = gate.resume(&decision, "right");
    assert_eq!((first.status, again.status, again.replayed), (200, 200, true));
    assert_eq!(first.body, again.body);
    let other = gate.resume(&decision, "forward");
    assert_eq!(other.status, 409, "{}", text(&other));
    let id = decision["decision"].as_str().unwrap();
    let foreign =
        gate.post(format!("/v1/decisions/{id}/resume"), &json!({ "permit": "p99", "reply": { "lost": true } }));
    assert_eq!(foreign.status, 404);
    assert_eq!(gate.calls(), json!({ "limit": 100, "spent": 1, "open": 0 }));
}

#[test]
fn an_expired_permit_stays_spent_and_a_late_reply_is_told_what_was_settled() {
    let mut gate = Gate::with(&POLICY.replace("[budget]", "expires_s = 5\n[budget]"));
    let decision = gate.ask(&body("room 3"));
    assert_eq!(decision["permit"]["expires_at"], "1970-01-01T00:16:45.000Z");
    gate.now += 4_999;
    assert_eq!(gate.calls()["open"], 1);
    gate.now += 1;
    assert_eq!(gate.calls(), json!({ "limit": 100, "spent": 1, "open": 0 }));
    let late = gate.resume(&decision, "right");
    assert_eq!(late.status, 410, "{}", text(&late));
    assert_eq!(value(&late)["settled"]["verdict"], "reject");
    assert_eq!(gate.calls()["spent"], 1);
}

#[test]
fn a_lost_reply_is_paid_for_and_an_unreadable_one_does_not_act() {
    let mut gate = Gate::with(POLICY);
    let lost = gate.ask(&body("room 3"));
    let (id, permit) = (lost["decision"].as_str().unwrap(), &lost["permit"]["id"]);
    let answer = value(
        &gate.post(format!("/v1/decisions/{id}/resume"), &json!({ "permit": permit, "reply": { "lost": true } })),
    );
    assert_eq!(
        (&answer["verdict"], &answer["reason"], &answer["action"]),
        (&json!("reject"), &json!("lost"), &json!("left"))
    );
    let unreadable = gate.ask(
        &alone("room 4")
            .as_object()
            .map(|o| {
                let mut o = o.clone();
                o["context"]["features"] = json!([0.2, 1]);
                Value::Object(o)
            })
            .unwrap(),
    );
    let answer = value(&gate.resume(&unreadable, "I would rather go right."));
    assert_eq!((&answer["verdict"], &answer["reason"]), (&json!("reject"), &json!("unreadable")));
    assert_eq!(gate.calls()["spent"], 2);
}

#[test]
fn a_spent_budget_is_a_verdict_and_no_error() {
    let mut gate = Gate::with(&POLICY.replace("calls = 100", "calls = 1"));
    let mut acts = 0;
    for context in 0..20 {
        let decision = gate.decide(&alone(&format!("room {context}")));
        if decision["verdict"] == "act" {
            acts += 1;
            assert_eq!(decision["reason"], "budget", "{decision}");
        }
    }
    assert_eq!((acts, gate.calls()["open"].clone()), (19, json!(1)));
}

#[test]
fn an_answer_that_is_kept_is_not_bought_again() {
    let mut gate = Gate::with(POLICY);
    let decision = gate.ask(&alone("room 3"));
    assert_eq!(gate.resume(&decision, "right").status, 200);
    let again = gate.decide(&alone("room 3"));
    assert_eq!(
        (&again["verdict"], &again["action"], &again["reason"]),
        (&json!("act"), &json!("right"), &json!("kept-answer"))
    );
}

#[test]
fn outcomes_come_late_twice_and_corrected() {
    let mut gate = Gate::with(POLICY);
    let first = gate.ask(&body("room 3"));
    let id = first["decision"].as_str().unwrap().to_owned();
    let path = format!("/v1/decisions/{id}/outcome");
    let early = gate.post(&path, &json!({ "reward": 1 }));
    assert_eq!(early.status, 409, "{}", text(&early));
    gate.resume(&first, "right");
    let second = gate.decide(&body("room 3"));
    // The decision after it was made, so this corrects the 0 that it was taken for.
    for reward in [0.5, 0.5, 0.25] {
        assert_eq!(
            value(&gate.post(&path, &json!({ "reward": reward }))),
            json!({ "accepted": true, "learned": true })
        );
    }
    let told = gate.get(&format!("/v1/decisions/{id}"));
    assert_eq!((&told["reward"], &told["revisions"]), (&json!(0.25), &json!(3)));
    let last = format!("/v1/decisions/{}/outcome", second["decision"].as_str().unwrap());
    assert_eq!(value(&gate.post(&last, &json!({ "success": true, "final": true })))["learned"], true);
    assert_eq!(
        value(&gate.post(&path, &json!({ "reward": 1 }))),
        json!({ "accepted": true, "learned": false }),
        "its episode is over"
    );
    assert_eq!(value(&gate.post("/v1/decisions/d99/outcome", &json!({ "reward": 1 })))["accepted"], false);
    let none = gate.post(&path, &json!({ "final": true }));
    assert_eq!(none.status, 422);
}

#[test]
fn an_episode_ends_and_its_open_questions_are_lost() {
    let mut gate = Gate::with(POLICY);
    let open = gate.ask(&body("room 3"));
    let ended = gate.post("/v1/episodes/e1/end", &json!({ "return": 0.5 }));
    assert_eq!((ended.status, value(&ended)), (200, json!({ "ended": 1 })));
    assert_eq!(gate.resume(&open, "right").status, 410);
    assert_eq!(gate.calls(), json!({ "limit": 100, "spent": 1, "open": 0 }));
    assert_eq!(gate.post("/v1/episodes/e1/end", &json!({})).status, 404);
    assert_eq!(gate.send(&Request::new("POST", "/v1/episodes/e1/end", "")).status, 404, "a body is not needed");
}

#[test]
fn a_second_advisor_may_be_asked_where_the_first_is_not_followed() {
    let policy = "actions = [\"left\", \"right\"]\n[budget]\ncalls = 10\n[[advisors]]\nname = \"small\"\nprice = 0.01\n[[advisors]]\nname = \"large\"\nprice = 0.02\n";
    let mut gate = Gate::with(policy);
    let decision = gate.ask(&alone("room 3"));
    let first = decision["permit"]["advisor"].clone();
    let id = decision["decision"].as_str().unwrap().to_owned();
    let path = format!("/v1/decisions/{id}/resume");
    let next = value(&gate.post(&path, &json!({ "permit": decision["permit"]["id"], "reply": { "lost": true } })));
    assert_eq!(next["verdict"], "ask", "{next}");
    assert_ne!(next["permit"]["advisor"], first);
    let last = value(&gate.post(&path, &json!({ "permit": next["permit"]["id"], "reply": { "text": "right" } })));
    assert_eq!((&last["verdict"], &last["action"]), (&json!("execute"), &json!("right")), "{last}");
    assert_eq!(gate.calls(), json!({ "limit": 10, "spent": 2, "open": 0 }));
}

#[test]
fn every_refusal_names_the_remedy_and_repeats_no_text() {
    let mut gate = Gate::with(POLICY);
    let secret = "SECRET-PROMPT";
    let bodies = [
        json!({ "policy": "p", "context": secret, "fallback": { "action": "left" } }),
        json!({ "policy": "p", "context": { "key": secret, "features": [secret] }, "fallback": { "action": "left" } }),
        json!({ "policy": "p", "context": { "key": secret }, "fallback": { "action": secret } }),
        json!({ "policy": "p", "context": { "key": { secret: 1 } }, "fallback": { "action": "left" } }),
        json!({ "policy": secret, "context": { "key": secret }, "fallback": { "action": "left" } }),
        json!({ "policy": "p", "context": { "key": secret }, "fallback": { "action": "left", "confidence": 7 } }),
        json!({ "policy": "p", "context": { "key": secret }, "fallback": { "action": "left" }, secret: 1 }),
        json!({ "policy": "p", "child": "c", "context": { "key": secret }, "fallback": { "action": "left" } }),
        json!([secret]),
    ];
    for body in bodies {
        let request = Request::new("POST", "/v1/decisions", body.to_string()).keyed(format!("{secret}-key"));
        let answer = gate.send(&request);
        assert!((400..500).contains(&answer.status), "{}", text(&answer));
        assert_eq!(answer.content_type, "application/problem+json");
        let said = text(&answer);
        assert!(!said.contains("SECRET"), "{said}");
        assert!(value(&answer)["detail"].as_str().unwrap().len() > 20, "{said}");
    }
    assert_eq!(gate.calls()["open"], 0);
    assert_eq!(gate.send(&Request::new("GET", "/v1/nothing", "")).status, 404);
    assert_eq!(gate.send(&Request::new("DELETE", "/v1/decisions", "")).status, 405);
}

#[test]
fn policies_are_versioned_by_their_digest_and_what_was_spent_stays_spent() {
    let mut gate = Gate::with(POLICY);
    let first = gate.get("/v1/policies/p");
    assert_eq!(gate.put("p", POLICY).status, 200, "the same policy is no new version");
    assert_eq!(gate.get("/v1/policies/p")["version"], 1);
    let decision = gate.ask(&alone("room 3"));
    assert_eq!(decision["policy"]["digest"], first["digest"]);
    let json = json!({ "price": 0.02, "actions": ["left", "right", "forward"], "budget": { "calls": 1 } });
    assert_eq!(gate.put("p", &json.to_string()).status, 200);
    let second = gate.get("/v1/policies/p");
    assert_eq!((&second["version"], second["digest"] == first["digest"]), (&json!(2), false));
    assert_eq!(gate.calls(), json!({ "limit": 1, "spent": 0, "open": 1 }));
    assert_eq!(gate.resume(&decision, "right").status, 200, "a permit of the version before is good still");
    assert_eq!(gate.decide(&alone("room 4"))["reason"], "budget");
}

#[test]
fn a_policy_that_cannot_be_kept_is_refused() {
    let mut gate = Gate::with(POLICY);
    for (policy, said) in [
        ("actions = [\"a\", \"b\"]\n[budget]\ncalls = 1\n", "no price"),
        ("price = 0.1\nactions = [\"a\", \"b\"]\n[budget]\n", "limits nothing"),
        ("price = -1\nactions = [\"a\", \"b\"]\n[budget]\ncalls = 1\n", "-1"),
        ("price = 0.1\nactions = [\"a\", \"b\"]\n[budget]\nusd = 5\n", "max_tokens"),
        ("price = 0.1\nactions = [\"a\", \"b\"]\n[budget]\ntokens = 5\n", "max_tokens"),
        ("price = 0.1\nactions = [\"a\", \"a\"]\n[budget]\ncalls = 1\n", "a"),
        ("price = 0.1\nactions = []\n[budget]\ncalls = 1\n", "action"),
        ("price = 0.1\nmode = \"canary\"\nactions = [\"a\", \"b\"]\n[budget]\ncalls = 1\n", "share"),
        ("price = 0.1\nactions = [\"a\", \"b\"]\nbudgets = 1\n", "unknown field"),
        ("price = 0.1\nactions = [\"a\", \"b\"]\n[budget]\nparent = \"team\"\n", "PUT /v1/budgets/team"),
    ] {
        let answer = gate.put("q", policy);
        assert!((400..500).contains(&answer.status), "{policy}");
        assert!(text(&answer).contains(said), "{policy}: {}", text(&answer));
    }
    assert_eq!(gate.put("no/name", POLICY).status, 404);
    assert_eq!(gate.put(".hidden", POLICY).status, 422);
}
