//! `counsel list`: what can be run, or what a folder holds.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use anyhow::Result;
use clap::Args;
use counsel_experiment::{Catalogue, Study};
use counsel_log::{CellKey, Run, StudySheet};
use serde_json::json;

use crate::look::PlainFormat;

/// Show the studies, one line each, or what a folder of runs holds.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel list
  counsel list tabular
  counsel list runs                 the studies in a folder, what was changed in them, and how complete they are
  counsel list --format json")]
pub(crate) struct List {
    /// Only the studies of this group, or those that this folder holds
    #[arg(value_name = "GROUP|DIR")]
    place: Option<String>,
    /// text or json
    #[arg(long, value_name = "FORMAT", value_enum, hide_possible_values = true, default_value_t = PlainFormat::Text)]
    format: PlainFormat,
}

impl List {
    pub(crate) fn run(&self) -> Result<()> {
        let catalogue = Catalogue::embedded()?;
        let width = catalogue.ids().map(str::len).max().unwrap_or(0);
        let Some(place) = &self.place else { return self.studies(&catalogue.studies()?, width) };
        match catalogue.select(std::slice::from_ref(place)) {
            Err(_) if Path::new(place).is_dir() => self.folder(&Run::at(place)),
            Err(error) => Err(error.into()),
            Ok(studies) => self.studies(&studies, width),
        }
    }

    /// These studies, their ids in a column of this width.
    fn studies(&self, studies: &[Study], width: usize) -> Result<()> {
        let mut out = std::io::stdout().lock();
        if self.format == PlainFormat::Json {
            let told = |study: &Study| {
                let arms: Vec<&str> = study.arms.iter().map(|arm| arm.name.as_str()).collect();
                json!({ "study": study.id, "group": study.group, "title": study.title, "paper_label": study.paper_label,
                    "finding": study.finding, "arms": arms, "seeds": study.seeds })
            };
            let studies: Vec<_> = studies.iter().map(told).collect();
            writeln!(out, "{:#}", json!({ "studies": studies }))?;
            return Ok(());
        }
        let mut group = "";
        for study in studies {
            if study.group != group {
                group = &study.group;
                writeln!(out, "{group}")?;
            }
            let (arms, seeds) = (study.arms.len(), study.seeds);
            writeln!(
                out,
                "  {:<width$}  {} ({arms} arms, {seeds} seeds; {})",
                study.id, study.title, study.paper_label
            )?;
        }
        Ok(())
    }

    /// The studies that a folder holds.
    fn folder(&self, run: &Run) -> Result<()> {
        let (keys, unfinished) = (run.keys()?, run.unfinished()?);
        let ids: BTreeSet<&str> = keys.iter().map(|key| key.study.as_str()).collect();
        let mut held: Vec<Held> = Vec::new();
        for id in ids {
            let of_study = |keys: &[CellKey]| keys.iter().filter(|key| key.study == id).cloned().collect::<Vec<_>>();
            held.push(Held { sheet: run.sheet(id)?, cells: of_study(&keys), unfinished: of_study(&unfinished).len() });
        }
        held.sort_by_key(|held| held.sheet.order);
        let mut out = std::io::stdout().lock();
        if self.format == PlainFormat::Json {
            let studies: Vec<_> = held.iter().map(Held::json).collect();
            writeln!(out, "{:#}", json!({ "studies": studies }))?;
            return Ok(());
        }
        held.iter().try_for_each(|held| Ok(write!(out, "{}", held.text())?))
    }
}

/// What a folder holds of one study.
struct Held {
    sheet: StudySheet,
    cells: Vec<CellKey>,
    /// Logs without a manifest.
    unfinished: usize,
}

impl Held {
    fn seeds(&self) -> BTreeSet<u64> {
        self.cells.iter().map(|key| key.seed).collect()
    }

    fn arms(&self) -> BTreeSet<&str> {
        self.cells.iter().map(|key| key.arm.as_str()).collect()
    }

    fn json(&self) -> serde_json::Value {
        let Self { sheet, cells, unfinished } = self;
        json!({ "study": sheet.id, "title": sheet.title, "changed": sheet.changed, "answers": sheet.answers,
            "arms": self.arms(), "seeds": self.seeds(), "cells": cells.len(), "unfinished": unfinished })
    }

    fn text(&self) -> String {
        let Self { sheet, cells, unfinished } = self;
        let mut lines = vec![format!("{}: {}", sheet.id, sheet.title)];
        let (arms, seeds) = (self.arms().len(), self.seeds());
        let span = match (seeds.first(), seeds.last()) {
            (Some(first), Some(last)) => format!("{} seeds from {first} to {last}", seeds.len()),
            _ => "no seeds".to_owned(),
        };
        lines.push(format!("{} cells: {arms} of {} arms, {span}; {}", cells.len(), sheet.arms.len(), sheet.answers));
        lines.extend(sheet.changed.iter().map(|changed| format!("changed: {changed}")));
        if *unfinished > 0 {
            lines.push(format!("{unfinished} logs without a manifest; `counsel audit` names them"));
        }
        lines.join("\n  ") + "\n"
    }
}
