//! A real server whose onlooker is the telemetry, and a client.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::{Arc, Mutex};

use counsel_serve::{Front, Fronted, Listener, Onlooker, Request, Response, Service, Surroundings, serve_behind};
use counsel_telemetry::{Telemetry, TelemetrySpec};
use serde_json::{Value, json};

pub(crate) const POLICY: &str =
    "price = 0.01\nactions = [\"left\", \"right\", \"forward\"]\n[budget]\ncalls = 100000\n";

/// Answers nothing, and looks on.
struct Looking(Arc<dyn Onlooker>);

impl Front for Looking {
    fn answers(&self, _request: &Request) -> bool {
        false
    }

    fn answer(&self, _request: &Request) -> Fronted {
        Fronted { response: Response::text(404, ""), headers: Vec::new() }
    }

    fn onlooker(&self) -> Option<&Arc<dyn Onlooker>> {
        Some(&self.0)
    }
}

pub(crate) struct Watch {
    pub(crate) telemetry: Arc<Telemetry>,
    pub(crate) reports: Arc<Mutex<Vec<String>>>,
    address: String,
    _runtime: tokio::runtime::Runtime,
}

impl Watch {
    /// A server in this folder, under this policy, that tells of itself as these variables say.
    pub(crate) fn over(dir: &Path, policy: &str, variables: &[(&str, &str)]) -> Self {
        let surroundings = Surroundings { clock: Box::new(|| 1_000), report: Box::new(|error| panic!("{error}")) };
        let service = Arc::new(Service::open(dir, surroundings).unwrap());
        service.declare("policies", "p", policy.as_bytes()).unwrap();
        let variable = |name: &str| variables.iter().find(|(set, _)| *set == name).map(|(_, text)| (*text).to_owned());
        let spec = TelemetrySpec::from_environment(&variable).unwrap().expect("a receiver is named");
        let asked = Arc::downgrade(&service);
        let inquire = move |path: &str| {
            let text = String::from_utf8(asked.upgrade()?.answer(&Request::new("GET", path, "")).body).ok()?;
            Some(serde_json::from_str(&text).unwrap_or(Value::String(text)))
        };
        let reports = Arc::new(Mutex::new(Vec::new()));
        let said = Arc::clone(&reports);
        let report = move |reason: &str| said.lock().unwrap().push(reason.to_owned());
        let telemetry = Arc::new(Telemetry::begin(spec, "n", Box::new(inquire), Box::new(report)));
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let listener = runtime.block_on(Listener::bind("127.0.0.1:0", false)).unwrap();
        let (address, guard) = (listener.url().replace("http://", ""), listener.guard(None));
        let front = Arc::new(Looking(Arc::clone(&telemetry) as Arc<dyn Onlooker>));
        runtime.spawn(async move { match serve_behind(Some(front), listener, guard, service).await {} });
        Self { telemetry, reports, address, _runtime: runtime }
    }

    pub(crate) fn client(&self) -> Client {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream.set_nodelay(true).unwrap();
        Client { stream: BufReader::new(stream), address: self.address.clone() }
    }
}

pub(crate) struct Client {
    stream: BufReader<TcpStream>,
    address: String,
}

impl Client {
    pub(crate) fn text(&mut self, head: &str, headers: &[(&str, &str)], body: &str) -> String {
        let headers = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect::<Vec<_>>().concat();
        let (address, length) = (&self.address, body.len());
        let request = format!("{head} HTTP/1.1\r\nHost: {address}\r\n{headers}Content-Length: {length}\r\n\r\n{body}");
        self.stream.get_mut().write_all(request.as_bytes()).unwrap();
        let (mut line, mut length) = (String::new(), 0);
        while line != "\r\n" {
            line.clear();
            self.stream.read_line(&mut line).unwrap();
            if let Some(said) = line.strip_prefix("content-length: ") {
                length = said.trim().parse().unwrap();
            }
        }
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    pub(crate) fn post(&mut self, path: &str, headers: &[(&str, &str)], body: &Value) -> Value {
        serde_json::from_str(&self.text(&format!("POST {path}"), headers, &body.to_string())).unwrap()
    }

    /// One decision with its reply and its outcome, where it asks. What was decided.
    pub(crate) fn step(&mut self, key: &str, (episode, context): (&str, &str), is_last: bool) -> Value {
        let body = json!({ "policy": "p", "run": "r", "episode": episode, "context": { "key": context },
            "fallback": { "action": "left", "confidence": 0.5 } });
        let decided = self.post("/v1/decisions", &[("Idempotency-Key", key)], &body);
        let path = format!("/v1/decisions/{}", decided["decision"].as_str().unwrap());
        if decided["verdict"] == "ask" {
            let reply = json!({ "permit": decided["permit"]["id"], "reply": { "text": "Right." }, "model": "big",
                "usage": { "input_tokens": 40, "output_tokens": 1 } });
            self.post(&format!("{path}/resume"), &[], &reply);
        }
        let outcome = json!({ "reward": if is_last { 1.0 } else { 0.25 }, "final": is_last });
        assert_eq!(self.post(&format!("{path}/outcome"), &[], &outcome)["accepted"], true);
        decided
    }
}
