//! `counsel mcp` as a process, and a client that calls its tools.

use std::fmt::Display;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// A client that speaks to the program by lines.
pub(crate) struct Client {
    process: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    requests: u64,
}

impl Client {
    pub(crate) fn start(words: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_counsel"));
        let mut process = command.arg("mcp").args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (input, output) = (process.stdin.take(), BufReader::new(process.stdout.take().unwrap()));
        let mut client = Self { process, input, output, requests: 0 };
        let capabilities = json!({ "elicitation": {} });
        let told =
            client.request("initialize", &json!({ "protocolVersion": "2025-11-25", "capabilities": capabilities }));
        assert_eq!(told["protocolVersion"], "2025-11-25");
        client
    }

    /// Writes a line, whatever it is.
    pub(crate) fn write(&mut self, line: impl Display) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    pub(crate) fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line:?} is no message"))
    }

    /// The result of a request. Forms are filled in on the way.
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        self.requests += 1;
        self.write(json!({ "jsonrpc": "2.0", "id": self.requests, "method": method, "params": params }));
        loop {
            let message = self.hear();
            if message["method"] == "elicitation/create" {
                let result = json!({ "action": "accept", "content": { "answer": "look at the log" } });
                self.write(json!({ "jsonrpc": "2.0", "id": message["id"], "result": result }));
                continue;
            }
            assert_eq!(message["id"], self.requests);
            return message["result"].clone();
        }
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.request("tools/call", &json!({ "name": tool, "arguments": arguments }))["structuredContent"].clone()
    }

    pub(crate) fn end(mut self) {
        self.input.take();
        assert!(self.process.wait().unwrap().success());
    }
}
