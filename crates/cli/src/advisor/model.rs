//! Where models lie, and how one is opened: from a file, or behind an endpoint.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use counsel_advisor::LanguageModel;
use counsel_endpoint::{Endpoint, Key, Ledger, OtherModel, Settings};
use counsel_local::{Local, Options, Processor};
use counsel_weights::{Models, Sources};

/// The folder of models.
#[derive(Debug, Clone, Args)]
pub(crate) struct Folder {
    /// The folder of models [default: $COUNSEL_MODELS, or counsel/models in your data folder]
    #[arg(long, value_name = "FOLDER")]
    models: Option<PathBuf>,
}

impl Folder {
    /// The models in it.
    pub(crate) fn open(&self) -> Result<Models> {
        let folder = match &self.models {
            Some(folder) => folder.clone(),
            None => default_folder()?,
        };
        let mut sources = Sources::default();
        if let Some(hub) = variable("HF_ENDPOINT") {
            sources.hub = hub;
        }
        if let Some(python) = variable("PYTHON") {
            sources.python = python.into();
        }
        Ok(Models::at(folder)?.with_sources(sources))
    }
}

fn default_folder() -> Result<PathBuf> {
    if let Some(folder) = variable("COUNSEL_MODELS") {
        return Ok(folder.into());
    }
    let data = variable("XDG_DATA_HOME").map(PathBuf::from);
    let home =
        || variable("HOME").or_else(|| variable("USERPROFILE")).map(|home| PathBuf::from(home).join(".local/share"));
    let data = data.or_else(home).context("there is no home folder; pass --models FOLDER or set COUNSEL_MODELS")?;
    Ok(data.join("counsel/models"))
}

/// An environment variable that says something.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|text| !text.is_empty())
}

/// How an endpoint is reached. The key is read from the environment and shown nowhere.
#[derive(Debug, Clone, Args)]
pub(crate) struct Remote {
    /// Ask this OpenAI-compatible endpoint instead of a file
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// The environment variable that holds the endpoint's key
    #[arg(long, value_name = "NAME", default_value = "OPENAI_API_KEY")]
    key_env: String,
    /// Most calls to the endpoint, retries included; those in the ledger count
    #[arg(long, value_name = "CALLS")]
    pub(crate) budget: Option<u64>,
    /// The file that every paid attempt is written to; kept over runs, so that the budget is
    #[arg(long, value_name = "FILE", requires = "budget")]
    ledger: Option<PathBuf>,
    /// Seconds that one attempt may take
    #[arg(long, value_name = "S", default_value_t = 30.0)]
    time_out: f64,
    /// Seconds that a request may take with all its attempts
    #[arg(long, value_name = "S", default_value_t = 120.0)]
    deadline: f64,
    /// Attempts after the first one
    #[arg(long, value_name = "N", default_value_t = 3)]
    retries: u32,
    /// Take answers that name another model than was asked for
    #[arg(long)]
    any_model: bool,
}

impl Remote {
    /// The endpoint at this address.
    pub(crate) fn endpoint(&self, base_url: &str, model: &str) -> Result<Endpoint> {
        let mut settings = Settings::new(base_url, model);
        settings.key = variable(&self.key_env).map(Key::new).transpose()?;
        settings.time_out = seconds("--time-out", self.time_out)?;
        settings.deadline = seconds("--deadline", self.deadline)?;
        settings.retries = self.retries;
        if self.any_model {
            settings.other_model = OtherModel::Accepted;
        }
        // A single question, with its retries, is what a command without a budget may cost.
        let budget = self.budget.unwrap_or(u64::from(self.retries) + 1);
        let ledger = match &self.ledger {
            Some(path) => Ledger::open(path, budget)?,
            None => Ledger::in_memory(budget),
        };
        Ok(Endpoint::new(settings, ledger)?)
    }
}

fn seconds(name: &str, value: f64) -> Result<Duration> {
    Duration::try_from_secs_f64(value).with_context(|| format!("{name} is {value}; pass some seconds"))
}

/// A model to talk to: from a file, or behind an endpoint.
#[derive(Debug, Clone, Args)]
pub(crate) struct Voice {
    #[command(flatten)]
    pub(crate) folder: Folder,
    #[command(flatten)]
    pub(crate) remote: Remote,
    /// Threads of a model from a file; its answers are the same for any number
    #[arg(long, value_name = "N", default_value = "2", value_parser = crate::amount::threads)]
    threads: NonZeroUsize,
    /// Compute on the NVIDIA GPU; needs a build with --features cuda, and gives the same answers to the bit
    #[arg(long)]
    gpu: bool,
}

impl Voice {
    /// Opens the model of this name, or of this file.
    pub(crate) fn open(&self, model: &str) -> Result<Box<dyn LanguageModel + Send>> {
        match &self.remote.base_url {
            Some(base_url) => Ok(Box::new(self.remote.endpoint(base_url, model)?)),
            None => Ok(Box::new(self.open_file(model)?)),
        }
    }

    /// Opens the model of this name, or of this file, in this process.
    pub(crate) fn open_file(&self, model: &str) -> Result<Local> {
        let located = self.folder.open()?.locate(model)?;
        let processor = if self.gpu { Processor::Cuda } else { Processor::Cpu };
        let digest = located.model.map(|model| model.sha256);
        let options = Options::new(located.name).threads(self.threads.get()).processor(processor).digest(digest);
        Ok(Local::open(&located.path, options)?)
    }
}
