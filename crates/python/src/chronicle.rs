//! The log of a cascade or a router on the disk: a line for each thing that it was told, written before the call returns.
//!
//! Invariants: a log has one writer, who holds its lock; a line that could not be written is kept, and nothing more is decided until it
//! is written; only whole lines count, so a program that is killed leaves a log that can be read.

use std::fs::File;
use std::io::{BufRead, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use counsel_controller::route::{Happening, Retelling};
use counsel_file::{Expected, io, open_kept, unreadable};
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};

use crate::error::{damaged, refuse, state};

const EXPECTED: Expected = Expected { what: "the log of a cascade or a router", most_bytes: 1 << 40 };

/// A log that is being written.
pub(crate) struct Chronicle {
    path: PathBuf,
    file: File,
    heading: String,
    /// The bytes of all lines that are written.
    bytes: u64,
    unwritten: Vec<u8>,
}

/// How far a log had come when its controller was saved.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Mark {
    heading: String,
    bytes: u64,
}

impl Chronicle {
    /// A log that holds nothing yet.
    pub(crate) fn begin(path: PathBuf) -> PyResult<Self> {
        let file = opened(&path)?;
        if file.metadata().map_err(unreadable(&path)).map_err(damaged)?.len() > 0 {
            let shown = path.display();
            return Err(refuse(format!(
                "the log {shown} is there already; load the checkpoint that was saved beside it to go on with it, delete it, or choose another path"
            )));
        }
        Ok(Self { path, file, heading: String::new(), bytes: 0, unwritten: Vec::new() })
    }

    /// Goes on with a log from where its controller was saved. What came after that is cut: the controller does not know it any more.
    pub(crate) fn resume(path: PathBuf, mark: Option<Mark>) -> PyResult<Self> {
        let mark = mark.ok_or_else(|| {
            state("this checkpoint was saved without a log, so none can go on with it; leave `log` out")
        })?;
        let mut file = opened(&path)?;
        let wrong = || {
            let shown = path.display();
            state(format!(
                "the log {shown} is not the one that this checkpoint was saved beside; pass that one, or leave `log` out"
            ))
        };
        let mut first = vec![0; mark.heading.len() + 1];
        file.read_exact(&mut first).map_err(|_| wrong())?;
        let is_whole = file.metadata().map_err(unreadable(&path)).map_err(damaged)?.len() >= mark.bytes;
        if !is_whole || first != format!("{}\n", mark.heading).into_bytes() {
            return Err(wrong());
        }
        file.set_len(mark.bytes).map_err(io("cut", &path)).map_err(damaged)?;
        Ok(Self { path, file, heading: mark.heading, bytes: mark.bytes, unwritten: Vec::new() })
    }

    /// Writes the first line, if there is none yet.
    pub(crate) fn declare(&mut self, heading: String) {
        if self.heading.is_empty() {
            self.heading = heading;
            self.unwritten.extend(self.heading.bytes());
            self.unwritten.push(b'\n');
        }
    }

    /// Writes down what happened. What cannot be written is kept for [`Self::write`].
    pub(crate) fn note(&mut self, happening: &Happening) {
        self.unwritten.extend(serde_json::to_vec(happening).unwrap_or_default());
        self.unwritten.push(b'\n');
        let _ = self.write();
    }

    /// Writes what is not written yet.
    pub(crate) fn write(&mut self) -> Result<(), counsel_file::Error> {
        if self.unwritten.is_empty() {
            return Ok(());
        }
        // A line that was written in part is written again whole.
        let written = self.file.seek(SeekFrom::Start(self.bytes)).and_then(|_| self.file.write_all(&self.unwritten));
        written.map_err(io("write", &self.path))?;
        self.bytes += self.unwritten.len() as u64;
        self.unwritten.clear();
        Ok(())
    }

    /// How far it has come.
    pub(crate) fn mark(&mut self) -> Result<Mark, counsel_file::Error> {
        self.write()?;
        Ok(Mark { heading: self.heading.clone(), bytes: self.bytes })
    }
}

fn opened(path: &Path) -> PyResult<File> {
    let file = open_kept(path, EXPECTED, File::options().read(true).write(true)).map_err(damaged)?;
    file.try_lock().map_err(|_| {
        let shown = path.display();
        damaged(format!("the log {shown} is open already; use the object that writes it, or choose another path"))
    })?;
    Ok(file)
}

/// Decides everything in the log of a cascade or a router again: how many decisions agree, of how many, in how many logs, and what is
/// wrong, in words.
#[pyfunction]
pub(crate) fn audit_chronicle(py: Python<'_>, path: PathBuf) -> PyResult<(usize, usize, usize, Vec<String>)> {
    py.detach(|| {
        let mut lines = counsel_file::open(&path, EXPECTED).map_err(damaged)?;
        let (mut line, mut retelling) = (String::new(), None::<Retelling>);
        let mut fault = None;
        loop {
            line.clear();
            let read = lines.read_line(&mut line);
            // The last line was cut off with its program, if it has no end.
            if !read.map_err(unreadable(&path)).map_err(damaged)?.gt(&0) || !line.ends_with('\n') {
                break;
            }
            let told = match &mut retelling {
                Some(retelling) => retelling.hear(line.trim_end()),
                None => Retelling::begin(line.trim_end()).map(|begun| retelling = Some(begun)),
            };
            if let Err(error) = told {
                fault = Some(error.to_string());
                break;
            }
        }
        let (decisions, mut faults) = retelling.map_or_else(Default::default, Retelling::found);
        let agreeing = decisions - faults.len();
        faults.extend(fault);
        Ok((agreeing, decisions, 1, faults))
    })
}
