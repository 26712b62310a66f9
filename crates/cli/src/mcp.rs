//! `counsel mcp`: the gate as a tool of a coding agent.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use counsel_broker::{Broker, LocalSidecar, PolicyFile, RemoteSidecar, Seat, Sidecar};
use counsel_file::{Expected, Printable};
use counsel_mcp::{McpServer, serve_lines};
use counsel_serve::{Onlooker, Service, Surroundings};

use crate::serve::{Shared, now};
use crate::telemetry;

/// A policy as a file.
const POLICY: Expected = Expected { what: "a policy", most_bytes: 256 << 10 };

/// Give a coding agent the tools `ask_advisor`, `report_outcome` and `advice_budget` over MCP.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel mcp --dir gate --policy coding=policy.toml
  counsel mcp --url http://127.0.0.1:8787 --policy coding
  claude mcp add advisor -- counsel mcp --dir ~/.counsel --policy coding=policy.toml

The agent may call ask_advisor as often as it likes. The advisor is asked where the answer is worth its price, within the budget.
A policy file for a coding agent, with the advisor behind any OpenAI-compatible endpoint:
  price = 0.05
  actions = [\"own\", \"advice\"]
  [budget]
  calls = 100
  [endpoints.advisor]
  base_url = \"https://api.example.com\"
  model = \"big-model\"
  key_env = \"BIG_MODEL_KEY\"

Without an endpoint the client's user is asked, where the client shows forms (elicitation). Messages are read from standard input, one
per line. With --dir the decisions are made in this process, which claims the folder; several agents share one `counsel serve` by --url.")]
pub(crate) struct Mcp {
    /// The folder of the journal and the log
    #[arg(long, value_name = "DIR", required_unless_present = "url", conflicts_with = "url")]
    dir: Option<PathBuf>,
    /// A running `counsel serve`
    #[arg(long, value_name = "URL")]
    url: Option<String>,
    /// The policy that decides, and with --dir its file
    #[arg(long, value_name = "NAME[=FILE]")]
    policy: String,
    /// The run whose budget pays
    #[arg(long, value_name = "NAME", default_value = "mcp")]
    run: String,
    /// The environment variable that holds the token of the server at --url
    #[arg(long, value_name = "NAME", requires = "url")]
    token_env: Option<String>,
}

impl Mcp {
    pub(crate) fn run(&self) -> Result<()> {
        let (name, file) = match self.policy.split_once('=') {
            Some((name, file)) => (name, Some(file)),
            None => (self.policy.as_str(), None),
        };
        for (flag, name) in [("--policy", name), ("--run", self.run.as_str())] {
            if !is_name(name) {
                bail!("{flag}: `{}` is no name; use 1 to 64 letters, digits, -, _ and .", Printable(&name));
            }
        }
        let sidecar = self.sidecar(name, file)?;
        let seat = Seat { policy: name.to_owned(), run: self.run.clone(), episode: None };
        let server = McpServer::new(sidecar, seat, nonce());
        // What was answered is written by then; a client that closed its end wants nothing more.
        match serve_lines(&server, std::io::stdin().lock(), std::io::stdout()) {
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
                Err(error).context("the MCP client cannot be spoken to")
            }
            _ => Ok(()),
        }
    }

    fn sidecar(&self, name: &str, file: Option<&str>) -> Result<Box<dyn Sidecar>> {
        match (&self.url, &self.dir) {
            (Some(url), _) => {
                if file.is_some() {
                    bail!(
                        "--url has its policies already; pass --policy {name}, or PUT the file to {url}/v1/policies/{name}"
                    );
                }
                let token = self
                    .token_env
                    .as_deref()
                    .map(|name| variable(name).with_context(|| format!("the variable {name} holds no token; set it")));
                Ok(Box::new(RemoteSidecar::new(url, token.transpose()?.as_deref())?))
            }
            (None, Some(dir)) => {
                let service = Arc::new(Service::open(dir, surroundings())?);
                let onlooker = telemetry::begin(&service)?.map(|telemetry| -> Arc<dyn Onlooker> { telemetry });
                let local = Box::new(LocalSidecar(Arc::clone(&service)));
                let broker = Broker::new(local, nonce()).watched_by(onlooker.clone());
                if let Some(file) = file {
                    let bytes = counsel_file::read(file.as_ref(), POLICY)?;
                    let text = String::from_utf8(bytes).with_context(|| format!("{file} is no UTF-8 text"))?;
                    let read = PolicyFile::read(&text, &variable).map_err(|error| anyhow!("{file}: {error}"))?;
                    let PolicyFile { policy, endpoints, questions } = read;
                    service.declare("policies", name, policy.as_bytes())?;
                    broker.declare(name, endpoints);
                    if let Some(questions) = questions {
                        broker.decide_questions(name, questions, Some(questions_of(dir, name)))?;
                    }
                }
                Ok(Box::new(Shared { broker: Arc::new(broker), onlooker }))
            }
            (None, None) => {
                bail!("pass --dir DIR for decisions in this process, or --url URL of a running `counsel serve`")
            }
        }
    }
}

/// A clock, and a voice for faults of the log. Standard output belongs to the protocol.
fn surroundings() -> Surroundings {
    let report = |error: &counsel_serve::Error| {
        // A client that closed standard error hears nothing.
        let _ = writeln!(std::io::stderr(), "the log falls behind: {}", Printable(error));
    };
    Surroundings { clock: Box::new(now), report: Box::new(report) }
}

/// Whether a text names a policy or a run.
fn is_name(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    (1..=64).contains(&text.len()) && !text.starts_with('.') && text.bytes().all(plain)
}

/// The file of a policy's questions.
pub(crate) fn questions_of(dir: &Path, policy: &str) -> PathBuf {
    dir.join(format!("questions-{policy}.jsonl"))
}

/// What is in a variable, unless it is empty.
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|text| !text.trim().is_empty())
}

/// What the keys of this process begin with. No two processes have the same.
pub(crate) fn nonce() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("n{:x}-{:x}", since.as_nanos(), std::process::id())
}
