//! `counsel advisor list`: the known models and the templates.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use counsel_advisor::Edition;
use serde_json::json;

use super::model::Folder;

/// Show the known models with size, licence and digest, and the templates.
///
/// Any other GGUF file of the llama or qwen2 family is named by its path.
#[derive(Debug, Args)]
pub(crate) struct List {
    #[command(flatten)]
    folder: Folder,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

impl List {
    pub(crate) fn run(&self) -> Result<()> {
        let models = self.folder.open()?;
        let mut out = std::io::stdout().lock();
        if self.json {
            let listed: Vec<_> = models
                .list()
                .iter()
                .map(|listed| {
                    let model = listed.model;
                    json!({ "name": model.name, "title": model.title, "file": model.file, "bytes": model.bytes,
                        "licence": model.licence, "sha256": model.sha256, "present": listed.present })
                })
                .collect();
            let templates: Vec<_> = counsel_experiment::editions()
                .into_iter()
                .map(|Edition { name, version, digest, about }| {
                    json!({ "name": name, "version": version, "digest": digest, "about": about })
                })
                .collect();
            writeln!(out, "{}", json!({ "models": listed, "templates": templates }))?;
            return Ok(());
        }
        writeln!(out, "Models, in {}", models.folder().display())?;
        for listed in models.list() {
            let model = listed.model;
            let here = if listed.present { "here" } else { "not here" };
            let megabytes = model.bytes as f64 / 1e6;
            writeln!(out, "  {:<20} {megabytes:>7.0} MB  {:<11} {here:<9} {}", model.name, model.licence, model.title)?;
            writeln!(out, "  {:<20} sha256 {}", "", model.sha256)?;
        }
        writeln!(out, "\nTemplates")?;
        for template in counsel_experiment::editions() {
            writeln!(out, "  {:<20} {}", template.name, template.about)?;
        }
        Ok(())
    }
}
