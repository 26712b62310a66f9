//! A receiver of OTLP/JSON on this machine, and how it behaves.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::Value;

/// How it answers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Manner {
    Takes,
    Refuses,
    /// It takes the connection and says nothing.
    Hangs,
}

/// What came: the path, the header `authorization`, and the document.
pub(crate) type Came = (String, String, Value);

#[derive(Debug, Clone)]
pub(crate) struct Collector {
    pub(crate) url: String,
    came: Arc<Mutex<Vec<Came>>>,
}

impl Collector {
    pub(crate) fn that(manner: Manner) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let collector = Self { url, came: Arc::default() };
        let theirs = collector.clone();
        std::thread::spawn(move || {
            let mut held = Vec::new();
            for stream in listener.incoming().map_while(Result::ok) {
                if manner == Manner::Hangs {
                    held.push(stream);
                    continue;
                }
                let theirs = theirs.clone();
                std::thread::spawn(move || theirs.attend(stream, manner));
            }
        });
        collector
    }

    fn attend(&self, stream: TcpStream, manner: Manner) -> Option<()> {
        let mut out = stream.try_clone().ok()?;
        let mut input = BufReader::new(stream);
        loop {
            let (mut first, mut line, mut length, mut authorization) = (String::new(), String::new(), 0, String::new());
            input.read_line(&mut first).ok().filter(|count| *count > 0)?;
            while line != "\r\n" {
                line.clear();
                input.read_line(&mut line).ok().filter(|count| *count > 0)?;
                let (name, value) = line.split_once(':').unwrap_or((&line, ""));
                match name.to_lowercase().as_str() {
                    "content-length" => length = value.trim().parse().ok()?,
                    "authorization" => value.trim().clone_into(&mut authorization),
                    "content-type" => assert_eq!(value.trim(), "application/json"),
                    _ => {}
                }
            }
            let mut body = vec![0; length];
            input.read_exact(&mut body).ok()?;
            let path = first.split(' ').nth(1)?.to_owned();
            let document = serde_json::from_slice(&body).expect("the document is JSON");
            let status = if manner == Manner::Takes { "200 OK" } else { "503 Not now" };
            if manner == Manner::Takes {
                self.came.lock().unwrap().push((path, authorization, document));
            }
            out.write_all(
                format!("HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{{}}")
                    .as_bytes(),
            )
            .ok()?;
        }
    }

    pub(crate) fn documents(&self, path: &str) -> Vec<Value> {
        self.came.lock().unwrap().iter().filter(|(at, ..)| at == path).map(|(.., document)| document.clone()).collect()
    }

    pub(crate) fn authorizations(&self) -> Vec<String> {
        self.came.lock().unwrap().iter().map(|(_, authorization, _)| authorization.clone()).collect()
    }

    /// All spans, beside the attributes of their resource.
    pub(crate) fn spans(&self) -> Vec<Value> {
        let mut spans = Vec::new();
        for document in self.documents("/v1/traces") {
            for resource in document["resourceSpans"].as_array().unwrap() {
                assert_eq!(attribute(&resource["resource"], "service.name"), "counsel");
                for scope in resource["scopeSpans"].as_array().unwrap() {
                    spans.extend(scope["spans"].as_array().unwrap().iter().cloned());
                }
            }
        }
        spans
    }
}

/// An attribute, without the name of its type.
pub(crate) fn attribute(of: &Value, key: &str) -> Value {
    let found = of["attributes"].as_array().into_iter().flatten().find(|attribute| attribute["key"] == key);
    let typed = found.map_or(&Value::Null, |found| &found["value"]);
    typed.as_object().map_or(Value::Null, |typed| typed.values().next().cloned().unwrap_or_default())
}
