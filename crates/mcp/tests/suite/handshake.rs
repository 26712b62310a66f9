//! The versions with a handshake.

use std::io::{BufReader, Write};
use std::os::unix::net::UnixStream;

use counsel_mcp::serve_lines;
use serde_json::{Value, json};

use crate::scripted::{Script, answer, server};

#[test]
fn the_handshake_agrees_on_a_version_that_both_speak() {
    let (server, _) = server(Script::Silent);
    for (wanted, agreed) in [
        ("2025-11-25", "2025-11-25"),
        ("2025-06-18", "2025-06-18"),
        ("2024-11-05", "2024-11-05"),
        ("1999-01-01", "2025-11-25"),
        ("", "2025-11-25"),
    ] {
        let said = answer(&server, "initialize", json!({ "protocolVersion": wanted, "capabilities": {} }));
        assert_eq!(said["result"]["protocolVersion"], agreed, "{wanted}");
        assert_eq!(said["result"]["serverInfo"]["name"], "counsel");
        assert_eq!(said["result"]["capabilities"], json!({ "tools": { "listChanged": false } }));
    }
}

#[test]
fn the_tools_are_listed_with_schemas_and_no_modern_fields() {
    let (server, _) = server(Script::Silent);
    let result = answer(&server, "tools/list", json!({}))["result"].clone();
    let names: Vec<&str> =
        result["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["ask_advisor", "report_outcome", "advice_budget"]);
    for tool in result["tools"].as_array().unwrap() {
        assert_eq!((&tool["inputSchema"]["type"], &tool["outputSchema"]["type"]), (&json!("object"), &json!("object")));
    }
    assert!(result["resultType"].is_null() && result["_meta"].is_null());
    assert_eq!(answer(&server, "ping", json!({}))["result"], json!({}));
}

/// A client on a socket: it writes lines, and reads them one at a time.
struct Client {
    out: UnixStream,
    lines: std::io::Lines<BufReader<UnixStream>>,
}

impl Client {
    fn send(&mut self, message: &Value) {
        writeln!(self.out, "{message}").unwrap();
    }

    fn hear(&mut self) -> Value {
        serde_json::from_str(&self.lines.next().unwrap().unwrap()).unwrap()
    }
}

/// Runs a client of this version against the server, until it hangs up.
fn converse(script: Script, capabilities: Value, talk: impl FnOnce(&mut Client)) {
    let (server, _) = server(script);
    let (ours, theirs) = UnixStream::pair().unwrap();
    std::thread::scope(|scope| {
        let input = BufReader::new(theirs.try_clone().unwrap());
        let serving = scope.spawn(move || serve_lines(&server, input, theirs));
        let lines = std::io::BufRead::lines(BufReader::new(ours.try_clone().unwrap()));
        let mut client = Client { out: ours, lines };
        client.send(&json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize",
            "params": { "protocolVersion": "2025-11-25", "capabilities": capabilities } }));
        client.hear();
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        talk(&mut client);
        client.out.shutdown(std::net::Shutdown::Write).unwrap();
        serving.join().unwrap().unwrap();
    });
}

fn call(id: i64) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call",
        "params": { "name": "ask_advisor", "arguments": { "question": "left or right?", "options": ["left", "right"] } } })
}

#[test]
fn a_person_is_asked_by_a_request_of_ours_while_other_requests_are_answered() {
    converse(Script::AskSomebody, json!({ "elicitation": {} }), |client| {
        client.send(&call(1));
        let form = client.hear();
        assert_eq!(form["method"], "elicitation/create");
        assert_eq!(form["params"]["message"], "left or right?");
        assert_eq!(form["params"]["requestedSchema"]["properties"]["answer"]["enum"], json!(["left", "right"]));
        client.send(&json!({ "jsonrpc": "2.0", "id": 2, "method": "ping" }));
        assert_eq!(client.hear()["id"], 2);
        client.send(&json!({ "jsonrpc": "2.0", "id": form["id"], "result": { "action": "accept", "content": { "answer": "right" } } }));
        let told = client.hear();
        assert_eq!(told["id"], 1);
        let told = &told["result"]["structuredContent"];
        assert_eq!(
            (&told["may_act"], &told["proceed_with"], &told["advice"]),
            (&json!(true), &json!("right"), &json!("right"))
        );
    });
}

#[test]
fn a_person_who_declines_leaves_the_executor_its_own_choice() {
    for (reply, reason) in [
        (json!({ "result": { "action": "decline" } }), "declined"),
        (json!({ "result": { "action": "cancel" } }), "closed"),
        (json!({ "result": { "action": "accept", "content": { "answer": "  " } } }), "empty"),
    ] {
        converse(Script::AskSomebody, json!({ "elicitation": { "form": {} } }), |client| {
            client.send(&call(1));
            let mut message = reply;
            message["jsonrpc"] = json!("2.0");
            message["id"] = client.hear()["id"].clone();
            client.send(&message);
            let told = client.hear()["result"]["structuredContent"].clone();
            assert_eq!(
                (&told["asked"], &told["may_act"], &told["proceed_with"]),
                (&json!(true), &json!(false), &json!("left"))
            );
            assert!(told["lost"].as_str().unwrap().contains(reason), "{told}");
        });
    }
}

#[test]
fn a_cancelled_call_is_not_answered_and_its_form_is_given_up() {
    converse(Script::AskSomebody, json!({ "elicitation": {} }), |client| {
        client.send(&call(1));
        client.hear();
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } }));
        // The number is free again at once.
        client.send(&call(1));
        let form = client.hear();
        client.send(&json!({ "jsonrpc": "2.0", "id": form["id"], "result": { "action": "accept", "content": { "answer": "left" } } }));
        assert_eq!(client.hear()["result"]["structuredContent"]["proceed_with"], "left");
    });
}

#[test]
fn a_client_that_leaves_during_a_form_ends_the_server() {
    converse(Script::AskSomebody, json!({ "elicitation": {} }), |client| {
        client.send(&call(1));
        client.hear();
    });
}

#[test]
fn a_client_without_forms_is_not_shown_one_and_pays_nothing() {
    for capabilities in [json!({}), json!({ "elicitation": { "url": {} } })] {
        converse(Script::AskSomebody, capabilities, |client| {
            client.send(&call(1));
            let told = client.hear()["result"]["structuredContent"].clone();
            assert_eq!(told["asked"], false);
            assert!(told["reason"].as_str().unwrap().starts_with("no advisor is configured"), "{told}");
        });
    }
}
