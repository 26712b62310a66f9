//! A sidecar that answers by a script and remembers what it was asked, and a conversation over lines.

use std::sync::{Arc, Mutex};

use counsel_broker::{Call, Error, Replied, Seat, Sidecar};
use counsel_mcp::{McpServer, serve_lines};
use serde_json::{Value, json};

/// How the sidecar decides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Script {
    /// The policy has an endpoint, which is asked and says this.
    Endpoint(&'static str),
    /// The policy has no endpoint, and every question is worth it.
    AskSomebody,
    /// The policy has no endpoint, and no question is worth it.
    Silent,
    /// Nobody answers.
    Dead,
}

#[derive(Debug, Clone)]
pub(crate) struct Scripted {
    pub(crate) script: Script,
    pub(crate) calls: Arc<Mutex<Vec<Call>>>,
}

impl Sidecar for Scripted {
    fn call(&self, call: &Call) -> Result<Replied, Error> {
        let mut calls = self.calls.lock().unwrap();
        calls.push(call.clone());
        let ok = |status, body| Ok(Replied { status, body, replayed: false });
        let problem = |status, kind: &str, detail: &str| {
            let body = json!({ "type": format!("urn:counsel:problem:{kind}"), "title": kind, "detail": detail });
            Ok(Replied { status, body, replayed: false })
        };
        match (self.script, call.path.as_str()) {
            (Script::Dead, _) => Err(Error::Unreachable { url: "http://127.0.0.1:1".into(), reason: "refused".into() }),
            (Script::Endpoint(said), "/v1/ask") => ok(
                200,
                json!({ "asked": true, "may_act": true, "verdict": "execute", "proceed_with": said, "advice": said,
                    "reason": "the advisor has a good record here", "decision_id": "d1" }),
            ),
            (_, "/v1/ask") => problem(422, "no-endpoint", "the policy names no endpoint"),
            (_, "/v1/policies/p") => ok(200, json!({ "policy": "p", "spec": { "actions": ["own", "advice"] } })),
            (Script::Silent, "/v1/decisions") => {
                ok(201, json!({ "decision": "d1", "verdict": "act", "action": "own", "reason": "not worth it" }))
            }
            (_, "/v1/decisions") => ok(
                201,
                json!({ "decision": "d1", "verdict": "ask", "action": "own", "permit": { "id": "p1" }, "reason": "worth it" }),
            ),
            (_, "/v1/decisions/d1/resume") => {
                let said = call.body["reply"]["text"].as_str().unwrap_or("own");
                let verdict = if said == "advice" { "execute" } else { "reject" };
                ok(200, json!({ "verdict": verdict, "action": said, "reason": "as the rule says" }))
            }
            (_, "/v1/decisions/d1/outcome") => ok(200, json!({ "accepted": true })),
            (_, "/v1/budgets/p") => ok(200, json!({ "calls": { "limit": 5, "spent": 1, "open": 0 } })),
            (_, path) => problem(404, "unknown", &format!("there is nothing at {path}")),
        }
    }
}

pub(crate) fn server(script: Script) -> (McpServer, Scripted) {
    let scripted = Scripted { script, calls: Arc::default() };
    let seat = Seat { policy: "p".into(), run: "r".into(), episode: Some("e".into()) };
    (McpServer::new(Box::new(scripted.clone()), seat, "n"), scripted)
}

/// What the server writes when these lines are read, and then the input ends.
pub(crate) fn said(server: &McpServer, input: &[u8]) -> Vec<Value> {
    let mut output = Vec::new();
    serve_lines(server, input, &mut output).unwrap();
    let lines = String::from_utf8(output).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The answer to one request, by lines.
pub(crate) fn answer(server: &McpServer, method: &str, params: Value) -> Value {
    let line = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
    let said = said(server, line.as_bytes());
    assert_eq!(said.len(), 1, "{said:?}");
    assert_eq!((&said[0]["jsonrpc"], &said[0]["id"]), (&json!("2.0"), &json!(1)));
    said[0].clone()
}

/// The result of a call of a tool, by the handshake's protocol.
pub(crate) fn called(server: &McpServer, tool: &str, arguments: Value) -> Value {
    answer(server, "tools/call", json!({ "name": tool, "arguments": arguments }))["result"].clone()
}

pub(crate) fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}
