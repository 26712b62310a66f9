//! Parquet: the columns under their names, lists as lists, and the header in the metadata under `counsel-shadow`.

use std::path::Path;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, List};
use serde_json::{Value, json};

use super::{LOG, Reading};
use crate::raw::{COLUMNS, RawRow};
use crate::{Error, Fault, ShadowLog};

/// The key of the header in the metadata.
const KEY: &str = "counsel-shadow";

pub(super) fn read(path: &Path) -> Result<ShadowLog, Error> {
    let unreadable = |error: parquet::errors::ParquetError| Error::Header {
        path: path.into(),
        reason: format!("it cannot be read as Parquet ({error}); write it anew"),
    };
    let file = SerializedFileReader::new(counsel_file::open(path, LOG)?.into_inner()).map_err(unreadable)?;
    let metadata = file.metadata().file_metadata();
    let header = metadata.key_value_metadata().into_iter().flatten().find(|pair| pair.key == KEY);
    let missing =
        || Error::Header { path: path.into(), reason: format!("its metadata have no `{KEY}`; put the header there") };
    let header = header.and_then(|pair| pair.value.clone()).ok_or_else(missing)?;
    let names = metadata.schema().get_fields().iter().map(|field| field.name().to_owned());
    let unread = names.filter(|name| !COLUMNS.contains(&name.as_str())).collect();
    let mut reading = Reading::begin(path, &header)?;
    for (at, row) in file.get_row_iter(None).map_err(unreadable)?.enumerate() {
        let line = at + 1;
        let row = row.map_err(|error| Fault::new(line, "the row", error, "write the file anew")).and_then(|row| {
            let mut raw = RawRow::default();
            for (name, field) in row.get_column_iter().filter(|(name, _)| COLUMNS.contains(&name.as_str())) {
                raw.set(line, name, value(field))?;
            }
            Ok(raw)
        });
        reading.take(line, row);
    }
    reading.finish(unread)
}

fn value(field: &Field) -> Value {
    match field {
        Field::Null => Value::Null,
        Field::Bool(flag) => json!(flag),
        Field::Byte(number) => json!(number),
        Field::Short(number) => json!(number),
        Field::Int(number) => json!(number),
        Field::Long(number) => json!(number),
        Field::UByte(number) => json!(number),
        Field::UShort(number) => json!(number),
        Field::UInt(number) => json!(number),
        Field::ULong(number) => json!(number),
        Field::Float(number) => json!(number),
        Field::Double(number) => json!(number),
        Field::Str(text) => json!(text),
        Field::ListInternal(list) => List::elements(list).iter().map(value).collect(),
        other => json!(other.to_string()),
    }
}
