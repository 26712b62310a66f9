//! One POST to the receiver.

use ureq::Agent;

use crate::TelemetrySpec;

/// A receiver that can be written to.
#[derive(Debug)]
pub(crate) struct Receiver {
    agent: Agent,
    headers: Vec<(String, String)>,
}

impl Receiver {
    pub(crate) fn new(spec: &TelemetrySpec) -> Self {
        // A redirect could carry a secret elsewhere.
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_global(Some(spec.time_out))
            .build()
            .new_agent();
        Self { agent, headers: spec.headers.clone() }
    }

    /// Hands over a document; the error says why it was not taken, without the secrets of a header.
    pub(crate) fn post(&self, address: &str, document: &str) -> Result<(), String> {
        let mut request =
            ureq::http::Request::builder().method("POST").uri(address).header("content-type", "application/json");
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        let request =
            request.body(document.to_owned()).map_err(|_| format!("{address} is no address that can be written to"))?;
        let response =
            self.agent.run(request).map_err(|error| format!("{address} does not take telemetry ({error})"))?;
        let status = response.status();
        if status.is_success() {
            Ok(())
        } else {
            Err(format!("{address} refuses telemetry with status {}", status.as_u16()))
        }
    }
}
