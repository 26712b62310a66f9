//! What a folder of runs holds of one study.

use std::collections::BTreeSet;

use anyhow::Result;
use counsel_log::{CellKey, Run, StudySheet};
use serde_json::{Value, json};

use crate::look;

/// What a folder holds of one study.
pub(super) struct Held {
    sheet: StudySheet,
    cells: Vec<CellKey>,
    /// Logs without a manifest.
    unfinished: usize,
}

impl Held {
    /// Every study of a run, in the order of the catalogue.
    pub(super) fn all(run: &Run) -> Result<Vec<Self>> {
        let (keys, unfinished) = (run.keys()?, run.unfinished()?);
        let ids: BTreeSet<&str> = keys.iter().map(|key| key.study.as_str()).collect();
        let mut held: Vec<Self> = Vec::new();
        for id in ids {
            let of_study = |keys: &[CellKey]| keys.iter().filter(|key| key.study == id).cloned().collect::<Vec<_>>();
            held.push(Self { sheet: run.sheet(id)?, cells: of_study(&keys), unfinished: of_study(&unfinished).len() });
        }
        held.sort_by_key(|held| held.sheet.order);
        Ok(held)
    }

    fn seeds(&self) -> BTreeSet<u64> {
        self.cells.iter().map(|key| key.seed).collect()
    }

    fn arms(&self) -> BTreeSet<&str> {
        self.cells.iter().map(|key| key.arm.as_str()).collect()
    }

    pub(super) fn json(&self) -> Value {
        let Self { sheet, cells, unfinished } = self;
        json!({ "study": sheet.id, "title": sheet.title, "changed": sheet.changed, "answers": sheet.answers,
            "arms": self.arms(), "seeds": self.seeds(), "cells": cells.len(), "unfinished": unfinished })
    }

    pub(super) fn text(&self) -> String {
        let Self { sheet, cells, unfinished } = self;
        let (arms, seeds) = (self.arms().len(), self.seeds());
        let span = match (seeds.first(), seeds.last()) {
            (Some(first), Some(last)) => format!("{} seeds from {first} to {last}", seeds.len()),
            _ => "no seeds".to_owned(),
        };
        let mut told =
            vec![format!("{} cells: {arms} of {} arms, {span}; {}", cells.len(), sheet.arms.len(), sheet.answers)];
        told.extend(sheet.changed.iter().map(|changed| format!("changed: {changed}")));
        if *unfinished > 0 {
            told.push(format!("{unfinished} logs without a manifest; `counsel audit` names them"));
        }
        let mut lines = look::folded(&format!("{}: {}", sheet.id, sheet.title), "", "  ");
        lines.extend(told.iter().flat_map(|told| look::folded(told, "  ", "    ")));
        lines.join("\n") + "\n"
    }
}
