//! `counsel route`: is a router worth it on a table of one's own?

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use counsel_file::{Printable, write_whole};
use counsel_report::Traces;
use counsel_shadow::{Advisor, RouteColumns, RouteSettings, policy_text, read_table, route_report};

use crate::look::TableOptions;

/// See what a router among your models would have returned and cost, on your own outcomes.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel route outcomes.csv
  counsel route outcomes.jsonl --advisor small=right.small,0.1 --advisor large=right.large,2
  counsel route outcomes.csv --advisor weak=mixtral,0 --advisor strong=gpt4,1 --group subject --budget 0.2,0.5
  counsel route outcomes.csv --budget 0.002 --policy policy.json --requests 10000

A row is a request with what every model's answer to it brought (a number, or true and false) and cost. Without --advisor,
columns reward_X with cost_X, or r_X with c_X, are taken. The first advisor is the answer without a call.")]
pub(crate) struct Route {
    /// The table: CSV, JSONL or Parquet
    file: PathBuf,
    /// An advisor: its name, the column of its rewards, and the column of its costs or one number
    #[arg(long = "advisor", value_name = "NAME=REWARD,COST", value_parser = advisor)]
    advisors: Vec<Advisor>,
    /// The column with the group of a request [default: group, source, subject or category]
    #[arg(long, value_name = "COLUMN")]
    group: Option<String>,
    /// The column with the text of a request [default: text, prompt or question]
    #[arg(long, value_name = "COLUMN")]
    text: Option<String>,
    /// A column with a number that is known beforehand, such as the weak model's confidence; may be given several times
    #[arg(long = "number", value_name = "COLUMN")]
    numbers: Vec<String>,
    /// With two advisors: prices of the strong one in a cascade, in units of reward [default: 0.01,0.05,0.1,0.2]
    #[arg(long = "price", value_name = "PRICES", value_delimiter = ',')]
    prices: Vec<f64>,
    /// What a request may cost on average, with commas [default: five between the cheapest and the dearest advisor]
    #[arg(long = "budget", value_name = "COSTS", value_delimiter = ',')]
    budgets: Vec<f64>,
    /// Orders of the rows
    #[arg(long, value_name = "N", default_value_t = 10)]
    orders: u64,
    /// Also write a router that was taught all rows, for the first budget
    #[arg(long, value_name = "FILE", requires = "budgets")]
    policy: Option<PathBuf>,
    /// Requests of the period that the written router will serve
    #[arg(long, value_name = "N", default_value_t = 10_000, requires = "policy")]
    requests: u64,
    #[command(flatten)]
    look: TableOptions,
}

fn advisor(text: &str) -> Result<Advisor, String> {
    let remedy = "pass NAME=REWARD,COST, as in small=r_small,c_small or small=r_small,0.01";
    let (name, columns) = text.split_once('=').ok_or(remedy)?;
    let (reward, cost) = columns.rsplit_once(',').ok_or(remedy)?;
    if [name, reward, cost].iter().any(|part| part.trim().is_empty()) {
        return Err(remedy.into());
    }
    let number = cost.trim().parse().ok().filter(|cost: &f64| *cost >= 0.0 && cost.is_finite());
    Ok(Advisor {
        name: name.trim().into(),
        reward: reward.trim().into(),
        cost: number.ok_or_else(|| cost.trim().to_owned()),
    })
}

impl Route {
    pub(crate) fn run(&self) -> Result<()> {
        let columns = RouteColumns {
            advisors: self.advisors.clone(),
            group: self.group.clone(),
            text: self.text.clone(),
            numbers: self.numbers.clone(),
        };
        let settings = RouteSettings {
            budgets: self.budgets.clone(),
            orders: self.orders,
            prices: self.prices.clone(),
            ..RouteSettings::default()
        };
        let table = read_table(&self.file, &columns)?;
        let told = route_report(&table, &settings)?;
        let mut out = std::io::stdout().lock();
        if self.look.is_text() {
            writeln!(out, "{}\n", Printable(crate::look::lines(&told.verdict)))?;
        }
        write!(out, "{}", Printable(self.look.view(Traces::Hidden).render(&told.tables)?))?;
        if let Some(file) = &self.policy {
            let budget = *self.budgets.first().context("no budget is named; pass --budget")?;
            write_whole(file, policy_text(&table, &settings, budget, self.requests)?.as_bytes())?;
            writeln!(out, "{}", file.display())?;
        }
        Ok(())
    }
}
