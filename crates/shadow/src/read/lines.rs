//! JSONL: the header on the first line, then one row on each.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use serde_json::{Map, Value};

use super::{LOG, LONGEST, Reading};
use crate::raw::{COLUMNS, RawRow};
use crate::{Error, Fault, ShadowLog};

pub(super) fn read(path: &Path) -> Result<ShadowLog, Error> {
    let mut file = counsel_file::open(path, LOG)?;
    let (mut line, mut number) = (Vec::new(), 0);
    let mut reading: Option<Reading<'_>> = None;
    // The first row tells the names of all.
    let mut unread: Option<Vec<String>> = None;
    while next(path, &mut file, &mut line)? {
        number += 1;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let Some(reading) = &mut reading else {
            reading = Some(Reading::begin(path, &String::from_utf8_lossy(&line))?);
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
    reading.map_or_else(|| Reading::begin(path, ""), Ok)?.finish(unread.unwrap_or_default())
}

/// Reads the next line; false where there is none.
fn next(path: &Path, file: &mut BufReader<File>, line: &mut Vec<u8>) -> Result<bool, Error> {
    line.clear();
    file.take(LONGEST).read_until(b'\n', line).map_err(counsel_file::unreadable(path))?;
    if line.len() as u64 == LONGEST {
        let reason = format!("a line has {LONGEST} bytes or more; write one JSON object on each line");
        return Err(Error::Header { path: path.into(), reason });
    }
    Ok(!line.is_empty())
}

fn apart(line: usize, bytes: &[u8]) -> Result<RawRow, Fault> {
    let whole: Map<String, Value> = serde_json::from_slice(bytes)
        .map_err(|error| Fault::new(line, "the row", error, "write one JSON object on each line"))?;
    let mut row = RawRow::default();
    for (name, value) in whole {
        row.set(line, &name, value)?;
    }
    Ok(row)
}
