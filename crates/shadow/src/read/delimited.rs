//! CSV: the header after `# ` on the first line, then the names of the columns, then one row on each line. A list is written as
//! in JSON; an empty field is a value that is not there. Fields end with a comma, a semicolon or a tab.

use std::io::{BufRead, Read};
use std::path::Path;

use serde_json::Value;

use super::{BYTE_ORDER_MARK, LONGEST, RowReader, check_columns};
use crate::raw::{COLUMNS, RawRow};
use crate::{Error, RowFault, ShadowLog};

pub(super) fn read(path: &Path, mut file: impl BufRead) -> Result<ShadowLog, Error> {
    let mut line = || -> Result<Vec<u8>, Error> {
        let mut line = Vec::new();
        file.by_ref().take(LONGEST).read_until(b'\n', &mut line).map_err(counsel_file::unreadable(path))?;
        Ok(line)
    };
    let (first, second) = (line()?, line()?);
    let first = String::from_utf8_lossy(&first);
    let reason = "it does not begin with `# ` and the header; write # {\"format\":…} on the first line".to_owned();
    let header = first.trim_start_matches(BYTE_ORDER_MARK).strip_prefix('#');
    let mut reading = RowReader::begin(path, header.ok_or(Error::Header { path: path.into(), reason })?)?;
    // The names of the columns have nothing in them but what stands between them.
    let count = |mark: &u8| second.split(|byte| byte == mark).count();
    let mark = [b',', b';', b'\t'].into_iter().rev().max_by_key(count).unwrap_or(b',');
    let mut table = csv::ReaderBuilder::new().delimiter(mark).from_reader(second.chain(file));
    let unreadable = |error: csv::Error| Error::Header { path: path.into(), reason: format!("{error}; write CSV") };
    let names = table.headers().map_err(unreadable)?.clone();
    check_columns(path, names.iter())?;
    let unread = names.iter().filter(|name| !COLUMNS.contains(name)).map(str::to_owned).collect();
    for (place, record) in table.records().enumerate() {
        let line = record.as_ref().ok().and_then(|record| Some(usize::try_from(record.position()?.line()).ok()? + 1));
        let line = line.unwrap_or(place + 3);
        let record = match record {
            // What cannot be read ends the reading; a line that is no row does not.
            Err(error) if error.is_io_error() => return Err(counsel_file::unreadable(path)(error.into()).into()),
            other => other,
        };
        let row = record
            .map_err(|error| RowFault::new(line, "the row", error, "write as many fields as there are columns"))
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
            "true" | "1" | "1.0" => Value::Bool(true),
            "false" | "0" | "0.0" => Value::Bool(false),
            _ => Value::String(field.to_owned()),
        },
        _ => serde_json::from_str(field).unwrap_or_else(|_| Value::String(field.to_owned())),
    }
}
