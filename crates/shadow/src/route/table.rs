//! Requests with what is known of each advisor's answer to them, and with which chance it became known.
//!
//! Three kinds of knowledge are kept apart, since a number of one rests on more than that of another:
//!
//! | basis | what is in the file | chance of an outcome |
//! |---|---|---|
//! | observed | the outcomes of all advisors | 1 |
//! | weighed | outcomes of all advisors for some requests | `p_seen` |
//! | off-policy | the outcome of the answer that was chosen by chance | the chance of the choice times `p_seen` |

use std::collections::BTreeSet;
use std::path::Path;

use counsel_controller::route::Request;

use super::records::Form;
use super::sheet::Sheet;
use crate::Error;

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

/// Which columns are read. What is not named is looked for by the names that `docs/CASCADE.md` lists.
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
    /// Columns of other names: the name that is looked for, and the column.
    pub renamed: Vec<(String, String)>,
    /// Declares that random draws with the logged probabilities decided what was asked and what became known.
    pub is_drawn: bool,
}

/// What the outcomes of a table rest on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Basis {
    /// All outcomes of all advisors.
    Observed,
    /// All outcomes of some requests, with the probability that they became known.
    Weighed,
    /// The outcomes of choices by chance, with their probabilities.
    OffPolicy,
}

/// One request.
#[derive(Debug, Clone, PartialEq)]
pub struct RouteRow {
    /// What is known of it beforehand.
    pub request: Request,
    /// What each advisor's answer brought, where it is known.
    pub rewards: Vec<Option<f64>>,
    /// What each advisor's answer cost, where it is known.
    pub costs: Vec<Option<f64>>,
    /// The probability that each advisor's reward became known; not a number where it was not logged.
    pub chances: Vec<f64>,
    /// Whether the answers of the first two advisors were the same, where both are known.
    pub agreed: Option<bool>,
}

/// What was read.
#[derive(Debug, Clone)]
pub struct RouteTable {
    /// The names of the advisors.
    pub advisors: Vec<String>,
    /// The names of the groups.
    pub groups: Vec<String>,
    /// The names of the numbers, with their mean and standard deviation in the file, by which they are brought to the scale of one.
    pub numbers: Vec<(String, f64, f64)>,
    /// Whether texts are known.
    pub has_text: bool,
    /// The requests.
    pub rows: Vec<RouteRow>,
    /// Rows in which an outcome is missing without a probability.
    pub left_out: usize,
    /// What its outcomes rest on.
    pub basis: Basis,
    /// Whether it is declared that random draws with the logged probabilities decided.
    pub is_drawn: bool,
}

/// The fewest rows that are weighed.
const FEWEST: usize = 50;

/// Reads a table. Rows without all outcomes are left out and counted, unless the file says how probable each outcome was.
pub fn read_table(path: &Path, columns: &RouteColumns) -> Result<RouteTable, Error> {
    let refused = |reason: String| Error::Header { path: path.into(), reason };
    let mut sheet = Sheet::read(path)?;
    for (to, from) in &columns.renamed {
        let found = listed(&sheet);
        sheet.rename(from, to).ok_or_else(|| refused(format!("it has no column `{from}`; its columns are {found}")))?;
    }
    let place = |name: &String| {
        let missing = || refused(format!("it has no column `{name}`; its columns are {}", listed(&sheet)));
        sheet.place(name).ok_or_else(missing)
    };
    let picked = |named: &Option<String>, known: &[&str]| match named {
        Some(name) => place(name).map(Some),
        None => Ok(known.iter().find_map(|name| sheet.place(name))),
    };
    let group = picked(&columns.group, &["group", "source", "subject", "category"])?;
    let text = picked(&columns.text, &["text", "prompt", "question"])?;
    let known = || ["confidence", "u"].into_iter().filter(|name| sheet.place(name).is_some()).map(str::to_owned);
    let names: Vec<String> =
        if columns.numbers.is_empty() { known().take(1).collect() } else { columns.numbers.clone() };
    let numbers: Vec<usize> = names.iter().map(place).collect::<Result<_, _>>()?;
    let form = Form::of(&sheet, columns).map_err(&refused)?;
    let groups: BTreeSet<&str> = group.iter().flat_map(|place| sheet.entries(*place)).collect();
    let mut table = RouteTable {
        advisors: form.advisors().map(str::to_owned).collect(),
        groups: groups.into_iter().map(str::to_owned).collect(),
        numbers: names.into_iter().map(|name| (name, 0.0, 1.0)).collect(),
        has_text: text.is_some(),
        rows: Vec::with_capacity(sheet.rows()),
        left_out: 0,
        basis: form.basis(),
        is_drawn: columns.is_drawn,
    };
    for row in 0..sheet.rows() {
        let known: Option<Vec<f64>> = numbers.iter().map(|place| sheet.number(row, *place)).collect();
        let outcome = form.outcome(&sheet, row).map_err(|reason| refused(format!("row {}: {reason}", row + 1)))?;
        let (Some(known), Some(outcome)) = (known, outcome) else {
            table.left_out += 1;
            continue;
        };
        let text = text.and_then(|place| sheet.text(row, place));
        let mut request = text.map_or_else(Request::default, Request::text);
        let name = group.and_then(|place| sheet.text(row, place));
        request.group = name.and_then(|name| table.groups.binary_search_by(|known| known.as_str().cmp(name)).ok());
        request.numbers = known;
        table.rows.push(RouteRow { request, ..outcome });
    }
    standardise(&mut table);
    if table.rows.len() < FEWEST {
        let (kept, left_out) = (table.rows.len(), table.left_out);
        return Err(refused(format!("{kept} rows have all outcomes and {left_out} do not; {FEWEST} are needed")));
    }
    if let Some(advisor) = (0..table.advisors.len()).find(|advisor| table.known(*advisor).next().is_none()) {
        let name = &table.advisors[advisor];
        return Err(refused(format!("no row has an outcome of `{name}`, so nothing is known of it; leave it out")));
    }
    Ok(table)
}

/// The columns of a file, in a message.
pub(super) fn listed(sheet: &Sheet) -> String {
    let names: BTreeSet<&str> = sheet.names().collect();
    names.into_iter().take(20).collect::<Vec<_>>().join(", ")
}

/// Brings numbers to the scale of one.
fn standardise(table: &mut RouteTable) {
    let count = (table.rows.len() as f64).max(1.0);
    for (place, (_, mean, spread)) in table.numbers.iter_mut().enumerate() {
        *mean = table.rows.iter().map(|row| row.request.numbers[place]).sum::<f64>() / count;
        let square = table.rows.iter().map(|row| (row.request.numbers[place] - *mean).powi(2)).sum::<f64>();
        *spread = (square / count).sqrt().max(1e-12);
        let scaled = |row: &mut RouteRow| {
            let number = &mut row.request.numbers[place];
            *number = (*number - *mean) / *spread;
        };
        table.rows.iter_mut().for_each(scaled);
    }
}

impl RouteTable {
    /// The rows in which an advisor's reward is known, with the reward.
    pub(super) fn known(&self, advisor: usize) -> impl Iterator<Item = (&RouteRow, f64)> {
        self.rows.iter().filter_map(move |row| row.rewards[advisor].map(|reward| (row, reward)))
    }

    /// The mean of the costs of an advisor that are known.
    pub(super) fn mean_cost(&self, advisor: usize) -> f64 {
        let costs: Vec<f64> = self.rows.iter().filter_map(|row| row.costs[advisor]).collect();
        costs.iter().sum::<f64>() / (costs.len() as f64).max(1.0)
    }

    /// The advisor with the highest mean cost.
    pub(super) fn dearest(&self) -> usize {
        let dearer = |best: usize, next: usize| if self.mean_cost(next) > self.mean_cost(best) { next } else { best };
        (0..self.advisors.len()).reduce(dearer).unwrap_or(0)
    }
}
