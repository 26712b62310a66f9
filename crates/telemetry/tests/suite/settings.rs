//! The variables of OpenTelemetry.

use counsel_telemetry::TelemetrySpec;
use proptest::prelude::*;

fn read(variables: &[(&str, &str)]) -> Result<Option<TelemetrySpec>, String> {
    let variable = |name: &str| variables.iter().find(|(set, _)| *set == name).map(|(_, text)| (*text).to_owned());
    TelemetrySpec::from_environment(&variable).map_err(|error| error.to_string())
}

const HERE: (&str, &str) = ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:4318/base/");

#[test]
fn it_is_off_unless_a_receiver_is_named() {
    assert_eq!(read(&[]), Ok(None));
    assert_eq!(read(&[("OTEL_SERVICE_NAME", "x")]), Ok(None));
    assert_eq!(read(&[HERE, ("OTEL_SDK_DISABLED", "TRUE")]), Ok(None));
    assert_eq!(read(&[HERE, ("OTEL_TRACES_EXPORTER", "none"), ("OTEL_METRICS_EXPORTER", "none")]), Ok(None));
    let spec = read(&[HERE]).unwrap().unwrap();
    assert_eq!(
        (spec.traces.as_deref(), spec.service.as_str()),
        (Some("http://127.0.0.1:4318/base/v1/traces"), "counsel")
    );
    assert_eq!(spec.metrics.as_deref(), Some("http://127.0.0.1:4318/base/v1/metrics"));
    let own = ("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "https://example.com/m");
    let spec = read(&[HERE, own, ("OTEL_TRACES_EXPORTER", "none")]).unwrap().unwrap();
    assert_eq!((spec.traces, spec.metrics.as_deref()), (None, Some("https://example.com/m")));
}

#[test]
fn names_and_headers_are_read_as_the_standard_says() {
    let more = [
        ("OTEL_RESOURCE_ATTRIBUTES", "service.name=a,team=b%2Cc"),
        ("OTEL_EXPORTER_OTLP_HEADERS", "x-key = v%20w , y=z"),
    ];
    let spec = read(&[&[HERE][..], &more].concat()).unwrap().unwrap();
    assert_eq!((spec.service.as_str(), &spec.resource[..]), ("a", &[("team".to_owned(), "b,c".to_owned())][..]));
    assert_eq!(spec.headers, [("x-key".to_owned(), "v w".to_owned()), ("y".to_owned(), "z".to_owned())]);
    let named = read(&[HERE, more[0], ("OTEL_SERVICE_NAME", "n")]).unwrap().unwrap();
    assert_eq!(named.service, "n");
    assert!(!format!("{spec:?}").contains("v w"), "a header is a secret");
}

#[test]
fn what_is_wrong_is_named_with_the_remedy() {
    for (name, text, words) in [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "127.0.0.1:4318", "http://127.0.0.1:4318"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://user:sk-1@x", "OTEL_EXPORTER_OTLP_HEADERS"),
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", "http/json"),
        ("OTEL_EXPORTER_OTLP_TIMEOUT", "soon", "milliseconds"),
        ("OTEL_METRIC_EXPORT_INTERVAL", "0", "1 to 86400000"),
        ("OTEL_TRACES_EXPORTER", "zipkin", "otlp or none"),
        ("OTEL_EXPORTER_OTLP_HEADERS", "sk-1", "name=value"),
        ("OTEL_EXPORTER_OTLP_HEADERS", "a b=sk-1", "cannot stand in a header"),
    ] {
        let error = read(&[(name, text), HERE]).unwrap_err();
        assert!(error.starts_with(name) && error.contains(words) && !error.contains("sk-1"), "{error}");
    }
}

proptest! {
    #[test]
    fn no_header_is_shown_whatever_it_is(value in "[ -~]{0,20}", name in "[ -~]{0,8}") {
        let text = format!("{name}={value}Zq7secret");
        if let Err(error) = read(&[HERE, ("OTEL_EXPORTER_OTLP_HEADERS", &text)]) {
            prop_assert!(!error.contains("Zq7secret"));
        }
    }
}
