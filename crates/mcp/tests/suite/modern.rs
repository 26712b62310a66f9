//! Version 2026-07-28: every request describes itself, and a person is asked in rounds.

use serde_json::{Value, json};

use crate::scripted::{Script, answer, server};

fn meta(version: &str, capabilities: Value) -> Value {
    json!({ "io.modelcontextprotocol/protocolVersion": version, "io.modelcontextprotocol/clientCapabilities": capabilities })
}

fn modern(mut params: Value, capabilities: Value) -> Value {
    params["_meta"] = meta("2026-07-28", capabilities);
    params
}

#[test]
fn a_client_discovers_what_is_spoken() {
    let (server, _) = server(Script::Silent);
    let result = answer(&server, "server/discover", modern(json!({}), json!({})))["result"].clone();
    assert_eq!(result["supportedVersions"], json!(["2026-07-28"]));
    assert_eq!((&result["resultType"], &result["cacheScope"]), (&json!("complete"), &json!("private")));
    assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "counsel");
}

#[test]
fn another_version_and_a_missing_capability_are_named() {
    let (server, _) = server(Script::Silent);
    let said = answer(&server, "tools/list", json!({ "_meta": meta("2027-01-01", json!({})) }));
    assert_eq!(said["error"]["code"], -32022);
    assert_eq!(said["error"]["data"], json!({ "supported": ["2026-07-28"], "requested": "2027-01-01" }));
    let said =
        answer(&server, "tools/list", json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } }));
    assert_eq!(said["error"]["code"], -32602);
    assert!(said["error"]["message"].as_str().unwrap().contains("clientCapabilities"), "{said}");
    let said = answer(&server, "tools/list", json!({ "_meta": meta("2026-07-28", json!({})), "cursor": "x" }));
    assert_eq!(said["error"]["code"], -32602);
    for method in ["initialize", "ping"] {
        assert_eq!(answer(&server, method, modern(json!({}), json!({})))["error"]["code"], -32601, "{method}");
    }
}

#[test]
fn a_person_is_asked_in_rounds() {
    let (server, scripted) = server(Script::AskSomebody);
    let forms = json!({ "elicitation": { "form": {} } });
    let call = json!({ "name": "ask_advisor", "arguments": { "question": "how?" } });
    let first = answer(&server, "tools/call", modern(call.clone(), forms.clone()))["result"].clone();
    assert_eq!(first["resultType"], "input_required");
    let asked = &first["inputRequests"]["answer"];
    assert_eq!((&asked["method"], &asked["params"]["message"]), (&json!("elicitation/create"), &json!("how?")));
    let mut again = call.clone();
    again["requestState"] = first["requestState"].clone();
    again["inputResponses"] =
        json!({ "answer": { "action": "accept", "content": { "answer": "split the file first" } } });
    let told = answer(&server, "tools/call", modern(again, forms.clone()))["result"].clone();
    assert_eq!(told["resultType"], "complete");
    let told = &told["structuredContent"];
    assert_eq!((&told["may_act"], &told["advice"]), (&json!(true), &json!("split the file first")));
    assert_eq!(told["proceed_with"], "the advice");
    let paths: Vec<String> = scripted.calls.lock().unwrap().iter().map(|call| call.path.clone()).collect();
    assert_eq!(paths.iter().filter(|path| *path == "/v1/decisions").count(), 1, "{paths:?}");
    let mut forged = call;
    for state in [json!("x"), json!(7), json!("[\"../budgets/p\",\"p1\"]"), json!("[\"d1\"]")] {
        forged["requestState"] = state;
        let said = answer(&server, "tools/call", modern(forged.clone(), forms.clone()));
        assert_eq!(said["error"]["code"], -32602, "{said}");
    }
}

#[test]
fn a_client_without_forms_hears_that_no_advisor_is_configured() {
    let (server, scripted) = server(Script::AskSomebody);
    let call = json!({ "name": "ask_advisor", "arguments": { "question": "how?" } });
    let told = answer(&server, "tools/call", modern(call, json!({})))["result"]["structuredContent"].clone();
    assert_eq!((&told["asked"], &told["may_act"]), (&json!(false), &json!(false)));
    assert!(told["reason"].as_str().unwrap().contains("Nothing was spent"), "{told}");
    assert_eq!(scripted.calls.lock().unwrap().len(), 1, "only the endpoint was looked for");
}
