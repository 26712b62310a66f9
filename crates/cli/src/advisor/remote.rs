//! How an endpoint is reached, and what it may cost.
//!
//! All models of one command share one ledger, so the budget is that of the command, not of each model. Where the command has a folder
//! for what it buys, the ledger is there unless another is named: a budget that began again with every run would be none.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use counsel_endpoint::{
    Dialect, Endpoint, EndpointSettings, Key, KeyInClear, Ledger, Money, OtherModel, Parameter, Prices, Proxies,
    TokenLimit, TokenPrice,
};

use super::model::variable;
use crate::interrupt;

/// Where the key is, if nobody says otherwise.
const KEY: &str = "OPENAI_API_KEY";
/// The ledger in the folder of what a command buys.
const LEDGER: &str = "calls.ledger";

/// The name of the limit of tokens, as it is sent.
#[derive(Debug, Clone, Copy, ValueEnum)]
#[value(rename_all = "snake_case")]
enum LimitName {
    MaxTokens,
    MaxCompletionTokens,
}

/// A parameter that may be left out.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum LeftOut {
    Temperature,
    Seed,
}

/// How an endpoint is reached. The key is read from the environment and shown nowhere.
#[derive(Debug, Clone, Args)]
pub(crate) struct Remote {
    /// Ask this OpenAI-compatible endpoint instead of a file
    #[arg(long, value_name = "URL")]
    pub(crate) base_url: Option<String>,
    /// The environment variable that holds the endpoint's key [default: OPENAI_API_KEY, if it is set]
    #[arg(long, value_name = "NAME")]
    key_env: Option<String>,
    /// Also send the key over plain http, where anybody on the way can read it
    #[arg(long)]
    key_over_http: bool,
    /// The most calls to the endpoint, retries and those in the ledger included
    #[arg(long, value_name = "CALLS", allow_negative_numbers = true)]
    pub(crate) budget: Option<u64>,
    /// The file that records every paid attempt; it carries the budget over runs [default: calls.ledger in the folder of --out, where there is one]
    #[arg(long, value_name = "FILE", requires = "budget")]
    ledger: Option<PathBuf>,
    /// What tokens cost: a file with a section per model, or `default`, and in it usd_per_million_input_tokens and
    /// usd_per_million_output_tokens
    #[arg(long, value_name = "FILE")]
    prices: Option<PathBuf>,
    /// The most money for the endpoint, in the currency of the prices, that in the ledger included
    #[arg(long, value_name = "AMOUNT", requires = "prices", allow_negative_numbers = true)]
    pub(crate) money: Option<Money>,
    /// Accept the cost of the calls without being asked
    #[arg(long)]
    pub(crate) yes: bool,
    /// Stop after N questions in a row without an answer
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
    /// Accept answers from another model than was asked for; a date after its name, as in gpt-4o-2024-08-06, is always accepted
    #[arg(long)]
    any_model: bool,
    /// How the most tokens to write are sent [default: max_tokens, and the other one once the endpoint asks for it]
    #[arg(long, value_name = "NAME", value_enum)]
    token_limit: Option<LimitName>,
    /// Do not send this parameter, for models that refuse it; may be given several times
    #[arg(long, value_name = "NAME", value_enum)]
    leave_out: Vec<LeftOut>,
    /// Tokens that a model may reason in, besides those of its answer
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true)]
    pub(crate) reasoning_tokens: u32,
    /// The ledger, once it is opened.
    #[arg(skip)]
    opened: Arc<Mutex<Option<Ledger>>>,
    /// The folder of what the command buys, where it has one.
    #[arg(skip)]
    bought: OnceLock<PathBuf>,
}

impl Remote {
    /// The endpoint at this address, with `at_once` questions under way at a time.
    pub(crate) fn endpoint(&self, base_url: &str, model: &str, at_once: usize) -> Result<Endpoint> {
        let mut settings = EndpointSettings::new(base_url, model);
        settings.key = self.key()?;
        settings.time_out = seconds("--time-out", self.time_out)?;
        settings.deadline = seconds("--deadline", self.deadline)?;
        settings.retries = self.retries;
        settings.concurrency = at_once;
        settings.price = self.price(model)?;
        settings.dialect = self.dialect();
        settings.proxies = proxies();
        settings.stop_after = self.stop_after;
        if self.any_model {
            settings.other_model = OtherModel::Accepted;
        }
        if self.key_over_http {
            settings.key_in_clear = KeyInClear::Allowed;
        }
        let ledger = self.ledger(settings.price.as_ref())?;
        let endpoint = Endpoint::new(settings, ledger)?;
        interrupt::wind_down(endpoint.cancel());
        Ok(endpoint)
    }

    fn dialect(&self) -> Dialect {
        let token_limit = match self.token_limit {
            None => TokenLimit::Learned,
            Some(LimitName::MaxTokens) => TokenLimit::MaxTokens,
            Some(LimitName::MaxCompletionTokens) => TokenLimit::MaxCompletionTokens,
        };
        let left_out = self.leave_out.iter().map(|name| match name {
            LeftOut::Temperature => Parameter::Temperature,
            LeftOut::Seed => Parameter::Seed,
        });
        Dialect { token_limit, left_out: left_out.collect(), reasoning_tokens: self.reasoning_tokens }
    }

    /// Keeps the ledger in this folder, where what is paid for goes, unless a file is named for it.
    pub(crate) fn keep_ledger_in(&self, folder: &Path) {
        // It is the same folder for the whole command.
        let _ = self.bought.set(folder.to_owned());
    }

    /// The file of the ledger; none where it ends with the command.
    pub(crate) fn ledger_file(&self) -> Option<PathBuf> {
        let beside = || self.bought.get().filter(|_| self.budget.is_some()).map(|folder| folder.join(LEDGER));
        self.ledger.clone().or_else(beside)
    }

    /// The same with a budget for these questions where none is named: what the ledger holds already, a call for each, and a tenth
    /// more for retries.
    pub(crate) fn budgeted_for(&self, questions: u64) -> Result<Self> {
        let mut this = self.clone();
        if this.base_url.is_some() && this.budget.is_none() {
            // Without any budget there is no ledger.
            this.budget = Some(0);
            let held = match this.ledger_file().filter(|path| path.exists()) {
                Some(path) => Ledger::open(path, 0)?.spent()?,
                None => 0,
            };
            this.budget = Some(held + questions + questions.div_ceil(10));
        }
        Ok(this)
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
    pub(crate) fn price(&self, model: &str) -> Result<Option<TokenPrice>> {
        let Some(path) = &self.prices else { return Ok(None) };
        Ok(Some(Prices::read(path)?.of(model)?))
    }

    /// The ledger that all models of this command spend from.
    pub(crate) fn ledger(&self, price: Option<&TokenPrice>) -> Result<Ledger> {
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(ledger) = &*opened {
            return Ok(ledger.clone());
        }
        let budget = self.budget.unwrap_or_else(|| self.single_question());
        let ledger = match self.ledger_file() {
            Some(path) => {
                if let Some(folder) = self.bought.get().filter(|folder| path.starts_with(folder)) {
                    std::fs::create_dir_all(folder)
                        .with_context(|| format!("cannot create the folder {}", folder.display()))?;
                }
                Ledger::open(path, budget)?
            }
            None => Ledger::in_memory(budget),
        };
        let ledger = match (self.money, price) {
            (Some(money), Some(price)) => ledger.with_money(money, price.currency.as_str()),
            _ => ledger,
        };
        Ok(opened.insert(ledger).clone())
    }

    /// What a single question may cost at most: a call, its retries, and one under the other name of the limit of tokens.
    pub(crate) fn single_question(&self) -> u64 {
        u64::from(self.retries) + 1 + u64::from(self.token_limit.is_none())
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

/// The proxies that the environment names, in capitals or not.
pub(crate) fn proxies() -> Proxies {
    let named = |name: &str| variable(&name.to_ascii_lowercase()).or_else(|| variable(name));
    let all = || named("ALL_PROXY");
    Proxies {
        https: named("HTTPS_PROXY").or_else(all),
        http: named("HTTP_PROXY").or_else(all),
        except: named("NO_PROXY"),
    }
}

fn seconds(name: &str, value: f64) -> Result<Duration> {
    let day = 24.0 * 60.0 * 60.0;
    if !(0.001..=day).contains(&value) {
        bail!("{name} is {value}; pass seconds between 0.001 and {day}");
    }
    Ok(Duration::from_secs_f64(value))
}
