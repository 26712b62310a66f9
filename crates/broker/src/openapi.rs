//! What the broker answers itself: one table, from which requests are taken up and the document is made.

use counsel_serve::{Described, Keyed, extended, object};
use serde_json::{Value, json};

/// The operations beside those of the service.
pub(crate) const OPERATIONS: &[Described] = &[
    Described {
        method: "POST",
        path: "/v1/ask",
        id: "Ask",
        summary: "Decide, ask the policy's endpoint where that is worth its price, and judge, in one call",
        body: Some("AskRequest"),
        answer: "Told",
        statuses: &[200],
        keyed: Keyed::Optional,
        query: &[],
        refusal: None,
    },
    Described {
        method: "POST",
        path: "/v1/chat/completions",
        id: "ChatCompletion",
        summary: "Answer as a model of the name counsel/POLICY: the cheap model, and the strong one where it is worth its price",
        body: Some("ChatRequest"),
        answer: "ChatCompletion",
        statuses: &[200],
        keyed: Keyed::Optional,
        query: &[],
        refusal: Some("ChatError"),
    },
    Described {
        method: "GET",
        path: "/v1/models",
        id: "Models",
        summary: "The models that a chat completion may name",
        body: None,
        answer: "Models",
        statuses: &[200],
        keyed: Keyed::Never,
        query: &[],
        refusal: None,
    },
];

/// The service's document with what the broker answers.
pub(crate) fn document(service: Value) -> Value {
    extended(service, OPERATIONS, &schemas())
}

fn schemas() -> Value {
    let (text, number, count, flag) = (
        json!({ "type": "string" }),
        json!({ "type": "number" }),
        json!({ "type": "integer", "minimum": 0 }),
        json!({ "type": "boolean" }),
    );
    let share = json!({ "type": "number", "minimum": 0, "maximum": 1 });
    let options = json!({ "type": "array", "items": text, "minItems": 2, "maxItems": 32 });
    let part = object(&["type", "text"], json!({ "type": { "enum": ["text"] }, "text": text }));
    let message = object(
        &["role", "content"],
        json!({
            "role": { "enum": ["system", "developer", "user", "assistant"] },
            "content": { "type": ["string", "array"], "items": part }, "name": text,
        }),
    );
    let metadata = json!({ "type": "object", "properties": { "run": text, "context": text } });
    let done = object(
        &["answered_by", "decision_id", "asked", "verdict", "reason", "model"],
        json!({
            "answered_by": { "enum": ["cheap", "strong"] }, "decision_id": text, "asked": flag,
            "verdict": { "enum": ["act", "execute", "reject"] }, "reason": text, "model": text, "lost": text,
        }),
    );
    let choice = object(
        &["index", "message", "finish_reason", "logprobs"],
        json!({
            "index": count, "finish_reason": { "enum": ["stop"] }, "logprobs": { "type": "null" },
            "message": object(&["role", "content"], json!({ "role": { "enum": ["assistant"] }, "content": text })),
        }),
    );
    let usage = object(
        &["prompt_tokens", "completion_tokens", "total_tokens"],
        json!({ "prompt_tokens": count, "completion_tokens": count, "total_tokens": count }),
    );
    let model = object(
        &["id", "object", "created", "owned_by"],
        json!({ "id": text, "object": { "enum": ["model"] }, "created": count, "owned_by": text }),
    );
    let refusal = object(
        &["message", "type", "param", "code"],
        json!({ "message": text, "type": { "enum": ["invalid_request_error", "upstream_error"] }, "param": text, "code": text }),
    );
    json!({
        "AskRequest": object(&["policy", "question"], json!({
            "policy": text, "run": text, "episode": text, "question": text, "options": options, "context": text,
            "features": { "type": "array", "items": number }, "confidence": share,
        })),
        "Told": object(&["asked", "may_act", "verdict", "reason", "decision_id", "proceed_with"], json!({
            "asked": flag, "may_act": flag, "verdict": { "enum": ["act", "execute", "reject"] }, "reason": text, "decision_id": text,
            "proceed_with": text, "advice": text, "lost": text,
        })),
        "ChatRequest": object(&["model", "messages"], json!({
            "model": text, "messages": { "type": "array", "items": message, "minItems": 1 }, "stream": { "enum": [false, null] },
            "max_tokens": count, "max_completion_tokens": count, "temperature": { "type": "number", "minimum": 0, "maximum": 2 },
            "n": { "enum": [1, null] }, "user": text, "metadata": metadata, "seed": { "type": "integer" },
        })),
        "ChatCompletion": object(&["id", "object", "created", "model", "choices", "usage", "counsel"], json!({
            "id": text, "object": { "enum": ["chat.completion"] }, "created": count, "model": text,
            "choices": { "type": "array", "items": choice }, "usage": usage, "counsel": done,
        })),
        "ChatError": object(&["error"], json!({ "error": refusal })),
        "Models": object(&["object", "data"], json!({ "object": { "enum": ["list"] }, "data": { "type": "array", "items": model } })),
    })
}
