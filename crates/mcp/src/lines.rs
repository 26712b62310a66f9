//! Standard input and output: one message per line.
//!
//! Invariants. A line is read up to [`LONGEST_LINE`] and no further, so memory is bounded. Every request is answered once, unless its
//! client cancelled it. Calls of tools run beside each other, at most [`CALLS`] at a time; everything else is answered at once, so a slow
//! advisor holds nothing up. When the input ends, questions that wait for a person are given up and the other calls come to their end.

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value, json};

use crate::McpServer;
use crate::era::has_forms;
use crate::message::{BUSY, INVALID_REQUEST, RpcError, RpcMessage, answer};
use crate::person::Person;

/// The longest line that is read, in bytes.
pub const LONGEST_LINE: usize = 1 << 20;
/// Calls of tools at a time.
const CALLS: usize = 64;

/// Serves a client until the input ends.
pub fn serve_lines<W: Write + Send>(server: &McpServer, mut input: impl BufRead, output: W) -> std::io::Result<()> {
    let wire = Wire { output: Mutex::new(output), state: Mutex::default() };
    std::thread::scope(|scope| {
        loop {
            let line = match read_line(&mut input) {
                Ok(Line::Whole(line)) => line,
                Ok(Line::TooLong) => {
                    let message = format!("a line is longer than {LONGEST_LINE} bytes; send shorter questions");
                    wire.send(&RpcError::new(INVALID_REQUEST, message).answer(&Value::Null));
                    continue;
                }
                Ok(Line::End) => break wire.give_up(None),
                Err(error) => break wire.give_up(Some(error)),
            };
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            match RpcMessage::read(&line) {
                Err((id, error)) => wire.send(&error.answer(&id)),
                Ok(RpcMessage::Response { id, result }) => wire.hear(&id, result),
                Ok(RpcMessage::Notification { method, params }) => wire.notice(&method, &params),
                Ok(RpcMessage::Request { id, method, params }) if method == "tools/call" => match wire.admit(&id) {
                    Ok(call) => {
                        let wire = &wire;
                        scope.spawn(move || wire.serve(server, (&id, call), &method, &params));
                    }
                    Err(error) => wire.send(&error.answer(&id)),
                },
                Ok(RpcMessage::Request { id, method, params }) => {
                    if method == "initialize" {
                        wire.lock().has_forms = has_forms(params.get("capabilities").unwrap_or(&Value::Null));
                    }
                    wire.send(&answered(&id, server.serve(&method, &params, &Person::Absent)));
                }
            }
        }
    })?;
    wire.fault()
}

fn answered(id: &Value, served: Result<Value, RpcError>) -> Value {
    match served {
        Ok(result) => answer(id, &result),
        Err(error) => error.answer(id),
    }
}

/// The two directions of one client.
struct Wire<W> {
    output: Mutex<W>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Whether the handshake said that the client shows forms.
    has_forms: bool,
    /// Whether the input has ended.
    ended: bool,
    /// Calls under way by their id.
    calls: BTreeMap<String, UnderWay>,
    admitted: u64,
    /// Questions before a person, by the number of our request.
    forms: BTreeMap<u64, Sender<Value>>,
    asked: u64,
    /// Why nothing more can be written.
    fault: Option<std::io::Error>,
}

/// A call under way.
struct UnderWay {
    /// Its number among all calls: a client may use the id of a cancelled call again before that call has ended.
    number: u64,
    /// The question that it has before a person.
    form: Option<u64>,
}

impl State {
    /// The call under way that has this id and this number.
    fn call(&mut self, id: &str, number: u64) -> Option<&mut UnderWay> {
        self.calls.get_mut(id).filter(|call| call.number == number)
    }
}

impl<W: Write> Wire<W> {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a message. A client that went away is noticed at the end.
    fn send(&self, message: &Value) {
        let mut line = message.to_string();
        line.push('\n');
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = output.write_all(line.as_bytes()).and_then(|()| output.flush()) {
            self.lock().fault.get_or_insert(error);
        }
    }

    /// Takes up a call; its number.
    fn admit(&self, id: &Value) -> Result<u64, RpcError> {
        let mut state = self.lock();
        if state.calls.contains_key(&id.to_string()) {
            return Err(RpcError::new(
                INVALID_REQUEST,
                format!("the id {id} is that of a call under way; give each request its own"),
            ));
        }
        if state.calls.len() >= CALLS {
            return Err(RpcError::new(BUSY, format!("{CALLS} calls are under way; wait for one of them")));
        }
        state.admitted += 1;
        let number = state.admitted;
        state.calls.insert(id.to_string(), UnderWay { number, form: None });
        Ok(number)
    }

    /// One call of a tool, from its admission to its answer.
    fn serve(&self, server: &McpServer, (id, number): (&Value, u64), method: &str, params: &Map<String, Value>) {
        let name = id.to_string();
        let shown = |form: &Value| self.show((&name, number), form);
        let person = if self.lock().has_forms { Person::Waiting(&shown) } else { Person::Absent };
        let served = server.serve(method, params, &person);
        // One that was cancelled is gone from the list, and is not answered.
        let is_wanted = {
            let mut state = self.lock();
            state.call(&name, number).is_some() && state.calls.remove(&name).is_some()
        };
        if is_wanted {
            self.send(&answered(id, served));
        }
    }

    /// Shows a form, and waits for what the person says. None if the call was cancelled or the client went away.
    fn show(&self, call: (&str, u64), form: &Value) -> Option<Value> {
        let (number, said) = self.open_form(call)?;
        self.send(&json!({ "jsonrpc": "2.0", "id": number, "method": "elicitation/create", "params": form }));
        let said = said.recv().ok();
        self.lock().forms.remove(&number);
        said
    }

    fn open_form(&self, (id, number): (&str, u64)) -> Option<(u64, Receiver<Value>)> {
        let mut state = self.lock();
        let form = state.asked + 1;
        if state.ended {
            return None;
        }
        state.call(id, number)?.form = Some(form);
        state.asked = form;
        let (send, receive) = channel();
        state.forms.insert(form, send);
        Some((form, receive))
    }

    /// An answer to a request of ours. One that nobody waits for is dropped.
    fn hear(&self, id: &Value, result: Option<Value>) {
        let sender = id.as_u64().and_then(|number| self.lock().forms.remove(&number));
        if let (Some(sender), Some(result)) = (sender, result) {
            // The call may have been cancelled meanwhile.
            let _ = sender.send(result);
        }
    }

    fn notice(&self, method: &str, params: &Map<String, Value>) {
        if let ("notifications/cancelled", Some(id)) = (method, params.get("requestId")) {
            let mut state = self.lock();
            if let Some(form) = state.calls.remove(&id.to_string()).and_then(|call| call.form) {
                state.forms.remove(&form);
            }
        }
    }

    /// The input has ended: nobody will answer a form any more.
    fn give_up(&self, error: Option<std::io::Error>) -> std::io::Result<()> {
        let mut state = self.lock();
        state.ended = true;
        state.forms.clear();
        error.map_or(Ok(()), Err)
    }

    fn fault(self) -> std::io::Result<()> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.fault.map_or(Ok(()), Err)
    }
}

enum Line {
    Whole(Vec<u8>),
    TooLong,
    End,
}

/// The next line. What is longer than it may be is passed over, not kept.
fn read_line(input: &mut impl BufRead) -> std::io::Result<Line> {
    let mut line = Vec::new();
    let mut is_too_long = false;
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if chunk.is_empty() {
            let is_end = line.is_empty() && !is_too_long;
            return Ok(if is_end {
                Line::End
            } else if is_too_long {
                Line::TooLong
            } else {
                Line::Whole(line)
            });
        }
        let (part, used, is_whole) = match chunk.iter().position(|byte| *byte == b'\n') {
            Some(end) => (&chunk[..end], end + 1, true),
            None => (chunk, chunk.len(), false),
        };
        is_too_long |= line.len() + part.len() > LONGEST_LINE;
        if is_too_long {
            line = Vec::new();
        } else {
            line.extend_from_slice(part);
        }
        input.consume(used);
        if is_whole {
            return Ok(if is_too_long { Line::TooLong } else { Line::Whole(line) });
        }
    }
}
