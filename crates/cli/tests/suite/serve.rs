//! `counsel serve` as a process: its contract, its log under the other commands, and `kill -9` at any moment.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{counsel, path};

/// How many servers are killed 25 times each.
#[cfg(not(feature = "long-tests"))]
const SERVERS: u64 = 1;
#[cfg(feature = "long-tests")]
const SERVERS: u64 = 40;
const KILLS: u64 = 25;

pub(crate) const SMALLEST: &str = "price = 0.01\nactions = [\"left\", \"right\", \"forward\"]\n[budget]\ncalls = 100\n";

/// A server in a process of its own.
pub(crate) struct Served {
    pub(crate) process: Child,
    pub(crate) address: String,
}

impl Served {
    fn start(dir: &Path, more: &[&str]) -> Self {
        Self::by(Command::new(env!("CARGO_BIN_EXE_counsel")).args(["serve", "--dir", path(dir)]).args(more))
    }

    /// Starts it by this command.
    pub(crate) fn by(command: &mut Command) -> Self {
        let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address =
            line.trim_end().strip_prefix("listening on http://").unwrap_or_else(|| panic!("{line}")).to_owned();
        Self { process, address }
    }

    pub(crate) fn kill(mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    pub(crate) fn send(&self, head: &str, body: &Value) -> (u16, String) {
        let mut stream = connect(&self.address).unwrap();
        exchange(&mut stream, &self.address, head, &body.to_string()).unwrap()
    }

    pub(crate) fn get(&self, target: &str) -> Value {
        let (status, body) = self.send(&format!("GET {target}"), &Value::Null);
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).unwrap()
    }
}

pub(crate) fn connect(address: &str) -> std::io::Result<TcpStream> {
    let stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// One request and its answer; an error where the server went away before the answer was whole.
pub(crate) fn exchange(
    stream: &mut TcpStream,
    address: &str,
    head: &str,
    body: &str,
) -> std::io::Result<(u16, String)> {
    let (first, headers) = head.split_once('\n').unwrap_or((head, ""));
    let headers = if headers.is_empty() { String::new() } else { format!("{headers}\r\n") };
    let length = body.len();
    let request = format!("{first} HTTP/1.1\r\nHost: {address}\r\n{headers}Content-Length: {length}\r\n\r\n{body}");
    stream.write_all(request.as_bytes())?;
    let mut reader = BufReader::new(stream);
    let (mut status, mut length, mut line) = (0, 0, String::new());
    loop {
        line.clear();
        if reader.read_line(&mut line)? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        if let Some(rest) = line.strip_prefix("HTTP/1.1 ") {
            status = rest[..3].parse().unwrap();
        }
        if let Some(rest) = line.to_lowercase().strip_prefix("content-length: ") {
            length = rest.trim().parse().unwrap();
        }
        if line == "\r\n" {
            break;
        }
    }
    let mut bytes = vec![0; length];
    reader.read_exact(&mut bytes)?;
    Ok((status, String::from_utf8(bytes).unwrap()))
}

pub(crate) fn policy(folder: &Path, text: &str) -> String {
    let file = folder.join("policy.toml");
    std::fs::write(&file, text).unwrap();
    format!("p={}", path(&file))
}

pub(crate) fn body(context: &str, episode: &str) -> Value {
    json!({
        "policy": "p", "run": "r1", "episode": episode, "context": { "key": context, "features": [0.1, 1] },
        "fallback": { "action": "left", "confidence": 0.6 },
    })
}

#[test]
fn the_commands_read_the_log_of_a_running_server() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("gate");
    let policy = policy(folder.path(), SMALLEST);
    let served = Served::start(&dir, &["--policy", &policy]);
    for number in 0..30 {
        let head = format!("POST /v1/decisions\nIdempotency-Key: k{number}");
        let (status, text) = served.send(&head, &body(&format!("room {number}"), "e1"));
        assert_eq!(status, 201, "{text}");
        let decision: Value = serde_json::from_str(&text).unwrap();
        let id = decision["decision"].as_str().unwrap();
        if decision["verdict"] == "ask" {
            let reply = json!({ "permit": decision["permit"]["id"], "reply": { "text": "right" } });
            assert_eq!(served.send(&format!("POST /v1/decisions/{id}/resume"), &reply).0, 200);
        }
        let outcome = json!({ "reward": 0.3, "final": number % 10 == 9 });
        assert_eq!(served.send(&format!("POST /v1/decisions/{id}/outcome"), &outcome).0, 200);
    }
    let state = served.get("/v1/decisions/d30");
    let cell = state["log"]["cell"].as_str().unwrap();
    // The log catches up within a second or so.
    let mut audited = String::new();
    for _ in 0..100 {
        std::thread::sleep(Duration::from_millis(100));
        if dir.join(cell.rsplit_once('/').unwrap().0).join("seed-00000.json").exists() {
            audited = counsel(&["audit", path(&dir)]).expect_success();
            if audited.contains("30 of 30 decisions agree") {
                break;
            }
        }
    }
    assert!(audited.contains("30 of 30 decisions agree (100.0000 %) in 1 cells"), "{audited}");
    let explained = counsel(&["explain", path(&dir), "--cell", cell, "--step", "0"]).expect_success();
    assert!(explained.contains("room") || explained.contains("step 0"), "{explained}");
    let (_, by_server) = served.send("GET /v1/decisions/d1/explain", &Value::Null);
    assert_eq!(by_server, explained, "the server explains as the command does");
    let tables = counsel(&["tables", path(&dir)]).expect_success();
    assert!(tables.contains("p-"), "{tables}");
    let report = folder.path().join("report.html");
    counsel(&["report", path(&dir), "--out", path(&report)]).expect_success();
    assert!(std::fs::read_to_string(&report).unwrap().contains("serve"));
    let complaint = counsel(&["serve", "--dir", path(&dir)]).expect_failure();
    assert!(complaint.contains("another server is at work"), "{complaint}");
    served.kill();
    let audited = counsel(&["audit", path(&dir)]).expect_success();
    assert!(audited.contains("30 of 30 decisions agree"), "{audited}");
}

#[test]
fn bad_arguments_name_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("gate");
    let bad = policy(folder.path(), "price = 0.01\nactions = [\"a\", \"b\"]\n[budget]\n");
    let complaint = counsel(&["serve", "--dir", path(&dir), "--policy", &bad]).expect_failure();
    assert!(complaint.contains("p: the budget limits nothing"), "{complaint}");
    let complaint = counsel(&["serve", "--dir", path(&dir), "--policy", "nothing"]).expect_failure();
    assert!(complaint.contains("NAME=FILE"), "{complaint}");
    let complaint = counsel(&["serve", "--dir", path(&dir), "--listen", "0.0.0.0:0"]).expect_failure();
    assert!(complaint.contains("--token-env"), "{complaint}");
    let complaint = counsel(&["serve", "--dir", path(&dir), "--token-env", "COUNSEL_NO_SUCH_TOKEN"]).expect_failure();
    assert!(complaint.contains("COUNSEL_NO_SUCH_TOKEN"), "{complaint}");
    std::fs::write(dir.join("serve.journal"), "no journal\n").unwrap();
    let complaint = counsel(&["serve", "--dir", path(&dir)]).expect_failure();
    assert!(complaint.contains("line 1 of the journal"), "{complaint}");
}

/// What clients were acknowledged.
#[derive(Default)]
struct Acknowledged {
    /// Requests for decisions, by key, with their bodies and answers.
    decisions: BTreeMap<String, (Value, String)>,
    /// Replies that were taken, by permit: the path, the body, the answer.
    resumed: BTreeMap<String, (String, Value, String)>,
    permits: BTreeSet<String>,
}

#[test]
fn what_was_acknowledged_survives_kill_9() {
    (0..SERVERS).for_each(killed_again_and_again);
}

fn killed_again_and_again(server: u64) {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("gate");
    let limit = KILLS * 4;
    let text = SMALLEST.replace("calls = 100", &format!("calls = {limit}"));
    let policy = policy(folder.path(), &text);
    let (acknowledged, keys) = (Mutex::new(Acknowledged::default()), AtomicU64::new(0));
    for round in 0..KILLS {
        let served = Served::start(&dir, &["--policy", &policy]);
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for client in 0..3 {
                let (address, acknowledged, keys, stop) = (&served.address, &acknowledged, &keys, &stop);
                scope.spawn(move || work(address, acknowledged, keys, stop, client));
            }
            std::thread::sleep(Duration::from_millis(3 + ((server * KILLS + round) * 7919) % 61));
            let killed = Command::new("kill").args(["-9", &served.process.id().to_string()]).status();
            assert!(killed.unwrap().success());
            stop.store(true, Ordering::SeqCst);
        });
        served.kill();
    }
    let served = Served::start(&dir, &["--policy", &policy]);
    let all = acknowledged.into_inner().unwrap();
    assert!(all.decisions.len() as u64 > KILLS, "{} decisions", all.decisions.len());
    assert!(all.permits.len() as u64 <= limit, "{} permits of {limit}", all.permits.len());
    let mut stream = connect(&served.address).unwrap();
    let mut send = |head: &str, body: &Value| exchange(&mut stream, &served.address, head, &body.to_string()).unwrap();
    for (key, (body, answer)) in &all.decisions {
        let (status, again) = send(&format!("POST /v1/decisions\nIdempotency-Key: {key}"), body);
        assert_eq!((status, &again), (200, answer), "{key} was decided again");
    }
    for (permit, (target, body, answer)) in &all.resumed {
        let (status, again) = send(&format!("POST {target}"), body);
        assert_eq!((status, &again), (200, answer), "{permit} was resumed again");
    }
    let calls = &served.get("/v1/budgets/p")["calls"];
    let counted = calls["spent"].as_u64().unwrap() + calls["open"].as_u64().unwrap();
    assert!(counted <= limit && counted >= all.permits.len() as u64, "{calls}, {} permits", all.permits.len());
    // The log goes as far as the first question that is open; these never get their replies.
    for client in 0..3 {
        let ended = served.send(&format!("POST /v1/episodes/e{client}/end"), &json!({}));
        assert!(ended.0 == 200 || ended.0 == 404, "{}", ended.1);
    }
    let log = dir.join("serve");
    let manifest = |arm: std::fs::DirEntry| arm.path().join("seed-00000.json").exists();
    for _ in 0..600 {
        std::thread::sleep(Duration::from_millis(100));
        if std::fs::read_dir(&log).is_ok_and(|mut arms| arms.any(|arm| manifest(arm.unwrap()))) {
            break;
        }
    }
    served.kill();
    let audited = counsel(&["audit", path(&dir)]).expect_success();
    assert!(audited.contains("(100.0000 %)"), "{audited}");
}

/// A client that decides and resumes until the server is gone.
fn work(address: &str, acknowledged: &Mutex<Acknowledged>, keys: &AtomicU64, stop: &AtomicBool, client: u64) {
    let Ok(mut stream) = connect(address) else { return };
    while !stop.load(Ordering::SeqCst) {
        let number = keys.fetch_add(1, Ordering::SeqCst);
        let (key, body) = (format!("k{number}"), body(&format!("room {}", number % 50), &format!("e{client}")));
        let head = format!("POST /v1/decisions\nIdempotency-Key: {key}");
        let Ok((status, answer)) = exchange(&mut stream, address, &head, &body.to_string()) else { return };
        assert_eq!(status, 201, "{answer}");
        let decision: Value = serde_json::from_str(&answer).unwrap();
        let mut all = acknowledged.lock().unwrap();
        all.decisions.insert(key, (body, answer));
        let Some(permit) = decision["permit"]["id"].as_str() else { continue };
        assert!(all.permits.insert(permit.to_owned()), "a permit was handed out twice");
        drop(all);
        if number.is_multiple_of(3) {
            continue;
        }
        let target = format!("/v1/decisions/{}/resume", decision["decision"].as_str().unwrap());
        let word = ["left", "right", "?"][(number % 5 % 3) as usize];
        let reply = json!({ "permit": permit, "reply": { "text": word } });
        let Ok((status, answer)) = exchange(&mut stream, address, &format!("POST {target}"), &reply.to_string()) else {
            return;
        };
        assert_eq!(status, 200, "{answer}");
        acknowledged.lock().unwrap().resumed.insert(permit.to_owned(), (target, reply, answer));
    }
}

/// Every path that is served, as it stands in the document.
const PATHS: [&str; 16] = [
    "/healthz",
    "/mcp/{name}",
    "/metrics",
    "/openapi.json",
    "/v1/advisors/{name}",
    "/v1/ask",
    "/v1/budgets/{name}",
    "/v1/chat/completions",
    "/v1/decisions",
    "/v1/decisions/{name}",
    "/v1/decisions/{name}/explain",
    "/v1/decisions/{name}/outcome",
    "/v1/decisions/{name}/resume",
    "/v1/episodes/{name}/end",
    "/v1/models",
    "/v1/policies/{name}",
];

#[test]
fn the_document_describes_every_path_and_method_that_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("p.toml");
    std::fs::write(&file, SMALLEST).unwrap();
    let served = Served::start(&folder.path().join("gate"), &["--policy", &format!("p={}", path(&file))]);
    let document = served.get("/openapi.json");
    let paths = document["paths"].as_object().unwrap();
    let mut listed: Vec<&str> = paths.keys().map(String::as_str).collect();
    listed.sort_unstable();
    assert_eq!(listed, PATHS);
    for (described, methods) in paths {
        for method in ["GET", "PUT", "POST", "DELETE"] {
            let (status, said) = served.send(&format!("{method} {}", described.replace("{name}", "p")), &json!({}));
            let is_described = methods.get(method.to_lowercase()).is_some();
            assert_eq!(status != 405, is_described, "{method} {described}: {status} {said}");
            assert!(!said.contains("there is no such resource"), "{method} {described}: {said}");
        }
    }
    for beside in ["/v1", "/v1/ask/p", "/v1/chat", "/mcp", "/v2/decisions", "/v1/decisions/d1/undo"] {
        let (status, _) = served.send(&format!("POST {beside}"), &json!({}));
        assert_eq!(status, 404, "{beside}");
    }
    served.kill();
}

#[cfg(unix)]
#[test]
fn a_server_that_is_told_to_end_publishes_its_log() {
    for signal in ["-TERM", "-INT"] {
        let folder = tempfile::tempdir().unwrap();
        let (dir, file) = (folder.path().join("gate"), folder.path().join("p.toml"));
        std::fs::write(&file, SMALLEST).unwrap();
        let mut served = Served::start(&dir, &["--policy", &format!("p={}", path(&file))]);
        for step in 0..5 {
            let body = json!({ "policy": "p", "context": { "key": step }, "fallback": { "action": "left" } });
            let (status, told) = served.send(&format!("POST /v1/decisions\nIdempotency-Key: {step}"), &body);
            assert_eq!(status, 201, "{told}");
            let told: Value = serde_json::from_str(&told).unwrap();
            let decision = told["decision"].as_str().unwrap();
            if told["verdict"] == "ask" {
                let reply = json!({ "permit": told["permit"]["id"], "reply": { "text": "right" } });
                assert_eq!(served.send(&format!("POST /v1/decisions/{decision}/resume"), &reply).0, 200);
            }
            let outcome = json!({ "reward": 1, "final": true });
            assert_eq!(served.send(&format!("POST /v1/decisions/{decision}/outcome"), &outcome).0, 200);
        }
        // At once: the log that follows by itself is behind.
        assert!(Command::new("kill").args([signal, &served.process.id().to_string()]).status().unwrap().success());
        assert_eq!(served.process.wait().unwrap().code(), Some(130), "{signal}");
        let audit = counsel(&["audit", path(&dir)]).expect_success();
        assert!(audit.contains("5 of 5 decisions agree"), "{signal}: {audit}");
    }
}
