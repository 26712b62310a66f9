//! The OpenAPI 3.1 document, made from the table of routes and the schemas of bodies and answers.

use serde_json::{Map, Value, json};

use crate::problem::Kind;
use crate::route::{ROUTES, Route};

/// Whether an operation takes an `Idempotency-Key`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keyed {
    /// It takes none.
    Never,
    /// It may have one.
    Optional,
    /// It needs one.
    Required,
}

/// One operation, as the document describes it.
#[derive(Debug, Clone, Copy)]
pub struct Described {
    /// `GET`, `PUT` or `POST`.
    pub method: &'static str,
    /// The path; `{name}` stands for one part of it.
    pub path: &'static str,
    /// Its name, for programs that make clients from the document.
    pub id: &'static str,
    /// What it does.
    pub summary: &'static str,
    /// The schema of its body.
    pub body: Option<&'static str>,
    /// The schema of its answer; `text` and `object` are plain.
    pub answer: &'static str,
    /// The statuses of answers that are no problems; 202 has no body.
    pub statuses: &'static [u16],
    /// Whether it takes a key.
    pub keyed: Keyed,
    /// Names in the query.
    pub query: &'static [&'static str],
    /// The schema of errors that are no problem documents, where there are such.
    pub refusal: Option<&'static str>,
}

impl Described {
    /// Whether a path is one of this operation's.
    pub fn fits(&self, path: &str) -> bool {
        part_in(self.path, path).is_some()
    }
}

/// The part of a path that its pattern calls `{name}`, empty if the pattern has none; `None` if the path does not fit.
pub(crate) fn part_in<'a>(pattern: &str, path: &'a str) -> Option<&'a str> {
    let (mut ours, mut theirs) = (pattern.split('/'), path.split('/'));
    let mut found = "";
    loop {
        match (ours.next(), theirs.next()) {
            (None, None) => return Some(found),
            (Some("{name}"), Some(part)) if !part.is_empty() => found = part,
            (Some(our), Some(their)) if our == their => {}
            _ => return None,
        }
    }
}

/// The document of the service.
pub(crate) fn document() -> Value {
    let described: Vec<Described> = ROUTES.iter().map(Route::described).collect();
    let mut schemas = schemas();
    schemas["Problem"]["properties"]["type"]["enum"] =
        Kind::ALL.iter().map(|kind| Value::from(format!("urn:counsel:problem:{}", kind.declared().1))).collect();
    let document = json!({
        "openapi": "3.1.0",
        "info": {
            "title": "counsel serve", "version": env!("CARGO_PKG_VERSION"),
            "summary": "Whether an advisor is worth asking, and whether its answer may act.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "paths": {},
        "components": {
            "schemas": {},
            "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } },
        },
        "security": [{}, { "token": [] }],
    });
    extended(document, &described, &schemas)
}

/// The document with the operations and schemas of what stands before the service.
pub fn extended(mut document: Value, described: &[Described], schemas: &Value) -> Value {
    for operation in described {
        document["paths"][operation.path][operation.method.to_lowercase()] = self::operation(operation);
    }
    for (name, schema) in schemas.as_object().into_iter().flatten() {
        document["components"]["schemas"][name] = schema.clone();
    }
    document
}

fn operation(described: &Described) -> Value {
    let mut parameters = Vec::new();
    if described.path.contains("{name}") {
        parameters.push(json!({ "name": "name", "in": "path", "required": true, "schema": { "type": "string" } }));
    }
    if described.keyed != Keyed::Never {
        parameters.push(json!({
            "name": "Idempotency-Key", "in": "header", "required": described.keyed == Keyed::Required,
            "schema": { "type": "string", "minLength": 1, "maxLength": 255 },
            "description": "The same key and body: the same answer, with Idempotent-Replayed: true. The same key and another body: 409.",
        }));
    }
    for part in described.query {
        parameters.push(json!({ "name": part, "in": "query", "required": false, "schema": { "type": "string" } }));
    }
    let content = match described.answer {
        "text" => json!({ "text/plain": { "schema": { "type": "string" } } }),
        "object" => json!({ "application/json": { "schema": { "type": "object" } } }),
        name => json!({ "application/json": { "schema": reference(name) } }),
    };
    let mut responses = Map::new();
    for status in described.statuses {
        let mut response = json!({ "description": described.summary });
        if *status != 202 {
            response["content"] = content.clone();
        }
        responses.insert(status.to_string(), response);
    }
    let mut problem = json!({ "application/problem+json": { "schema": reference("Problem") } });
    if let Some(refusal) = described.refusal {
        problem["application/json"] = json!({ "schema": reference(refusal) });
    }
    responses.insert("default".into(), json!({ "description": "A problem (RFC 9457)", "content": problem }));
    let mut operation = json!({
        "summary": described.summary, "operationId": described.id, "parameters": parameters, "responses": responses,
    });
    if let Some(body) = described.body {
        let content = json!({ "application/json": { "schema": reference(body) } });
        operation["requestBody"] = json!({ "required": body != "EndRequest", "content": content });
    }
    operation
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// The schema of an object with these fields and no others.
pub fn object(required: &[&str], properties: impl Into<Value>) -> Value {
    let properties = properties.into();
    json!({ "type": "object", "required": required, "properties": properties, "additionalProperties": false })
}

fn schemas() -> Value {
    let (text, number, count, flag) = (
        json!({ "type": "string" }),
        json!({ "type": "number" }),
        json!({ "type": "integer", "minimum": 0 }),
        json!({ "type": "boolean" }),
    );
    let maybe = |kind: &str| json!({ "type": [kind, "null"] });
    let limit = |kind: &str| {
        object(
            &["limit", "spent", "open"],
            json!({ "limit": maybe(kind), "spent": { "type": kind }, "open": { "type": kind }, "overrun": { "type": kind } }),
        )
    };
    let limits = json!({ "calls": count, "tokens": count, "usd": { "type": ["number", "string"] } });
    let with = |extra: Value| {
        let mut all = limits.clone();
        if let (Some(all), Some(extra)) = (all.as_object_mut(), extra.as_object()) {
            all.extend(extra.clone());
        }
        all
    };
    let reserved = object(&["calls"], json!({ "calls": count, "tokens": count, "usd": number }));
    let permit = object(
        &["id", "advisor", "reserved", "expires_at"],
        json!({
            "id": text, "advisor": text, "reserved": reserved, "expires_at": { "type": "string", "format": "date-time" },
        }),
    );
    let value = object(
        &["estimate", "price", "threshold", "propensity"],
        json!({
            "estimate": number, "price": number, "threshold": number, "propensity": number,
        }),
    );
    let named = object(&["name", "digest"], json!({ "name": text, "digest": text }));
    let advisor = object(
        &["name", "price"],
        json!({
            "name": text, "price": number, "max_input_tokens": count, "max_tokens": count,
            "usd_per_million_input": { "type": ["number", "string"] }, "usd_per_million_output": { "type": ["number", "string"] },
        }),
    );
    let layer = object(&[], limits.clone());
    let budget = object(&[], with(json!({ "parent": text, "run": layer, "episode": layer, "child": layer })));
    json!({
        "PolicySpec": object(&["actions", "budget"], json!({
            "price": number, "actions": { "type": "array", "items": text }, "budget": budget, "form": { "enum": ["word", "json"] },
            "mode": { "enum": ["observe", "canary", "apply"] }, "share": number, "retain": { "enum": ["digests", "texts"] },
            "expires_s": count, "seed": count, "advisors": { "type": "array", "items": advisor },
        })),
        "Policy": object(&["policy", "digest", "version", "mode", "cells", "spec"], json!({
            "policy": text, "digest": text, "version": count, "mode": { "enum": ["observe", "canary", "apply"] },
            "cells": object(&["applied", "observed"], json!({ "applied": text, "observed": text })), "spec": reference("PolicySpec"),
        })),
        "BudgetSpec": object(&[], with(json!({ "parent": text }))),
        "Budget": object(&["budget", "parent", "calls", "tokens", "usd"], json!({
            "budget": text, "parent": maybe("string"), "calls": limit("integer"), "tokens": limit("integer"), "usd": limit("number"),
        })),
        "DecisionRequest": object(&["policy", "context", "fallback"], json!({
            "policy": text, "run": text, "episode": text, "child": text, "input_tokens": count,
            "context": object(&["key"], json!({
                "key": { "type": ["string", "integer", "array"], "items": { "type": "integer" } },
                "features": { "type": "array", "items": number },
            })),
            "fallback": object(&["action"], json!({ "action": text, "confidence": { "type": "number", "minimum": 0, "maximum": 1 } })),
        })),
        "Decision": object(&["decision", "policy", "verdict", "action", "value", "reason", "because"], json!({
            "decision": text, "policy": named, "verdict": { "enum": ["act", "ask"] }, "action": text, "permit": permit, "value": value,
            "reason": text, "because": text,
        })),
        "DecisionState": object(&["decision", "policy", "at", "verdict", "settled", "revisions", "log"], json!({
            "decision": text, "policy": named, "at": { "type": "string", "format": "date-time" }, "run": maybe("string"),
            "episode": maybe("string"), "child": maybe("string"), "verdict": { "enum": ["act", "ask", "execute", "reject"] },
            "action": maybe("string"),
            "open": { "type": ["object", "null"], "properties": { "id": text, "expires_at": text } },
            "settled": { "type": "array", "items": reference("Resumed") }, "reward": maybe("number"), "revisions": count,
            "log": object(&["cell", "step"], json!({ "cell": text, "step": maybe("integer") })),
        })),
        "ResumeRequest": object(&["permit", "reply"], json!({
            "permit": text, "reply": object(&[], json!({ "text": text, "lost": flag })),
            "usage": object(&[], json!({ "input_tokens": count, "output_tokens": count })), "model": text, "latency_ms": number,
        })),
        "Resumed": object(&["decision", "verdict", "action", "reason", "because", "settled"], json!({
            "decision": text, "verdict": { "enum": ["execute", "reject", "ask"] }, "action": text, "reason": text, "because": text,
            "settled": reserved, "permit": permit, "value": value,
        })),
        "OutcomeRequest": object(&[], json!({ "reward": number, "success": flag, "final": flag, "truncated": flag, "changed": flag })),
        "Accepted": object(&["accepted", "learned"], json!({ "accepted": flag, "learned": flag })),
        "EndRequest": object(&[], json!({ "policy": text, "run": text, "return": number, "truncated": flag })),
        "Ended": object(&["ended"], json!({ "ended": count })),
        "Advisor": object(&["advisor", "asked", "open", "answered", "lost", "followed", "tokens", "usd"], json!({
            "advisor": text, "asked": count, "open": count, "answered": count, "lost": count, "followed": count, "tokens": count,
            "usd": number,
        })),
        "Health": object(&["status", "version"], json!({ "status": { "enum": ["ok"] }, "version": text })),
        "Problem": {
            "type": "object", "required": ["type", "title", "status", "detail"],
            "properties": { "type": { "type": "string" }, "title": text, "status": count, "detail": text, "settled": reference("Resumed") },
        },
    })
}
