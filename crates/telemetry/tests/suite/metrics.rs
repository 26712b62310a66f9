//! Metrics: the server's counts and how long things took.

use serde_json::json;

use crate::receiver::{Collector, Manner, attribute};
use crate::served::{POLICY, Watch};

#[test]
fn counts_and_durations_are_metrics() {
    let (dir, collector) = (tempfile::tempdir().unwrap(), Collector::that(Manner::Takes));
    let watch = Watch::over(dir.path(), POLICY, &[("OTEL_EXPORTER_OTLP_ENDPOINT", &format!("{}/", collector.url))]);
    let mut client = watch.client();
    for step in 0..3 {
        client.step(&step.to_string(), ("e", &format!("room {step}")), step == 2);
    }
    watch.telemetry.end();
    let document = collector.documents("/v1/metrics").pop().expect("metrics are sent at the end");
    let metrics = document["resourceMetrics"][0]["scopeMetrics"][0]["metrics"].as_array().unwrap().clone();
    let find = |name: &str| {
        metrics.iter().find(|metric| metric["name"] == name).unwrap_or_else(|| panic!("{name} is missing"))
    };
    let verdicts = &find("counsel.verdicts")["sum"];
    assert_eq!((&verdicts["isMonotonic"], &verdicts["aggregationTemporality"]), (&json!(true), &json!(2)));
    let asked = verdicts["dataPoints"]
        .as_array()
        .unwrap()
        .iter()
        .find(|point| attribute(point, "counsel.verdict") == "ask")
        .unwrap();
    assert_eq!((attribute(asked, "counsel.policy"), &asked["asDouble"]), (json!("p"), &json!(3.0)));
    assert_eq!(find("counsel.budget.spent")["gauge"]["dataPoints"][0]["asDouble"], 3.0);
    let requests = find("http.server.request.duration")["histogram"]["dataPoints"].as_array().unwrap().clone();
    let decided = requests.iter().find(|point| attribute(point, "http.route") == "/v1/decisions").unwrap();
    assert_eq!(decided["count"], "3");
    let buckets: u64 = decided["bucketCounts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|count| count.as_str().unwrap().parse::<u64>().unwrap())
        .sum();
    assert_eq!(buckets, 3);
    let counts = client.text("GET /metrics", &[], "");
    assert!(
        counts.contains("counsel_telemetry_dropped_total 0\n") && counts.contains("counsel_verdicts_total"),
        "{counts}"
    );
    assert!(collector.spans().iter().all(|span| attribute(span, "http.route") != "other"));
}
