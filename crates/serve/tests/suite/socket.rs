//! The service behind a real socket.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

use counsel_serve::{Error, Listener, Service, Surroundings, serve};
use serde_json::{Value, json};

use crate::contract::{POLICY, body};

/// A server in this process, and its folder.
pub(crate) struct Server {
    pub(crate) address: String,
    runtime: Option<tokio::runtime::Runtime>,
    _folder: tempfile::TempDir,
}

impl Server {
    pub(crate) fn start() -> Self {
        Self::listening("127.0.0.1:0", None)
    }

    fn listening(address: &str, token: Option<&str>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let address = address.replace("DIR", folder.path().to_str().unwrap());
        let started = std::time::Instant::now();
        let clock = Box::new(move || u64::try_from(started.elapsed().as_millis()).unwrap());
        let report = Box::new(|error: &Error| panic!("{error}"));
        let service = Arc::new(Service::open(folder.path(), Surroundings { clock, report }).unwrap());
        service.declare("policies", "p", POLICY.as_bytes()).unwrap();
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_io().enable_time().build().unwrap();
        let listener = runtime.block_on(Listener::bind(&address, token.is_some())).unwrap();
        let (url, guard) = (listener.url(), listener.guard(token));
        runtime.spawn(async move { match serve(listener, guard, service).await {} });
        let address = url.trim_start_matches("http://").trim_start_matches("unix:").to_owned();
        Self { address, runtime: Some(runtime), _folder: folder }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// One request on a connection of its own.
    pub(crate) fn send(&self, head: &str, body: &str) -> Answer {
        let mut stream = self.connect();
        exchange(&mut stream, &self.address, head, body)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn value(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

/// Sends a request and reads its answer. `head` is the first line without the version, then lines of headers.
pub(crate) fn exchange(stream: &mut (impl Read + Write), host: &str, head: &str, body: &str) -> Answer {
    let mut lines = head.split('\n');
    let first = lines.next().unwrap();
    let headers = lines.fold(String::new(), |headers, line| headers + line + "\r\n");
    let host = if headers.to_lowercase().contains("host:") { String::new() } else { format!("Host: {host}\r\n") };
    write!(stream, "{first} HTTP/1.1\r\n{host}{headers}Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
    read(stream)
}

pub(crate) fn read(stream: &mut impl Read) -> Answer {
    let mut reader = BufReader::new(stream);
    let (mut head, mut line) = (String::new(), String::new());
    while reader.read_line(&mut line).unwrap() > 2 {
        head.push_str(&std::mem::take(&mut line));
    }
    let status = head.split(' ').nth(1).unwrap_or_else(|| panic!("{head}")).parse().unwrap();
    let length = head
        .lines()
        .find_map(|line| line.to_lowercase().strip_prefix("content-length: ").map(|n| n.parse::<usize>().unwrap()));
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).unwrap();
    Answer { status, head: head.to_lowercase(), body: String::from_utf8(body).unwrap() }
}

#[test]
fn the_contract_holds_on_one_connection() {
    let server = Server::start();
    let mut stream = server.connect();
    let mut send = |head: &str, body: &str| exchange(&mut stream, &server.address, head, body);
    let first = send("POST /v1/decisions\nIdempotency-Key: k", &body("room 3").to_string());
    assert_eq!((first.status, first.head.contains("idempotent-replayed")), (201, false));
    assert!(first.head.contains("content-type: application/json"), "{}", first.head);
    let again = send("POST /v1/decisions\nIdempotency-Key: k", &body("room 3").to_string());
    assert_eq!((again.status, again.head.contains("idempotent-replayed: true"), &again.body), (200, true, &first.body));
    let other = send("POST /v1/decisions\nIdempotency-Key: k", &body("room 4").to_string());
    assert_eq!((other.status, other.head.contains("application/problem+json")), (409, true));
    let decision = first.value();
    let id = decision["decision"].as_str().unwrap();
    let reply = json!({ "permit": decision["permit"]["id"], "reply": { "text": "right" } });
    assert_eq!(send(&format!("POST /v1/decisions/{id}/resume"), &reply.to_string()).value()["verdict"], "execute");
    let outcome = json!({ "reward": 0.3, "final": true });
    assert_eq!(send(&format!("POST /v1/decisions/{id}/outcome"), &outcome.to_string()).value()["accepted"], true);
    assert_eq!(send("GET /v1/budgets/p", "").value()["calls"], json!({ "limit": 100, "spent": 1, "open": 0 }));
    assert!(send(&format!("GET /v1/decisions/{id}/explain"), "").body.contains("right"));
    assert_eq!(send("GET /healthz", "").value()["status"], "ok");
    assert!(send("GET /metrics", "").body.contains("counsel_budget_spent"));
}

#[test]
fn many_clients_at_once_spend_what_there_is_and_no_more() {
    let server = Server::start();
    let permits: usize = std::thread::scope(|scope| {
        let clients: Vec<_> = (0..16)
            .map(|client| {
                let server = &server;
                scope.spawn(move || {
                    let mut stream = server.connect();
                    (0..20)
                        .filter(|n| {
                            let body = json!({ "policy": "p", "context": { "key": format!("{client} {n}") }, "fallback": { "action": "left" } });
                            let head = format!("POST /v1/decisions\nIdempotency-Key: {client}-{n}");
                            let answer = exchange(&mut stream, &server.address, &head, &body.to_string());
                            assert_eq!(answer.status, 201, "{}", answer.body);
                            answer.value()["verdict"] == "ask"
                        })
                        .count()
                })
            })
            .collect();
        clients.into_iter().map(|client| client.join().unwrap()).sum()
    });
    assert_eq!(permits, 100);
    assert_eq!(server.send("GET /v1/budgets/p", "").value()["calls"], json!({ "limit": 100, "spent": 0, "open": 100 }));
}

#[cfg(unix)]
#[test]
fn a_unix_socket_serves_too() {
    use std::os::unix::fs::PermissionsExt;
    let server = Server::listening("unix:DIR/counsel.sock", None);
    let mode = std::fs::metadata(&server.address).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "for its owner alone");
    let mut stream = std::os::unix::net::UnixStream::connect(&server.address).unwrap();
    let answer = exchange(&mut stream, "localhost", "GET /v1/budgets/p", "");
    assert_eq!(answer.value()["calls"]["limit"], 100);
    let foreign = exchange(&mut stream, "example.com", "GET /v1/budgets/p", "");
    assert_eq!(foreign.status, 403);
}

#[test]
fn a_token_is_wanted_where_one_is_set() {
    let server = Server::listening("127.0.0.1:0", Some("a-token-of-some-length"));
    assert_eq!(server.send("GET /v1/budgets/p", "").status, 401);
    for wrong in ["Bearer a-token-of-some-lengti", "Bearer ", "Basic a-token-of-some-length", "a-token-of-some-length"]
    {
        let answer = server.send(&format!("GET /v1/budgets/p\nAuthorization: {wrong}"), "");
        assert_eq!(answer.status, 401, "{wrong}");
        assert!(!answer.body.contains("of-some"), "{}", answer.body);
    }
    assert_eq!(server.send("GET /v1/budgets/p\nAuthorization: Bearer a-token-of-some-length", "").status, 200);
}

#[test]
fn beyond_this_machine_nobody_listens_without_a_token() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
    let refused = runtime.block_on(Listener::bind("0.0.0.0:0", false)).unwrap_err().to_string();
    assert!(refused.contains("--token-env"), "{refused}");
    for (address, said) in [("somewhere", "127.0.0.1:8787"), ("unix:/nowhere/at/all.sock", "No such file")] {
        let refused = runtime.block_on(Listener::bind(address, false)).unwrap_err().to_string();
        assert!(refused.contains(said), "{refused}");
    }
}
