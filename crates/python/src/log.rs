//! The log of a Python program: rows of decisions, a sealed manifest and a sheet, as `counsel` writes them, so that `counsel
//! audit`, `explain` and every Parquet reader work on it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use counsel_log::{AnswersFrom, Cell, CellKey, Deployed, Frame, LogColumn, Presence, Run, StudySheet, Totals, examine};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::Value;

use crate::act::locked;
use crate::deployment::Deployment;
use crate::error::{damaged, failed, refuse};
use crate::process::{Home, no_copy};
use crate::rows::{Rows, Writer};
use crate::shown::html;
use crate::whole;

/// The log of one controller. It is on the disk at most a second after each decision, and becomes a finished cell when it is closed.
///
/// Parameters
/// ----------
/// folder : path
///     The folder of the run.
/// arm, seed, study : str, int, str
///     The name of the cell: one log for each arm and seed.
/// replace : bool
///     Whether a finished log of this name is deleted first, as a cell of a notebook that runs again needs it.
/// resume : bool
///     Whether to go on with a log that was not closed, because its program was killed. The controller that goes on is one that was
///     saved: decisions after its checkpoint are cut. Close the log at once to finish the cell as it was left.
#[pyclass(frozen, module = "counsel")]
pub(crate) struct Log {
    run: Run,
    key: CellKey,
    rows: Rows,
    home: Home,
}

impl Log {
    /// The rows, to be written by a controller.
    pub(crate) fn rows(&self) -> Rows {
        self.rows.clone()
    }

    /// Makes this the log of a controller whose next decision has this step.
    pub(crate) fn bind(
        &self,
        (deployed, spec): &(Deployed, Value),
        next: u64,
        writer: &Arc<std::sync::Mutex<Deployment>>,
    ) -> PyResult<()> {
        self.home.check("log")?;
        let head = self
            .sheet(spec)
            .and_then(|sheet| deployed.manifest(&sheet, self.key.clone(), Totals::of(&[], deployed.before)));
        self.rows.begin(&self.key, head.map_err(damaged)?, next, writer)
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

    /// Removes the finished cell, and its arm from the sheet of the study if no cell of it is left.
    fn replace(&self) -> Result<(), counsel_log::Error> {
        let _claim = self.run.claim()?;
        let keys = self.run.keys()?;
        self.run.remove(&self.key)?;
        let same = |key: &CellKey| (&key.study, &key.arm) == (&self.key.study, &self.key.arm);
        if keys.iter().filter(|key| same(key)).count() > 1 {
            return Ok(());
        }
        let mut sheet = self.run.sheet(&self.key.study)?;
        sheet.settings.remove(&self.key.arm);
        sheet.arms.retain(|arm| *arm != self.key.arm);
        self.run.put_sheet(&sheet)
    }

    /// Makes the journal a finished cell.
    fn finish(&self, Writer { mut journal, failed }: Writer) -> Result<(), counsel_log::Error> {
        let Some(mut manifest) = journal.head()? else { return journal.remove() };
        if !failed.is_empty() {
            journal.append(&failed)?;
        }
        let decisions = journal.decisions()?;
        let _claim = self.run.claim()?;
        let sheet = self.sheet(&manifest.spec)?;
        self.run.write_sheet(&sheet)?;
        manifest.arm_order = sheet.arms.iter().position(|arm| *arm == self.key.arm).unwrap_or_default();
        manifest.totals = Totals::of(&decisions, counsel_log::Before::default());
        self.run.write(manifest, &decisions)?;
        journal.remove()
    }
}

#[pymethods]
impl Log {
    #[new]
    #[pyo3(signature = (folder, *, arm, seed = 0, study = "mine", resume = false, replace = false))]
    fn new(
        folder: PathBuf,
        arm: String,
        #[pyo3(from_py_with = whole::seed)] seed: u64,
        study: &str,
        resume: bool,
        replace: bool,
    ) -> PyResult<Self> {
        for (what, name) in [("study", study), ("arm", arm.as_str())] {
            let plain = |c: char| c.is_alphanumeric() || "-_.".contains(c);
            if name.is_empty() || name.starts_with('.') || !name.chars().all(plain) {
                return Err(refuse(format!(
                    "the {what} `{name}` is no name of a folder; use letters, digits, -, _ and ."
                )));
            }
        }
        let (run, key) = (Run::at(folder), CellKey { study: study.to_owned(), arm, seed });
        let finished = run.cell(&key).map_err(damaged)?.is_some();
        if finished && !replace {
            return Err(refuse(format!(
                "the log {key} is there already; pass replace=True to delete it, or choose another arm, seed or folder"
            )));
        }
        let journal = run.journal(&key).map_err(damaged)?;
        let kept = journal.decisions().map_err(damaged)?.len();
        if kept > 0 && !resume && !replace {
            return Err(refuse(format!(
                "the log {key} was not closed, and {kept} decisions of it are kept; pass resume=True to go on with it or to close it, \
                 or choose another arm or seed"
            )));
        }
        let mut journal = journal;
        let kept = if replace { 0 } else { kept };
        if kept == 0 {
            // A head without decisions says nothing.
            journal.cut(0).and_then(|()| journal.forget()).map_err(damaged)?;
        }
        let log = Self { run, key, rows: Rows::of(journal, kept), home: Home::here() };
        if finished {
            log.replace().map_err(damaged)?;
        }
        Ok(log)
    }

    /// Writes the log, the sheet of its study and its manifest. Questions that are open count as lost. Closing twice does nothing.
    pub(crate) fn close(&self, py: Python<'_>) -> PyResult<()> {
        self.home.check("log")?;
        let writer = self.rows.controller();
        py.detach(|| writer.map_or(Ok(()), |writer| locked(&writer).settle())).map_err(failed)?;
        py.detach(|| self.rows.close().map_or(Ok(()), |writer| self.finish(writer))).map_err(damaged)
    }

    /// Writes down what was decided so far, without waiting for the second to be over.
    fn flush(&self, py: Python<'_>) -> PyResult<()> {
        self.home.check("log")?;
        py.detach(|| self.rows.flush()).map_err(damaged)
    }

    /// The number of decisions so far.
    fn __len__(&self) -> usize {
        self.rows.len()
    }

    /// The cell, as `counsel explain` names it.
    #[getter]
    fn cell(&self) -> String {
        self.key.to_string()
    }

    fn __repr__(&self) -> String {
        let (cell, rows) = (&self.key, self.rows.len());
        let closed = if self.rows.is_closed() { "True" } else { "False" };
        format!("Log(cell='{cell}', decisions={rows}, closed={closed})")
    }

    fn _repr_html_(&self) -> String {
        let folder = self.run.root().display().to_string();
        let state = if self.rows.is_closed() { "closed" } else { "being written" };
        html(
            "Log",
            &[
                ("cell", self.key.to_string()),
                ("folder", folder),
                ("decisions", self.rows.len().to_string()),
                ("state", state.into()),
            ],
        )
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

fn key_of(cell: &str) -> PyResult<CellKey> {
    CellKey::parse(cell).ok_or_else(|| refuse(format!("`{cell}` names no cell; pass STUDY/ARM/SEED")))
}

fn cell(folder: &Path, cell: &str) -> PyResult<Cell> {
    let key = key_of(cell)?;
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

/// Why one decision was made, in words and numbers: that of a `step` in a `cell`, STUDY/ARM/SEED, of the run in a `folder`.
#[pyfunction]
pub(crate) fn explain(folder: PathBuf, cell: &str, #[pyo3(from_py_with = whole::step)] step: u64) -> PyResult<String> {
    let found = self::cell(&folder, cell)?;
    let decisions = found.decisions().map_err(damaged)?;
    let decision = decisions.iter().find(|decision| decision.record.step == step);
    let last = decisions.len().saturating_sub(1);
    let decision =
        decision.ok_or_else(|| refuse(format!("cell {cell} has no step {step}; its steps are 0 to {last}")))?;
    Ok(counsel_log::explain(&found.manifest, decision))
}

/// The columns of a cell by name, checked against its digest, or of one that is still being written. Lists are lists; what is absent is
/// None.
#[pyfunction]
#[pyo3(signature = (folder, cell, running = false))]
pub(crate) fn columns<'py>(
    py: Python<'py>,
    folder: PathBuf,
    cell: &str,
    running: bool,
) -> PyResult<Bound<'py, PyDict>> {
    let frame = if running {
        let key = key_of(cell)?;
        Frame::of(&Run::at(folder).written_so_far(&key).map_err(damaged)?, &key)
    } else {
        self::cell(&folder, cell)?.frame().map_err(damaged)?
    };
    let dict = PyDict::new(py);
    let held = |column: &&LogColumn| column.presence == Presence::Always || frame.has(column);
    for column in counsel_log::columns().filter(held) {
        let name = column.name;
        match column.type_name() {
            // The log keeps keys as signed numbers; everywhere else they have no sign.
            "integer" if name == "context" => {
                let keys: Vec<_> = frame.ints(name).iter().map(|key| key.map(i64::cast_unsigned)).collect();
                dict.set_item(name, keys)?;
            }
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
