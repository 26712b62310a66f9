//! `counsel serve`: the gate beside any agent, over HTTP.

mod front;
mod store;

pub(crate) use front::Shared;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use counsel_file::{Expected, Printable};
use counsel_serve::{Error, Listener, Onlooker, Service, Surroundings, serve_behind};

use crate::{interrupt, telemetry};

/// A policy or a budget as a file.
const DECLARED: Expected = Expected { what: "a policy or budget", most_bytes: 256 << 10 };
/// Threads that speak to clients.
const THREADS: usize = 2;

/// Serve the gate to any agent: decisions, permits and budgets over HTTP, with a journal that survives a kill.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel serve --dir gate --policy corridor=policy.toml
  counsel serve --dir gate --listen unix:/run/counsel.sock
  counsel serve --dir gate --listen 0.0.0.0:8787 --token-env COUNSEL_TOKEN
  counsel serve --dir gate --store env:GATE_URL

The smallest policy file:
  price = 0.01
  actions = [\"left\", \"right\", \"forward\"]
  [budget]
  calls = 100

With [endpoints.advisor] in a policy file (base_url, model, key_env) the server asks for its callers: POST /v1/ask. With [endpoints.cheap],
too, POST /v1/chat/completions serves the model counsel/NAME. POST /mcp/NAME speaks MCP.

OTEL_EXPORTER_OTLP_ENDPOINT in the environment sends traces and metrics to a receiver of OpenTelemetry.

Prints `listening on http://127.0.0.1:PORT` and serves until it is interrupted. Whatever was acknowledged is in DIR/serve.journal, and
starting again on the same folder goes on from there. With --store it is in PostgreSQL, and every server with the same store has the
same budgets, keys and answers; GATE_URL holds postgres://USER:PASSWORD@HOST/DATABASE. `counsel audit`, `explain`, `report`, `view` and `shadow` read DIR while it runs.")]
pub(crate) struct Serve {
    /// The folder of the journal and the log
    #[arg(long, value_name = "DIR")]
    dir: PathBuf,
    /// Where to listen: ADDRESS:PORT, or unix:PATH
    #[arg(long, value_name = "WHERE", default_value = "127.0.0.1:0")]
    listen: String,
    /// A policy to declare at the start; may be repeated
    #[arg(long, value_name = "NAME=FILE", value_parser = named)]
    policy: Vec<(String, PathBuf)>,
    /// A budget above policies to declare at the start; may be repeated
    #[arg(long, value_name = "NAME=FILE", value_parser = named)]
    budget: Vec<(String, PathBuf)>,
    /// Keep the journal in PostgreSQL, together with other servers: postgres://..., or env:NAME for the variable that holds it
    #[arg(long, value_name = "URL")]
    store: Option<String>,
    /// The environment variable that holds the token clients must send
    #[arg(long, value_name = "NAME")]
    token_env: Option<String>,
}

/// A name and a file.
fn named(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, file)) if !name.is_empty() && !file.is_empty() => Ok((name.to_owned(), file.into())),
        _ => Err("pass NAME=FILE, as in corridor=policy.toml".into()),
    }
}

pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
}

impl Serve {
    pub(crate) fn run(&self) -> Result<()> {
        let token = self.token_env.as_deref().map(token).transpose()?;
        let surroundings = Surroundings { clock: Box::new(now), report: Box::new(report) };
        let service = match &self.store {
            Some(store) => Service::open_shared(&self.dir, Box::new(store::journal(store)?), surroundings)?,
            None => Service::open(&self.dir, surroundings)?,
        };
        let service = Arc::new(service);
        let telemetry = telemetry::begin(&service)?;
        let onlooker = telemetry.clone().map(|telemetry| -> Arc<dyn Onlooker> { telemetry });
        let mut gate = front::Gate::new(&service, onlooker);
        for (name, file) in &self.budget {
            service.declare("budgets", name, &counsel_file::read(file, DECLARED)?)?;
        }
        for (name, file) in &self.policy {
            let declared = gate.declare(&self.dir, name, &counsel_file::read(file, DECLARED)?);
            let policy = declared.map_err(|error| anyhow!("{}: {error}", file.display()))?;
            service.declare("policies", name, &policy)?;
        }
        let ending = Arc::clone(&service);
        interrupt::at_end(move || {
            // The journal has all that was acknowledged; the log is made again from it.
            if let Err(error) = ending.publish() {
                eprintln!("the log falls behind: {}", Printable(error));
            }
            if let Some(telemetry) = &telemetry {
                telemetry.end();
            }
        });
        interrupt::explain("what was acknowledged is kept; serve again to go on");
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(THREADS).enable_io().enable_time().build()?;
        runtime.block_on(async {
            let listener = Listener::bind(&self.listen, token.is_some()).await?;
            let guard = listener.guard(token.as_deref());
            let mut out = std::io::stdout().lock();
            writeln!(out, "listening on {}", listener.url())?;
            out.flush()?;
            drop(out);
            match serve_behind(Some(Arc::new(gate)), listener, guard, service).await {}
        })
    }
}

fn report(error: &Error) {
    match error {
        Error::Away { .. } => eprintln!("{}; until it can, requests get 503", Printable(error)),
        Error::Unfit { .. } => eprintln!("{}; requests get 503", Printable(error)),
        _ => eprintln!("the log falls behind: {}", Printable(error)),
    }
}

/// The token in a variable.
fn token(name: &str) -> Result<String> {
    let token = std::env::var(name).with_context(|| format!("the variable {name} holds no token; set it"))?;
    if token.len() < 16 {
        bail!(
            "the token in {name} has {} characters; use at least 16, as `openssl rand -hex 16` gives them",
            token.len()
        );
    }
    Ok(token)
}
