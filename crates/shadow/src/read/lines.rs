//! JSONL: the header on the first line, then one row on each.

use std::path::Path;

use serde_json::{Map, Value};

use super::{LOG, Reading};
use crate::raw::{COLUMNS, RawRow};
use crate::{Error, Fault, ShadowLog};

pub(super) fn read(path: &Path) -> Result<ShadowLog, Error> {
    let bytes = counsel_file::read(path, LOG)?;
    let mut lines = bytes.split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| !line.trim_ascii().is_empty());
    let header = lines.next().map_or_else(String::new, |(_, line)| String::from_utf8_lossy(line).into_owned());
    let mut reading = Reading::begin(path, &header)?;
    let mut unread = Vec::new();
    for (place, (at, line)) in lines.enumerate() {
        if place == 0
            && let Ok(row) = serde_json::from_slice::<Map<String, Value>>(line)
        {
            unread = row.keys().filter(|name| !COLUMNS.contains(&name.as_str())).cloned().collect();
        }
        // Rows of the right kinds are read at once; only a bad one is taken apart to name what is wrong.
        let row = serde_json::from_slice::<RawRow>(line).or_else(|_| apart(at + 1, line));
        reading.take(at + 1, row);
    }
    reading.finish(unread)
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
