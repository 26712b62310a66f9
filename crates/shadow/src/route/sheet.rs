//! A file as rows of named fields: CSV with a heading, JSONL with one object a line (inner names joined by dots), or Parquet.

use std::collections::BTreeMap;
use std::io::{BufRead, Read};
use std::path::Path;

use counsel_file::Expected;
use parquet::file::reader::{FileReader, SerializedFileReader};
use serde_json::Value;

use crate::Error;

/// A table of ten million rows takes about as much.
const TABLE: Expected = Expected { what: "a table", most_bytes: 4 << 30 };

/// What a file holds. A field that is empty or null is missing.
#[derive(Debug, Clone, Default)]
pub(super) struct Sheet {
    names: Vec<String>,
    places: BTreeMap<String, usize>,
    rows: Vec<Vec<Option<Box<str>>>>,
}

impl Sheet {
    /// Reads a file, by the end of its name.
    pub(super) fn read(path: &Path) -> Result<Self, Error> {
        let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        match ending.as_deref() {
            Some("csv") => Self::delimited(path),
            Some("jsonl" | "ndjson") => Self::lines(path),
            Some("parquet") => Self::parquet(path),
            _ => Err(Error::Kind { path: path.into() }),
        }
    }

    /// The names of its columns, in the order of the file.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// How many rows there are.
    pub(super) fn rows(&self) -> usize {
        self.rows.len()
    }

    /// The column with this name.
    pub(super) fn place(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }

    /// A column is read under another name from now on. One that has the name already is hidden.
    pub(super) fn rename(&mut self, from: &str, to: &str) -> Option<()> {
        let place = self.places.remove(from)?;
        if let Some(hidden) = self.places.insert(to.to_owned(), place) {
            self.names[hidden] = format!("{to} (hidden)");
        }
        to.clone_into(&mut self.names[place]);
        Some(())
    }

    /// What stands in a field.
    pub(super) fn text(&self, row: usize, place: usize) -> Option<&str> {
        self.rows[row].get(place)?.as_deref()
    }

    /// A number, or whether something is right.
    pub(super) fn number(&self, row: usize, place: usize) -> Option<f64> {
        match self.text(row, place)?.trim() {
            "true" | "True" | "TRUE" => Some(1.0),
            "false" | "False" | "FALSE" => Some(0.0),
            text => text.parse().ok().filter(|number: &f64| number.is_finite()),
        }
    }

    /// All entries of a column that are there.
    pub(super) fn entries(&self, place: usize) -> impl Iterator<Item = &str> {
        (0..self.rows()).filter_map(move |row| self.text(row, place))
    }

    fn column(&mut self, name: &str) -> usize {
        if let Some(place) = self.places.get(name) {
            return *place;
        }
        let place = self.names.len();
        self.names.push(name.to_owned());
        self.places.insert(name.to_owned(), place);
        place
    }

    fn put(&mut self, name: &str, text: &str) {
        let place = self.column(name);
        if let Some(row) = self.rows.last_mut() {
            row.resize(row.len().max(place + 1), None);
            row[place] = (!text.trim().is_empty()).then(|| text.into());
        }
    }

    fn delimited(path: &Path) -> Result<Self, Error> {
        let unread = |error: &csv::Error| refused(path, format!("it cannot be read as CSV: {error}"));
        let mut reader = csv::Reader::from_reader(counsel_file::open(path, TABLE)?);
        let mut sheet = Self::default();
        let heading = reader.headers().map_err(|error| unread(&error))?.clone();
        let names: Vec<String> = heading.iter().map(|name| name.trim_start_matches('\u{feff}').to_owned()).collect();
        for name in &names {
            sheet.column(name);
        }
        for record in reader.records() {
            let record = record.map_err(|error| unread(&error))?;
            sheet.rows.push(Vec::with_capacity(names.len()));
            names.iter().zip(&record).for_each(|(name, text)| sheet.put(name, text));
        }
        Ok(sheet)
    }

    fn lines(path: &Path) -> Result<Self, Error> {
        let mut sheet = Self::default();
        for (number, line) in counsel_file::open(path, TABLE)?.lines().enumerate() {
            let line = line.map_err(|error| refused(path, format!("line {} cannot be read: {error}", number + 1)))?;
            if line.trim().is_empty() {
                continue;
            }
            let value: Value = serde_json::from_str(&line)
                .map_err(|error| refused(path, format!("line {} is no JSON object: {error}", number + 1)))?;
            sheet.rows.push(Vec::with_capacity(sheet.names.len()));
            sheet.flatten("", &value);
        }
        Ok(sheet)
    }

    /// Inner names are joined by dots.
    fn flatten(&mut self, path: &str, value: &Value) {
        match value {
            Value::Object(inner) => inner.iter().for_each(|(name, value)| self.flatten(&joined(path, name), value)),
            Value::Null => {}
            Value::String(text) => self.put(path, text),
            other => self.put(path, &other.to_string()),
        }
    }

    fn parquet(path: &Path) -> Result<Self, Error> {
        let damaged =
            |error: parquet::errors::ParquetError| refused(path, format!("it cannot be read as Parquet: {error}"));
        let mut bytes = Vec::new();
        let read = counsel_file::open(path, TABLE)?.read_to_end(&mut bytes);
        read.map_err(|error| refused(path, format!("it cannot be read: {error}")))?;
        let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).map_err(damaged)?;
        let mut sheet = Self::default();
        for row in reader.get_row_iter(None).map_err(damaged)? {
            sheet.rows.push(Vec::with_capacity(sheet.names.len()));
            sheet.flatten_row("", &row.map_err(damaged)?);
        }
        Ok(sheet)
    }

    /// The same of a row of Parquet.
    fn flatten_row(&mut self, path: &str, from: &parquet::record::Row) {
        use parquet::record::Field;
        for (name, field) in from.get_column_iter() {
            let name = joined(path, name);
            match field {
                Field::Null => {}
                Field::Group(inner) => self.flatten_row(&name, inner),
                Field::Str(text) => self.put(&name, text),
                other => self.put(&name, &other.to_string()),
            }
        }
    }
}

fn joined(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}

fn refused(path: &Path, reason: String) -> Error {
    Error::Header { path: path.into(), reason }
}
