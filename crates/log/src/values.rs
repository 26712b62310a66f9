//! The entries of one column, as they are read: scalars that may be absent, lists laid end to end, words by number.

use std::collections::BTreeMap;

use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::{ByteArray, DataType};
use parquet::errors::ParquetError;

use crate::column::Field;

/// One list per row.
#[derive(Debug, Clone, PartialEq)]
pub struct Lists<T> {
    values: Vec<T>,
    /// Where each row's list ends; it begins where the one before ends.
    ends: Vec<usize>,
}

impl<T> Lists<T> {
    pub(crate) fn empty(rows: usize) -> Self {
        Self { values: Vec::new(), ends: vec![0; rows] }
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.ends.len()
    }

    /// The list of a row; empty for a row that is not there.
    pub fn row(&self, row: usize) -> &[T] {
        let begin = row.checked_sub(1).map_or(0, |before| self.ends.get(before).copied().unwrap_or_default());
        self.ends.get(row).and_then(|&end| self.values.get(begin..end)).unwrap_or_default()
    }

    /// The lists, row by row.
    pub fn iter(&self) -> impl Iterator<Item = &[T]> {
        (0..self.rows()).map(|row| self.row(row))
    }
}

/// One word, or none, per row. Equal words are kept once.
#[derive(Debug, Clone, PartialEq)]
pub struct Words {
    dictionary: Vec<String>,
    numbers: Vec<Option<u32>>,
}

impl Words {
    pub(crate) fn empty(rows: usize) -> Self {
        Self { dictionary: Vec::new(), numbers: vec![None; rows] }
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.numbers.len()
    }

    /// The word of a row; none for a row that is not there.
    pub fn row(&self, row: usize) -> Option<&str> {
        self.numbers.get(row).copied().flatten().map(|number| self.dictionary[number as usize].as_str())
    }

    /// The words, row by row.
    pub fn iter(&self) -> impl Iterator<Item = Option<&str>> {
        (0..self.rows()).map(|row| self.row(row))
    }
}

/// A list of words per row. Equal words are kept once.
#[derive(Debug, Clone, PartialEq)]
pub struct WordLists {
    dictionary: Vec<String>,
    numbers: Lists<u32>,
}

impl WordLists {
    pub(crate) fn empty(rows: usize) -> Self {
        Self { dictionary: Vec::new(), numbers: Lists::empty(rows) }
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.numbers.rows()
    }

    /// The words of a row.
    pub fn row(&self, row: usize) -> impl Iterator<Item = &str> {
        self.numbers.row(row).iter().map(|&number| self.dictionary[number as usize].as_str())
    }
}

/// The values of a column.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Values {
    Ints(Vec<Option<i64>>),
    Reals(Vec<Option<f64>>),
    Words(Words),
    IntLists(Lists<i64>),
    RealLists(Lists<f64>),
    WordLists(WordLists),
}

impl Values {
    /// A column of `rows` rows without an entry.
    pub(crate) fn empty(field: &Field, rows: usize) -> Self {
        match field {
            Field::Int { .. } => Self::Ints(vec![None; rows]),
            Field::Real { .. } => Self::Reals(vec![None; rows]),
            Field::Word { .. } | Field::Text { .. } => Self::Words(Words::empty(rows)),
            Field::Ints { .. } => Self::IntLists(Lists::empty(rows)),
            Field::Reals { .. } => Self::RealLists(Lists::empty(rows)),
            Field::Words { .. } => Self::WordLists(WordLists::empty(rows)),
        }
    }

    /// Reads a column of `rows` rows.
    pub(crate) fn read(reader: ColumnReader, rows: usize, is_list: bool) -> Result<Self, ParquetError> {
        use ColumnReader::{ByteArrayColumnReader, DoubleColumnReader, Int64ColumnReader};
        Ok(match (reader, is_list) {
            (Int64ColumnReader(reader), false) => Self::Ints(Levels::read(reader, rows)?.scalars()?),
            (Int64ColumnReader(reader), true) => Self::IntLists(Levels::read(reader, rows)?.lists()?),
            (DoubleColumnReader(reader), false) => Self::Reals(Levels::read(reader, rows)?.scalars()?),
            (DoubleColumnReader(reader), true) => Self::RealLists(Levels::read(reader, rows)?.lists()?),
            (ByteArrayColumnReader(reader), false) => {
                let (dictionary, levels) = Levels::read(reader, rows)?.numbered()?;
                Self::Words(Words { dictionary, numbers: levels.scalars()? })
            }
            (ByteArrayColumnReader(reader), true) => {
                let (dictionary, levels) = Levels::read(reader, rows)?.numbered()?;
                Self::WordLists(WordLists { dictionary, numbers: levels.lists()? })
            }
            _ => return Err(ParquetError::General("it has an unexpected type".into())),
        })
    }
}

/// The values that are there, and the levels that say where they belong (Parquet's form of absent and repeated values).
struct Levels<V> {
    rows: usize,
    values: Vec<V>,
    definitions: Vec<i16>,
    repetitions: Vec<i16>,
}

impl<V> Levels<V> {
    fn read<T: DataType<T = V>>(mut reader: ColumnReaderImpl<T>, rows: usize) -> Result<Self, ParquetError> {
        let mut levels =
            Self { rows, values: Vec::new(), definitions: Vec::with_capacity(rows), repetitions: Vec::new() };
        let mut done = 0;
        while done < rows {
            let Self { values, definitions, repetitions, .. } = &mut levels;
            let (records, _, _) = reader.read_records(rows - done, Some(definitions), Some(repetitions), values)?;
            if records == 0 {
                return Err(ParquetError::General(format!("it ends after {done} of {rows} rows")));
            }
            done += records;
        }
        Ok(levels)
    }

    fn scalars(self) -> Result<Vec<Option<V>>, ParquetError> {
        if self.definitions.len() != self.rows {
            let found = self.definitions.len();
            return Err(ParquetError::General(format!("it has {found} entries for {} rows", self.rows)));
        }
        let mut values = self.values.into_iter();
        Ok(self.definitions.iter().map(|&defined| if defined == 0 { None } else { values.next() }).collect())
    }

    fn lists(self) -> Result<Lists<V>, ParquetError> {
        let (mut ends, mut end) = (Vec::with_capacity(self.rows), 0);
        for (place, (&defined, &repeated)) in self.definitions.iter().zip(&self.repetitions).enumerate() {
            // A repetition of 0 begins the next row, so it ends the one before.
            if repeated == 0 && place > 0 {
                ends.push(end);
            }
            end += usize::from(defined == 1);
        }
        if self.rows > 0 {
            ends.push(end);
        }
        if ends.len() != self.rows || end != self.values.len() {
            let reason = format!("it has {} lists of {} values for {} rows", ends.len(), self.values.len(), self.rows);
            return Err(ParquetError::General(reason));
        }
        Ok(Lists { values: self.values, ends })
    }
}

impl Levels<ByteArray> {
    /// The distinct words, and the numbers of the words in their place.
    fn numbered(self) -> Result<(Vec<String>, Levels<u32>), ParquetError> {
        let mut dictionary: Vec<String> = Vec::new();
        let mut known: BTreeMap<&[u8], u32> = BTreeMap::new();
        let mut numbers: Vec<u32> = Vec::with_capacity(self.values.len());
        let mut last: Option<(&[u8], u32)> = None;
        for bytes in &self.values {
            // Most rows say what the row before said.
            let number = match last {
                Some((word, number)) if word == bytes.data() => number,
                _ => match known.get(bytes.data()) {
                    Some(number) => *number,
                    None => {
                        let number = u32::try_from(dictionary.len())
                            .map_err(|_| ParquetError::General("it has too many words".into()))?;
                        dictionary.push(bytes.as_utf8()?.to_owned());
                        known.insert(bytes.data(), number);
                        number
                    }
                },
            };
            last = Some((bytes.data(), number));
            numbers.push(number);
        }
        let Self { rows, definitions, repetitions, .. } = self;
        drop(known);
        Ok((dictionary, Levels { rows, values: numbers, definitions, repetitions }))
    }
}
