//! `counsel route`: is a router worth it on a table of one's own?

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use counsel_file::{Printable, write_whole};
use counsel_report::Traces;
use counsel_shadow::{Advisor, Limit, RouteColumns, RouteSettings, policy_text, read_table, route_report};

use crate::look::TableOptions;

/// See what a router or a cascade of your models would have returned and cost, on your own outcomes.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel route outcomes.csv
  counsel route outcomes.jsonl --advisor small=right.small,0.1 --advisor large=right.large,2
  counsel route outcomes.csv --advisor weak=mixtral,0 --advisor strong=gpt4,1 --group subject --budget 0.2,0.5
  counsel route cascade.jsonl --price 0.05 --drawn
  counsel route outcomes.csv --budget 0.002 --policy policy.json --requests 10000

A row is a request with what every model's answer to it brought (a number, or true and false) and cost. Without --advisor,
columns reward_X with cost_X, or r_X with c_X, are taken. The cheapest, or the first that is named, is the answer without a
call. A log of choices by chance has chosen, reward, cost and probability; a log of a cascade has asked, reward and p_ask.
Records of ParetoBandit, UCCI and RouteLLM are read as they are. docs/CASCADE.md lists all columns.")]
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
    /// [default: confidence or u]
    #[arg(long = "number", value_name = "COLUMN")]
    numbers: Vec<String>,
    /// Read a column under another name, as in p_ask=propensity; may be given several times
    #[arg(long = "map", value_name = "NAME=COLUMN", value_parser = renamed)]
    renamed: Vec<(String, String)>,
    /// Declare that random draws with the logged probabilities decided what was asked and what became known
    #[arg(long)]
    drawn: bool,
    /// Prices of an answer of the dearest model, in units of reward; the verdict is about the first [default: 0.05 among
    /// 0.01,0.05,0.1,0.2]
    #[arg(long = "price", value_name = "PRICES", value_delimiter = ',')]
    prices: Vec<f64>,
    /// What a request may cost on average, with commas [default: five between the cheapest and the dearest advisor]
    #[arg(long = "budget", value_name = "COSTS", value_delimiter = ',')]
    budgets: Vec<f64>,
    /// Orders of the rows, and draws of labels
    #[arg(long, value_name = "N", default_value_t = 10)]
    orders: u64,
    /// Also write a router that was taught all that is known, for the first budget, or else for the first price
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// Requests of the period that the written router will serve within its budget
    #[arg(long, value_name = "N", default_value_t = 10_000, requires = "policy")]
    requests: u64,
    #[command(flatten)]
    look: TableOptions,
}

fn renamed(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').map(|(name, column)| (name.trim().to_owned(), column.trim().to_owned()));
    pair.filter(|(name, column)| !name.is_empty() && !column.is_empty())
        .ok_or_else(|| "pass NAME=COLUMN, as in p_ask=propensity".to_owned())
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
            renamed: self.renamed.clone(),
            is_drawn: self.drawn,
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
            let limit = match (self.budgets.first(), self.prices.first()) {
                (Some(per_request), _) => Limit::Budget { per_request: *per_request, requests: self.requests },
                (None, Some(price)) => Limit::Price(*price),
                (None, None) => bail!("the router has no limit; pass --budget or --price"),
            };
            write_whole(file, policy_text(&table, &settings, limit)?.as_bytes())?;
            for (name, mean, spread) in &table.numbers {
                let name = Printable(name);
                writeln!(out, "{name} was read as ({name} - {mean:.6}) / {spread:.6}; hand it to the router so")?;
            }
            writeln!(out, "{}", file.display())?;
        }
        Ok(())
    }
}
