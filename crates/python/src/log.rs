//! The log of a Python program: rows of decisions, a sealed manifest and a sheet, as `counsel` writes them, so that `counsel
//! audit`, `explain` and every Parquet reader work on it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use counsel_audit::examine;
use counsel_calibration::Derivation;
use counsel_decision::{Form, Seed};
use counsel_log::{
    AnswersFrom, Before, Calibration, Cell, CellKey, Decision, LogFile, Manifest, Run, StudySheet, Totals, Versions,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::Value;

use crate::act::locked;
use crate::error::{damaged, refuse, state};
use crate::process::{Home, no_copy};
use crate::settings::Settings;

/// What a manifest says of a controller.
#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) settings: Settings,
    pub(crate) words: Vec<String>,
    pub(crate) form: Form,
    pub(crate) seed: u64,
    pub(crate) spec: Value,
    pub(crate) derivation: Option<Derivation>,
}

/// What became known after a decision.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Known {
    pub(crate) reward: f64,
    pub(crate) label: Option<f64>,
    pub(crate) monte_carlo: Option<f64>,
}

/// Whoever may hold open questions: they are given up as lost before the log is written.
pub(crate) trait Settles: Send {
    /// Gives up what is open.
    fn settle(&mut self);
}

/// The log of one controller. It is written when it is closed: the log first, its manifest last.
#[pyclass(frozen, module = "counsel")]
pub(crate) struct Log {
    run: Run,
    key: CellKey,
    sheaf: Mutex<Sheaf>,
    home: Home,
}

#[derive(Default)]
struct Sheaf {
    head: Option<Head>,
    writer: Option<Arc<Mutex<dyn Settles>>>,
    decisions: Vec<Decision>,
    closed: bool,
}

impl Log {
    /// Makes this the log of a controller.
    pub(crate) fn bind(&self, head: Head, writer: Arc<Mutex<dyn Settles>>) -> PyResult<()> {
        self.home.check("log")?;
        let mut sheaf = locked(&self.sheaf);
        if sheaf.head.is_some() || sheaf.closed {
            let key = &self.key;
            return Err(state(format!("the log {key} belongs to another controller; open one for each")));
        }
        (sheaf.head, sheaf.writer) = (Some(head), Some(writer));
        Ok(())
    }

    /// Adds a decision. What comes after the log was closed is not written.
    pub(crate) fn push(&self, decision: Decision) {
        let mut sheaf = locked(&self.sheaf);
        if !sheaf.closed {
            sheaf.decisions.push(decision);
        }
    }

    /// How many decisions there are.
    pub(crate) fn rows(&self) -> usize {
        locked(&self.sheaf).decisions.len()
    }

    /// Notes what became known after the last decision but so many.
    pub(crate) fn complete(&self, before: usize, known: Known) -> PyResult<()> {
        let rows = self.rows();
        let row = rows.checked_sub(1 + before).ok_or_else(|| state("nothing was decided yet; decide first"))?;
        self.know(row, known);
        Ok(())
    }

    /// Notes what became known after the decision in this row.
    pub(crate) fn know(&self, row: usize, known: Known) {
        if let Some(decision) = locked(&self.sheaf).decisions.get_mut(row) {
            decision.hindsight.reward = known.reward;
            decision.hindsight.proxy_value = known.label;
            decision.hindsight.proxy_radius = known.monte_carlo;
        }
    }

    fn write(&self, head: &Head, decisions: &[Decision]) -> Result<(), counsel_log::Error> {
        let _claim = self.run.claim()?;
        let sheet = self.sheet(head)?;
        self.run.write_sheet(&sheet)?;
        let manifest = Manifest {
            arm_order: sheet.arms.iter().position(|arm| *arm == self.key.arm).unwrap_or_default(),
            key: self.key.clone(),
            spec: head.spec.clone(),
            versions: Versions::current(),
            controller: head.settings.controller.clone(),
            advisor: head.settings.advisor.clone(),
            answers: sheet.answers.clone(),
            words: head.words.clone(),
            form: head.form,
            engine_seed: Seed::root(head.seed),
            calibration: head.derivation.as_ref().map(calibration),
            totals: Totals::of(decisions, Before::default()),
            log: LogFile { file: String::new(), rows: 0, sha256: String::new() },
            seal: String::new(),
        };
        self.run.write(manifest, decisions)
    }

    /// The sheet of the study: what is there already, and this arm. It claims nothing, so that arms can be added.
    fn sheet(&self, head: &Head) -> Result<StudySheet, counsel_log::Error> {
        let there = match self.run.sheet(&self.key.study) {
            Ok(sheet) => sheet.arms.iter().map(|arm| (arm.clone(), sheet.settings[arm].clone())).collect(),
            Err(counsel_log::Error::NoSheet { .. }) => Vec::new(),
            Err(error) => return Err(error),
        };
        let here = (self.key.arm.clone(), head.spec.clone());
        let others = there.into_iter().filter(|(arm, _): &(String, Value)| *arm != self.key.arm);
        let mut arms: Vec<(String, Value)> = others.chain([here]).collect();
        arms.sort_by(|one, other| one.0.cmp(&other.0));
        let mut sheet = StudySheet::plain(&self.key.study, "A Python program's own study", arms);
        sheet.account.families.clear();
        sheet.answers = AnswersFrom::Live("a Python program".into());
        Ok(sheet)
    }
}

fn calibration(derivation: &Derivation) -> Calibration {
    let scores: Vec<f64> = derivation.groups.iter().flat_map(|group| group.scores.iter().copied()).collect();
    let finite: Vec<f64> = scores.iter().copied().filter(|score| score.is_finite()).collect();
    Calibration {
        opportunities: scores.len() as u64,
        mean_residual: finite.iter().sum::<f64>() / finite.len().max(1) as f64,
        derivation: serde_json::to_value(derivation).unwrap_or_default(),
        screen: None,
    }
}

#[pymethods]
impl Log {
    #[new]
    #[pyo3(signature = (folder, *, arm, seed = 0, study = "mine"))]
    fn new(folder: PathBuf, arm: String, seed: u64, study: &str) -> PyResult<Self> {
        for (what, name) in [("study", study), ("arm", arm.as_str())] {
            let plain = |c: char| c.is_alphanumeric() || "-_.".contains(c);
            if name.is_empty() || name.starts_with('.') || !name.chars().all(plain) {
                return Err(refuse(format!(
                    "the {what} `{name}` is no name of a folder; use letters, digits, -, _ and ."
                )));
            }
        }
        let (run, key) = (Run::at(folder), CellKey { study: study.to_owned(), arm, seed });
        if run.cell(&key).map_err(damaged)?.is_some() {
            return Err(refuse(format!(
                "the log {key} is there already; choose another arm, seed or folder, or delete it"
            )));
        }
        Ok(Self { run, key, sheaf: Mutex::default(), home: Home::here() })
    }

    /// Writes the log, the sheet of its study and its manifest. Questions that are open count as lost. Closing twice does nothing.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.home.check("log")?;
        let writer = locked(&self.sheaf).writer.take();
        py.detach(|| {
            if let Some(writer) = writer {
                locked(&writer).settle();
            }
            let mut sheaf = locked(&self.sheaf);
            if std::mem::replace(&mut sheaf.closed, true) {
                return Ok(());
            }
            let Sheaf { head, decisions, .. } = &*sheaf;
            head.as_ref().map_or(Ok(()), |head| self.write(head, decisions))
        })
        .map_err(damaged)
    }

    /// How many decisions it holds so far.
    fn __len__(&self) -> usize {
        self.rows()
    }

    /// The cell, as `counsel explain` names it.
    #[getter]
    fn cell(&self) -> String {
        self.key.to_string()
    }

    fn __enter__(this: Bound<'_, Self>) -> Bound<'_, Self> {
        this
    }

    #[pyo3(signature = (kind, error, trace, /))]
    fn __exit__(
        &self,
        py: Python<'_>,
        kind: Option<&Bound<'_, PyAny>>,
        error: Option<&Bound<'_, PyAny>>,
        trace: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<bool> {
        let _ = (kind, error, trace);
        self.close(py)?;
        Ok(false)
    }

    fn __reduce_ex__(&self, _protocol: i32) -> PyResult<()> {
        let _ = self.home;
        Err(no_copy("log"))
    }
}

fn cell(folder: &Path, cell: &str) -> PyResult<Cell> {
    let key = CellKey::parse(cell).ok_or_else(|| refuse(format!("`{cell}` names no cell; pass STUDY/ARM/SEED")))?;
    let found = Run::at(folder).cell(&key).map_err(damaged)?;
    found.ok_or_else(|| {
        refuse(format!("{} has no finished cell {key}; list them by counsel.log.cells", folder.display()))
    })
}

/// Computes every decision of a run again: how many agree, of how many, in how many cells, and what is wrong, in words.
#[pyfunction]
pub(crate) fn audit(py: Python<'_>, folder: PathBuf) -> PyResult<(usize, usize, usize, Vec<String>)> {
    py.detach(|| {
        let run = Run::at(folder);
        let keys = run.keys()?;
        let (mut agreeing, mut decisions, mut faults) = (0, 0, Vec::new());
        for key in &keys {
            let sheet = run.sheet(&key.study);
            faults.extend(sheet.as_ref().err().map(|error| format!("{key}: {error}")));
            let examined = run.cell(key).map(|cell| cell.map(|cell| examine(&cell, sheet.as_ref().ok())));
            match examined {
                Ok(Some(Ok(examined))) => {
                    decisions += examined.decisions;
                    agreeing += examined.agreeing();
                    faults.extend(examined.disagreements.iter().map(|fault| format!("{key}: {fault}")));
                    faults.extend(examined.faults.iter().map(|fault| format!("{key}: {fault}")));
                }
                Ok(Some(Err(error))) => faults.push(format!("{key}: {error}")),
                Ok(None) => faults.push(format!("{key}: its manifest is gone")),
                Err(error) => faults.push(format!("{key}: {error}")),
            }
        }
        faults.extend(
            run.unfinished()?.iter().map(|key| format!("{key}: its log has no manifest, so it could not be audited")),
        );
        Ok((agreeing, decisions, keys.len(), faults))
    })
    .map_err(damaged)
}

/// Why one decision was made, in words and numbers.
#[pyfunction]
pub(crate) fn explain(folder: PathBuf, cell: &str, step: u64) -> PyResult<String> {
    let found = self::cell(&folder, cell)?;
    let decisions = found.decisions().map_err(damaged)?;
    let decision = decisions.iter().find(|decision| decision.record.step == step);
    let last = decisions.len().saturating_sub(1);
    let decision =
        decision.ok_or_else(|| refuse(format!("cell {cell} has no step {step}; its steps are 0 to {last}")))?;
    Ok(counsel_log::explain(&found.manifest, decision))
}

/// The columns of a cell by name, checked against its digest. Lists are lists; what is absent is None.
#[pyfunction]
pub(crate) fn columns<'py>(py: Python<'py>, folder: PathBuf, cell: &str) -> PyResult<Bound<'py, PyDict>> {
    let frame = self::cell(&folder, cell)?.frame().map_err(damaged)?;
    let dict = PyDict::new(py);
    for column in counsel_log::columns() {
        let name = column.name;
        match column.type_name() {
            "integer" => dict.set_item(name, frame.ints(name))?,
            "real" => dict.set_item(name, frame.reals(name))?,
            "word" | "text" => {
                let words = frame.words(name);
                dict.set_item(name, (0..frame.rows()).map(|row| words.row(row)).collect::<Vec<_>>())?;
            }
            "integers" => {
                let lists = frame.int_lists(name);
                dict.set_item(name, (0..frame.rows()).map(|row| lists.row(row).to_vec()).collect::<Vec<_>>())?;
            }
            "reals" => {
                let lists = frame.real_lists(name);
                dict.set_item(name, (0..frame.rows()).map(|row| lists.row(row).to_vec()).collect::<Vec<_>>())?;
            }
            _ => {
                let lists = frame.word_lists(name);
                let row = |row| lists.row(row).map(str::to_owned).collect::<Vec<String>>();
                dict.set_item(name, (0..frame.rows()).map(row).collect::<Vec<_>>())?;
            }
        }
    }
    frame.fault().map_or(Ok(dict), |fault| Err(damaged(fault)))
}
