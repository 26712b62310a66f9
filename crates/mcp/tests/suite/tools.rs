//! What the tools do with their arguments, and what they ask of the sidecar.

use counsel_broker::Verb;
use serde_json::json;

use crate::scripted::{Script, answer, called, server, text};

#[test]
fn the_policys_endpoint_is_asked_by_the_sidecar() {
    let (server, scripted) = server(Script::Endpoint("right"));
    let result = called(
        &server,
        "ask_advisor",
        json!({ "question": "which?", "options": ["left", "right"], "confidence": 0.4, "context": "maze" }),
    );
    assert_eq!(result["isError"], false);
    assert_eq!(result["structuredContent"]["proceed_with"], "right");
    assert_eq!(text(&result), result["structuredContent"].to_string());
    called(&server, "ask_advisor", json!({ "question": "which?" }));
    let calls = scripted.calls.lock().unwrap();
    assert_eq!((calls[0].verb, calls[0].path.as_str(), calls[0].key.as_deref()), (Verb::Post, "/v1/ask", Some("n-0")));
    assert_eq!(
        calls[0].body,
        json!({ "question": "which?", "options": ["left", "right"], "confidence": 0.4, "context": "maze", "policy": "p", "run": "r", "episode": "e" })
    );
    assert_eq!(calls[1].key.as_deref(), Some("n-1"), "another question is another decision");
}

#[test]
fn an_outcome_and_the_budget_pass_through() {
    let (server, scripted) = server(Script::Silent);
    let result = called(&server, "report_outcome", json!({ "decision_id": "d1", "success": true }));
    assert_eq!(result["structuredContent"], json!({ "accepted": true }));
    assert_eq!(scripted.calls.lock().unwrap()[0].body, json!({ "reward": 1.0, "final": true }));
    let result = called(&server, "advice_budget", json!({}));
    assert_eq!(result["structuredContent"]["calls"]["limit"], 5);
}

#[test]
fn faults_of_a_model_are_results_that_say_how_to_mend_them() {
    let (server, _) = server(Script::AskSomebody);
    for (tool, arguments, words) in [
        ("ask_advisor", json!({}), "`question` is missing"),
        ("ask_advisor", json!({ "question": " " }), "`question` is empty"),
        ("ask_advisor", json!({ "question": 7 }), "`question` is a number"),
        ("ask_advisor", json!({ "question": "x".repeat(70_000) }), "pass at most 65536"),
        ("ask_advisor", json!({ "question": "q", "options": ["a"] }), "1 entries"),
        ("ask_advisor", json!({ "question": "q", "options": ["a", "a"] }), "stands twice"),
        ("ask_advisor", json!({ "question": "q", "options": "a" }), "pass a list of texts"),
        ("ask_advisor", json!({ "question": "q", "confidence": 2 }), "`confidence` is 2"),
        ("ask_advisor", json!({ "question": "q", "confidence": "high" }), "from 0 to 1"),
        ("ask_advisor", json!({ "question": "q", "model": "x" }), "`model` is not known"),
        ("report_outcome", json!({ "decision_id": "d1" }), "`success` is missing"),
        ("report_outcome", json!({ "success": true }), "`decision_id` is missing"),
        (
            "report_outcome",
            json!({ "decision_id": "../budgets/p", "success": true }),
            "`decision_id` is missing or none",
        ),
        ("report_outcome", json!({ "decision_id": "d9", "success": true }), "there is nothing at"),
        ("advice_budget", json!({ "x": 1 }), "takes no arguments"),
    ] {
        let result = called(&server, tool, arguments.clone());
        assert_eq!(result["isError"], true, "{tool} {arguments}");
        assert!(text(&result).contains(words), "{tool} {arguments}: {}", text(&result));
    }
}

#[test]
fn a_dead_sidecar_is_named_with_the_remedy() {
    let (server, _) = server(Script::Dead);
    for (tool, arguments) in [
        ("ask_advisor", json!({ "question": "q" })),
        ("advice_budget", json!({})),
        ("report_outcome", json!({ "decision_id": "d", "success": false })),
    ] {
        let result = called(&server, tool, arguments);
        assert!(result["isError"] == true && text(&result).contains("start it with `counsel serve`"), "{result}");
    }
}

#[test]
fn what_is_no_tool_or_no_method_is_an_error_of_the_protocol() {
    let (server, _) = server(Script::Silent);
    for (method, params, code) in [
        ("tools/call", json!({ "name": "rm" }), -32602),
        ("tools/call", json!({}), -32602),
        ("tools/call", json!({ "name": "ask_advisor", "arguments": [] }), -32602),
        ("resources/list", json!({}), -32601),
        ("sampling/createMessage", json!({}), -32601),
    ] {
        assert_eq!(answer(&server, method, params.clone())["error"]["code"], code, "{method} {params}");
    }
}

#[test]
fn a_question_may_be_a_step_of_a_named_task() {
    let (server, scripted) = server(Script::Endpoint("go"));
    called(&server, "ask_advisor", json!({ "question": "q", "episode": "task-7", "features": [0.5] }));
    called(&server, "ask_advisor", json!({ "question": "q" }));
    let calls = scripted.calls.lock().unwrap().clone();
    assert_eq!((&calls[0].body["episode"], &calls[0].body["features"]), (&json!("task-7"), &json!([0.5])));
    assert_eq!(calls[1].body["episode"], "e", "that of the server");
    for episode in [json!(""), json!("../e"), json!(7)] {
        let result = called(&server, "ask_advisor", json!({ "question": "q", "episode": episode }));
        assert!(result["isError"] == true && text(&result).contains("`episode` is no name"), "{result}");
    }
}
