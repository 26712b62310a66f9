//! An OpenAI-compatible endpoint on loopback that behaves as a test wants, and counts the calls that reach it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is sent back: a status and a body.
pub(crate) struct Sent(pub(crate) u16, pub(crate) String);

/// A running server. It ends with the test.
pub(crate) struct Server {
    pub(crate) url: String,
    calls: Arc<AtomicUsize>,
}

impl Server {
    /// A server that answers the call of this number, from 1, to this model.
    pub(crate) fn start(answer: impl Fn(usize, &str) -> Sent + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (calls, answer) = (Arc::new(AtomicUsize::new(0)), Arc::new(answer));
        let counted = Arc::clone(&calls);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (calls, answer) = (Arc::clone(&counted), Arc::clone(&answer));
                std::thread::spawn(move || serve(stream, &calls, answer.as_ref()));
            }
        });
        Self { url, calls }
    }

    /// A server that always says this, under the name that it is asked for.
    pub(crate) fn saying(word: &'static str) -> Self {
        Self::start(move |_, model| Sent(200, completion(model, word)))
    }

    /// How many calls have reached it.
    pub(crate) fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }
}

/// The body of an answer.
pub(crate) fn completion(model: &str, word: &str) -> String {
    let message = serde_json::json!({ "role": "assistant", "content": word });
    let usage = serde_json::json!({ "prompt_tokens": 50, "completion_tokens": 1 });
    serde_json::json!({ "model": model, "choices": [{ "message": message }], "usage": usage }).to_string()
}

fn serve(mut stream: TcpStream, calls: &AtomicUsize, answer: &dyn Fn(usize, &str) -> Sent) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    loop {
        let (mut line, mut length) = (String::new(), 0);
        while reader.read_line(&mut line).is_ok_and(|bytes| bytes > 0) && !line.ends_with("\r\n\r\n") {
            let last = line.trim_end().rsplit('\n').next().unwrap_or_default().to_ascii_lowercase();
            length = last.strip_prefix("content-length:").map_or(length, |text| text.trim().parse().unwrap());
        }
        if line.is_empty() {
            return;
        }
        let mut body = vec![0; length];
        if reader.read_exact(&mut body).is_err() {
            return;
        }
        let asked: serde_json::Value = serde_json::from_slice(&body).unwrap_or_default();
        let number = calls.fetch_add(1, Ordering::SeqCst) + 1;
        let Sent(status, body) = answer(number, asked["model"].as_str().unwrap_or_default());
        let length = body.len();
        let head = format!("HTTP/1.1 {status} -\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n");
        if stream.write_all((head + &body).as_bytes()).is_err() {
            return;
        }
    }
}
