//! A message of JSON-RPC 2.0, read by a total function: any bytes are a message or an error that can be sent back.

use serde_json::{Map, Value, json};

/// The text is no JSON.
pub(crate) const PARSE_ERROR: i64 = -32700;
/// The JSON is no message.
pub(crate) const INVALID_REQUEST: i64 = -32600;
/// There is no such method.
pub(crate) const METHOD_NOT_FOUND: i64 = -32601;
/// The parameters are not those of the method.
pub(crate) const INVALID_PARAMS: i64 = -32602;
/// The server has too much to do.
pub(crate) const BUSY: i64 = -32000;
/// Header and body of a POST contradict each other.
pub(crate) const HEADER_MISMATCH: i64 = -32020;
/// The client speaks a version that the server does not.
pub(crate) const UNSUPPORTED_VERSION: i64 = -32022;

/// An error of the protocol, as it is sent.
#[derive(Debug, Clone, PartialEq)]
pub struct RpcError {
    /// Its code.
    pub code: i64,
    /// What is wrong, and what to do.
    pub message: String,
    /// More, for programs.
    pub data: Option<Value>,
}

impl RpcError {
    pub(crate) fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    /// The answer to the request `id`; null where it is not known.
    pub(crate) fn answer(self, id: &Value) -> Value {
        let mut error = json!({ "code": self.code, "message": self.message });
        if let Some(data) = self.data {
            error["data"] = data;
        }
        json!({ "jsonrpc": "2.0", "id": id, "error": error })
    }
}

/// The answer to a request that was served.
pub(crate) fn answer(id: &Value, result: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

/// One message of a client.
#[derive(Debug, Clone, PartialEq)]
pub enum RpcMessage {
    /// A request: it is answered, once.
    Request {
        /// A text or an integer.
        id: Value,
        /// What is asked for.
        method: String,
        /// With what.
        params: Map<String, Value>,
    },
    /// A notification: it is not answered.
    Notification {
        /// What happened.
        method: String,
        /// The details.
        params: Map<String, Value>,
    },
    /// The client's answer to a request of ours.
    Response {
        /// That of our request.
        id: Value,
        /// The result; none for an error.
        result: Option<Value>,
    },
}

impl RpcMessage {
    /// Reads a message. The error comes with the id that it is sent under.
    pub fn read(text: &[u8]) -> Result<Self, (Value, RpcError)> {
        let value: Value = serde_json::from_slice(text).map_err(|error| {
            let place = format!("column {}", error.column());
            (Value::Null, RpcError::new(PARSE_ERROR, format!("this is no JSON ({place}); send one message per line")))
        })?;
        let Value::Object(mut object) = value else {
            let what = if value.is_array() { "batches are not a part of MCP" } else { "a message is an object" };
            return Err((Value::Null, RpcError::new(INVALID_REQUEST, format!("{what}; send one JSON object"))));
        };
        let id = object.remove("id");
        let refuse = |message: &str| {
            let known = id.clone().filter(is_id).unwrap_or(Value::Null);
            Err((known, RpcError::new(INVALID_REQUEST, message)))
        };
        if object.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
            return refuse("`jsonrpc` is not \"2.0\"; say it in every message");
        }
        if id.as_ref().is_some_and(|id| !is_id(id)) {
            return refuse("`id` is neither a text nor an integer; give every request one");
        }
        let method = match object.remove("method") {
            Some(Value::String(method)) => method,
            Some(_) => return refuse("`method` is no text; name what is asked for"),
            None if object.contains_key("result") || object.contains_key("error") => {
                let Some(id) = id else { return refuse("an answer has no `id`; repeat that of the request") };
                return Ok(Self::Response { id, result: object.remove("result") });
            }
            None => return refuse("there is no `method`; name what is asked for"),
        };
        let params = match object.remove("params") {
            None => Map::new(),
            Some(Value::Object(params)) => params,
            Some(_) => return refuse("`params` is no object; send parameters by name"),
        };
        Ok(match id {
            Some(id) => Self::Request { id, method, params },
            None => Self::Notification { method, params },
        })
    }
}

fn is_id(value: &Value) -> bool {
    value.is_string() || value.is_i64() || value.is_u64()
}
