//! Where models lie, and how one is opened: from a file, or behind an endpoint.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use counsel_advisor::LanguageModel;
use counsel_local::{Local, Options, Processor};
use counsel_weights::{Models, Sources};

use super::remote::Remote;

/// Seconds that an answer of an endpoint is supposed to take.
const ENDPOINT_SECONDS: f64 = 0.5;
/// Seconds that a short question to a model from a file takes, however small it is.
const FILE_SECONDS: f64 = 0.1;
/// Seconds that one thread takes for such a question and each gigabyte of the file, after the times in `docs/PERFORMANCE.md`.
const THREAD_SECONDS_PER_GIGABYTE: f64 = 1.0;

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
        Self::open_at(self.path()?)
    }

    /// The known models, and the folder that they lie in; without one where there is no home to have it in.
    pub(crate) fn open_or_none(&self) -> Result<(Models, Option<PathBuf>)> {
        let folder = self.path().ok();
        Ok((Self::open_at(folder.clone().unwrap_or_default())?, folder))
    }

    fn path(&self) -> Result<PathBuf> {
        self.models.clone().map_or_else(default_folder, Ok)
    }

    fn open_at(folder: PathBuf) -> Result<Models> {
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
pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|text| !text.is_empty())
}

/// How a model from a file computes.
#[derive(Debug, Clone, Args)]
pub(crate) struct Computing {
    /// Threads of a model from a file; its answers are the same for any number
    #[arg(long, value_name = "N", default_value = "2", value_parser = crate::amount::threads)]
    threads: NonZeroUsize,
    /// Compute on the NVIDIA GPU; needs a build with --features cuda, and gives the same answers to the bit
    #[arg(long)]
    gpu: bool,
}

/// A model to talk to: from a file, or behind an endpoint.
#[derive(Debug, Clone, Args)]
pub(crate) struct Voice {
    #[command(flatten)]
    pub(crate) folder: Folder,
    #[command(flatten, next_help_heading = "Endpoint")]
    pub(crate) remote: Remote,
    // A heading holds for all flags that follow, those of the verb included, until there is another or none.
    #[command(flatten, next_help_heading = None::<&str>)]
    engine: Computing,
}

impl Voice {
    /// Opens the model of this name, or of this file, for one question at a time.
    pub(crate) fn open(&self, model: &str) -> Result<Box<dyn LanguageModel + Send>> {
        self.open_for(model, 1)
    }

    /// As [`Voice::open`], for `at_once` questions at a time.
    pub(crate) fn open_for(&self, model: &str, at_once: usize) -> Result<Box<dyn LanguageModel + Send>> {
        match &self.remote.base_url {
            Some(base_url) => Ok(Box::new(self.remote.endpoint(base_url, model, at_once)?)),
            None => Ok(Box::new(self.open_file(model)?)),
        }
    }

    /// About how many seconds a question takes, as long as nobody has measured it: by the size of its file and the threads, or
    /// [`ENDPOINT_SECONDS`].
    pub(crate) fn seconds_per_question(&self, model: &str) -> Result<f64> {
        if self.remote.base_url.is_some() {
            return Ok(ENDPOINT_SECONDS);
        }
        let bytes = std::fs::metadata(self.folder.open()?.locate(model)?.path)?.len();
        Ok(FILE_SECONDS + THREAD_SECONDS_PER_GIGABYTE * bytes as f64 / 1e9 / self.engine.threads.get() as f64)
    }

    /// Opens the model of this name, or of this file, in this process.
    pub(crate) fn open_file(&self, model: &str) -> Result<Local> {
        let located = self.folder.open()?.locate(model)?;
        let processor = if self.engine.gpu { Processor::Cuda } else { Processor::Cpu };
        let digest = located.model.map(|model| model.sha256);
        let options = Options::new(located.name).threads(self.engine.threads.get()).processor(processor).digest(digest);
        Ok(Local::open(&located.path, options)?)
    }
}
