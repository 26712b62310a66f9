//! One number per arm and seed, read from a CSV file.
//!
//! The header names `seed`, `arm`, `value` and, if the comparisons fall into families, `family`, in any order; other
//! columns are ignored. Invariant: values are finite, names are not empty, and no arm has a seed twice within a family.

use std::collections::BTreeMap;
use std::path::Path;

use crate::{ArmName, Error};

/// The outcome of one run.
#[derive(Debug, Clone, PartialEq)]
pub struct Observation {
    /// The group of comparisons it belongs to, if the file has such groups.
    pub family: Option<String>,
    /// What was run.
    pub arm: String,
    /// What the run shares with those it is paired with; compared as text.
    pub seed: String,
    /// What came out.
    pub value: f64,
}

/// The file of a user's own results.
const RESULTS: counsel_file::Expected = counsel_file::Expected { what: "a table of results", most_bytes: 1 << 30 };

/// Checked observations, in the order of the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Observations {
    rows: Vec<Observation>,
}

impl Observations {
    /// Reads a CSV file.
    pub fn from_path(path: &Path) -> Result<Self, Error> {
        let text = counsel_file::read_text(path, RESULTS)
            .map_err(|error| Error::Unreadable { path: path.to_owned(), reason: error.to_string() })?;
        Self::parse(&text)
    }

    /// Reads the text of a CSV file.
    pub fn parse(text: &str) -> Result<Self, Error> {
        // Fields are checked here, not by the reader, so that messages can name the line.
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .trim(csv::Trim::All)
            .from_reader(text.as_bytes());
        let mut lines = Lines { text, byte: 0, line: 1 };
        let mut header: Option<ColumnPlaces> = None;
        let mut rows: Vec<Observation> = Vec::new();
        let mut first_lines = BTreeMap::new();
        let mut record = csv::StringRecord::new();
        while reader.read_record(&mut record).map_err(|error| Error::NotCsv { reason: error.to_string() })? {
            let Some(header) = &header else {
                header = Some(ColumnPlaces::read(&record)?);
                continue;
            };
            let line = lines.number(&record);
            let row = header.observation(&record, line)?;
            let key = (row.family.clone(), row.arm.clone(), row.seed.clone());
            if let Some(first) = first_lines.insert(key, line) {
                let arm = ArmName { arm: row.arm, family: row.family };
                return Err(Error::Duplicate { first, second: line, seed: row.seed, arm });
            }
            rows.push(row);
        }
        match (header, rows.is_empty()) {
            (None, _) => Err(Error::NoObservations { found: "the file is empty" }),
            (Some(_), true) => Err(Error::NoObservations { found: "the file ends after its header" }),
            (Some(_), false) => Ok(Self { rows }),
        }
    }

    /// At least one, in the order of the file.
    pub fn rows(&self) -> &[Observation] {
        &self.rows
    }
}

/// Where the columns are.
struct ColumnPlaces {
    seed: usize,
    arm: usize,
    value: usize,
    family: Option<usize>,
    width: usize,
}

impl ColumnPlaces {
    fn read(record: &csv::StringRecord) -> Result<Self, Error> {
        let place = |column: &'static str| {
            let mut places = record.iter().enumerate().filter(|(_, name)| *name == column).map(|(at, _)| at);
            match (places.next(), places.next()) {
                (first, None) => Ok(first),
                (_, Some(_)) => Err(Error::RepeatedColumn { column }),
            }
        };
        let needed = |column: &'static str| {
            place(column)?
                .ok_or_else(|| Error::MissingColumn { column, found: record.iter().map(str::to_owned).collect() })
        };
        Ok(Self {
            seed: needed("seed")?,
            arm: needed("arm")?,
            value: needed("value")?,
            family: place("family")?,
            width: record.len(),
        })
    }

    fn observation(&self, record: &csv::StringRecord, line: usize) -> Result<Observation, Error> {
        let refused = |fault: String| Error::Line { line, fault };
        if record.len() != self.width {
            let (found, expected) = (record.len(), self.width);
            let fault = format!("has {found} field(s), the header has {expected}; quote fields that hold a comma");
            return Err(refused(fault));
        }
        let name = |column: &'static str, at: usize| match &record[at] {
            "" => Err(refused(format!("has an empty `{column}`; every observation needs one"))),
            name => Ok(name.to_owned()),
        };
        let written = &record[self.value];
        let number = written.parse().ok().filter(|value: &f64| value.is_finite());
        let no_number = || {
            let remedy = "repair or remove that run in every arm";
            format!("has the value `{written}`, which is not a finite number; {remedy}")
        };
        Ok(Observation {
            family: self.family.map(|at| name("family", at)).transpose()?,
            arm: name("arm", self.arm)?,
            seed: name("seed", self.seed)?,
            value: number.ok_or_else(|| refused(no_number()))?,
        })
    }
}

/// Line numbers as an editor counts them. The reader's own count lags behind empty lines and carriage returns.
struct Lines<'a> {
    text: &'a str,
    byte: usize,
    line: usize,
}

impl Lines<'_> {
    fn number(&mut self, record: &csv::StringRecord) -> usize {
        let reported = record.position().map_or(0, csv::Position::byte);
        let mut start = usize::try_from(reported).unwrap_or(usize::MAX).clamp(self.byte, self.text.len());
        let bytes = self.text.as_bytes();
        start += bytes[start..].iter().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
        self.line += bytes[self.byte..start].split(|&byte| byte == b'\n').count() - 1;
        self.byte = start;
        self.line
    }
}
