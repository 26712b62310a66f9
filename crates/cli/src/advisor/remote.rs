//! How an endpoint is reached, and what it may cost.
//!
//! All models of one command share one ledger, so the budget is that of the command, not of each model.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::Args;
use counsel_endpoint::{Endpoint, Key, KeyInClear, Ledger, Money, OtherModel, Price, Prices, Settings};

use super::model::variable;

/// Where the key is, if nobody says otherwise.
const KEY: &str = "OPENAI_API_KEY";

/// How an endpoint is reached. The key is read from the environment and shown nowhere.
#[derive(Debug, Clone, Args)]
pub(crate) struct Remote {
    /// Ask this OpenAI-compatible endpoint instead of a file
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// The environment variable that holds the endpoint's key [default: OPENAI_API_KEY, if it is set]
    #[arg(long, value_name = "NAME")]
    key_env: Option<String>,
    /// Send the key over plain http, too, where anybody on the way can read it
    #[arg(long)]
    key_over_http: bool,
    /// Most calls to the endpoint, retries included; those in the ledger count
    #[arg(long, value_name = "CALLS", allow_negative_numbers = true)]
    pub(crate) budget: Option<u64>,
    /// The file that every paid attempt is written to; kept over runs, so that the budget is
    #[arg(long, value_name = "FILE", requires = "budget")]
    ledger: Option<PathBuf>,
    /// What tokens cost: a file with a section per model, or `default`, with money per million tokens
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,
    /// Most money for the endpoint, in the currency of the prices; what is in the ledger counts
    #[arg(long, value_name = "AMOUNT", requires = "prices", allow_negative_numbers = true)]
    pub(crate) money: Option<Money>,
    /// Agree to what the calls may cost without being asked
    #[arg(long)]
    pub(crate) yes: bool,
    /// Stop after so many questions in a row without an answer
    #[arg(long, value_name = "N", default_value = "3", allow_negative_numbers = true)]
    stop_after: NonZeroU32,
    /// Seconds that one attempt may take
    #[arg(long, value_name = "S", default_value_t = 30.0, allow_negative_numbers = true)]
    time_out: f64,
    /// Seconds that a request may take with all its attempts
    #[arg(long, value_name = "S", default_value_t = 120.0, allow_negative_numbers = true)]
    deadline: f64,
    /// Attempts after the first one
    #[arg(long, value_name = "N", default_value_t = 3, allow_negative_numbers = true)]
    pub(crate) retries: u32,
    /// Take answers that name another model than was asked for
    #[arg(long)]
    any_model: bool,
    /// The ledger, once it is opened.
    #[arg(skip)]
    opened: Arc<Mutex<Option<Ledger>>>,
}

impl Remote {
    /// The endpoint at this address, with so many questions under way at once.
    pub(crate) fn endpoint(&self, base_url: &str, model: &str, at_once: usize) -> Result<Endpoint> {
        let mut settings = Settings::new(base_url, model);
        settings.key = self.key()?;
        settings.time_out = seconds("--time-out", self.time_out)?;
        settings.deadline = seconds("--deadline", self.deadline)?;
        settings.retries = self.retries;
        settings.concurrency = at_once;
        settings.price = self.price(model)?;
        if self.any_model {
            settings.other_model = OtherModel::Accepted;
        }
        if self.key_over_http {
            settings.key_in_clear = KeyInClear::Allowed;
        }
        let ledger = self.ledger(settings.price.as_ref())?;
        Ok(Endpoint::new(settings, ledger)?)
    }

    /// Refuses an endpoint without a budget: this costs calls, and nobody said how many.
    pub(crate) fn require_budget(&self, what: &str) -> Result<()> {
        if self.base_url.is_some() && self.budget.is_none() {
            bail!("{what} an endpoint costs calls; pass --budget CALLS");
        }
        Ok(())
    }

    /// How many questions in a row may go without an answer. A model in this process loses nothing but time.
    pub(crate) fn patience(&self) -> Option<NonZeroU32> {
        self.base_url.as_ref().map(|_| self.stop_after)
    }

    /// What the tokens of a model cost, where a file says so.
    pub(crate) fn price(&self, model: &str) -> Result<Option<Price>> {
        let Some(path) = &self.prices else { return Ok(None) };
        Ok(Some(Prices::read(path)?.of(model)?))
    }

    /// The ledger that all models of this command spend from.
    pub(crate) fn ledger(&self, price: Option<&Price>) -> Result<Ledger> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(ledger) = &*opened {
            return Ok(ledger.clone());
        }
        // A single question, with its retries, is what a command without a budget may cost.
        let budget = self.budget.unwrap_or(u64::from(self.retries) + 1);
        let ledger = match &self.ledger {
            Some(path) => Ledger::open(path, budget)?,
            None => Ledger::in_memory(budget),
        };
        let ledger = match (self.money, price) {
            (Some(money), Some(price)) => ledger.with_money(money, price.currency.as_str()),
            _ => ledger,
        };
        Ok(opened.insert(ledger).clone())
    }

    /// The key, if there is one. A variable that was named must be there.
    fn key(&self) -> Result<Option<Key>> {
        let text = match &self.key_env {
            None => variable(KEY),
            Some(name) => Some(variable(name).with_context(|| {
                format!(
                    "--key-env names the variable {name}, which is not set or empty; set it, or leave --key-env out"
                )
            })?),
        };
        Ok(text.map(Key::new).transpose()?)
    }
}

fn seconds(name: &str, value: f64) -> Result<Duration> {
    let day = 24.0 * 60.0 * 60.0;
    if !(0.001..=day).contains(&value) {
        bail!("{name} is {value}; pass seconds between 0.001 and {day}");
    }
    Ok(Duration::from_secs_f64(value))
}
