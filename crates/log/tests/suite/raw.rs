//! A log taken apart into its Parquet columns and put together again, with whatever was changed in between.

use std::fmt::Write as _;
use std::sync::{Arc, LazyLock};

use counsel_decision::Gate;
use counsel_log::{Decision, Manifest, encode};
use parquet::basic::Type;
use parquet::column::reader::ColumnReader;
use parquet::data_type::{ByteArrayType, DoubleType, Int64Type};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use crate::play::{Chance, Episodes, played, rules, settings};

pub(crate) static PLAYED: LazyLock<(Manifest, Vec<Decision>)> = LazyLock::new(|| {
    let mut chance = Chance(11);
    let settings = settings(Gate::Always, rules()[0], &mut chance);
    played(settings, Episodes::Announced, &mut chance)
});

pub(crate) static LOG: LazyLock<Vec<u8>> = LazyLock::new(|| encode(&PLAYED.0.key, &PLAYED.1).unwrap());

/// A column's values with their levels.
#[derive(Debug, Clone)]
pub(crate) enum Values {
    Ints(Vec<i64>),
    Reals(Vec<f64>),
    Texts(Vec<parquet::data_type::ByteArray>),
}

#[derive(Debug, Clone)]
pub(crate) struct RawColumn {
    pub(crate) name: String,
    pub(crate) field: &'static str,
    pub(crate) values: Values,
    pub(crate) definitions: Vec<i16>,
    pub(crate) repetitions: Vec<i16>,
}

/// The columns of the log, as they lie in it.
pub(crate) fn raw_columns() -> Vec<RawColumn> {
    columns_of(&LOG)
}

/// The columns of a log, as they lie in it.
pub(crate) fn columns_of(log: &[u8]) -> Vec<RawColumn> {
    let reader = SerializedFileReader::new(bytes::Bytes::from(log.to_vec())).unwrap();
    let group = reader.get_row_group(0).unwrap();
    let rows = usize::try_from(group.metadata().num_rows()).unwrap();
    (0..group.num_columns())
        .map(|index| {
            let descriptor = group.metadata().column(index).column_descr_ptr();
            let list = descriptor.max_rep_level() > 0;
            let (mut definitions, mut repetitions) = (Vec::new(), Vec::new());
            macro_rules! read {
                ($reader:expr, $kind:path) => {{
                    let mut values = Vec::new();
                    let mut reader = $reader;
                    reader.read_records(rows, Some(&mut definitions), Some(&mut repetitions), &mut values).unwrap();
                    $kind(values)
                }};
            }
            let values = match group.get_column_reader(index).unwrap() {
                ColumnReader::Int64ColumnReader(reader) => read!(reader, Values::Ints),
                ColumnReader::DoubleColumnReader(reader) => read!(reader, Values::Reals),
                ColumnReader::ByteArrayColumnReader(reader) => read!(reader, Values::Texts),
                _ => panic!("a column of another type"),
            };
            let field = match (descriptor.physical_type(), list) {
                (Type::INT64, false) => "optional int64",
                (Type::INT64, true) => "repeated int64",
                (Type::DOUBLE, false) => "optional double",
                (Type::DOUBLE, true) => "repeated double",
                (_, false) => "optional binary",
                (_, true) => "repeated binary",
            };
            RawColumn { name: descriptor.name().to_owned(), field, values, definitions, repetitions }
        })
        .collect()
}

/// A Parquet file with these columns in each of so many row groups.
pub(crate) fn raw_log(columns: &[RawColumn], groups: usize) -> Vec<u8> {
    let fields = columns.iter().fold(String::new(), |mut fields, RawColumn { name, field, .. }| {
        let logical = if field.ends_with("binary") { " (STRING)" } else { "" };
        let _ = write!(fields, "{field} {name}{logical}; ");
        fields
    });
    let schema = Arc::new(parse_message_type(&format!("message decision {{ {fields} }}")).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::default()).unwrap();
    for _ in 0..groups {
        let mut group = writer.next_row_group().unwrap();
        for RawColumn { values, definitions, repetitions, .. } in columns {
            let mut out = group.next_column().unwrap().unwrap();
            let levels = (Some(&definitions[..]), Some(&repetitions[..]).filter(|levels| !levels.is_empty()));
            match values {
                Values::Ints(values) => out.typed::<Int64Type>().write_batch(values, levels.0, levels.1).unwrap(),
                Values::Reals(values) => out.typed::<DoubleType>().write_batch(values, levels.0, levels.1).unwrap(),
                Values::Texts(values) => out.typed::<ByteArrayType>().write_batch(values, levels.0, levels.1).unwrap(),
            };
            out.close().unwrap();
        }
        group.close().unwrap();
    }
    writer.into_inner().unwrap()
}

pub(crate) fn rows(columns: &[RawColumn]) -> usize {
    columns[0].definitions.len()
}

pub(crate) fn column<'a>(columns: &'a mut [RawColumn], name: &str) -> &'a mut RawColumn {
    columns.iter_mut().find(|column| column.name == name).unwrap()
}

/// Leaves every row of this column empty.
pub(crate) fn empty(columns: &mut [RawColumn], name: &str) {
    let count = rows(columns);
    let column = column(columns, name);
    match &mut column.values {
        Values::Ints(values) => values.clear(),
        Values::Reals(values) => values.clear(),
        Values::Texts(values) => values.clear(),
    }
    column.definitions = vec![0; count];
    if !column.repetitions.is_empty() {
        column.repetitions = vec![0; count];
    }
}
