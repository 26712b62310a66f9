//! A receiver that fails is in nobody's way.

use std::time::{Duration, Instant};

use crate::receiver::{Collector, Manner};
use crate::served::{POLICY, Watch};

fn dropped(counts: &str) -> u64 {
    let line = counts.lines().find(|line| line.starts_with("counsel_telemetry_dropped_total ")).unwrap();
    line.rsplit(' ').next().unwrap().parse().unwrap()
}

/// Steps against a server whose receiver behaves so; how long the slowest took, and what was dropped.
fn under(manner: Manner) -> (Duration, u64, Vec<String>) {
    let (dir, collector) = (tempfile::tempdir().unwrap(), Collector::that(manner));
    let variables = [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url.as_str()),
        ("OTEL_EXPORTER_OTLP_TIMEOUT", "3000"),
        ("OTEL_BSP_SCHEDULE_DELAY", "20"),
        ("OTEL_METRIC_EXPORT_INTERVAL", "50"),
        ("OTEL_EXPORTER_OTLP_HEADERS", "x-key=sk-0123456789"),
    ];
    let watch = Watch::over(dir.path(), POLICY, &variables);
    let mut client = watch.client();
    let mut slowest = Duration::ZERO;
    for step in 0..60 {
        let began = Instant::now();
        client.step(&step.to_string(), (&format!("e{step}"), &format!("room {step}")), true);
        slowest = slowest.max(began.elapsed());
    }
    watch.telemetry.end();
    let reports = watch.reports.lock().unwrap().clone();
    (slowest, dropped(&client.text("GET /metrics", &[], "")), reports)
}

#[test]
fn one_that_hangs_holds_nothing_up_and_what_is_lost_is_counted() {
    let (slowest, dropped, reports) = under(Manner::Hangs);
    assert!(slowest < Duration::from_millis(2500), "a step waited {slowest:?} for a receiver that takes 3 s to fail");
    assert!(dropped >= 60, "{dropped} dropped");
    assert!(reports.len() == 1 && !reports[0].contains("sk-0"), "{reports:?}");
}

#[test]
fn one_that_refuses_is_told_once_and_what_is_lost_is_counted() {
    let (_, dropped, reports) = under(Manner::Refuses);
    assert!(dropped >= 60, "{dropped} dropped");
    assert!(reports.len() == 1 && reports[0].contains("503"), "{reports:?}");
}

#[test]
fn one_that_takes_loses_nothing() {
    let (_, dropped, reports) = under(Manner::Takes);
    assert_eq!((dropped, reports.len()), (0, 0));
}
