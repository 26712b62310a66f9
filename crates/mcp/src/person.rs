//! A person as advisor, by elicitation: the client shows a form, and its answer is the advice.
//!
//! Before 2026-07-28 the server sends the form as a request of its own and waits. Since then the answer to the call is `input_required`,
//! and the client repeats the call with what the person said.

use counsel_broker::{Heard, Paid};
use serde_json::{Value, json};

use crate::message::{INVALID_PARAMS, RpcError};

/// The form's one field, and the name of the request in an answer that requires input.
const ANSWER: &str = "answer";

/// How the person at the client is reached.
pub(crate) enum Person<'a> {
    /// Not at all: the client shows no forms.
    Absent,
    /// By a request of ours; `None` if the client went away or the call was cancelled.
    Waiting(&'a dyn Fn(&Value) -> Option<Value>),
    /// By an answer that requires input.
    InRounds,
}

/// The form for a question.
pub(crate) fn form(question: &str, options: &[String]) -> Value {
    let answer = if options.is_empty() {
        json!({ "type": "string", "title": "Your advice", "minLength": 1, "maxLength": 4000 })
    } else {
        json!({ "type": "string", "title": "Your choice", "enum": options })
    };
    json!({
        "mode": "form",
        "message": question,
        "requestedSchema": { "type": "object", "properties": { ANSWER: answer }, "required": [ANSWER] },
    })
}

/// What the person said in a form.
pub(crate) fn heard(result: Option<&Value>) -> Heard {
    let lost = |reason: &str| Heard::Lost { reason: reason.to_owned() };
    let Some(result) = result else { return lost("the client could not show the question") };
    match (result["action"].as_str(), result["content"][ANSWER].as_str()) {
        (Some("accept"), Some(text)) if !text.trim().is_empty() => {
            Heard::Said { text: text.to_owned(), usage: Value::Null }
        }
        (Some("accept"), _) => lost("the person sent an empty form"),
        (Some("decline"), _) => lost("the person declined to answer"),
        _ => lost("the person closed the question"),
    }
}

/// The result that asks the client for the person's answer.
pub(crate) fn required(form: &Value, paid: &Paid) -> Value {
    json!({
        "resultType": "input_required",
        "inputRequests": { ANSWER: { "method": "elicitation/create", "params": form } },
        "requestState": json!([paid.decision, paid.permit]).to_string(),
    })
}

/// The open question that a repeated call continues. The state passed through the client's hands; the sidecar knows its own permits.
pub(crate) fn continued(state: &Value) -> Result<Paid, RpcError> {
    let refuse = || RpcError::new(INVALID_PARAMS, "`requestState` is not one of this server; send it back as it came");
    let pair: Value = state.as_str().and_then(|text| serde_json::from_str(text).ok()).ok_or_else(refuse)?;
    match (pair[0].as_str(), pair[1].as_str()) {
        (Some(decision), Some(permit)) if is_token(decision) && is_token(permit) => Ok(Paid {
            decision: decision.to_owned(),
            permit: permit.to_owned(),
            advisor: "person".to_owned(),
            replayed: false,
        }),
        _ => Err(refuse()),
    }
}

/// The person's answer in a repeated call.
pub(crate) fn response(responses: &Value) -> Option<&Value> {
    responses.get(ANSWER)
}

/// Whether a text may stand in a path.
pub(crate) fn is_token(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 200
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
        && !text.bytes().all(|b| b == b'.')
}
