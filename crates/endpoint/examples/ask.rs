//! Asks an endpoint, in JSON lines.
//!
//! `ask ORDERS` with ORDERS as in `{"base_url": "...", "model": "m", "ledger": "calls.jsonl", "limit": 100}`; requests come in
//! as JSON lines, and answers go out as such, in order. With `"check": true` the check goes out instead. The key is the
//! variable `COUNSEL_ENDPOINT_KEY`, if there is one.

use std::error::Error;
use std::io::{BufRead, Write, stdin, stdout};
use std::time::Duration;

use counsel_advisor::{LanguageModel, Request};
use counsel_endpoint::{Endpoint, EndpointSettings, Key, Ledger, OtherModel};
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Orders {
    base_url: String,
    model: String,
    ledger: String,
    limit: u64,
    time_out_ms: Option<u64>,
    deadline_ms: Option<u64>,
    retries: Option<u32>,
    first_pause_ms: Option<u64>,
    concurrency: Option<usize>,
    max_body_bytes: Option<usize>,
    #[serde(default)]
    accept_other_model: bool,
    #[serde(default)]
    check: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let orders = std::env::args().nth(1).ok_or("pass the orders as a JSON object")?;
    let orders: Orders = serde_json::from_str(&orders)?;
    let mut settings = EndpointSettings::new(orders.base_url, orders.model);
    #[expect(clippy::disallowed_methods, reason = "a program, not a library")]
    let key = std::env::var("COUNSEL_ENDPOINT_KEY").ok();
    settings.key = key.map(Key::new).transpose()?;
    settings.time_out = orders.time_out_ms.map_or(settings.time_out, Duration::from_millis);
    settings.deadline = orders.deadline_ms.map_or(settings.deadline, Duration::from_millis);
    settings.first_pause = orders.first_pause_ms.map_or(settings.first_pause, Duration::from_millis);
    settings.retries = orders.retries.unwrap_or(settings.retries);
    settings.concurrency = orders.concurrency.unwrap_or(settings.concurrency);
    settings.max_body_bytes = orders.max_body_bytes.unwrap_or(settings.max_body_bytes);
    if orders.accept_other_model {
        settings.other_model = OtherModel::Accepted;
    }
    let mut endpoint = Endpoint::new(settings, Ledger::open(orders.ledger, orders.limit)?)?;
    let mut out = stdout().lock();
    if orders.check {
        writeln!(out, "{}", serde_json::to_string(&endpoint.check())?)?;
        return Ok(());
    }
    let requests = stdin().lock().lines().map(|line| Ok(serde_json::from_str(&line?)?));
    let requests = requests.collect::<Result<Vec<Request>, Box<dyn Error>>>()?;
    for answer in endpoint.answer(&requests) {
        let line = match answer {
            Ok(utterance) => serde_json::to_string(&utterance)?,
            Err(outage) => json!({ "outage": outage.reason }).to_string(),
        };
        writeln!(out, "{line}")?;
    }
    Ok(())
}
