//! Parquet: the columns under their names, lists as lists, and the header in the metadata under `counsel-shadow`.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use counsel_log::{check_metadata, check_pages, check_rows};
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, FileReader, Length, SerializedFileReader};
use parquet::record::{Field, List, Row};
use parquet::schema::types::Type;
use serde_json::{Value, json};

use super::{RowReader, check_columns};
use crate::raw::{COLUMNS, RawRow};
use crate::{Error, RowFault, ShadowLog};

/// The key of the header in the metadata.
const KEY: &str = "counsel-shadow";

/// A source that two readers share: one checks what the other will believe.
struct Shared<S>(Arc<S>);

impl<S> Clone for Shared<S> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<S: Length> Length for Shared<S> {
    fn len(&self) -> u64 {
        self.0.len()
    }
}

impl<S: ChunkReader> ChunkReader for Shared<S> {
    type T = S::T;

    fn get_read(&self, start: u64) -> Result<S::T, ParquetError> {
        self.0.get_read(start)
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        self.0.get_bytes(start, length)
    }
}

pub(super) fn read(path: &Path, source: impl ChunkReader + 'static) -> Result<ShadowLog, Error> {
    // The Parquet reader may panic on bytes that no writer makes; to us they are only a log that cannot be read.
    catch_unwind(AssertUnwindSafe(|| rows(path, source)))
        .unwrap_or_else(|_| Err(damaged(path, "the file", &"its bytes are not Parquet")))
}

fn damaged(path: &Path, place: impl Into<String>, reason: &dyn ToString) -> Error {
    Error::Damaged { path: path.into(), place: place.into(), reason: reason.to_string() }
}

fn rows(path: &Path, source: impl ChunkReader + 'static) -> Result<ShadowLog, Error> {
    let bytes = usize::try_from(source.len()).unwrap_or(usize::MAX);
    let whole = |reason: &dyn ToString| damaged(path, "the file", reason);
    let source = Shared(Arc::new(source));
    check_metadata(&source).map_err(|error| whole(&error))?;
    let file = SerializedFileReader::new(source.clone()).map_err(|error| whole(&error))?;
    let metadata = file.metadata();
    let claimed = metadata.row_groups().iter().map(|group| usize::try_from(group.num_rows()).ok());
    let claimed = claimed.sum::<Option<usize>>().ok_or_else(|| whole(&"a row group has fewer than 0 rows"))?;
    check_rows(claimed, bytes).map_err(|reason| whole(&reason))?;
    let about = metadata.file_metadata();
    let header = about.key_value_metadata().into_iter().flatten().find(|pair| pair.key == KEY);
    let missing =
        || Error::Header { path: path.into(), reason: format!("its metadata have no `{KEY}`; put the header there") };
    let header = header.and_then(|pair| pair.value.clone()).ok_or_else(missing)?;
    let mut reading = RowReader::begin(path, &header)?;
    let columns = about.schema().get_fields();
    check_columns(path, columns.iter().map(|column| column.name()))?;
    let (wanted, others): (Vec<_>, Vec<_>) =
        columns.iter().cloned().partition(|column| COLUMNS.contains(&column.name()));
    // What is not read cannot be in the way.
    let wanted = Type::group_type_builder(about.schema().name()).with_fields(wanted).build();
    let wanted = wanted.map_err(|error| whole(&error))?;
    let mut line = 0;
    for place in 0..file.num_row_groups() {
        let named = |line: usize| format!("row {line}, in row group {} of {}", place + 1, file.num_row_groups());
        let at = |error: ParquetError| damaged(path, named(line + 1), &error);
        let group = file.get_row_group(place).map_err(at)?;
        for (column, chunk) in group.metadata().columns().iter().enumerate() {
            if chunk.column_path().parts().first().is_some_and(|name| COLUMNS.contains(&name.as_str())) {
                check_pages(&source, &*group, column).map_err(at)?;
            }
        }
        for row in group.get_row_iter(Some(wanted.clone())).map_err(at)? {
            line += 1;
            // The rows after one that cannot be read are not there: the reader gives the same error for ever.
            let row = row.map_err(|error| damaged(path, named(line), &error))?;
            reading.take(line, raw(line, &row));
        }
    }
    reading.finish(others.iter().map(|column: &Arc<Type>| column.name().to_owned()).collect())
}

fn raw(line: usize, row: &Row) -> Result<RawRow, RowFault> {
    let mut raw = RawRow::default();
    for (name, field) in row.get_column_iter() {
        raw.set(line, name, value(field))?;
    }
    Ok(raw)
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
        Field::Float16(number) => real(number.to_f64()),
        Field::Float(number) => real(f64::from(*number)),
        Field::Double(number) => real(*number),
        // Numbers with a point are decimals in DuckDB.
        Field::Decimal(_) => {
            let text = field.to_string();
            text.parse().map_or(Value::String(text), real)
        }
        Field::Str(text) => json!(text),
        Field::Bytes(bytes) => json!(String::from_utf8_lossy(bytes.data())),
        Field::ListInternal(list) => List::elements(list).iter().map(value).collect(),
        other => json!(other.to_string()),
    }
}

/// A number, or the word for what is none: JSON would take it for a value that is not there.
fn real(number: f64) -> Value {
    if number.is_finite() { json!(number) } else { json!(number.to_string()) }
}
