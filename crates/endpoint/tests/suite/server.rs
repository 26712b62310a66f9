//! A server that misbehaves as told, on a real socket: plain threads, one per connection.

// Each test file uses its own part of it.
#![allow(dead_code, reason = "the tests of the command use a part of it")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use counsel_advisor::{Decoding, Prompt, Request};
use counsel_endpoint::EndpointSettings;
use serde_json::{Value, json};

/// What a client sent.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    /// Which request of the server it is, from 1.
    pub(crate) number: usize,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Received {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

/// What becomes of the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Then {
    Keep,
    Close,
}

#[derive(Debug, Clone)]
pub(crate) struct Server {
    pub(crate) base_url: String,
    connections: Arc<AtomicUsize>,
    received: Arc<Mutex<Vec<Received>>>,
}

impl Server {
    /// Answers each request with `behave`.
    pub(crate) fn start(behave: impl Fn(&Received, &mut TcpStream) -> Then + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base_url = format!("http://{}", listener.local_addr().unwrap());
        let server = Self { base_url, connections: Arc::default(), received: Arc::default() };
        let (shared, behave) = (server.clone(), Arc::new(behave));
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                shared.connections.fetch_add(1, Ordering::SeqCst);
                let (shared, behave) = (shared.clone(), Arc::clone(&behave));
                thread::spawn(move || shared.serve(stream, &*behave));
            }
        });
        server
    }

    fn serve(&self, stream: TcpStream, behave: &dyn Fn(&Received, &mut TcpStream) -> Then) {
        let mut reader = BufReader::new(stream.try_clone().unwrap());
        let mut stream = stream;
        while let Some((head, length)) = head(&mut reader) {
            // A request counts as soon as its head is here, whatever becomes of the rest.
            let number = {
                let mut received = self.received.lock().unwrap();
                let number = received.len() + 1;
                received.push(Received { number, head: head.clone(), body: String::new() });
                number
            };
            let mut body = vec![0; length];
            if reader.read_exact(&mut body).is_err() {
                return;
            }
            let whole = Received { number, head, body: String::from_utf8(body).unwrap() };
            self.received.lock().unwrap()[number - 1] = whole.clone();
            if behave(&whole, &mut stream) == Then::Close {
                return;
            }
        }
    }

    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    pub(crate) fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    /// How many requests came.
    pub(crate) fn count(&self) -> usize {
        self.received.lock().unwrap().len()
    }
}

fn head(reader: &mut impl BufRead) -> Option<(String, usize)> {
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let start = head.len();
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
        let line = head[start..].trim().to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if line.is_empty() {
            return Some((head, length));
        }
    }
}

/// A reply with these extra header lines, each ending in \r\n.
pub(crate) fn reply(status: u16, headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {}\r\n{headers}\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

/// The body of a good answer.
pub(crate) fn completion(text: &str) -> Vec<u8> {
    let body = json!({
        "id": "x", "object": "chat.completion", "model": "m",
        "choices": [{ "index": 0, "message": { "role": "assistant", "content": text }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 11, "completion_tokens": 2, "total_tokens": 13 },
    });
    body.to_string().into_bytes()
}

/// Sends; a client that is gone is no fault of the server.
pub(crate) fn send(stream: &mut TcpStream, bytes: &[u8]) -> Then {
    if stream.write_all(bytes).and_then(|()| stream.flush()).is_ok() { Then::Keep } else { Then::Close }
}

/// Answers well.
pub(crate) fn answer(stream: &mut TcpStream, text: &str) -> Then {
    send(stream, &reply(200, "", &completion(text)))
}

/// Settings for quick tests of a server.
pub(crate) fn quick(server: &Server) -> EndpointSettings {
    let mut settings = EndpointSettings::new(&server.base_url, "m");
    settings.time_out = Duration::from_millis(500);
    settings.deadline = Duration::from_millis(2500);
    settings.retries = 2;
    settings.first_pause = Duration::from_millis(10);
    settings.longest_pause = Duration::from_millis(40);
    settings.max_body_bytes = 1 << 20;
    settings
}

/// A question with its greedy decoding.
pub(crate) fn question(text: &str) -> Request {
    Request { prompt: Prompt::question(text), decoding: Decoding::greedy(4) }
}

/// The lines of a ledger as JSON, without the heading.
pub(crate) fn entries(lines: &[String]) -> Vec<Value> {
    lines[1..].iter().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// This test program again, as a process of its own that runs this ignored test and reads these orders.
pub(crate) fn spawn_child(test: &str, orders: &Value) -> Child {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--ignored"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(orders.to_string().as_bytes()).unwrap();
    child
}
