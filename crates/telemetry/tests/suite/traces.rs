//! What is exported of decisions is what `counsel shadow` reads.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use crate::receiver::{Collector, Manner, attribute};
use crate::served::{POLICY, Watch};

const PARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

#[test]
fn decisions_are_spans_and_the_shadow_reads_them() {
    let (dir, collector) = (tempfile::tempdir().unwrap(), Collector::that(Manner::Takes));
    let variables = [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url.as_str()),
        ("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20sk-0123456789"),
    ];
    let watch = Watch::over(dir.path(), POLICY, &variables);
    let mut client = watch.client();
    let (mut asked, mut decisions) = (0, 0);
    for episode in 0..3 {
        for step in 0..4 {
            let (name, context) = (format!("e{episode}"), format!("a secret room {step}"));
            let decided = client.step(&format!("{episode}-{step}"), (&name, &context), step == 3);
            asked += usize::from(decided["verdict"] == "ask");
            decisions += 1;
        }
    }
    assert!(asked > 0 && asked < decisions, "{asked} of {decisions} ask");
    watch.telemetry.end();
    let spans = collector.spans();
    let of = |key: &str| spans.iter().filter(|span| !attribute(span, key).is_null()).collect::<Vec<_>>();
    assert_eq!((of("counsel.decision.base").len(), of("gen_ai.operation.name").len()), (decisions, asked));
    let ids: BTreeMap<String, &Value> = spans.iter().map(|span| (span["spanId"].to_string(), span)).collect();
    assert_eq!(ids.len(), spans.len(), "no two spans have one name");
    for span in of("gen_ai.operation.name") {
        let decision = ids[&span["parentSpanId"].to_string()];
        assert_eq!(attribute(decision, "counsel.decision.asked"), true);
        assert_eq!(
            (attribute(span, "gen_ai.request.model"), attribute(span, "gen_ai.usage.input_tokens")),
            (json!("big"), json!("40"))
        );
        let request = ids[&decision["parentSpanId"].to_string()];
        assert_eq!(request["name"], "POST /v1/decisions");
        assert_eq!(request["traceId"], span["traceId"]);
    }
    for span in &spans {
        let times =
            ["startTimeUnixNano", "endTimeUnixNano"].map(|name| span[name].as_str().unwrap().parse::<u128>().unwrap());
        assert!(times[0] <= times[1] && times[0] > 1_000_000_000_000_000_000, "{span}");
        assert_eq!((span["traceId"].as_str().unwrap().len(), span["spanId"].as_str().unwrap().len()), (32, 16));
    }
    let texts: Vec<String> = collector.documents("/v1/traces").iter().map(Value::to_string).collect();
    assert!(
        texts.iter().all(|text| !text.contains("secret room") && !text.contains("Right.") && !text.contains("sk-0"))
    );
    assert!(collector.authorizations().iter().all(|header| header == "Bearer sk-0123456789"));

    let log = counsel_shadow::parse(Path::new("trace.json"), texts.join("\n").into_bytes()).unwrap();
    assert_eq!((log.rows(), log.episodes.len(), log.unfinished), (decisions, 3, 0));
    assert_eq!(log.header.words, ["left", "right", "forward"]);
    let read = format!("{log:?}");
    let of = |column: &str| read.split(column).nth(1).unwrap().split(']').next().unwrap().to_owned();
    assert_eq!(of(" asked: [").matches("true").count(), asked, "{read}");
    assert_eq!(of(" answer: [").matches('1').count() - of(" answer: [").matches("-1").count(), asked, "{read}");
}

#[test]
fn a_trace_goes_on_and_one_that_is_not_sampled_is_left_out() {
    let (dir, collector) = (tempfile::tempdir().unwrap(), Collector::that(Manner::Takes));
    let watch = Watch::over(
        dir.path(),
        POLICY,
        &[("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", &format!("{}/v1/traces", collector.url))],
    );
    let mut client = watch.client();
    let body = json!({ "policy": "p", "context": { "key": 1 }, "fallback": { "action": "left" } });
    client.post("/v1/decisions", &[("Idempotency-Key", "a"), ("traceparent", PARENT)], &body);
    client.post("/v1/decisions", &[("Idempotency-Key", "b"), ("traceparent", &PARENT.replace("-01", "-00"))], &body);
    // Sent again: no decision is made, and none is exported.
    client.post("/v1/decisions", &[("Idempotency-Key", "a"), ("traceparent", PARENT)], &body);
    watch.telemetry.end();
    let spans = collector.spans();
    let names: Vec<&str> = spans.iter().map(|span| span["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["POST /v1/decisions", "POST /v1/decisions", "counsel.decision p"]);
    assert!(spans.iter().all(|span| span["traceId"] == "0af7651916cd43dd8448eb211c80319c"));
    assert_eq!(spans[0]["parentSpanId"], "b7ad6b7169203331");
    assert_eq!(spans[2]["parentSpanId"], spans[0]["spanId"]);
    assert_eq!(attribute(&spans[2], "counsel.outcome.reward"), Value::Null, "nobody said what came of it");
    assert!(collector.documents("/v1/metrics").is_empty(), "only traces were asked for");
}

#[test]
fn texts_leave_only_where_the_policy_keeps_them() {
    let (dir, collector) = (tempfile::tempdir().unwrap(), Collector::that(Manner::Takes));
    let policy = format!("retain = \"texts\"\n{POLICY}");
    let watch = Watch::over(dir.path(), &policy, &[("OTEL_EXPORTER_OTLP_ENDPOINT", &collector.url)]);
    let decided = watch.client().step("a", ("e", "room 3"), true);
    assert_eq!(decided["verdict"], "ask");
    watch.telemetry.end();
    let spans = collector.spans();
    let decision = spans.iter().find(|span| span["name"] == "counsel.decision p").unwrap();
    assert_eq!(attribute(decision, "counsel.context"), "room 3");
    assert_eq!(
        (attribute(decision, "counsel.decision.reply"), attribute(decision, "counsel.decision.answer")),
        (json!("Right."), json!("right"))
    );
    assert_eq!(decision["events"][0]["name"], "gen_ai.evaluation.result");
}
