//! Decisions as one Parquet row group, column by column as declared; some columns are left out where no row has an entry. The
//! bytes depend on nothing but the values.

use std::sync::Arc;

use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;

use crate::column::{Field, LogColumn, Presence, Row, columns};
use crate::json::filled;
use crate::{CellKey, Decision};

/// The decisions of a cell as the bytes of a Parquet file.
pub fn encode(key: &CellKey, decisions: &[Decision]) -> Result<Vec<u8>, String> {
    let rows: Vec<Row<'_>> = decisions.iter().map(|decision| Row::of(key, decision)).collect();
    to_parquet(&rows).map_err(|error| error.to_string())
}

fn to_parquet(rows: &[Row<'_>]) -> Result<Vec<u8>, ParquetError> {
    let written: Vec<&LogColumn> = columns().filter(|column| column.is_in(rows)).collect();
    let message: String = written.iter().map(|column| declaration(column)).collect();
    let schema = Arc::new(parse_message_type(&format!("message decision {{ {message} }}"))?);
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties()?))?;
    let mut group = writer.next_row_group()?;
    for column in written {
        let mut out = group.next_column()?.ok_or_else(|| ParquetError::General("a column is missing".into()))?;
        column.field.write_all(rows, &mut out)?;
        out.close()?;
    }
    group.close()?;
    writer.into_inner()
}

fn declaration(column: &LogColumn) -> String {
    let (repetition, kind) = match column.field {
        Field::Int { .. } => ("optional", "int64"),
        Field::Real { .. } => ("optional", "double"),
        Field::Word { .. } | Field::Text { .. } => ("optional", "binary"),
        Field::Ints { .. } => ("repeated", "int64"),
        Field::Reals { .. } => ("repeated", "double"),
        Field::Words { .. } => ("repeated", "binary"),
    };
    let logical = if kind == "binary" { " (STRING)" } else { "" };
    format!("{repetition} {kind} {}{logical}; ", column.name)
}

fn properties() -> Result<WriterProperties, ParquetError> {
    let zstd = Compression::ZSTD(ZstdLevel::try_new(1)?);
    let mut properties = WriterProperties::builder().set_statistics_enabled(EnabledStatistics::None);
    for column in columns() {
        let path = || ColumnPath::from(column.name);
        match column.field {
            // These hardly repeat, but their signs and exponents do, and often they have few digits, so they are laid out
            // byte by byte: the first bytes of all, the second bytes of all.
            Field::Reals { .. } => {
                properties = properties
                    .set_column_dictionary_enabled(path(), false)
                    .set_column_encoding(path(), Encoding::BYTE_STREAM_SPLIT)
                    .set_column_compression(path(), zstd);
            }
            Field::Text { .. } => properties = properties.set_column_compression(path(), zstd),
            // Their dictionaries make these small enough.
            Field::Int { .. } | Field::Real { .. } | Field::Word { .. } | Field::Ints { .. } | Field::Words { .. } => {}
        }
    }
    Ok(properties.build())
}

impl LogColumn {
    /// Whether a log of these rows has it.
    fn is_in(&self, rows: &[Row<'_>]) -> bool {
        self.presence == Presence::Always || rows.iter().any(|row| self.field.has_entry(*row))
    }
}

impl Field {
    /// Whether a row has an entry.
    pub(crate) fn has_entry(&self, row: Row<'_>) -> bool {
        match self {
            Self::Int { write, .. } => write(row).is_some(),
            Self::Real { write, .. } => write(row).is_some(),
            Self::Word { write, .. } | Self::Text { write, .. } => write(row).is_some(),
            Self::Ints { write, .. } => !filled(write, row).is_empty(),
            Self::Reals { write, .. } => !filled(write, row).is_empty(),
            Self::Words { write, .. } => !filled(write, row).is_empty(),
        }
    }

    fn write_all(&self, rows: &[Row<'_>], out: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let mut spelled = Spelled::default();
        match self {
            Self::Int { write, .. } => write_scalars::<Int64Type>(out, rows.iter().map(|row| write(*row))),
            Self::Real { write, .. } => write_scalars::<DoubleType>(out, rows.iter().map(|row| write(*row))),
            Self::Word { write, .. } => {
                let words = rows.iter().map(|row| write(*row).map(|word| spelled.bytes(word)));
                write_scalars::<ByteArrayType>(out, words)
            }
            Self::Text { write, .. } => {
                write_scalars::<ByteArrayType>(out, rows.iter().map(|row| write(*row).map(ByteArray::from)))
            }
            Self::Ints { write, .. } => {
                let (values, lengths) = lists(rows, |row, list| write(row, list));
                write_lists::<Int64Type>(out, &values, &lengths)
            }
            Self::Reals { write, .. } => {
                let (values, lengths) = lists(rows, |row, list| write(row, list));
                write_lists::<DoubleType>(out, &values, &lengths)
            }
            Self::Words { write, .. } => {
                let (words, lengths) = lists(rows, |row, list| write(row, list));
                let values: Vec<ByteArray> = words.into_iter().map(|word| spelled.bytes(word)).collect();
                write_lists::<ByteArrayType>(out, &values, &lengths)
            }
        }
    }
}

/// The few words of a column, each copied once; the rows share the copy.
#[derive(Default)]
struct Spelled<'a>(Vec<(&'a str, ByteArray)>);

impl<'a> Spelled<'a> {
    fn bytes(&mut self, word: &'a str) -> ByteArray {
        if let Some((_, bytes)) = self.0.iter().find(|(known, _)| *known == word) {
            return bytes.clone();
        }
        let bytes = ByteArray::from(word);
        self.0.push((word, bytes.clone()));
        bytes
    }
}

fn write_scalars<T: DataType>(
    out: &mut SerializedColumnWriter<'_>,
    rows: impl Iterator<Item = Option<T::T>>,
) -> Result<(), ParquetError> {
    let (mut values, mut definitions) = (Vec::new(), Vec::with_capacity(rows.size_hint().0));
    for row in rows {
        definitions.push(i16::from(row.is_some()));
        values.extend(row);
    }
    out.typed::<T>().write_batch(&values, Some(&definitions), None).map(|_| ())
}

/// The values of all rows one behind the other, and how many each row has.
fn lists<'a, V>(rows: &[Row<'a>], write: impl Fn(Row<'a>, &mut Vec<V>)) -> (Vec<V>, Vec<usize>) {
    let mut values = Vec::new();
    let lengths = rows.iter().map(|row| {
        let before = values.len();
        write(*row, &mut values);
        values.len() - before
    });
    let lengths = lengths.collect();
    (values, lengths)
}

fn write_lists<T: DataType>(
    out: &mut SerializedColumnWriter<'_>,
    values: &[T::T],
    lengths: &[usize],
) -> Result<(), ParquetError> {
    let (mut definitions, mut repetitions) = (Vec::new(), Vec::new());
    for &length in lengths {
        // An empty list has one entry that is not defined; a longer one begins a record with its first entry.
        definitions.push(i16::from(length > 0));
        repetitions.push(0);
        definitions.resize(definitions.len() + length.saturating_sub(1), 1);
        repetitions.resize(definitions.len(), 1);
    }
    out.typed::<T>().write_batch(values, Some(&definitions), Some(&repetitions)).map(|_| ())
}
