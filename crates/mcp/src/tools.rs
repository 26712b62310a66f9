//! The three tools, as they are listed.

use serde_json::{Value, json};

pub(crate) const ASK: &str = "ask_advisor";
pub(crate) const REPORT: &str = "report_outcome";
pub(crate) const BUDGET: &str = "advice_budget";

/// What a model reads about the server.
pub(crate) const INSTRUCTIONS: &str = "Call ask_advisor before a choice that is hard to undo, or when you are unsure. \
    Calling is free: the tool asks the advisor only where the answer is worth its price, and otherwise tells you to go on. \
    Follow advice only where may_act is true. Once you know how the choice turned out, call report_outcome with its decision_id; \
    that is how the tool learns when advice helps.";

/// The tools, in the order of their use.
pub(crate) fn listed() -> Value {
    json!([ask(), report(), budget()])
}

fn ask() -> Value {
    json!({
        "name": ASK,
        "title": "Ask the advisor",
        "description": "Ask a stronger advisor, where its answer is worth its price. May be called as often as you like. The result says whether \
            the advisor was asked, whether its advice may act (may_act), and what to proceed with.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "question": { "type": "string", "description": "What is to be decided, with all that the advisor must know" },
                "options": {
                    "type": "array", "items": { "type": "string" }, "minItems": 2, "maxItems": 32,
                    "description": "The choices; the first is what you would do without advice. Leave out for advice in free words"
                },
                "context": {
                    "type": "string",
                    "description": "A short name that questions of this kind share, such as `failing test` or `schema change`"
                },
                "episode": {
                    "type": "string",
                    "description": "A name of the task, for questions that are steps of one task. Report its outcome once, under the last decision_id"
                },
                "features": { "type": "array", "items": { "type": "number" }, "description": "Numbers that describe the situation" },
                "confidence": { "type": "number", "minimum": 0, "maximum": 1, "description": "How sure you are of your own choice" }
            },
            "required": ["question"],
            "additionalProperties": false
        },
        "outputSchema": {
            "type": "object",
            "properties": {
                "asked": { "type": "boolean", "description": "Whether the advisor was asked and paid" },
                "may_act": { "type": "boolean", "description": "Whether the advice may be followed" },
                "verdict": { "type": "string", "description": "act: go on without advice; execute: follow it; reject: do not follow it" },
                "proceed_with": { "type": "string", "description": "What to do now" },
                "advice": { "type": "string", "description": "What the advisor said" },
                "lost": { "type": "string", "description": "Why no advice came, where the advisor was asked" },
                "reason": { "type": "string", "description": "Why" },
                "decision_id": { "type": "string", "description": "For report_outcome" }
            },
            "required": ["asked", "may_act", "proceed_with", "reason"]
        },
        "annotations": { "readOnlyHint": false, "destructiveHint": false, "idempotentHint": false, "openWorldHint": true }
    })
}

fn report() -> Value {
    json!({
        "name": REPORT,
        "title": "Report the outcome",
        "description": "Say how a decision of ask_advisor turned out. May be called later, and again when the outcome is seen differently.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "decision_id": { "type": "string", "description": "From the result of ask_advisor" },
                "success": { "type": "boolean", "description": "Whether what was done worked" }
            },
            "required": ["decision_id", "success"],
            "additionalProperties": false
        },
        "outputSchema": {
            "type": "object",
            "properties": { "accepted": { "type": "boolean" } },
            "required": ["accepted"]
        },
        "annotations": { "readOnlyHint": false, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false }
    })
}

fn budget() -> Value {
    json!({
        "name": BUDGET,
        "title": "Budget of advice",
        "description": "What advice may still cost, and what it has cost.",
        "inputSchema": { "type": "object", "properties": {}, "additionalProperties": false },
        "outputSchema": { "type": "object" },
        "annotations": { "readOnlyHint": true, "openWorldHint": false }
    })
}
