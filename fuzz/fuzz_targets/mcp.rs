//! Any lines to the MCP server, and any body of its POST: whatever is written is a message, no request is answered twice, no budget is
//! exceeded, and no error repeats the texts of a question. The first byte chooses the policy and what the model says.
#![no_main]

mod gate;

use std::collections::BTreeMap;

use counsel_broker::Seat;
use counsel_mcp::{McpServer, PostHeaders, serve_lines};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

use crate::gate::{Gate, KEY, MARK, Reply, fresh, holds_key, marked, parts, say};

fn is_refused(answer: &Value) -> bool {
    answer["error"].is_object() || answer["result"]["isError"] == true
}

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else { return };
    if holds_key(rest) {
        return;
    }
    let (input, answer) = parts(rest);
    let reply = Reply::of(*first);
    say(reply, answer);
    let gate = Gate::begin();
    let policy = ["advice", "words", "learned", "alone"][usize::from(first >> 2 & 3)];
    let is_marked = first & 0x10 != 0;
    let lines: Vec<Vec<u8>> = input
        .split(|byte| *byte == b'\n')
        .map(|line| if is_marked { marked(line) } else { line.to_vec() })
        .take(64)
        .collect();
    let seat =
        Seat { policy: policy.to_owned(), run: "r".to_owned(), episode: (first & 0x20 != 0).then(|| "e".to_owned()) };
    let server = McpServer::new(gate.sidecar(), seat, fresh("n"));
    let mut output = Vec::new();
    serve_lines(&server, &lines.join(&b'\n')[..], &mut output).unwrap();
    let mut wanted: BTreeMap<String, usize> = BTreeMap::new();
    for line in &lines {
        let id = serde_json::from_slice::<Value>(line).map_or(Value::Null, |message| message["id"].clone());
        *wanted.entry(id.to_string()).or_default() += 1;
    }
    let check = |answer: &Value| {
        let text = answer.to_string();
        assert!(answer["jsonrpc"] == "2.0" && !text.contains(KEY), "{text}");
        if is_marked && is_refused(answer) && reply != Reply::Refusal {
            assert!(!text.contains(MARK), "the caller's text stands in {text}");
        }
    };
    for line in output.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let answer: Value = serde_json::from_slice(line).expect("a line is a message");
        check(&answer);
        if answer["method"].is_null() {
            // A request whose id cannot be read is answered under null.
            let id = answer["id"].to_string();
            let left = wanted.get_mut(&id).filter(|left| **left > 0);
            assert!(left.is_some() || id == "null", "nobody asked for {answer}, or it is the second answer");
            left.into_iter().for_each(|left| *left -= 1);
        }
    }
    for line in &lines {
        let message = serde_json::from_slice::<Value>(line).unwrap_or_default();
        let meta = &message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"];
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let reply = server.post(&PostHeaders { version: text(meta), method: text(&message["method"]) }, line);
        assert!((200..500).contains(&reply.status));
        reply.body.iter().for_each(check);
    }
    gate.end();
});
