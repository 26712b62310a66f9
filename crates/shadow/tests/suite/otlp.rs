//! Traces as OpenTelemetry writes them.

#![expect(clippy::needless_pass_by_value, reason = "values are written where they are handed over")]

use serde_json::{Value, json};

use crate::{log_of, try_log_of};

fn attributes(pairs: Value) -> Value {
    let typed = |value: &Value| match value {
        Value::String(text) => json!({ "stringValue": text }),
        Value::Bool(flag) => json!({ "boolValue": flag }),
        Value::Number(number) if number.is_i64() => json!({ "intValue": number.to_string() }),
        Value::Array(list) => {
            json!({ "arrayValue": { "values": list.iter().map(|number| json!({ "doubleValue": number })).collect::<Vec<_>>() } })
        }
        other => json!({ "doubleValue": other }),
    };
    let pairs = pairs.as_object().unwrap().iter();
    pairs.map(|(key, value)| json!({ "key": key, "value": typed(value) })).collect()
}

fn span(id: &str, parent: &str, start: u64, told: Value, events: Value) -> Value {
    json!({ "traceId": "t", "spanId": id, "parentSpanId": parent, "name": "x", "startTimeUnixNano": start.to_string(),
        "attributes": attributes(told), "events": events })
}

fn export(resource: Value, spans: &[Value]) -> String {
    json!({ "resourceSpans": [{ "resource": { "attributes": attributes(resource) }, "scopeSpans": [{ "scope": { "name": "s" }, "spans": spans }] }] })
        .to_string()
}

fn header() -> Value {
    json!({ "counsel.shadow": r#"{"format":"counsel-shadow/1","words":["left","right"],"return_range":[0,1],"max_steps":50}"# })
}

/// Two episodes, whose decisions are told out of order.
fn spans() -> Vec<Value> {
    let evaluation = json!([{ "name": "gen_ai.evaluation.result", "attributes": attributes(json!({ "gen_ai.evaluation.score.value": 0.5 })) }]);
    vec![
        span(
            "b",
            "",
            20,
            json!({ "counsel.episode": "e1", "counsel.decision.base": "left", "counsel.decision.executed": "left",
            "counsel.value.price": 0.01, "counsel.decision.propensity": 0.5 }),
            evaluation,
        ),
        span(
            "a",
            "",
            10,
            json!({ "counsel.episode": "e1", "counsel.decision.base": "left", "counsel.decision.executed": "right",
            "counsel.decision.answer": "right", "counsel.outcome.reward": 0.25, "counsel.value.price": 0.01,
            "counsel.decision.propensity": 0.5, "http.route": "/x" }),
            json!([]),
        ),
        span("m", "a", 11, json!({ "gen_ai.operation.name": "chat", "gen_ai.request.model": "big" }), json!([])),
        span(
            "c",
            "",
            30,
            json!({ "gen_ai.conversation.id": "e2", "counsel.decision.base": "right", "counsel.decision.executed": "right",
            "counsel.decision.asked": false, "counsel.outcome.reward": 1, "counsel.value.price": 0.01,
            "counsel.decision.propensity": 0.5 }),
            json!([]),
        ),
        span("x", "", 5, json!({ "http.route": "/y" }), json!([])),
    ]
}

const LINES: &str = r#"{"format":"counsel-shadow/1","words":["left","right"],"return_range":[0,1],"max_steps":50}
{"episode":"e1","step":0,"base":"left","asked":true,"answer":"right","executed":"right","reward":0.25,"price":0.01,"p_ask":0.5}
{"episode":"e1","step":1,"base":"left","asked":false,"executed":"left","reward":0.5,"price":0.01,"end":true,"p_ask":0.5}
{"episode":"e2","step":0,"base":"right","asked":false,"executed":"right","reward":1,"price":0.01,"end":true,"p_ask":0.5}
"#;

#[test]
fn a_trace_says_what_lines_say() {
    let lines = format!("{:?}", log_of(LINES));
    let trace = export(header(), &spans());
    assert_eq!(format!("{:?}", try_log_of("trace.json", &trace).unwrap()), lines);
    assert_eq!(
        format!("{:?}", try_log_of("trace.jsonl", &trace).unwrap()),
        lines,
        "a file of lines may hold documents"
    );
    let halves = spans();
    let in_parts = format!("{}\n{}\n", export(header(), &halves[..2]), export(json!({}), &halves[2..]));
    assert_eq!(
        format!("{:?}", try_log_of("trace.json", &in_parts).unwrap()),
        lines,
        "a decision's model may stand in another document"
    );
}

#[test]
fn without_a_header_the_words_are_the_actions_that_stand_there() {
    let log = try_log_of("trace.json", &export(json!({}), &spans())).unwrap();
    assert!(format!("{log:?}").contains(r#"words: ["left", "right"]"#));
}

#[test]
fn steps_and_ends_that_are_told_count() {
    let mut told = spans();
    for (at, step) in [(0, 1), (1, 0), (3, 0)] {
        let more = json!({ "counsel.step": step, "counsel.episode.end": at != 1 });
        told[at]["startTimeUnixNano"] = json!(1);
        let attributes = attributes(more);
        told[at]["attributes"].as_array_mut().unwrap().extend(attributes.as_array().unwrap().clone());
    }
    assert_eq!(
        format!("{:?}", try_log_of("trace.json", &export(header(), &told)).unwrap()),
        format!("{:?}", log_of(LINES))
    );
}

#[test]
fn what_is_no_trace_or_has_no_decision_is_named() {
    let error = |text: &str| try_log_of("trace.json", text).unwrap_err().to_string();
    assert!(error("").contains("no span has counsel.decision.base"));
    assert!(error("{\"resourceSpans\": 7}").contains("no OTLP/JSON"));
    assert!(error("[1").contains("no OTLP/JSON"));
    assert!(error(&export(header(), &spans()[4..])).contains("no span has counsel.decision.base"));
    let deep = format!("{{\"resourceSpans\":{}", "[".repeat(100_000));
    assert!(error(&deep).contains("no OTLP/JSON"));
    let mut unpriced = spans();
    unpriced[3]["attributes"].as_array_mut().unwrap().retain(|attribute| attribute["key"] != "counsel.value.price");
    let counsel_shadow::Error::Rows { faults, .. } =
        try_log_of("trace.json", &export(header(), &unpriced)).unwrap_err()
    else {
        panic!("a row without a price is taken")
    };
    assert_eq!((faults[0].column, faults[0].line), ("price", 3));
}
