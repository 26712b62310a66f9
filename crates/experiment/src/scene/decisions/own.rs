//! A table of one's own, from a CSV file.
//!
//! | column | what it holds |
//! |---|---|
//! | `reward_X`, `cost_X` | what the answer of advisor X brought and cost; advisors are in the order of the columns |
//! | `answer_X` | its answer; equal ones agree |
//! | `hand_WHAT_X` | a number that is known once X has answered, such as its confidence; read where X is the first advisor |
//! | `number_WHAT` | a number that is known beforehand |
//! | `group`, `text` or `words` | the group; the text, or its words as `bucket:count` |
//! | `split` | `learn` where a request is one to learn from |
//!
//! Numbers are brought to the scale of one.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use counsel_controller::route::{Offer, Request};
use counsel_file::Expected;
use counsel_session::Error;

use super::table::{Line, Row, Table, lines, names};

const TABLE: Expected = Expected { what: "a table", most_bytes: 1 << 30 };

/// Tables that were read, by the digest of their file and the advisor in hand. They stay, since cells share them.
static READ: Mutex<BTreeMap<(String, String), &'static Table>> = Mutex::new(BTreeMap::new());

/// The table of a file, as it is read where this advisor answers without a call.
pub(super) fn open(path: &str, sha256: Option<&str>, first: Option<&str>) -> Result<&'static Table, Error> {
    let refused = |reason: String| Error::World(reason.into());
    let text = counsel_file::read_text(Path::new(path), TABLE).map_err(|error| {
        let fetched = Path::new(path).file_name().is_some_and(|name| name == super::swe::TABLE);
        let remedy = if fetched { super::swe::REMEDY } else { "write it, or name another `table.file.path`" };
        refused(format!("the table `{path}` cannot be read ({error}); {remedy}"))
    })?;
    let digest = counsel_log::digest(text.as_bytes());
    if let Some(wanted) = sha256.filter(|wanted| *wanted != digest) {
        return Err(refused(format!(
            "the table `{path}` has the SHA-256 {digest}, and the study wants {wanted}; restore the file, or change `table.file.sha256`"
        )));
    }
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (digest, first.unwrap_or_default().to_owned());
    if let Some(table) = read.get(&key) {
        return Ok(table);
    }
    let table = lines(text.as_bytes()).and_then(|lines| table(&lines, first));
    let table: &'static Table =
        Box::leak(Box::new(table.map_err(|reason| refused(format!("the table `{path}` cannot be read: {reason}")))?));
    read.insert(key, table);
    Ok(table)
}

fn table(lines: &[Line], first: Option<&str>) -> Result<Table, String> {
    let heading: Vec<&str> = lines.first().ok_or("it has no row")?.names().collect();
    let rewards: Vec<&str> = heading.iter().copied().filter(|name| name.starts_with("reward_")).collect();
    let advisors: Vec<&str> = rewards.iter().map(|name| &name["reward_".len()..]).collect();
    if advisors.len() < 2 {
        return Err(format!("it has {} columns reward_X, and two are needed", advisors.len()));
    }
    let costs: Vec<String> = advisors.iter().map(|advisor| format!("cost_{advisor}")).collect();
    if let Some(missing) = costs.iter().find(|name| !heading.contains(&name.as_str())) {
        return Err(format!("it has no column {missing}"));
    }
    let first = first.unwrap_or(advisors[0]);
    let in_hand = |name: &&str| name.strip_prefix("hand_").is_some_and(|rest| rest.ends_with(&format!("_{first}")));
    let numbers: Vec<&str> =
        heading.iter().copied().filter(|name| name.starts_with("number_") || in_hand(name)).collect();
    let groups = names(lines.iter().map(|line| line.text("group")).filter(|name| !name.is_empty()));
    let row = |line: &Line| Row {
        learning: line.text("split") == "learn",
        group: groups.iter().position(|group| group == line.text("group")),
        numbers: numbers.iter().map(|name| line.number(name)).collect(),
        words: if line.text("words").is_empty() { Request::text(line.text("text")).words } else { line.words() },
        rewards: rewards.iter().map(|name| line.number(name)).collect(),
        costs: costs.iter().map(|name| line.number(name)).collect(),
        answers: answers(line, &advisors),
    };
    let mut rows: Vec<Row> = lines.iter().map(row).collect();
    for place in 0..numbers.len() {
        standardise(&mut rows, place);
    }
    let offer = |(place, name): (usize, &&str)| {
        let known: Vec<f64> = rows.iter().map(|row| row.costs[place]).filter(|cost| cost.is_finite()).collect();
        let mean = known.iter().sum::<f64>() / known.len().max(1) as f64;
        let worst = known.iter().copied().fold(mean, f64::max);
        Offer { name: (*name).to_owned(), list_price: mean, worst }
    };
    let offers = advisors.iter().enumerate().map(offer).collect();
    Ok(Table { offers, groups: groups.len(), numbers: numbers.len(), rows })
}

/// Brings a number to the scale of one; where it is missing it is the mean.
fn standardise(rows: &mut [Row], place: usize) {
    let known: Vec<f64> = rows.iter().map(|row| row.numbers[place]).filter(|number| number.is_finite()).collect();
    let count = known.len().max(1) as f64;
    let mean = known.iter().sum::<f64>() / count;
    let spread = (known.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / count).sqrt().max(1e-12);
    for row in rows {
        let number = row.numbers[place];
        row.numbers[place] = if number.is_finite() { (number - mean) / spread } else { 0.0 };
    }
}

/// The number of each advisor's answer among the distinct ones; nothing where one is not known.
fn answers(line: &Line, advisors: &[&str]) -> Vec<i64> {
    let mut distinct: Vec<&str> = Vec::new();
    let mut number = |advisor: &&str| {
        let answer = line.text(&format!("answer_{advisor}")).trim();
        let place = distinct.iter().position(|known| *known == answer).unwrap_or_else(|| {
            distinct.push(answer);
            distinct.len() - 1
        });
        (!answer.is_empty()).then(|| i64::try_from(place).unwrap_or(i64::MAX))
    };
    let numbers: Option<Vec<i64>> = advisors.iter().map(&mut number).collect();
    numbers.unwrap_or_default()
}
