//! One POST of the streamable HTTP transport.

use counsel_mcp::PostHeaders;
use serde_json::{Value, json};

use crate::scripted::{Script, server};

fn headers(version: Option<&str>, method: Option<&str>) -> PostHeaders {
    PostHeaders { version: version.map(str::to_owned), method: method.map(str::to_owned) }
}

fn request(method: &str, params: &Value) -> Vec<u8> {
    json!({ "jsonrpc": "2.0", "id": 5, "method": method, "params": params }).to_string().into_bytes()
}

fn modern(capabilities: &Value) -> Value {
    json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": capabilities } })
}

#[test]
fn a_request_is_one_answer_and_a_notification_none() {
    let (server, _) = server(Script::Silent);
    let reply = server.post(&headers(None, None), &request("initialize", &json!({ "protocolVersion": "2025-11-25" })));
    assert_eq!((reply.status, &reply.body.unwrap()["result"]["protocolVersion"]), (200, &json!("2025-11-25")));
    let reply =
        server.post(&headers(Some("2025-11-25"), None), br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
    assert_eq!((reply.status, reply.body), (202, None));
    let reply =
        server.post(&headers(Some("2026-07-28"), Some("tools/list")), &request("tools/list", &modern(&json!({}))));
    assert_eq!((reply.status, reply.body.unwrap()["result"]["tools"].as_array().unwrap().len()), (200, 3));
}

#[test]
fn a_person_can_be_asked_by_modern_clients() {
    let (server, _) = server(Script::AskSomebody);
    let mut params = modern(&json!({ "elicitation": { "form": {} } }));
    params["name"] = json!("ask_advisor");
    params["arguments"] = json!({ "question": "how?" });
    let reply = server.post(&headers(Some("2026-07-28"), Some("tools/call")), &request("tools/call", &params));
    assert_eq!((reply.status, &reply.body.unwrap()["result"]["resultType"]), (200, &json!("input_required")));
}

#[test]
fn contradictions_and_faults_have_their_status() {
    let (server, _) = server(Script::Silent);
    let list = request("tools/list", &modern(&json!({})));
    for (headers, body, status, code) in [
        (headers(None, Some("tools/list")), list.clone(), 400, -32020),
        (headers(Some("2025-11-25"), Some("tools/list")), list.clone(), 400, -32020),
        (headers(Some("2026-07-28"), Some("ping")), list.clone(), 400, -32020),
        (headers(Some("2026-07-28"), None), list, 400, -32020),
        (headers(Some("1900-01-01"), None), request("tools/list", &json!({})), 400, -32600),
        (headers(None, None), b"{".to_vec(), 400, -32700),
        (headers(None, None), request("nothing", &json!({})), 404, -32601),
    ] {
        let reply = server.post(&headers, &body);
        assert_eq!((reply.status, &reply.body.unwrap()["error"]["code"]), (status, &json!(code)), "{headers:?}");
    }
}
