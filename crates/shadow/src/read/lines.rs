//! JSONL: the header on the first line, then one row on each.

use std::io::{BufRead, Read};
use std::path::Path;

use serde_json::{Map, Value};

use super::{BYTE_ORDER_MARK, LONGEST, RowReader};
use crate::raw::{COLUMNS, RawRow};
use crate::{Error, RowFault, ShadowLog};

pub(super) fn read(path: &Path, mut file: impl BufRead) -> Result<ShadowLog, Error> {
    let (mut line, mut number) = (Vec::new(), 0);
    let mut reading: Option<RowReader<'_>> = None;
    // The first row has the names of all.
    let mut unread: Option<Vec<String>> = None;
    while next(path, &mut file, &mut line)? {
        number += 1;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let Some(reading) = &mut reading else {
            let header = String::from_utf8_lossy(&line);
            reading = Some(RowReader::begin(path, header.trim_start_matches(BYTE_ORDER_MARK))?);
            continue;
        };
        unread.get_or_insert_with(|| {
            let row = serde_json::from_slice::<Map<String, Value>>(&line).unwrap_or_default();
            row.into_iter().map(|(name, _)| name).filter(|name| !COLUMNS.contains(&name.as_str())).collect()
        });
        // Rows of the right kinds are read at once; only a bad one is taken apart to name what is wrong.
        reading.take(number, serde_json::from_slice::<RawRow>(&line).or_else(|_| apart(number, &line)));
    }
    // A file without a line has no header, which is said as of any other header.
    reading.map_or_else(|| RowReader::begin(path, ""), Ok)?.finish(unread.unwrap_or_default())
}

/// Reads the next line; false where there is none.
fn next(path: &Path, file: &mut impl BufRead, line: &mut Vec<u8>) -> Result<bool, Error> {
    line.clear();
    file.take(LONGEST).read_until(b'\n', line).map_err(counsel_file::unreadable(path))?;
    if line.len() as u64 == LONGEST {
        let reason = format!("a line has {LONGEST} bytes or more; write one JSON object on each line");
        return Err(Error::Header { path: path.into(), reason });
    }
    Ok(!line.is_empty())
}

fn apart(line: usize, bytes: &[u8]) -> Result<RawRow, RowFault> {
    let whole: Map<String, Value> = serde_json::from_slice(bytes)
        .map_err(|error| RowFault::new(line, "the row", error, "write one JSON object on each line"))?;
    let mut row = RawRow::default();
    for (name, value) in whole {
        row.set(line, &name, value)?;
    }
    Ok(row)
}
