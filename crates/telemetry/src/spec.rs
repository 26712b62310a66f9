//! Where telemetry goes, by the variables that OpenTelemetry declares for exporters.
//!
//! | variable | default | meaning |
//! |---|---|---|
//! | `OTEL_EXPORTER_OTLP_ENDPOINT` | off | the receiver; `/v1/traces` and `/v1/metrics` are added |
//! | `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`, `…_METRICS_ENDPOINT` | from the one above | the whole address of one of them |
//! | `OTEL_EXPORTER_OTLP_HEADERS` | none | `name=value` pairs with commas between; values may be percent-encoded |
//! | `OTEL_EXPORTER_OTLP_PROTOCOL` | `http/json` | `http/json` |
//! | `OTEL_EXPORTER_OTLP_TIMEOUT` | 10000 | how long a receiver may take, in milliseconds |
//! | `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES` | `counsel`, none | what names the process |
//! | `OTEL_TRACES_EXPORTER`, `OTEL_METRICS_EXPORTER` | `otlp` | `none` switches one of them off |
//! | `OTEL_BSP_SCHEDULE_DELAY`, `OTEL_METRIC_EXPORT_INTERVAL` | 5000, 60000 | how often each is sent, in milliseconds |
//! | `OTEL_SDK_DISABLED` | false | `true` switches all of it off |

use std::time::Duration;

use percent_encoding::percent_decode_str;

use crate::Error;

/// Where telemetry goes.
#[derive(Clone, PartialEq)]
pub struct TelemetrySpec {
    /// The address that takes traces.
    pub traces: Option<String>,
    /// The address that takes metrics.
    pub metrics: Option<String>,
    /// Headers of every request; they may hold a secret.
    pub headers: Vec<(String, String)>,
    /// How long a receiver may take.
    pub time_out: Duration,
    /// The name of the service.
    pub service: String,
    /// More attributes of the process.
    pub resource: Vec<(String, String)>,
    /// How often traces are sent.
    pub traces_every: Duration,
    /// How often metrics are sent.
    pub metrics_every: Duration,
}

impl std::fmt::Debug for TelemetrySpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TelemetrySpec")
            .field("traces", &self.traces)
            .field("metrics", &self.metrics)
            .field("headers", &self.headers.len())
            .finish_non_exhaustive()
    }
}

const ENDPOINT: &str = "OTEL_EXPORTER_OTLP_ENDPOINT";
const HEADERS: &str = "OTEL_EXPORTER_OTLP_HEADERS";
const PROTOCOL: &str = "OTEL_EXPORTER_OTLP_PROTOCOL";
const RESOURCE: &str = "OTEL_RESOURCE_ATTRIBUTES";

impl TelemetrySpec {
    /// What the environment says; none where it names no receiver. `variable` gives a variable that is set and not empty.
    pub fn from_environment(variable: &dyn Fn(&str) -> Option<String>) -> Result<Option<Self>, Error> {
        if variable("OTEL_SDK_DISABLED").is_some_and(|text| text.trim().eq_ignore_ascii_case("true")) {
            return Ok(None);
        }
        let base = variable(ENDPOINT).map(|text| address(ENDPOINT, &text)).transpose()?;
        let of = |signal: &str, own: &'static str, exporter: &'static str| {
            match variable(exporter).as_deref().map(str::trim) {
                None | Some("otlp") => {}
                Some("none") => return Ok(None),
                Some(_) => return refuse(exporter, "it names no exporter of this program; set it to otlp or none"),
            }
            let named = variable(own).map(|text| address(own, &text)).transpose()?;
            Ok(named.or_else(|| base.as_ref().map(|base| format!("{}/v1/{signal}", base.trim_end_matches('/')))))
        };
        let traces = of("traces", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_TRACES_EXPORTER")?;
        let metrics = of("metrics", "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "OTEL_METRICS_EXPORTER")?;
        if traces.is_none() && metrics.is_none() {
            return Ok(None);
        }
        if let Some(other) = variable(PROTOCOL).filter(|protocol| protocol.trim() != "http/json") {
            let reason = format!("`{}` is not spoken; set it to http/json, which receivers of OTLP take", other.trim());
            return refuse(PROTOCOL, &reason);
        }
        let milliseconds = |name: &'static str, default: u64| match variable(name) {
            None => Ok(Duration::from_millis(default)),
            Some(text) => match text.trim().parse::<u64>().ok().filter(|number| (1..=86_400_000).contains(number)) {
                Some(number) => Ok(Duration::from_millis(number)),
                None => refuse(name, "it is no number of milliseconds from 1 to 86400000; set one"),
            },
        };
        let headers = variable(HEADERS).map_or(Ok(Vec::new()), |text| pairs(HEADERS, &text))?;
        if headers.iter().any(|(name, value)| !is_header(name, value)) {
            return refuse(HEADERS, "a name or a value cannot stand in a header; set name=value,name=value");
        }
        let mut resource = variable(RESOURCE).map_or(Ok(Vec::new()), |text| pairs(RESOURCE, &text))?;
        let named = resource.iter().position(|(name, _)| name == "service.name").map(|at| resource.remove(at).1);
        Ok(Some(Self {
            traces,
            metrics,
            headers,
            time_out: milliseconds("OTEL_EXPORTER_OTLP_TIMEOUT", 10_000)?,
            service: variable("OTEL_SERVICE_NAME").or(named).unwrap_or_else(|| "counsel".to_owned()),
            resource,
            traces_every: milliseconds("OTEL_BSP_SCHEDULE_DELAY", 5_000)?,
            metrics_every: milliseconds("OTEL_METRIC_EXPORT_INTERVAL", 60_000)?,
        }))
    }
}

fn refuse<T>(variable: &'static str, reason: &str) -> Result<T, Error> {
    Err(Error::Variable { variable, reason: reason.to_owned() })
}

fn address(variable: &'static str, text: &str) -> Result<String, Error> {
    let text = text.trim();
    let host = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    if host.is_some_and(|host| !host.is_empty() && !host.contains(['@', '#', ' '])) {
        return Ok(text.to_owned());
    }
    // What stands before an @ may be a password.
    refuse(
        variable,
        "it is no address of a receiver; set one like http://127.0.0.1:4318, and put secrets into OTEL_EXPORTER_OTLP_HEADERS",
    )
}

fn pairs(variable: &'static str, text: &str) -> Result<Vec<(String, String)>, Error> {
    let listed = text.split(',').map(str::trim).filter(|pair| !pair.is_empty());
    let read = |pair: &str| {
        let (name, value) = pair.split_once('=')?;
        let name = name.trim();
        (!name.is_empty())
            .then(|| Some((name.to_owned(), percent_decode_str(value.trim()).decode_utf8().ok()?.into_owned())))?
    };
    let read: Option<Vec<(String, String)>> = listed.map(read).collect();
    read.map_or_else(|| refuse(variable, "it is no list of name=value with commas between; set one"), Ok)
}

fn is_header(name: &str, value: &str) -> bool {
    let token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    name.bytes().all(token) && value.bytes().all(|byte| (0x20..0x7f).contains(&byte))
}
