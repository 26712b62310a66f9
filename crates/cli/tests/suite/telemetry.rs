//! What `counsel serve` exports by OpenTelemetry is what `counsel shadow` reads, from process to process.

#![cfg(unix)]

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::server::{Server, reply, send};
use crate::support::{counsel, path};

const POLICY: &str = "price = 0.01\nactions = [\"left\", \"right\"]\n[budget]\ncalls = 100\n";

fn post(address: &str, target: &str, key: &str, body: &Value) -> Value {
    let url = format!("http://{address}{target}");
    let request = ureq::post(&url).header("Idempotency-Key", key).header("Content-Type", "application/json");
    let text = request.send(body.to_string()).unwrap().body_mut().read_to_string().unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn what_a_server_exports_is_a_log_for_the_shadow() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("p.toml");
    std::fs::write(&file, POLICY).unwrap();
    let receiver = Server::start(|_, stream| send(stream, &reply(200, "", b"{}")));
    let mut server = Command::new(env!("CARGO_BIN_EXE_counsel"))
        .args(["serve", "--dir", path(&folder.path().join("gate")), "--policy", &format!("p={}", path(&file))])
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", &receiver.base_url)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim_end().strip_prefix("listening on http://").unwrap();
    let mut asked = 0;
    for episode in 0..4 {
        for step in 0..3 {
            let key = format!("{episode}-{step}");
            let body = json!({ "policy": "p", "episode": format!("e{episode}"), "context": { "key": format!("a secret room {step}") },
                "fallback": { "action": "left" } });
            let decided = post(address, "/v1/decisions", &key, &body);
            let target = format!("/v1/decisions/{}", decided["decision"].as_str().unwrap());
            if decided["verdict"] == "ask" {
                asked += 1;
                let answer = json!({ "permit": decided["permit"]["id"], "reply": { "text": "right" } });
                post(address, &format!("{target}/resume"), &format!("r{key}"), &answer);
            }
            let outcome = json!({ "reward": 0.25, "final": step == 2 });
            assert_eq!(post(address, &format!("{target}/outcome"), &format!("o{key}"), &outcome)["accepted"], true);
        }
    }
    assert!(Command::new("kill").args(["-TERM", &server.id().to_string()]).status().unwrap().success());
    server.wait().unwrap();
    let received = receiver.received();
    let traces: Vec<&str> =
        received.iter().filter(|one| one.head.starts_with("POST /v1/traces")).map(|one| one.body.as_str()).collect();
    assert!(received.iter().any(|one| one.head.starts_with("POST /v1/metrics")), "metrics are sent at the end");
    assert!(!traces.concat().contains("secret room"));
    let log = folder.path().join("trace.json");
    std::fs::write(&log, traces.join("\n")).unwrap();
    let said = counsel(&["shadow", path(&log)]).expect_success();
    let row = |name: &str, count: usize| {
        let found = said.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}: {said}"));
        assert_eq!(found.split_whitespace().last(), Some(count.to_string().as_str()), "{said}");
    };
    row("episodes ", 4);
    row("decisions ", 12);
    row("calls ", asked);
}
