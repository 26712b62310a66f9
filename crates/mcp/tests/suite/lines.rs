//! Standard input: whatever comes, the server goes on.

use counsel_mcp::{LONGEST_LINE, RpcMessage};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::scripted::{Script, said, server};

const PING: &str = r#"{"jsonrpc":"2.0","id":9,"method":"ping"}"#;

#[test]
fn a_bad_line_is_answered_and_the_next_one_is_served() {
    let (server, _) = server(Script::Silent);
    for (line, id, code) in [
        ("nonsense", Value::Null, -32700),
        ("{", Value::Null, -32700),
        ("[]", Value::Null, -32600),
        ("7", Value::Null, -32600),
        ("{}", Value::Null, -32600),
        (r#"{"jsonrpc":"1.0","id":3,"method":"ping"}"#, json!(3), -32600),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, Value::Null, -32600),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, Value::Null, -32600),
        (r#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#, Value::Null, -32600),
        (r#"{"jsonrpc":"2.0","id":"a","method":7}"#, json!("a"), -32600),
        (r#"{"jsonrpc":"2.0","id":"a","method":"ping","params":[1]}"#, json!("a"), -32600),
        (r#"{"jsonrpc":"2.0","id":"a"}"#, json!("a"), -32600),
        (r#"{"jsonrpc":"2.0","result":{}}"#, Value::Null, -32600),
    ] {
        let said = said(&server, format!("{line}\n\n  \n{PING}\n").as_bytes());
        assert_eq!(said.len(), 2, "{line}: {said:?}");
        assert_eq!((&said[0]["id"], &said[0]["error"]["code"]), (&id, &json!(code)), "{line}");
        assert_eq!(said[1]["id"], 9);
    }
}

#[test]
fn a_line_that_is_too_long_is_refused_without_being_kept() {
    let (server, _) = server(Script::Silent);
    let mut input = vec![b'x'; 3 * LONGEST_LINE];
    input.extend_from_slice(format!("\n{PING}\n").as_bytes());
    let heard = said(&server, &input);
    assert_eq!((&heard[0]["error"]["code"], &heard[1]["id"]), (&json!(-32600), &json!(9)));
    // A line of just the length is read.
    let mut exact = PING.as_bytes().to_vec();
    exact.resize(LONGEST_LINE, b' ');
    assert_eq!(said(&server, &exact)[0]["id"], 9);
    exact.push(b' ');
    assert_eq!(said(&server, &exact)[0]["error"]["code"], -32600);
}

#[test]
fn depth_does_not_overflow_the_stack() {
    let (server, _) = server(Script::Silent);
    let deep = "[".repeat(200_000);
    let said = said(&server, format!("{deep}\n{PING}").as_bytes());
    assert_eq!((&said[0]["error"]["code"], &said[1]["id"]), (&json!(-32700), &json!(9)));
}

#[test]
fn notifications_and_stray_answers_are_passed_over() {
    let (server, _) = server(Script::Silent);
    let input = [
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}"#,
        r#"{"jsonrpc":"2.0","method":"nobody/knows"}"#,
        r#"{"jsonrpc":"2.0","id":12,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":"x","error":{"code":1,"message":"m"}}"#,
        PING,
    ];
    let said = said(&server, input.join("\r\n").as_bytes());
    assert_eq!(said, [json!({ "jsonrpc": "2.0", "id": 9, "result": {} })]);
}

#[test]
fn every_call_is_answered_once_though_they_run_beside_each_other() {
    let (server, scripted) = server(Script::Endpoint("go"));
    let call = |id: usize| {
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": { "name": "ask_advisor", "arguments": { "question": "q" } } })
    };
    let input: Vec<String> = (0..40).map(|id| call(id).to_string()).collect();
    let said = said(&server, input.join("\n").as_bytes());
    let mut ids: Vec<u64> = said.iter().map(|message| message["id"].as_u64().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..40).collect::<Vec<_>>());
    assert!(said.iter().all(|message| message["result"]["isError"] == false));
    let mut keys: Vec<String> = scripted.calls.lock().unwrap().iter().filter_map(|call| call.key.clone()).collect();
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), 40, "no two questions share a decision");
}

proptest! {
    #[test]
    fn any_bytes_are_a_message_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        if let Err((id, error)) = RpcMessage::read(&bytes) {
            prop_assert!(id.is_null() || id.is_string() || id.is_number());
            prop_assert!(error.code < 0 && !error.message.is_empty());
        }
    }

    #[test]
    fn any_lines_leave_the_server_well(lines in proptest::collection::vec("[ -~]{0,80}", 0..8)) {
        let (server, _) = server(Script::Silent);
        let input = format!("{}\n{PING}\n", lines.join("\n"));
        prop_assert_eq!(said(&server, input.as_bytes()).pop().unwrap()["id"].clone(), json!(9));
    }
}
