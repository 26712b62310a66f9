//! The OpenAPI document: every reference leads somewhere, and what is answered has the form that it states.

use serde_json::{Value, json};

use crate::contract::{Gate, POLICY, alone, body, value};
use crate::form::{references_lead_somewhere, refusal};

#[test]
fn the_document_is_whole() {
    let mut gate = Gate::with(POLICY);
    let document = gate.get("/openapi.json");
    assert_eq!(document["openapi"], "3.1.0");
    assert!(references_lead_somewhere(&document) > 20);
    let paths = document["paths"].as_object().unwrap();
    for path in [
        "/v1/policies/{name}",
        "/v1/decisions",
        "/v1/decisions/{name}/resume",
        "/v1/budgets/{name}",
        "/metrics",
        "/healthz",
    ] {
        assert!(paths.contains_key(path), "{path}");
    }
    for (path, methods) in paths {
        for (method, operation) in methods.as_object().unwrap() {
            assert!(operation["responses"]["default"].is_object(), "{method} {path}");
            assert_eq!(operation["parameters"].to_string().contains("\"in\":\"path\""), path.contains('{'), "{path}");
        }
    }
}

#[test]
fn bodies_and_answers_have_the_forms_that_are_stated() {
    let mut gate = Gate::with(POLICY);
    let document = gate.get("/openapi.json");
    let fits = |name: &str, value: &Value| {
        let schema = &document["components"]["schemas"][name];
        assert!(schema.is_object(), "{name}");
        assert_eq!(refusal(&document, schema, value, name), None);
    };
    fits("Policy", &gate.get("/v1/policies/p"));
    fits("DecisionRequest", &body("room 3"));
    let asked = gate.ask(&body("room 3"));
    fits("Decision", &asked);
    let path = format!("/v1/decisions/{}", asked["decision"].as_str().unwrap());
    fits("DecisionState", &gate.get(&path));
    let reply = json!({ "permit": asked["permit"]["id"], "reply": { "text": "right" }, "usage": { "input_tokens": 3, "output_tokens": 1 } });
    fits("ResumeRequest", &reply);
    fits("Resumed", &value(&gate.post(format!("{path}/resume"), &reply)));
    fits("OutcomeRequest", &json!({ "reward": 0.5, "final": true }));
    fits("Accepted", &value(&gate.post(format!("{path}/outcome"), &json!({ "reward": 0.5, "final": true }))));
    fits("DecisionState", &gate.get(&path));
    fits("Budget", &gate.get("/v1/budgets/p"));
    fits("Advisor", &gate.get("/v1/advisors/advisor"));
    fits("Health", &gate.get("/healthz"));
    let mut in_episode = alone("x");
    in_episode["episode"] = "e".into();
    in_episode["context"]["features"] = json!([1, 2]);
    fits("Decision", &gate.decide(&in_episode));
    fits("Ended", &value(&gate.post("/v1/episodes/e/end", &json!({ "return": 1 }))));
    fits("Problem", &value(&gate.post("/v1/episodes/e/end", &json!({}))));
    fits("Accepted", &value(&gate.post("/v1/decisions/d99/outcome", &json!({ "reward": 1 }))));
    let wrong = json!({ "accepted": 1, "learned": true });
    assert!(
        refusal(&document, &document["components"]["schemas"]["Accepted"], &wrong, "").is_some(),
        "the check can fail"
    );
}

#[test]
fn the_counts_are_in_the_text_format_of_prometheus() {
    let mut gate = Gate::with(POLICY);
    let asked = gate.ask(&alone("a"));
    gate.resume(&asked, "right");
    gate.resume(&asked, "right");
    gate.decide(&alone("a"));
    let answer = gate.send(&counsel_serve::Request::new("GET", "/metrics", ""));
    let text = crate::contract::text(&answer);
    for line in [
        "counsel_verdicts_total{policy=\"p\",verdict=\"ask\",reason=\"worth-asking\"} 1",
        "counsel_verdicts_total{policy=\"p\",verdict=\"act\",reason=\"kept-answer\"} 1",
        "counsel_budget_spent{budget=\"p\",unit=\"calls\"} 1",
        "counsel_budget_limit{budget=\"p\",unit=\"calls\"} 100",
        "counsel_advisor_asked_total{advisor=\"advisor\"} 1",
        "counsel_replays_total 1",
        "counsel_permits_open 0",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} is not in\n{text}");
    }
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (name, number) = line.rsplit_once(' ').unwrap();
        assert!(name.starts_with("counsel_") && number.parse::<f64>().is_ok(), "{line}");
    }
}
