//! `POST /v1/chat/completions`. The official client is in `fixtures/agents/with_openai.py`.

use counsel_broker::{Call, Sidecar};
use serde_json::{Value, json};

use crate::model::{Model, broker, calls, policy, post};

fn chat(more: Value) -> Value {
    let mut body = json!({ "model": "counsel/p", "messages": [{ "role": "user", "content": "What is 2 + 2?" }] });
    if let (Value::Object(body), Value::Object(more)) = (&mut body, more) {
        body.extend(more);
    }
    body
}

#[test]
fn the_strong_answer_stands_where_it_may_act_and_the_cheap_one_otherwise() {
    let (dir, cheap, strong) = (tempfile::tempdir().unwrap(), Model::saying("five"), Model::saying("four"));
    let broker = broker(dir.path(), &policy(50, &[("cheap", &cheap), ("advisor", &strong)]));
    let mut by = std::collections::BTreeMap::<String, usize>::new();
    for number in 0..20 {
        let question = json!([{ "role": "user", "content": format!("What is {number} + {number}?") }]);
        let told = post(&broker, "/v1/chat/completions", chat(json!({ "messages": question })), None).body;
        let answered_by = told["counsel"]["answered_by"].as_str().unwrap().to_owned();
        let said = told["choices"][0]["message"]["content"].as_str().unwrap();
        assert_eq!(said, if answered_by == "strong" { "four" } else { "five" });
        let asked = told["counsel"]["asked"] == true;
        assert_eq!(told["usage"]["total_tokens"], if asked { 20 } else { 10 });
        let outcome = json!({ "reward": if answered_by == "strong" { 1.0 } else { 0.0 }, "final": true });
        let decision = told["counsel"]["decision_id"].as_str().unwrap();
        post(&broker, &format!("/v1/decisions/{decision}/outcome"), outcome, None);
        *by.entry(answered_by).or_default() += 1;
    }
    assert!(by["strong"] > 0, "{by:?}");
    assert_eq!((cheap.count(), strong.count() as u64), (20, calls(&broker).0));
}

#[test]
fn what_would_be_dropped_is_refused() {
    let (dir, cheap, strong) = (tempfile::tempdir().unwrap(), Model::saying("a"), Model::saying("b"));
    let broker = broker(dir.path(), &policy(5, &[("cheap", &cheap), ("advisor", &strong)]));
    for (more, status, words) in [
        (json!({ "stream": true }), 400, "streams are not served"),
        (json!({ "n": 3 }), 400, "one choice"),
        (json!({ "tools": [] }), 400, "`tools`"),
        (json!({ "model": "gpt" }), 400, "counsel/POLICY"),
        (json!({ "model": "counsel/../x" }), 400, "counsel/POLICY"),
        (json!({ "model": "counsel/q" }), 404, "has no door"),
        (json!({ "messages": [] }), 400, "`messages`"),
        (json!({ "messages": [{ "role": "tool", "content": "x" }] }), 400, "another role"),
        (json!({ "messages": [{ "role": "user", "content": [{ "type": "image_url" }] }] }), 400, "no text"),
        (json!({ "temperature": 7 }), 400, "temperature"),
        (json!({ "max_tokens": 0 }), 400, "limit of tokens"),
        (json!({ "metadata": { "run": 7 } }), 400, "metadata.run"),
    ] {
        let replied = post(&broker, "/v1/chat/completions", chat(more.clone()), None);
        let message = replied.body["error"]["message"].as_str().unwrap_or("").to_owned();
        assert!(replied.status == status && message.contains(words), "{more}: {} {message}", replied.status);
    }
    assert_eq!((cheap.count(), strong.count(), calls(&broker)), (0, 0, (0, 0)));
    cheap.say("");
    assert_eq!(post(&broker, "/v1/chat/completions", chat(json!({})), None).status, 502);
    assert_eq!(calls(&broker), (0, 0), "nothing is decided where there is no cheap answer");
}

#[test]
fn a_policy_about_other_actions_has_no_door() {
    let (dir, cheap, strong) = (tempfile::tempdir().unwrap(), Model::saying("a"), Model::saying("b"));
    let text =
        policy(5, &[("cheap", &cheap), ("advisor", &strong)]).replace("[\"own\", \"advice\"]", "[\"left\", \"right\"]");
    let broker = broker(dir.path(), &text);
    let replied = post(&broker, "/v1/chat/completions", chat(json!({})), None);
    assert_eq!(replied.status, 422);
    assert!(replied.body["detail"].as_str().unwrap().contains("a door needs these two"), "{}", replied.body);
    let listed = broker.call(&Call::get("/v1/models")).unwrap().body;
    assert_eq!(listed["data"][0]["id"], "counsel/p");
}
