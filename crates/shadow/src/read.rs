//! Logs from files, by the ends of their names, and from runs of this program.

mod delimited;
mod lines;
mod own;
mod parquet;

use std::path::Path;

use counsel_file::Expected;

use crate::draft::Draft;
use crate::raw::RawRow;
use crate::{Error, Fault, Header, ShadowLog};

pub use own::own;

/// A log of ten million rows takes about as much.
const LOG: Expected = Expected { what: "a log", most_bytes: 4 << 30 };

/// No line has more bytes. A file without lines is not taken into memory.
const LONGEST: u64 = 16 << 20;

/// So many bad rows are named; all are counted.
const NAMED: usize = 20;

/// Reads a log and checks every row.
pub fn read(path: &Path) -> Result<ShadowLog, Error> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        Some("jsonl" | "ndjson") => lines::read(path),
        Some("csv") => delimited::read(path),
        Some("parquet") => parquet::read(path),
        _ => Err(Error::Kind { path: path.into() }),
    }
}

/// Takes rows one by one, and names the bad ones.
struct Reading<'a> {
    path: &'a Path,
    draft: Draft,
    faults: Vec<Fault>,
    count: usize,
}

impl<'a> Reading<'a> {
    /// Begins with the text of the header.
    fn begin(path: &'a Path, header: &str) -> Result<Self, Error> {
        let header = Header::parse(header).map_err(|reason| Error::Header { path: path.into(), reason })?;
        Ok(Self { path, draft: Draft::new(header), faults: Vec::new(), count: 0 })
    }

    fn take(&mut self, line: usize, row: Result<RawRow, Fault>) {
        if let Err(fault) = row.and_then(|row| self.draft.push(line, row)) {
            self.count += 1;
            if self.faults.len() < NAMED {
                self.faults.push(fault);
            }
        }
    }

    fn finish(self, unread: Vec<String>) -> Result<ShadowLog, Error> {
        let Self { path, draft, faults, count } = self;
        if count > 0 {
            return Err(Error::Rows { path: path.into(), count, faults });
        }
        let reason = |fault: Fault| Error::Header {
            path: path.into(),
            reason: format!("{} is {}; {}", fault.column, fault.found, fault.remedy),
        };
        let log = draft.finish(unread).map_err(reason)?;
        if log.episodes.is_empty() {
            let reason = "no episode has an end; write end in the last row of each".to_owned();
            return Err(Error::Header { path: path.into(), reason });
        }
        Ok(log)
    }
}
