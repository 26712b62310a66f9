//! CSV: the header after `# ` on the first line, then the names of the columns, then one row on each line. A list is written as
//! in JSON; an empty field is a value that is not there.

use std::io::{BufRead, Read};
use std::path::Path;

use serde_json::Value;

use super::{LOG, LONGEST, Reading};
use crate::raw::{COLUMNS, RawRow};
use crate::{Error, Fault, ShadowLog};

pub(super) fn read(path: &Path) -> Result<ShadowLog, Error> {
    let mut file = counsel_file::open(path, LOG)?;
    let mut first = Vec::new();
    file.by_ref().take(LONGEST).read_until(b'\n', &mut first).map_err(counsel_file::unreadable(path))?;
    let first = String::from_utf8_lossy(&first);
    let reason = "it does not begin with `# ` and the header; write # {\"format\":…} on the first line".to_owned();
    let header = first.strip_prefix('#').ok_or(Error::Header { path: path.into(), reason })?;
    let mut reading = Reading::begin(path, header)?;
    let mut table = csv::Reader::from_reader(file);
    let unreadable = |error: csv::Error| Error::Header { path: path.into(), reason: format!("{error}; write CSV") };
    let names = table.headers().map_err(unreadable)?.clone();
    let unread = names.iter().filter(|name| !COLUMNS.contains(name)).map(str::to_owned).collect();
    for (place, record) in table.records().enumerate() {
        let line = record.as_ref().ok().and_then(|record| Some(usize::try_from(record.position()?.line()).ok()? + 1));
        let line = line.unwrap_or(place + 3);
        let row = record
            .map_err(|error| Fault::new(line, "the row", error, "write as many fields as there are columns"))
            .and_then(|record| {
                let mut row = RawRow::default();
                for (name, field) in names.iter().zip(&record) {
                    if !field.is_empty() && COLUMNS.contains(&name) {
                        row.set(line, name, value(name, field))?;
                    }
                }
                Ok(row)
            });
        reading.take(line, row);
    }
    reading.finish(unread)
}

/// A field as it would stand in JSON; what is no JSON is a word. Words that look like numbers are words where words are wanted.
fn value(name: &str, field: &str) -> Value {
    match name {
        "asked" | "end" => match field.to_ascii_lowercase().as_str() {
            "true" | "1" => Value::Bool(true),
            "false" | "0" => Value::Bool(false),
            _ => Value::String(field.to_owned()),
        },
        _ => serde_json::from_str(field).unwrap_or_else(|_| Value::String(field.to_owned())),
    }
}
