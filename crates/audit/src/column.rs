//! A table of named columns, and its form as one Parquet row group.
//!
//! Scalars may be absent; lists are repeated fields. The bytes depend on nothing but the values.

use std::collections::BTreeMap;
use std::sync::Arc;

use parquet::basic::{Compression, ZstdLevel};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::ColumnPath;

/// One column's values.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Column {
    Int(Vec<Option<i64>>),
    Real(Vec<Option<f64>>),
    Text(Vec<Option<String>>),
    Ints(Vec<Vec<i64>>),
    Reals(Vec<Vec<f64>>),
    Texts(Vec<Vec<String>>),
}

/// Columns of equal length, in the order they were added.
#[derive(Debug, Default)]
pub(crate) struct Table {
    columns: Vec<(&'static str, Column)>,
}

impl Table {
    pub(crate) fn push(&mut self, name: &'static str, column: Column) {
        self.columns.push((name, column));
    }

    /// The table as the bytes of a Parquet file.
    pub(crate) fn to_parquet(&self) -> Result<Vec<u8>, ParquetError> {
        let fields: String = self.columns.iter().map(|(name, column)| column.field(name)).collect();
        let schema = Arc::new(parse_message_type(&format!("message decision {{ {fields} }}"))?);
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(1)?))
            .set_statistics_enabled(EnabledStatistics::None);
        // Lists of numbers hardly repeat, so a dictionary of them costs time and saves nothing.
        for (name, _) in self.columns.iter().filter(|(_, column)| matches!(column, Column::Reals(_))) {
            properties = properties.set_column_dictionary_enabled(ColumnPath::from(*name), false);
        }
        let properties = properties.build();
        let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties))?;
        let mut group = writer.next_row_group()?;
        for (_, column) in &self.columns {
            let mut out = group.next_column()?.ok_or_else(|| ParquetError::General("a column is missing".into()))?;
            column.write(&mut out)?;
            out.close()?;
        }
        group.close()?;
        writer.into_inner()
    }
}

impl Column {
    fn field(&self, name: &str) -> String {
        let (repetition, kind) = match self {
            Self::Int(_) => ("optional", "int64"),
            Self::Real(_) => ("optional", "double"),
            Self::Text(_) => ("optional", "binary"),
            Self::Ints(_) => ("repeated", "int64"),
            Self::Reals(_) => ("repeated", "double"),
            Self::Texts(_) => ("repeated", "binary"),
        };
        let logical = if kind == "binary" { " (STRING)" } else { "" };
        format!("{repetition} {kind} {name}{logical}; ")
    }

    fn write(&self, out: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let text = |text: &String| ByteArray::from(text.as_str());
        match self {
            Self::Int(rows) => write_scalars::<Int64Type, _>(out, rows, |v| *v),
            Self::Real(rows) => write_scalars::<DoubleType, _>(out, rows, |v| *v),
            Self::Text(rows) => write_scalars::<ByteArrayType, _>(out, rows, text),
            Self::Ints(rows) => write_lists::<Int64Type, _>(out, rows, |v| *v),
            Self::Reals(rows) => write_lists::<DoubleType, _>(out, rows, |v| *v),
            Self::Texts(rows) => write_lists::<ByteArrayType, _>(out, rows, text),
        }
    }
}

fn write_scalars<T: DataType, V>(
    out: &mut SerializedColumnWriter<'_>,
    rows: &[Option<V>],
    convert: impl Fn(&V) -> T::T,
) -> Result<(), ParquetError> {
    let values: Vec<T::T> = rows.iter().flatten().map(convert).collect();
    let definitions: Vec<i16> = rows.iter().map(|row| i16::from(row.is_some())).collect();
    out.typed::<T>().write_batch(&values, Some(&definitions), None).map(|_| ())
}

fn write_lists<T: DataType, V>(
    out: &mut SerializedColumnWriter<'_>,
    rows: &[Vec<V>],
    convert: impl Fn(&V) -> T::T,
) -> Result<(), ParquetError> {
    let values: Vec<T::T> = rows.iter().flatten().map(convert).collect();
    let (mut definitions, mut repetitions) = (Vec::new(), Vec::new());
    for row in rows {
        definitions.push(i16::from(!row.is_empty()));
        repetitions.push(0);
        for _ in 1..row.len() {
            definitions.push(1);
            repetitions.push(1);
        }
    }
    out.typed::<T>().write_batch(&values, Some(&definitions), Some(&repetitions)).map(|_| ())
}

/// The columns of a Parquet file, by name, and the number of rows.
pub(crate) struct Columns {
    pub(crate) rows: usize,
    by_name: BTreeMap<String, Column>,
}

impl Columns {
    /// Reads every column of a file.
    pub(crate) fn from_parquet(bytes: Vec<u8>) -> Result<Self, ParquetError> {
        let reader = SerializedFileReader::new(bytes::Bytes::from(bytes))?;
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
