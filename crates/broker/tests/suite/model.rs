//! A model behind a socket on this machine, and a broker before a real service.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use counsel_broker::{Broker, Call, LocalSidecar, PolicyFile, Replied, Sidecar};
use counsel_serve::{Service, Surroundings};
use serde_json::{Value, json};

/// A model that says one thing; nothing at all where it says the empty text.
#[derive(Debug, Clone)]
pub(crate) struct Model {
    pub(crate) url: String,
    pub(crate) asked: Arc<AtomicUsize>,
    says: Arc<Mutex<String>>,
}

impl Model {
    pub(crate) fn saying(text: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let model = Self { url, asked: Arc::default(), says: Arc::new(Mutex::new(text.to_owned())) };
        let theirs = model.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let theirs = theirs.clone();
                std::thread::spawn(move || theirs.attend(stream.unwrap()));
            }
        });
        model
    }

    pub(crate) fn say(&self, text: &str) {
        text.clone_into(&mut self.says.lock().unwrap());
    }

    pub(crate) fn count(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }

    fn attend(&self, stream: TcpStream) {
        let mut out = stream.try_clone().unwrap();
        let mut input = BufReader::new(stream);
        loop {
            let mut length = 0;
            let mut line = String::new();
            loop {
                line.clear();
                if input.read_line(&mut line).unwrap_or(0) == 0 {
                    return;
                }
                if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                    length = value.trim().parse().unwrap();
                }
                if line == "\r\n" {
                    break;
                }
            }
            let mut body = vec![0; length];
            input.read_exact(&mut body).unwrap();
            let body: Value = serde_json::from_slice(&body).unwrap();
            self.asked.fetch_add(1, Ordering::SeqCst);
            let text = self.says.lock().unwrap().clone();
            let (status, answer) = if text.is_empty() {
                ("500 Fault", json!({ "error": { "message": "not now" } }))
            } else {
                let message = json!({ "role": "assistant", "content": text });
                let usage = json!({ "prompt_tokens": 7, "completion_tokens": 3 });
                (
                    "200 OK",
                    json!({ "model": body["model"], "choices": [{ "index": 0, "message": message }], "usage": usage }),
                )
            };
            let answer = answer.to_string();
            let head = format!(
                "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
                answer.len()
            );
            if out.write_all(format!("{head}{answer}").as_bytes()).is_err() {
                return;
            }
        }
    }
}

/// A policy about advice with these endpoints.
pub(crate) fn policy(calls: u64, endpoints: &[(&str, &Model)]) -> String {
    let mut text = format!("price = 0.01\nactions = [\"own\", \"advice\"]\n[budget]\ncalls = {calls}\n");
    for (name, model) in endpoints {
        let url = &model.url;
        let _ = write!(text, "[endpoints.{name}]\nbase_url = \"{url}\"\nmodel = \"{name}-model\"\ntime_out_s = 5\n");
    }
    text
}

/// A broker before a service in this folder, with the policy `p`.
pub(crate) fn broker(dir: &Path, policy: &str) -> Broker {
    let surroundings = Surroundings { clock: Box::new(|| 1_000), report: Box::new(|error| panic!("{error}")) };
    let service = Arc::new(Service::open(dir, surroundings).unwrap());
    let file = PolicyFile::read(policy, &|_| None).unwrap();
    service.declare("policies", "p", file.policy.as_bytes()).unwrap();
    let broker = Broker::new(Box::new(LocalSidecar(service)), "n");
    broker.declare("p", file.endpoints);
    if let Some(questions) = file.questions {
        broker.decide_questions("p", questions, Some(dir.join("questions.jsonl"))).unwrap();
    }
    broker
}

pub(crate) fn post(broker: &Broker, path: &str, body: Value, key: Option<&str>) -> Replied {
    let call = Call::post(path, body);
    broker
        .call(&match key {
            Some(key) => call.keyed(key),
            None => call,
        })
        .unwrap()
}

/// Calls that were spent and are open, by the service's own account.
pub(crate) fn calls(broker: &Broker) -> (u64, u64) {
    let told = broker.call(&Call::get("/v1/budgets/p")).unwrap().body;
    (told["calls"]["spent"].as_u64().unwrap(), told["calls"]["open"].as_u64().unwrap())
}
