//! Rows by the names of their columns: CSV with a heading, JSONL with one object a line (inner names joined by dots), or Parquet.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, Read};
use std::path::Path;

use counsel_controller::route::Request;
use counsel_file::Expected;
use parquet::file::reader::{FileReader, SerializedFileReader};
use serde_json::Value;

use crate::Error;

/// A table of ten million rows takes about as much.
const TABLE: Expected = Expected { what: "a table", most_bytes: 4 << 30 };

/// One advisor, as columns of the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Advisor {
    /// What it is called.
    pub name: String,
    /// The column with what its answers brought.
    pub reward: String,
    /// The column with what they cost, or one cost for all.
    pub cost: Result<f64, String>,
}

/// Which columns are read. What is not named is looked for: `reward_X` or `r_X` with `cost_X` or `c_X` for an advisor X; `group`,
/// `source`, `subject` or `category`; `text`, `prompt` or `question`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RouteColumns {
    /// The advisors, the one without a call first; those of the file where none is named.
    pub advisors: Vec<Advisor>,
    /// The column with the group.
    pub group: Option<String>,
    /// The column with the text.
    pub text: Option<String>,
    /// Columns of numbers that are known beforehand, such as a confidence.
    pub numbers: Vec<String>,
}

/// What was read.
#[derive(Debug, Clone)]
pub struct RouteTable {
    /// The names of the advisors.
    pub advisors: Vec<String>,
    /// The names of the groups.
    pub groups: Vec<String>,
    /// Numbers of a request.
    pub numbers: usize,
    /// Whether texts are known.
    pub has_text: bool,
    /// The requests, with rewards and costs of all advisors.
    pub rows: Vec<(Request, Vec<f64>, Vec<f64>)>,
    /// Rows in which an outcome is missing.
    pub left_out: usize,
}

type Fields = BTreeMap<String, String>;

/// Reads a table. Rows without all outcomes are left out and counted.
pub fn read_table(path: &Path, columns: &RouteColumns) -> Result<RouteTable, Error> {
    let rows = fields(path)?;
    let names: BTreeSet<&str> = rows.iter().flat_map(|row| row.keys().map(String::as_str)).collect();
    let refused = |reason: String| Error::Header { path: path.into(), reason };
    let found = || names.iter().take(20).copied().collect::<Vec<_>>().join(", ");
    let advisors = if columns.advisors.is_empty() { guessed(&names) } else { columns.advisors.clone() };
    if advisors.len() < 2 {
        return Err(refused(format!(
            "it has outcomes of {} advisors, and two are needed; name columns with --advisor NAME=REWARD,COST. Its columns are {}",
            advisors.len(),
            found()
        )));
    }
    let group = pick(columns.group.as_ref(), &["group", "source", "subject", "category"], &names);
    let text = pick(columns.text.as_ref(), &["text", "prompt", "question"], &names);
    let costs = advisors.iter().filter_map(|advisor| advisor.cost.as_ref().err());
    let wanted =
        advisors.iter().map(|advisor| &advisor.reward).chain(costs).chain(&group).chain(&text).chain(&columns.numbers);
    if let Some(missing) = wanted.into_iter().find(|name| !names.contains(name.as_str())) {
        return Err(refused(format!("it has no column `{missing}`; its columns are {}", found())));
    }
    let named = |row: &Fields| group.as_ref().and_then(|group| row.get(group)).cloned();
    let groups: BTreeSet<String> = rows.iter().filter_map(named).collect();
    let groups: Vec<String> = groups.into_iter().collect();
    let mut table = RouteTable {
        advisors: advisors.iter().map(|advisor| advisor.name.clone()).collect(),
        numbers: columns.numbers.len(),
        has_text: text.is_some(),
        rows: Vec::with_capacity(rows.len()),
        left_out: 0,
        groups,
    };
    for row in &rows {
        let rewards: Option<Vec<f64>> = advisors.iter().map(|advisor| number(row, &advisor.reward)).collect();
        let cost = |advisor: &Advisor| match &advisor.cost {
            Ok(cost) => Some(*cost),
            Err(column) => number(row, column).filter(|cost| *cost >= 0.0),
        };
        let costs: Option<Vec<f64>> = advisors.iter().map(cost).collect();
        let numbers: Option<Vec<f64>> = columns.numbers.iter().map(|column| number(row, column)).collect();
        let (Some(rewards), Some(costs), Some(numbers)) = (rewards, costs, numbers) else {
            table.left_out += 1;
            continue;
        };
        let mut request =
            text.as_ref().and_then(|text| row.get(text)).map_or_else(Request::default, |text| Request::text(text));
        request.group = named(row).and_then(|name| table.groups.binary_search(&name).ok());
        request.numbers = numbers;
        table.rows.push((request, rewards, costs));
    }
    standardise(&mut table);
    if table.rows.len() < 50 {
        let (kept, left_out) = (table.rows.len(), table.left_out);
        return Err(refused(format!("{kept} rows have all outcomes and {left_out} do not; 50 are needed")));
    }
    Ok(table)
}

/// Brings numbers to the scale of one.
fn standardise(table: &mut RouteTable) {
    let count = table.rows.len() as f64;
    for place in 0..table.numbers {
        let mean = table.rows.iter().map(|row| row.0.numbers[place]).sum::<f64>() / count;
        let square = table.rows.iter().map(|row| (row.0.numbers[place] - mean).powi(2)).sum::<f64>();
        let spread = (square / count).sqrt().max(1e-12);
        table.rows.iter_mut().for_each(|row| row.0.numbers[place] = (row.0.numbers[place] - mean) / spread);
    }
}

/// The column that is named, or the first known one that is there.
fn pick(named: Option<&String>, known: &[&str], names: &BTreeSet<&str>) -> Option<String> {
    named.cloned().or_else(|| known.iter().find(|name| names.contains(*name)).map(|name| (*name).to_owned()))
}

/// The advisors whose rewards and costs have names that say so.
fn guessed(names: &BTreeSet<&str>) -> Vec<Advisor> {
    let pair = |reward: &&str| {
        let (name, cost) = match (reward.strip_prefix("reward_"), reward.strip_prefix("r_")) {
            (Some(name), _) => (name, format!("cost_{name}")),
            (None, Some(name)) => (name, format!("c_{name}")),
            (None, None) => return None,
        };
        let advisor = Advisor { name: name.to_owned(), reward: (*reward).to_owned(), cost: Err(cost.clone()) };
        names.contains(cost.as_str()).then_some(advisor)
    };
    names.iter().filter_map(pair).collect()
}

/// A number, or whether something is right.
fn number(row: &Fields, column: &str) -> Option<f64> {
    match row.get(column)?.trim() {
        "true" | "True" | "TRUE" => Some(1.0),
        "false" | "False" | "FALSE" => Some(0.0),
        text => text.parse().ok().filter(|number: &f64| number.is_finite()),
    }
}

fn fields(path: &Path) -> Result<Vec<Fields>, Error> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let refused = |reason: String| Error::Header { path: path.into(), reason };
    match ending.as_deref() {
        Some("csv") => {
            let mut reader = csv::Reader::from_reader(counsel_file::open(path, TABLE)?);
            let rows = reader.deserialize::<Fields>();
            rows.collect::<Result<_, _>>().map_err(|error| refused(format!("it cannot be read as CSV: {error}")))
        }
        Some("jsonl" | "ndjson") => {
            let mut rows = Vec::new();
            for (number, line) in counsel_file::open(path, TABLE)?.lines().enumerate() {
                let line = line.map_err(|error| refused(format!("line {} cannot be read: {error}", number + 1)))?;
                if line.trim().is_empty() {
                    continue;
                }
                let value: Value = serde_json::from_str(&line)
                    .map_err(|error| refused(format!("line {} is no JSON object: {error}", number + 1)))?;
                let mut row = Fields::new();
                flatten("", &value, &mut row);
                rows.push(row);
            }
            Ok(rows)
        }
        Some("parquet") => {
            let mut bytes = Vec::new();
            let read = counsel_file::open(path, TABLE)?.read_to_end(&mut bytes);
            read.map_err(|error| refused(format!("it cannot be read: {error}")))?;
            let damaged =
                |error: parquet::errors::ParquetError| refused(format!("it cannot be read as Parquet: {error}"));
            let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).map_err(damaged)?;
            let rows = reader.get_row_iter(None).map_err(damaged)?.map(|row| {
                let mut found = Fields::new();
                flatten_row("", &row.map_err(damaged)?, &mut found);
                Ok(found)
            });
            rows.collect()
        }
        _ => Err(Error::Kind { path: path.into() }),
    }
}

/// The same of a row of Parquet.
fn flatten_row(path: &str, from: &parquet::record::Row, row: &mut Fields) {
    use parquet::record::Field;
    for (name, field) in from.get_column_iter() {
        let name = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        match field {
            Field::Null => {}
            Field::Group(inner) => flatten_row(&name, inner, row),
            Field::Str(text) => drop(row.insert(name, text.clone())),
            other => drop(row.insert(name, other.to_string())),
        }
    }
}

/// Inner names are joined by dots.
fn flatten(path: &str, value: &Value, row: &mut Fields) {
    let text = match value {
        Value::Object(inner) => {
            for (name, value) in inner {
                flatten(&if path.is_empty() { name.clone() } else { format!("{path}.{name}") }, value, row);
            }
            return;
        }
        Value::Null => return,
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    row.insert(path.to_owned(), text);
}
