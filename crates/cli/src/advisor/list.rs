//! `counsel advisor list`: the known models, the templates, and the recorded advisors.

use std::io::Write;
use std::path::Path;

use anyhow::Result;
use clap::Args;
use counsel_advisor::{AdvisorName, Edition};
use counsel_file::Printable;
use counsel_transcript::{Date, Error, Shelf};
use counsel_weights::Models;
use serde_json::{Value, json};

use super::model::Folder;
use super::recorded::Recorded;
use crate::look::PlainFormat;

/// Show the known models with size, licence and digest, the templates, and the recorded advisors.
///
/// Any other GGUF file of the llama or qwen2 family is named by its path. Studies replay recorded advisors without a model.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel advisor list
  counsel advisor list --transcripts my-transcripts
  counsel advisor list --format json")]
pub(crate) struct List {
    #[command(flatten)]
    folder: Folder,
    #[command(flatten)]
    shelf: Recorded,
    /// How the list is shown
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = PlainFormat::Text)]
    format: PlainFormat,
    /// Write one JSON object, as --format json does
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

impl List {
    pub(crate) fn run(&self) -> Result<()> {
        let ((models, folder), shelf) = (self.folder.open_or_none()?, self.shelf.open());
        if self.json || self.format == PlainFormat::Json {
            let (templates, recorded) = (templates_as_json(), recorded_as_json(&shelf));
            let all = json!({ "models": models_as_json(&models, folder.is_some()), "templates": templates, "recorded": recorded });
            return Ok(writeln!(std::io::stdout().lock(), "{all}")?);
        }
        show(&models, folder.as_deref(), &shelf)
    }
}

fn show(models: &Models, folder: Option<&Path>, shelf: &Shelf) -> Result<()> {
    let mut out = std::io::stdout().lock();
    let no_home = "no folder: there is no home folder; pass --models FOLDER or set COUNSEL_MODELS";
    let place = folder.map_or_else(|| no_home.to_owned(), |folder| folder.display().to_string());
    writeln!(out, "Models, in {}", Printable(place))?;
    for listed in models.list() {
        let model = listed.model;
        let here = if folder.is_some() && listed.present { "here" } else { "not here" };
        let megabytes = model.bytes as f64 / 1e6;
        writeln!(out, "  {:<20} {megabytes:>7.0} MB  {:<11} {here:<9} {}", model.name, model.licence, model.title)?;
        writeln!(out, "  {:<20} sha256 {}", "", model.sha256)?;
    }
    writeln!(out, "\nTemplates")?;
    for template in counsel_experiment::editions() {
        writeln!(out, "  {:<20} {}", template.name, template.about)?;
    }
    let place = shelf.folder().map_or_else(|| "the program".into(), |folder| folder.display().to_string());
    writeln!(out, "\nRecorded advisors, in {}", Printable(place))?;
    let names = shelf.names();
    if names.is_empty() {
        writeln!(out, "  none; record one with `counsel advisor record`")?;
    }
    let width = names.iter().map(|name| name.to_string().chars().count()).max().unwrap_or(0);
    for name in names {
        let about = match volume(shelf, &name) {
            Ok((answers, date)) => format!("{answers:>6} answers, the latest of {date}"),
            Err(error) => format!("cannot be read: {error}"),
        };
        writeln!(out, "  {:<width$}  {}", Printable(&name).to_string(), Printable(about))?;
    }
    Ok(())
}

/// How many answers a transcript holds, and the day of the latest.
fn volume(shelf: &Shelf, name: &AdvisorName) -> Result<(usize, Date), Error> {
    let answers = shelf.open(name)?;
    let latest = answers.entries().map(|(_, entry)| entry.date).max();
    Ok((answers.len(), latest.expect("a transcript that opens holds an answer")))
}

fn models_as_json(models: &Models, in_folder: bool) -> Vec<Value> {
    let listed = models.list();
    let one = |listed: &counsel_weights::Listed<'_>| {
        let model = listed.model;
        json!({ "name": model.name, "title": model.title, "file": model.file, "bytes": model.bytes,
            "licence": model.licence, "sha256": model.sha256, "present": in_folder && listed.present })
    };
    listed.iter().map(one).collect()
}

fn templates_as_json() -> Vec<Value> {
    let one = |Edition { name, version, digest, about }: Edition| json!({ "name": name, "version": version, "digest": digest, "about": about });
    counsel_experiment::editions().into_iter().map(one).collect()
}

/// One that cannot be read says why, in place of its answers.
fn recorded_as_json(shelf: &Shelf) -> Vec<Value> {
    let one = |name: AdvisorName| match volume(shelf, &name) {
        Ok((answers, date)) => json!({ "name": name, "answers": answers, "date": date }),
        Err(error) => json!({ "name": name, "fault": error.to_string() }),
    };
    shelf.names().into_iter().map(one).collect()
}
