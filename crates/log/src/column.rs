//! A table of named columns, and its form as one Parquet row group.
//!
//! Scalars may be absent; lists are repeated fields. The bytes depend on nothing but the values.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;

/// How the values of a column are taken from the rows of a table.
pub(crate) enum Field<R> {
    Int(fn(&R) -> Option<i64>),
    Real(fn(&R) -> Option<f64>),
    /// One of a few words.
    Name(fn(&R) -> Option<&'static str>),
    Text(fn(&R) -> Option<&str>),
    /// Lists: the values of the row are added to those of the rows before.
    Ints(fn(&R, &mut Vec<i64>)),
    Reals(fn(&R, &mut Vec<f64>)),
    Names(fn(&R, &mut Vec<&'static str>)),
}

/// A table as the bytes of a Parquet file.
pub(crate) fn to_parquet<R>(fields: &[(&str, Field<R>)], rows: &[R]) -> Result<Vec<u8>, ParquetError> {
    let message: String = fields.iter().map(|(name, field)| field.declaration(name)).collect();
    let schema = Arc::new(parse_message_type(&format!("message decision {{ {message} }}"))?);
    let zstd = Compression::ZSTD(ZstdLevel::try_new(1)?);
    let mut properties = WriterProperties::builder().set_statistics_enabled(EnabledStatistics::None);
    for (name, field) in fields {
        let column = || ColumnPath::from(*name);
        match field {
            // These hardly repeat, but their signs and exponents do, and often they have few digits, so they are laid out byte
            // by byte: the first bytes of all, the second bytes of all.
            Field::Reals(_) => {
                properties = properties
                    .set_column_dictionary_enabled(column(), false)
                    .set_column_encoding(column(), Encoding::BYTE_STREAM_SPLIT)
                    .set_column_compression(column(), zstd);
            }
            Field::Text(_) => properties = properties.set_column_compression(column(), zstd),
            // Their dictionaries make these small enough.
            Field::Int(_) | Field::Real(_) | Field::Name(_) | Field::Ints(_) | Field::Names(_) => {}
        }
    }
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties.build()))?;
    let mut group = writer.next_row_group()?;
    for (_, field) in fields {
        let mut out = group.next_column()?.ok_or_else(|| ParquetError::General("a column is missing".into()))?;
        field.write(rows, &mut out)?;
        out.close()?;
    }
    group.close()?;
    writer.into_inner()
}

impl<R> Field<R> {
    fn declaration(&self, name: &str) -> String {
        let (repetition, kind) = match self {
            Self::Int(_) => ("optional", "int64"),
            Self::Real(_) => ("optional", "double"),
            Self::Name(_) | Self::Text(_) => ("optional", "binary"),
            Self::Ints(_) => ("repeated", "int64"),
            Self::Reals(_) => ("repeated", "double"),
            Self::Names(_) => ("repeated", "binary"),
        };
        let logical = if kind == "binary" { " (STRING)" } else { "" };
        format!("{repetition} {kind} {name}{logical}; ")
    }

    fn write(&self, rows: &[R], out: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let word = |word: &'static str| ByteArray::from(Bytes::from_static(word.as_bytes()));
        match self {
            Self::Int(get) => write_scalars::<Int64Type>(out, rows.iter().map(get)),
            Self::Real(get) => write_scalars::<DoubleType>(out, rows.iter().map(get)),
            Self::Name(get) => write_scalars::<ByteArrayType>(out, rows.iter().map(|row| get(row).map(word))),
            Self::Text(get) => {
                write_scalars::<ByteArrayType>(out, rows.iter().map(|row| get(row).map(ByteArray::from)))
            }
            Self::Ints(get) => {
                let (values, lengths) = lists(rows, *get);
                write_lists::<Int64Type>(out, &values, &lengths)
            }
            Self::Reals(get) => {
                let (values, lengths) = lists(rows, *get);
                write_lists::<DoubleType>(out, &values, &lengths)
            }
            Self::Names(get) => {
                let (names, lengths) = lists(rows, *get);
                let values: Vec<ByteArray> = names.into_iter().map(word).collect();
                write_lists::<ByteArrayType>(out, &values, &lengths)
            }
        }
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
fn lists<R, V>(rows: &[R], get: fn(&R, &mut Vec<V>)) -> (Vec<V>, Vec<usize>) {
    let mut values = Vec::new();
    let lengths = rows.iter().map(|row| {
        let before = values.len();
        get(row, &mut values);
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
        definitions.push(i16::from(length > 0));
        repetitions.push(0);
        definitions.resize(definitions.len() + length.saturating_sub(1), 1);
        repetitions.resize(definitions.len(), 1);
    }
    out.typed::<T>().write_batch(values, Some(&definitions), Some(&repetitions)).map(|_| ())
}

/// The values of a column that was read.
#[derive(Debug, Clone, PartialEq)]
enum Column {
    Int(Vec<Option<i64>>),
    Real(Vec<Option<f64>>),
    Text(Vec<Option<String>>),
    Ints(Vec<Vec<i64>>),
    Reals(Vec<Vec<f64>>),
    Texts(Vec<Vec<String>>),
}

/// The columns of a Parquet file, by name, and the number of rows.
pub(crate) struct Columns {
    pub(crate) rows: usize,
    by_name: BTreeMap<String, Column>,
}

impl Columns {
    /// Reads every column of a file.
    pub(crate) fn from_parquet(bytes: Vec<u8>) -> Result<Self, ParquetError> {
        let reader = SerializedFileReader::new(Bytes::from(bytes))?;
        let groups = reader.num_row_groups();
        if groups != 1 {
            return Err(ParquetError::General(format!("it has {groups} row groups where 1 is needed")));
        }
        let group = reader.get_row_group(0)?;
        let rows = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        let mut by_name = BTreeMap::new();
        for index in 0..group.num_columns() {
            let descriptor = group.metadata().column(index).column_descr_ptr();
            let is_list = descriptor.max_rep_level() > 0;
            let column = read(group.get_column_reader(index)?, rows, is_list)?;
            by_name.insert(descriptor.name().to_owned(), column);
        }
        Ok(Self { rows, by_name })
    }

    pub(crate) fn int(&mut self, name: &str) -> Result<Vec<Option<i64>>, String> {
        self.take(name, |column| if let Column::Int(rows) = column { Some(rows) } else { None })
    }

    pub(crate) fn real(&mut self, name: &str) -> Result<Vec<Option<f64>>, String> {
        self.take(name, |column| if let Column::Real(rows) = column { Some(rows) } else { None })
    }

    pub(crate) fn text(&mut self, name: &str) -> Result<Vec<Option<String>>, String> {
        self.take(name, |column| if let Column::Text(rows) = column { Some(rows) } else { None })
    }

    pub(crate) fn ints(&mut self, name: &str) -> Result<Vec<Vec<i64>>, String> {
        self.take(name, |column| if let Column::Ints(rows) = column { Some(rows) } else { None })
    }

    pub(crate) fn reals(&mut self, name: &str) -> Result<Vec<Vec<f64>>, String> {
        self.take(name, |column| if let Column::Reals(rows) = column { Some(rows) } else { None })
    }

    pub(crate) fn texts(&mut self, name: &str) -> Result<Vec<Vec<String>>, String> {
        self.take(name, |column| if let Column::Texts(rows) = column { Some(rows) } else { None })
    }

    fn take<T>(&mut self, name: &str, pick: impl Fn(Column) -> Option<T>) -> Result<T, String> {
        let column = self.by_name.remove(name).ok_or_else(|| format!("column {name} is missing"))?;
        pick(column).ok_or_else(|| format!("column {name} has an unexpected type"))
    }
}

fn read(reader: ColumnReader, rows: usize, is_list: bool) -> Result<Column, ParquetError> {
    let text = |bytes: &ByteArray| bytes.as_utf8().map(str::to_owned);
    Ok(match (reader, is_list) {
        (ColumnReader::Int64ColumnReader(reader), false) => Column::Int(read_scalars(reader, rows, |v| Ok(*v))?),
        (ColumnReader::Int64ColumnReader(reader), true) => Column::Ints(read_lists(reader, rows, |v| Ok(*v))?),
        (ColumnReader::DoubleColumnReader(reader), false) => Column::Real(read_scalars(reader, rows, |v| Ok(*v))?),
        (ColumnReader::DoubleColumnReader(reader), true) => Column::Reals(read_lists(reader, rows, |v| Ok(*v))?),
        (ColumnReader::ByteArrayColumnReader(reader), false) => Column::Text(read_scalars(reader, rows, text)?),
        (ColumnReader::ByteArrayColumnReader(reader), true) => Column::Texts(read_lists(reader, rows, text)?),
        _ => return Err(ParquetError::General("a column has an unexpected type".into())),
    })
}

type Levels<T> = (Vec<T>, Vec<i16>, Vec<i16>);

fn read_levels<T: DataType>(mut reader: ColumnReaderImpl<T>, rows: usize) -> Result<Levels<T::T>, ParquetError> {
    let (mut values, mut definitions, mut repetitions) = (Vec::new(), Vec::new(), Vec::new());
    let mut done = 0;
    while done < rows {
        let (records, _, _) =
            reader.read_records(rows - done, Some(&mut definitions), Some(&mut repetitions), &mut values)?;
        if records == 0 {
            return Err(ParquetError::General(format!("a column ends after {done} of {rows} rows")));
        }
        done += records;
    }
    Ok((values, definitions, repetitions))
}

fn read_scalars<T: DataType, V>(
    reader: ColumnReaderImpl<T>,
    rows: usize,
    convert: impl Fn(&T::T) -> Result<V, ParquetError>,
) -> Result<Vec<Option<V>>, ParquetError> {
    let (values, definitions, _) = read_levels(reader, rows)?;
    let mut values = values.iter();
    definitions.iter().map(|&d| if d == 0 { Ok(None) } else { values.next().map(&convert).transpose() }).collect()
}

fn read_lists<T: DataType, V>(
    reader: ColumnReaderImpl<T>,
    rows: usize,
    convert: impl Fn(&T::T) -> Result<V, ParquetError>,
) -> Result<Vec<Vec<V>>, ParquetError> {
    let (values, definitions, repetitions) = read_levels(reader, rows)?;
    let mut values = values.iter();
    let mut lists: Vec<Vec<V>> = Vec::with_capacity(rows);
    for (definition, repetition) in definitions.iter().zip(&repetitions) {
        if *repetition == 0 {
            lists.push(Vec::new());
        }
        if *definition == 1
            && let (Some(list), Some(value)) = (lists.last_mut(), values.next())
        {
            list.push(convert(value)?);
        }
    }
    Ok(lists)
}
