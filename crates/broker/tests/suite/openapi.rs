//! The document and the broker say the same: what is described is answered, and what is answered has the form that is stated.

use counsel_broker::{Broker, Call, Replied, Sidecar, Verb};
use serde_json::{Value, json};

use crate::form::{references_lead_somewhere, refusal};
use crate::model::{Model, broker, policy, post};

fn get(broker: &Broker, path: &str) -> Replied {
    broker.call(&Call::get(path)).unwrap()
}

#[test]
fn what_the_broker_answers_is_described_and_the_rest_stays() {
    let (dir, model) = (tempfile::tempdir().unwrap(), Model::saying("right"));
    let broker = broker(dir.path(), &policy(5, &[("advisor", &model)]));
    let document = get(&broker, "/openapi.json").body;
    assert!(references_lead_somewhere(&document) > 30);
    let paths = document["paths"].as_object().unwrap();
    for (path, methods) in paths {
        let is_own = matches!(path.as_str(), "/v1/ask" | "/v1/chat/completions" | "/v1/models" | "/openapi.json");
        assert_eq!(broker.answers(&path.replace("{name}", "x"), b"{}"), is_own, "{path}");
        for verb in [Verb::Get, Verb::Post] {
            let is_described = methods.get(verb.method().to_lowercase()).is_some();
            let path = path.replace("{name}", "x");
            let call = Call { verb, ..Call::post(path.clone(), json!({})) };
            // Texts are no JSON, and come from the service alone.
            let Ok(replied) = broker.call(&call) else { continue };
            assert_eq!(replied.status != 405, is_described, "{} {path}: {}", verb.method(), replied.body);
            assert_ne!(replied.body["detail"], "there is no such resource; GET /openapi.json lists them", "{path}");
        }
    }
    for path in ["/v1/ask", "/v1/chat/completions", "/v1/models", "/v1/decisions", "/v1/budgets/{name}", "/metrics"] {
        assert!(paths.contains_key(path), "{path} is not described");
    }
    let ids = paths
        .values()
        .flat_map(|methods| methods.as_object().unwrap().values().map(|one| one["operationId"].to_string()));
    let mut ids: Vec<String> = ids.collect();
    let all = ids.len();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), all, "two operations have one name");
}

#[test]
fn bodies_and_answers_have_the_forms_that_are_stated() {
    let (dir, cheap, strong) = (tempfile::tempdir().unwrap(), Model::saying("five"), Model::saying("four"));
    let broker = broker(dir.path(), &policy(50, &[("cheap", &cheap), ("advisor", &strong)]));
    let document = get(&broker, "/openapi.json").body;
    let fits = |name: &str, value: &Value| {
        let schema = &document["components"]["schemas"][name];
        assert!(schema.is_object(), "{name}");
        assert_eq!(refusal(&document, schema, value, name), None);
    };
    fits("Models", &get(&broker, "/v1/models").body);
    for question in 0..12 {
        if question == 6 {
            strong.say("");
        }
        let ask = json!({ "policy": "p", "run": "r", "question": format!("which {question}?"), "options": ["five", "four"],
            "confidence": 0.5 });
        fits("AskRequest", &ask);
        fits("Told", &post(&broker, "/v1/ask", ask, None).body);
        let content = json!([{ "type": "text", "text": format!("What is {question} + 2?") }]);
        let chat = json!({ "model": "counsel/p", "messages": [{ "role": "system", "content": "Be brief." },
            { "role": "user", "content": content }], "stream": false, "metadata": { "run": "r" }, "temperature": 0.5 });
        fits("ChatRequest", &chat);
        fits("ChatCompletion", &post(&broker, "/v1/chat/completions", chat, None).body);
    }
    assert!(strong.count() > 6, "answers with advice and with none were seen");
    fits("Problem", &post(&broker, "/v1/ask", json!({ "policy": "p" }), None).body);
    let refused = post(&broker, "/v1/chat/completions", json!({ "model": "counsel/p", "stream": true }), None);
    assert_eq!(refused.status, 400);
    fits("ChatError", &refused.body);
}

#[test]
fn a_resource_says_which_method_it_bears() {
    let (dir, model) = (tempfile::tempdir().unwrap(), Model::saying("right"));
    let broker = broker(dir.path(), &policy(5, &[("advisor", &model)]));
    for (path, verb) in [("/v1/ask", Verb::Get), ("/v1/chat/completions", Verb::Get), ("/v1/models", Verb::Post)] {
        let replied = broker.call(&Call { verb, ..Call::get(path) }).unwrap();
        assert_eq!((replied.status, &replied.body["type"]), (405, &json!("urn:counsel:problem:method")), "{path}");
    }
}
