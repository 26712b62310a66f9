//! The log of a Python program: rows of decisions, a sealed manifest and a sheet, as `counsel` writes them, so that `counsel
//! audit`, `explain` and every Parquet reader work on it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Weak};

use counsel_log::{
    AnswersFrom, Cell, CellKey, Decision, Deployed, Hindsight, LogColumn, Presence, Run, StudySheet, examine,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::Value;

use crate::act::locked;
use crate::deployment::Deployment;
use crate::error::{damaged, failed, refuse, state};
use crate::process::{Home, no_copy};

/// The log of one controller. It is written when it is closed: the log first, its manifest last.
#[pyclass(frozen, module = "counsel")]
pub(crate) struct Log {
    run: Run,
    key: CellKey,
    rows: Rows,
    home: Home,
}

/// The decisions of a log by their steps, which a controller and its log share.
#[derive(Clone, Default)]
pub(crate) struct Rows(Arc<Mutex<Sheaf>>);

#[derive(Default)]
struct Sheaf {
    /// What the log is of, and the specification of its arm.
    head: Option<(Deployed, Value)>,
    /// The controller, while it is there: the log does not keep it.
    writer: Weak<Mutex<Deployment>>,
    decisions: BTreeMap<u64, Decision>,
    /// The number of decisions that were written when the log was closed.
    written: usize,
    closed: bool,
}

impl Rows {
    /// Adds a decision. What comes after the log was closed is not written.
    pub(crate) fn push(&self, decision: Decision) {
        let mut sheaf = locked(&self.0);
        if !sheaf.closed {
            sheaf.decisions.insert(decision.record.step, decision);
        }
    }

    /// Notes what became known after a decision.
    pub(crate) fn know(&self, step: u64, known: Hindsight) {
        if let Some(decision) = locked(&self.0).decisions.get_mut(&step) {
            decision.hindsight = known;
        }
    }
}

impl Log {
    /// The rows, to be written by a controller.
    pub(crate) fn rows(&self) -> Rows {
        self.rows.clone()
    }

    /// Makes this the log of a controller.
    pub(crate) fn bind(&self, head: (Deployed, Value), writer: &Arc<Mutex<Deployment>>) -> PyResult<()> {
        self.home.check("log")?;
        let mut sheaf = locked(&self.rows.0);
        if sheaf.head.is_some() || sheaf.closed {
            return Err(state(format!("the log {} belongs to another controller; open one for each", self.key)));
        }
        (sheaf.head, sheaf.writer) = (Some(head), Arc::downgrade(writer));
        Ok(())
    }

    fn write(&self, (deployed, spec): &(Deployed, Value), decisions: &[Decision]) -> Result<(), counsel_log::Error> {
        let _claim = self.run.claim()?;
        let sheet = self.sheet(spec)?;
        self.run.write_sheet(&sheet)?;
        self.run.write_cell(&sheet, self.key.clone(), deployed, decisions)
    }

    /// The sheet of the study: what is there already, and this arm. It claims nothing, so that arms can be added.
    fn sheet(&self, spec: &Value) -> Result<StudySheet, counsel_log::Error> {
        let mut arms = match self.run.sheet(&self.key.study) {
            Ok(sheet) => sheet.settings,
            Err(counsel_log::Error::NoSheet { .. }) => BTreeMap::new(),
            Err(error) => return Err(error),
        };
        arms.insert(self.key.arm.clone(), spec.clone());
        let mut sheet = StudySheet::plain(&self.key.study, "A Python program's own study", arms);
        sheet.account.families.clear();
        sheet.answers = AnswersFrom::Live("a Python program".into());
        Ok(sheet)
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
        Ok(Self { run, key, rows: Rows::default(), home: Home::here() })
    }

    /// Writes the log, the sheet of its study and its manifest. Questions that are open count as lost. Closing twice does nothing.
    pub(crate) fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.home.check("log")?;
        let writer = locked(&self.rows.0).writer.upgrade();
        py.detach(|| writer.map_or(Ok(()), |writer| locked(&writer).settle())).map_err(failed)?;
        let written = py.detach(|| {
            let mut sheaf = locked(&self.rows.0);
            if std::mem::replace(&mut sheaf.closed, true) {
                return Ok(());
            }
            let decisions: Vec<Decision> = std::mem::take(&mut sheaf.decisions).into_values().collect();
            sheaf.written = decisions.len();
            sheaf.head.as_ref().map_or(Ok(()), |head| self.write(head, &decisions))
        });
        written.map_err(damaged)
    }

    /// The number of decisions so far.
    fn __len__(&self) -> usize {
        let sheaf = locked(&self.rows.0);
        sheaf.written + sheaf.decisions.len()
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
                Ok(Some(Err(error))) | Err(error) => faults.push(format!("{key}: {error}")),
                Ok(None) => faults.push(format!("{key}: its manifest is gone")),
            }
        }
        faults.extend(
            run.unfinished()?.iter().map(|key| format!("{key}: its log has no manifest, so it could not be audited")),
        );
        Ok::<_, counsel_log::Error>((agreeing, decisions, keys.len(), faults))
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
    let held = |column: &&LogColumn| column.presence == Presence::Always || frame.has(column);
    for column in counsel_log::columns().filter(held) {
        let name = column.name;
        match column.type_name() {
            "integer" => dict.set_item(name, frame.ints(name))?,
            "real" => dict.set_item(name, frame.reals(name))?,
            "word" | "text" => dict.set_item(name, frame.words(name).iter().collect::<Vec<_>>())?,
            "integers" => dict.set_item(name, frame.int_lists(name).iter().collect::<Vec<_>>())?,
            "reals" => dict.set_item(name, frame.real_lists(name).iter().collect::<Vec<_>>())?,
            _ => {
                let lists = frame.word_lists(name);
                let row = |row| lists.row(row).collect::<Vec<_>>();
                dict.set_item(name, (0..frame.rows()).map(row).collect::<Vec<_>>())?;
            }
        }
    }
    frame.fault().map_or(Ok(dict), |fault| Err(damaged(fault)))
}
