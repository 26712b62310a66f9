//! Logs from files, by the ends of their names, and from runs of this program.
//!
//! Invariant: what cannot be read ends the reading. Only a row that was read, or a line of its own, can be bad and be passed over.

mod delimited;
mod lines;
mod otlp;
mod own;
mod parquet;

use std::io::BufRead;
use std::path::Path;

use ::parquet::file::reader::ChunkReader;
use bytes::Bytes;
use counsel_file::Expected;

use crate::draft::LogBuilder;
use crate::raw::{NEEDED, RawRow};
use crate::{Error, LogHeader, RowFault, ShadowLog};

pub use own::own;

/// A log of ten million rows takes about as much.
const LOG: Expected = Expected { what: "a log", most_bytes: 4 << 30 };

/// No line has more bytes. A file without lines is not taken into memory.
const LONGEST: u64 = 16 << 20;

/// No more bad rows are named, and no more of one kind; all are counted.
const NAMED: usize = 20;
const NAMED_OF_A_KIND: usize = 3;

/// What some programs put before the first line of a text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Reads a log and checks every row.
pub fn read(path: &Path) -> Result<ShadowLog, Error> {
    let file = || counsel_file::open(path, LOG);
    from(path, file, || Ok(file()?.into_inner()))
}

/// Reads a log from its bytes; the path says of what kind it is, and stands in messages.
pub fn parse(path: &Path, bytes: impl Into<Bytes>) -> Result<ShadowLog, Error> {
    let bytes = bytes.into();
    from(path, || Ok(&bytes[..]), || Ok(bytes.clone()))
}

fn from<T: BufRead, C: ChunkReader + 'static>(
    path: &Path,
    text: impl FnOnce() -> Result<T, counsel_file::Error>,
    chunks: impl FnOnce() -> Result<C, counsel_file::Error>,
) -> Result<ShadowLog, Error> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    match ending.as_deref() {
        Some("json") => otlp::read(path, text()?),
        Some("jsonl" | "ndjson") => {
            let mut text = text()?;
            let is_trace = otlp::begins(text.fill_buf().map_err(counsel_file::unreadable(path))?);
            if is_trace { otlp::read(path, text) } else { lines::read(path, text) }
        }
        Some("csv") => delimited::read(path, text()?),
        Some("parquet") => parquet::read(path, chunks()?),
        _ => Err(Error::Kind { path: path.into() }),
    }
}

/// Refuses a table that lacks a column which every row must have.
fn check_columns<'a>(path: &Path, names: impl Iterator<Item = &'a str> + Clone) -> Result<(), Error> {
    let missing: Vec<&str> = NEEDED.into_iter().filter(|needed| !names.clone().any(|name| name == *needed)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let found = names.take(NAMED).collect::<Vec<_>>().join(", ");
    let reason = format!("it has no column {}, only {found}; add what is missing", missing.join(", "));
    Err(Error::Header { path: path.into(), reason })
}

/// Takes rows one by one, and names the bad ones.
struct RowReader<'a> {
    path: &'a Path,
    draft: LogBuilder,
    faults: Vec<RowFault>,
    count: usize,
}

impl<'a> RowReader<'a> {
    /// Begins with the text of the header.
    fn begin(path: &'a Path, header: &str) -> Result<Self, Error> {
        let header = LogHeader::parse(header).map_err(|reason| Error::Header { path: path.into(), reason })?;
        Ok(Self { path, draft: LogBuilder::new(header), faults: Vec::new(), count: 0 })
    }

    fn take(&mut self, line: usize, row: Result<RawRow, RowFault>) {
        if row.is_err() {
            self.draft.lose();
        }
        if let Err(fault) = row.and_then(|row| self.draft.push(line, row)) {
            self.count += 1;
            let alike = |known: &&RowFault| known.column == fault.column && known.remedy == fault.remedy;
            if self.faults.len() < NAMED && self.faults.iter().filter(alike).count() < NAMED_OF_A_KIND {
                self.faults.push(fault);
            }
        }
    }

    fn finish(self, unread: Vec<String>) -> Result<ShadowLog, Error> {
        let Self { path, draft, faults, count } = self;
        if count > 0 {
            return Err(Error::Rows { path: path.into(), count, faults });
        }
        let reason = |fault: RowFault| Error::Header {
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
