//! Language models for Python: behind an OpenAI-compatible endpoint, or a GGUF file in this process.
//!
//! Invariants: every attempt of an endpoint is reserved in its ledger before a byte of it is sent; a question without an answer comes back as
//! a lost reply with a reason, so that no call is paid for twice; no Python code runs while a model answers.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use counsel_advisor::{Decoding, LanguageModel, Message, Prompt, Request, Role};
use counsel_decision::{Reply, ReplySource};
use counsel_endpoint::{
    Cancel, Endpoint, EndpointSettings, Key, KeyInClear, Ledger, Money, OtherModel, Prices, Proxies,
};
use counsel_local::{Local, Options};
use pyo3::prelude::*;

use crate::act::{self, locked};
use crate::error::{damaged, refuse, unbooked};
use crate::process::{Home, no_copy};
use crate::shown::html;
use crate::whole;

/// A language model. `counsel.advisors` makes advisors of it.
#[pyclass(frozen, module = "counsel")]
pub(crate) struct Model {
    asked: Mutex<Box<dyn LanguageModel + Send>>,
    name: String,
    version: String,
    ledger: Option<Ledger>,
    cancel: Option<Cancel>,
    home: Home,
}

/// A message: who speaks, and what is said.
type Said = (String, String);

#[pymethods]
impl Model {
    /// A model behind an OpenAI-compatible endpoint. `key` is sent as a bearer token and shown nowhere.
    #[staticmethod]
    #[pyo3(signature = (base_url, model, *, budget, key = None, ledger = None, prices = None, money = None, time_out = 30.0, deadline = 120.0, retries = 3, at_once = 8, stop_after = 10, key_over_http = false, any_model = false))]
    #[expect(clippy::too_many_arguments, reason = "they are named in Python")]
    fn endpoint(
        base_url: String,
        model: String,
        #[pyo3(from_py_with = whole::budget)] budget: u64,
        key: Option<String>,
        ledger: Option<PathBuf>,
        prices: Option<PathBuf>,
        money: Option<&str>,
        time_out: f64,
        deadline: f64,
        #[pyo3(from_py_with = whole::retries)] retries: u32,
        #[pyo3(from_py_with = whole::at_once)] at_once: usize,
        #[pyo3(from_py_with = whole::stop_after)] stop_after: u32,
        key_over_http: bool,
        any_model: bool,
    ) -> PyResult<Self> {
        let mut settings = EndpointSettings::new(base_url, model.clone());
        settings.key = key.map(Key::new).transpose().map_err(unset)?;
        settings.time_out = seconds("time_out", time_out)?;
        settings.deadline = seconds("deadline", deadline)?;
        (settings.retries, settings.concurrency) = (retries, at_once);
        settings.price = prices.map(|path| Prices::read(path)?.of(&model)).transpose().map_err(unset)?;
        settings.proxies = proxies();
        settings.stop_after = NonZeroU32::new(stop_after).ok_or_else(|| {
            refuse("`stop_after` is 0; pass the number of failures in a row after which nothing is sent, 1 or more")
        })?;
        if key_over_http {
            settings.key_in_clear = KeyInClear::Allowed;
        }
        if any_model {
            settings.other_model = OtherModel::Accepted;
        }
        let book = ledger.map_or_else(|| Ok(Ledger::in_memory(budget)), |path| Ledger::open(path, budget));
        let book = book.map_err(unbooked)?;
        let book = match (money, &settings.price) {
            (None, _) => book,
            (Some(money), Some(price)) => {
                let most: Money = money.parse().map_err(|_| {
                    refuse(format!("`money` is {money}; pass an amount in the currency of the prices, such as 2.50"))
                })?;
                book.with_money(most, price.currency.as_str())
            }
            (Some(_), None) => {
                return Err(refuse("`money` came without `prices`; pass the file that says what tokens cost"));
            }
        };
        let endpoint = Endpoint::new(settings, book.clone()).map_err(unset)?;
        let cancel = Some(endpoint.cancel());
        Ok(Self::of(Box::new(endpoint), Some(book), cancel))
    }

    /// The model in a GGUF file, in this process.
    #[staticmethod]
    #[pyo3(signature = (path, *, name = None, threads = None, context = 4096))]
    fn local(
        py: Python<'_>,
        path: PathBuf,
        name: Option<String>,
        #[pyo3(from_py_with = whole::threads)] threads: Option<usize>,
        #[pyo3(from_py_with = whole::context)] context: usize,
    ) -> PyResult<Self> {
        let stem = || path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let mut options = Options::new(name.unwrap_or_else(stem));
        options.threads = threads.unwrap_or(options.threads);
        options.context = context;
        let opened = py.detach(|| Local::open(&path, options)).map_err(damaged)?;
        Ok(Self::of(Box::new(opened), None, None))
    }

    /// The answers to conversations, in their order, as many at once as may be: for each a Reply and None, or None and why no answer came.
    /// A conversation is a list of (role, text), where a role is `system`, `user` or `assistant`.
    ///
    /// Parameters
    /// ----------
    /// conversations : list of list of (str, str)
    ///     What is asked.
    /// max_tokens : int
    ///     How long an answer may be.
    /// temperature : float
    ///     0 takes the likeliest token at every step.
    /// seed : int
    ///     The seed of the draws.
    /// words : list of str, optional
    ///     Score these words instead of writing: the answer is the likeliest one.
    #[pyo3(signature = (conversations, *, max_tokens = 64, temperature = 0.0, seed = 0, words = None))]
    fn answer(
        &self,
        py: Python<'_>,
        conversations: Vec<Vec<Said>>,
        #[pyo3(from_py_with = whole::max_tokens)] max_tokens: u32,
        temperature: f64,
        #[pyo3(from_py_with = whole::seed)] seed: u64,
        words: Option<Vec<String>>,
    ) -> PyResult<Vec<(Option<act::Reply>, Option<String>)>> {
        self.home.check("model")?;
        if !(temperature.is_finite() && temperature >= 0.0) || max_tokens == 0 {
            return Err(refuse(format!(
                "`temperature` is {temperature} and `max_tokens` {max_tokens}; pass 0 or more, and 1 or more"
            )));
        }
        let decoding = match words {
            Some(words) if !words.is_empty() => Decoding::scored(words),
            Some(_) => return Err(refuse("`words` is empty; pass the words that are scored")),
            None => Decoding::Generate { max_tokens, temperature, seed },
        };
        let request = |said: Vec<Said>| Ok(Request { prompt: prompt(said)?, decoding: decoding.clone() });
        let requests = conversations.into_iter().map(request).collect::<PyResult<Vec<_>>>()?;
        let answers = py.detach(|| locked(&self.asked).answer(&requests));
        let shown = answers.into_iter().map(|answer| match answer {
            Ok(said) => {
                let reply = Reply {
                    text: said.text,
                    source: ReplySource::Live,
                    request_tokens: said.request_tokens,
                    response_tokens: said.response_tokens,
                    latency_ms: said.latency_ms,
                };
                (Some(act::Reply::of(reply)), None)
            }
            Err(outage) => (None, Some(outage.reason)),
        });
        Ok(shown.collect())
    }

    /// Stops what is under way, from another thread; questions that wait are outages.
    fn stop(&self) {
        if let Some(cancel) = &self.cancel {
            cancel.cancel();
        }
    }

    /// The model, as it is asked for.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// What tells one version of it from another.
    #[getter]
    fn version(&self) -> &str {
        &self.version
    }

    /// The attempts that were paid for, those in the ledger included; None for a model in this process.
    #[getter]
    fn spent(&self, py: Python<'_>) -> PyResult<Option<u64>> {
        py.detach(|| self.ledger.as_ref().map(Ledger::spent).transpose()).map_err(unbooked)
    }

    /// The most attempts; None for a model in this process.
    #[getter]
    fn budget(&self) -> Option<u64> {
        self.ledger.as_ref().map(Ledger::limit)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (name, spent) = (&self.name, self.spent(py)?);
        let costs = spent.zip(self.budget()).map(|(spent, budget)| format!(", spent={spent}, budget={budget}"));
        Ok(format!("Model('{name}'{})", costs.unwrap_or_default()))
    }

    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let number = |number: Option<u64>| number.map_or_else(|| "none".to_owned(), |number| number.to_string());
        let lines = [("model", self.name.clone()), ("version", self.version.clone())];
        let lines = lines.into_iter().chain([("spent", number(self.spent(py)?)), ("budget", number(self.budget()))]);
        Ok(html("Model", &lines.collect::<Vec<_>>()))
    }

    fn __reduce_ex__(&self, _protocol: i32) -> PyResult<()> {
        let _ = self.home;
        Err(no_copy("model"))
    }
}

impl Model {
    fn of(model: Box<dyn LanguageModel + Send>, ledger: Option<Ledger>, cancel: Option<Cancel>) -> Self {
        let identity = model.identity();
        let (name, version) = (identity.model.clone(), identity.version.clone());
        Self { asked: Mutex::new(model), name, version, ledger, cancel, home: Home::here() }
    }
}

fn prompt(said: Vec<Said>) -> PyResult<Prompt> {
    if said.is_empty() {
        return Err(refuse("a conversation is empty; pass at least one (role, text)"));
    }
    let message = |(role, text): Said| {
        let known = match role.as_str() {
            "system" => Role::System,
            "user" => Role::User,
            "assistant" => Role::Assistant,
            _ => return Err(refuse(format!("the role `{role}` is unknown; choose system, user or assistant"))),
        };
        Ok(Message::new(known, text))
    };
    Ok(Prompt::new(said.into_iter().map(message).collect::<PyResult<_>>()?, 0))
}

fn seconds(name: &str, given: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(given).map_err(|_| refuse(format!("`{name}` is {given}; pass seconds")))
}

fn unset(error: counsel_endpoint::Error) -> PyErr {
    refuse(error.to_string())
}

/// The proxies that the environment names.
#[expect(clippy::disallowed_methods, reason = "every HTTP client of Python takes its proxies from there")]
fn proxies() -> Proxies {
    let named =
        |names: [&str; 2]| names.iter().find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    Proxies {
        https: named(["HTTPS_PROXY", "https_proxy"]),
        http: named(["HTTP_PROXY", "http_proxy"]),
        except: named(["NO_PROXY", "no_proxy"]),
    }
}
