//! Traces and metrics by OpenTelemetry, where the environment names a receiver.

use std::io::Write;
use std::sync::Arc;

use anyhow::Result;
use counsel_file::Printable;
use counsel_serve::{Request, Service};
use counsel_telemetry::{Telemetry, TelemetrySpec};
use serde_json::Value;

use crate::mcp::{nonce, variable};

/// The onlooker of a service; none where no receiver is named.
pub(crate) fn begin(service: &Arc<Service>) -> Result<Option<Arc<Telemetry>>> {
    let Some(spec) = TelemetrySpec::from_environment(&variable)? else { return Ok(None) };
    let service = Arc::downgrade(service);
    let inquire = move |path: &str| {
        let response = service.upgrade()?.answer(&Request::new("GET", path, ""));
        let text = String::from_utf8(response.body).ok().filter(|_| response.status == 200)?;
        Some(serde_json::from_str(&text).unwrap_or(Value::String(text)))
    };
    let report = |reason: &str| {
        // A client that closed standard error hears nothing.
        let _ = writeln!(std::io::stderr(), "telemetry is lost: {}", Printable(&reason));
    };
    Ok(Some(Arc::new(Telemetry::begin(spec, nonce(), Box::new(inquire), Box::new(report)))))
}
