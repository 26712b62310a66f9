//! The gate with a voice, without a disk: a broker before a core, and a model on this machine that answers as an input says.
//!
//! The texts of a body (questions, options, contexts, messages) may carry a mark. What must hold of every request:
//!
//! - it is answered, with no fault of the server, no budget is exceeded, and the journal gives the same state;
//! - the key of the model stands in no answer, and the mark in no error.

#![allow(dead_code, reason = "each target uses its part")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex};

use counsel_broker::{Broker, Call, Error, PolicyFile, QuestionSpec, Replied, Sidecar, Verb};
use counsel_serve::{Core, Request};
use serde_json::{Value, json};

/// The key of the model.
pub const KEY: &str = "sk-fuzz-0123456789abcdef";
/// What texts carry.
pub const MARK: &str = "Zq7 mark 7qZ";
/// Whether an input holds the key by itself, so that an answer that repeats it gives nothing away.
pub fn holds_key(bytes: &[u8]) -> bool {
    bytes.windows(KEY.len()).any(|window| window == KEY.as_bytes())
}

/// The fields whose texts are a caller's own.
const TEXTS: [&str; 7] = ["question", "options", "context", "content", "text", "answer", "system"];

/// How the model answers next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reply {
    /// One of two options.
    Option,
    /// A refusal that repeats what was sent, and the key.
    Refusal,
    /// The bytes that stand ready, as a body.
    Bytes,
    /// The bytes that stand ready, as what it says.
    Words,
}

impl Reply {
    pub fn of(byte: u8) -> Self {
        [Self::Option, Self::Refusal, Self::Bytes, Self::Words][usize::from(byte % 4)]
    }
}

static NEXT: Mutex<(Reply, Vec<u8>)> = Mutex::new((Reply::Option, Vec::new()));

/// Says how the model answers from now on.
pub fn say(reply: Reply, bytes: &[u8]) {
    *NEXT.lock().unwrap() = (reply, bytes.to_vec());
}

/// Where the model is.
static MODEL: LazyLock<String> = LazyLock::new(|| {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            std::thread::spawn(move || stream.map(attend));
        }
    });
    url
});

fn attend(stream: TcpStream) -> Option<()> {
    let mut out = stream.try_clone().ok()?;
    let mut input = BufReader::new(stream);
    loop {
        let (mut length, mut line) = (0, String::new());
        while line != "\r\n" {
            line.clear();
            if input.read_line(&mut line).ok()? == 0 {
                return None;
            }
            if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().ok()?;
            }
        }
        let mut body = vec![0; length];
        input.read_exact(&mut body).ok()?;
        let (reply, bytes) = NEXT.lock().unwrap().clone();
        let said = |content: &str| {
            let message = json!({ "role": "assistant", "content": content });
            let usage = json!({ "prompt_tokens": 7, "completion_tokens": 3 });
            let told = json!({ "model": "m", "choices": [{ "index": 0, "message": message }], "usage": usage });
            ("200 OK", told.to_string().into_bytes())
        };
        let (status, answer) = match reply {
            Reply::Option => said("right"),
            Reply::Words => said(&String::from_utf8_lossy(&bytes)),
            Reply::Bytes => ("200 OK", bytes),
            Reply::Refusal => {
                let message = format!("{KEY} may not send {}", String::from_utf8_lossy(&body));
                ("401 Unauthorized", json!({ "error": { "message": message } }).to_string().into_bytes())
            }
        };
        let head =
            format!("HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n", answer.len());
        out.write_all(head.as_bytes()).and_then(|()| out.write_all(&answer)).ok()?;
    }
}

/// The service of a core, and the lines of its journal.
#[derive(Debug, Clone)]
struct Served(Arc<Mutex<(Core, Vec<u8>)>>);

impl Served {
    fn handle(&self, request: &Request) -> (u16, Vec<u8>, bool) {
        let mut held = self.0.lock().unwrap();
        let handled = held.0.handle(7, request);
        held.1.extend(handled.line.iter().flatten());
        assert!(held.0.budgets_hold());
        (handled.response.status, handled.response.body, handled.response.replayed)
    }
}

impl Sidecar for Served {
    fn call(&self, call: &Call) -> Result<Replied, Error> {
        let (method, body) = match call.verb {
            Verb::Get => ("GET", Vec::new()),
            Verb::Post => ("POST", call.body.to_string().into_bytes()),
        };
        let mut request = Request::new(method, call.path.as_str(), body);
        request.idempotency_key.clone_from(&call.key);
        let (status, body, replayed) = self.handle(&request);
        let body = serde_json::from_slice(&body).map_err(|_| Error::Foreign { url: call.path.clone(), status })?;
        Ok(Replied { status, body, replayed })
    }
}

/// A broker that servers of tools share.
#[derive(Debug, Clone)]
struct Shared(Arc<Broker>);

impl Sidecar for Shared {
    fn call(&self, call: &Call) -> Result<Replied, Error> {
        self.0.call(call)
    }
}

/// The gate. Endpoints stay from input to input, because opening one takes long; everything else begins with each input.
pub struct Gate {
    served: Served,
    broker: Arc<Broker>,
}

/// Policies: about advice, about words, learned from outcomes, and without a model.
const POLICIES: [(&str, &str, &str); 4] = [
    ("advice", "[\"own\", \"advice\"]", ENDPOINTS),
    ("words", "[\"left\", \"right\"]", ENDPOINTS),
    ("learned", "[\"own\", \"advice\"]", LEARNED),
    ("alone", "[\"own\", \"advice\"]", ""),
];
const ENDPOINTS: &str = "[endpoints.cheap]\nbase_url = \"URL\"\nmodel = \"m\"\nkey_env = \"K\"\n\
    [endpoints.advisor]\nbase_url = \"URL\"\nmodel = \"m\"\nkey_env = \"K\"\n";
const LEARNED: &str = "[cascade]\nsilence = 1\n[endpoints.cheap]\nbase_url = \"URL\"\nmodel = \"m\"\nkey_env = \"K\"\n\
    [endpoints.advisor]\nbase_url = \"URL\"\nmodel = \"m\"\nkey_env = \"K\"\n";

fn file(actions: &str, more: &str) -> PolicyFile {
    let more = more.replace("URL", &MODEL);
    let text = format!("price = 0.01\nactions = {actions}\n[budget]\ncalls = 3\n{more}");
    PolicyFile::read(&text, &|_| Some(KEY.to_owned())).unwrap()
}

static QUESTIONS: LazyLock<(QuestionSpec, f64)> = LazyLock::new(|| file(POLICIES[2].1, LEARNED).questions.unwrap());

static GATE: LazyLock<Gate> = LazyLock::new(|| {
    let served = Served(Arc::new(Mutex::new(Core::begin())));
    let broker = Broker::new(Box::new(served.clone()), "n");
    for (name, actions, more) in POLICIES {
        broker.declare(name, file(actions, more).endpoints);
    }
    Gate { served, broker: Arc::new(broker) }
});

impl Gate {
    /// The gate as it is at the start.
    pub fn begin() -> &'static Self {
        let gate = &*GATE;
        *gate.served.0.lock().unwrap() = Core::begin();
        for (name, actions, more) in POLICIES {
            let price = if more == LEARNED { "0.0" } else { "0.01" };
            let policy = format!("price = {price}\nactions = {actions}\n[budget]\ncalls = 3\n");
            let (status, _, _) = gate.served.handle(&Request::new("PUT", format!("/v1/policies/{name}"), policy));
            assert_eq!(status, 201);
        }
        gate.broker.decide_questions("learned", *QUESTIONS, None).unwrap();
        gate
    }

    /// Decides the questions of a policy otherwise.
    pub fn decide_questions(&self, questions: (QuestionSpec, f64)) -> Result<(), Error> {
        self.broker.decide_questions("learned", questions, None)
    }

    /// The broker, as servers of tools hold it.
    pub fn sidecar(&self) -> Box<dyn Sidecar> {
        Box::new(Shared(Arc::clone(&self.broker)))
    }

    /// One request, as `counsel serve` answers it: the broker first, the service otherwise.
    pub fn post(&self, path: &str, body: &[u8], key: Option<&str>) -> (u16, Value) {
        let (status, told) = if self.broker.answers(path, body) {
            let Ok(body) = serde_json::from_slice(body) else { return (400, Value::Null) };
            let call = Call { verb: Verb::Post, path: path.to_owned(), key: key.map(str::to_owned), body, trace: None };
            let replied = self.broker.call(&call).expect("the service is in this process");
            (replied.status, replied.body)
        } else {
            let mut request = Request::new("POST", path, body);
            request.idempotency_key = key.map(str::to_owned);
            let (status, body, _) = self.served.handle(&request);
            (status, serde_json::from_slice(&body).expect("an answer is JSON"))
        };
        assert!((200..600).contains(&status) && status != 500, "{status} {told}");
        let text = told.to_string();
        assert!(!text.contains(KEY), "the key stands in {text}");
        (status, told)
    }

    /// What must hold at the end of an input.
    pub fn end(&self) {
        let held = self.served.0.lock().unwrap();
        let (core, journal) = &*held;
        let (again, whole) = Core::read(&mut &journal[..], Path::new("journal")).unwrap();
        assert_eq!(whole, journal.len() as u64);
        assert_eq!(again.snapshot(), core.snapshot());
    }
}

/// A body whose texts carry the mark; the body itself where it is no JSON.
pub fn marked(body: &[u8]) -> Vec<u8> {
    fn mark(value: &mut Value, is_text: bool) {
        match value {
            Value::String(text) if is_text => text.push_str(MARK),
            Value::Array(list) => list.iter_mut().for_each(|value| mark(value, is_text)),
            Value::Object(fields) => {
                fields.iter_mut().for_each(|(name, value)| mark(value, TEXTS.contains(&name.as_str())));
            }
            _ => {}
        }
    }
    let Ok(mut value) = serde_json::from_slice::<Value>(body) else { return body.to_vec() };
    mark(&mut value, false);
    value.to_string().into_bytes()
}

/// A name that no other input has: replies are known by their key as long as the process lives.
pub fn fresh(name: &str) -> String {
    static TURN: AtomicU64 = AtomicU64::new(0);
    format!("{name}{}", TURN.fetch_add(1, Ordering::Relaxed))
}

/// The two parts of an input: a body, and behind a zero byte what the model says.
pub fn parts(bytes: &[u8]) -> (&[u8], &[u8]) {
    match bytes.iter().position(|byte| *byte == 0) {
        Some(at) => (&bytes[..at], &bytes[at + 1..]),
        None => (bytes, &[]),
    }
}

/// One body to this path: sent, sent again, and its outcome told.
pub fn converse(path: &str, bytes: &[u8]) {
    let Some((first, rest)) = bytes.split_first() else { return };
    if holds_key(rest) {
        return;
    }
    let (body, answer) = parts(rest);
    let is_marked = first & 0x10 != 0;
    let body = if is_marked { marked(body) } else { body.to_vec() };
    let reply = Reply::of(*first);
    say(reply, answer);
    let gate = Gate::begin();
    let key = fresh("k");
    let (status, told) = gate.post(path, &body, Some(&key));
    // A refusal of the model is quoted, and this one repeats what it was sent.
    if status >= 400 && is_marked && reply != Reply::Refusal {
        assert!(!told.to_string().contains(MARK), "the caller's text stands in {told}");
    }
    assert_eq!(gate.post(path, &body, Some(&key)), (status, told.clone()), "the same key, another answer");
    let decision = [&told["decision_id"], &told["counsel"]["decision_id"]].into_iter().find_map(Value::as_str);
    if let Some(decision) = decision {
        assert!(status == 200 && told.is_object());
        let (status, told) =
            gate.post(&format!("/v1/decisions/{decision}/outcome"), br#"{"success":true,"final":true}"#, None);
        assert!(status == 200 && told["accepted"] == true, "{told}");
    }
    gate.post(path, &body, None);
    gate.end();
}
