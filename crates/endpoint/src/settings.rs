//! How an endpoint is called.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::time::Duration;

use reqwest::Url;

use crate::{Dialect, Error, Key, Proxies, TokenPrice};

/// Whether log-probabilities are asked for when words are to be scored.
///
/// An endpoint lists at most the 20 likeliest first tokens. A word's score is the probability of the token that spells
/// exactly that word (same case, no space before it), normalised over the words. This is the law of a word that is one
/// token. If one of the words is not listed (it is unlikely, or more than one token), its probability is unknown, and the
/// answer is an outage that names the word. The request asks for one token at temperature 1, where servers that apply the
/// temperature before they report and servers that do not report the same numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogProbabilities {
    /// Scored requests ask for them.
    Asked,
    /// The endpoint is known to give none: scored requests are outages and cost nothing.
    Absent,
}

/// What is done with an answer that names another model than was asked for. An answer that names none is taken, and so is one that adds
/// the date of a version to the name (`gpt-4o-2024-08-06` for `gpt-4o`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OtherModel {
    /// It is an outage.
    Refused,
    /// It is taken: for servers that answer under the name of a file.
    Accepted,
}

/// Whether a key may go over plain http to another machine, where anybody on the way can read it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyInClear {
    /// It may not.
    Refused,
    /// It may: the network is one's own.
    Allowed,
}

/// How an endpoint is called.
///
/// | setting | default | range |
/// |---|---|---|
/// | `time_out` | 30 s | 1 ms to 1 day |
/// | `deadline` | 120 s | 1 ms to 1 day |
/// | `retries` | 3 | 0 to 1000 |
/// | `first_pause` | 500 ms | 0 to 1 day |
/// | `longest_pause` | 20 s | `first_pause` to 1 day |
/// | `concurrency` | 8 | 1 to 1024 |
/// | `max_body_bytes` | 4 MiB | 1 to 1 GiB |
/// | `stop_after` | 10 | 1 and more |
#[derive(Debug, Clone)]
pub struct EndpointSettings {
    /// Where it is, with or without `/v1` at its end.
    pub base_url: String,
    /// The model that is asked for.
    pub model: String,
    /// The key, sent as bearer token.
    pub key: Option<Key>,
    /// Whether the key may be sent in clear.
    pub key_in_clear: KeyInClear,
    /// What tokens cost, where that is known: every attempt then has its worst case in the ledger.
    pub price: Option<TokenPrice>,
    /// How long one attempt may take, from connecting to the last byte.
    pub time_out: Duration,
    /// How long a request may take with all its attempts and pauses, from when its turn comes. Writing the last line of the
    /// ledger may add a second to it at most.
    pub deadline: Duration,
    /// How many attempts may follow the first one.
    pub retries: u32,
    /// The pause before the first retry. It doubles with each, and a draw between half and whole of it is taken.
    pub first_pause: Duration,
    /// No pause is longer, except where Retry-After asks for it.
    pub longest_pause: Duration,
    /// How many requests of a batch are under way at once.
    pub concurrency: usize,
    /// A longer body is an outage as soon as it is.
    pub max_body_bytes: usize,
    /// Whether words can be scored.
    pub log_probabilities: LogProbabilities,
    /// What is done with an answer of another model.
    pub other_model: OtherModel,
    /// How it wants to be spoken to.
    pub dialect: Dialect,
    /// Through whom it is reached.
    pub proxies: Proxies,
    /// After this many questions in a row without an answer nothing more is sent.
    pub stop_after: NonZeroU32,
    /// The seed of the draws of pauses.
    pub jitter_seed: u64,
}

impl EndpointSettings {
    /// The defaults for this address and model, without a key.
    pub fn new(base_url: impl Into<String>, model: impl Into<String>) -> Self {
        Self {
            base_url: base_url.into(),
            model: model.into(),
            key: None,
            key_in_clear: KeyInClear::Refused,
            price: None,
            time_out: Duration::from_secs(30),
            deadline: Duration::from_secs(120),
            retries: 3,
            first_pause: Duration::from_millis(500),
            longest_pause: Duration::from_secs(20),
            concurrency: 8,
            max_body_bytes: 4 << 20,
            log_probabilities: LogProbabilities::Asked,
            other_model: OtherModel::Refused,
            dialect: Dialect::default(),
            proxies: Proxies::default(),
            stop_after: const { NonZeroU32::new(10).unwrap() },
            jitter_seed: 0,
        }
    }

    /// Refuses what is out of range.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let day = Duration::from_secs(24 * 60 * 60);
        let wait = Duration::from_millis(1)..=day;
        let refuse = |name, value: String, range| Err(Error::Setting { name, value, range });
        if self.model.trim().is_empty() {
            return refuse("model", format!("`{}`", self.model), "the name of a model");
        }
        for (name, value) in [("time_out", self.time_out), ("deadline", self.deadline)] {
            if !wait.contains(&value) {
                return refuse(name, format!("{value:?}"), "between 1 ms and 1 day");
            }
        }
        if self.longest_pause > day {
            return refuse("longest_pause", format!("{:?}", self.longest_pause), "at most 1 day");
        }
        if self.first_pause > self.longest_pause {
            return refuse("first_pause", format!("{:?}", self.first_pause), "at most longest_pause");
        }
        if self.retries > 1000 {
            return refuse("retries", self.retries.to_string(), "at most 1000");
        }
        if !(1..=1024).contains(&self.concurrency) {
            return refuse("concurrency", self.concurrency.to_string(), "between 1 and 1024");
        }
        if !(1..=1 << 30).contains(&self.max_body_bytes) {
            return refuse("max_body_bytes", self.max_body_bytes.to_string(), "between 1 byte and 1 GiB");
        }
        Ok(())
    }

    /// The address up to and with `/v1`.
    pub(crate) fn address(&self) -> Result<Url, Error> {
        let refuse = |shown: &str, reason| Err(Error::BaseUrl { shown: shown.to_owned(), reason });
        let text = self.base_url.trim();
        // What stands before an @ may be a password.
        let shown = if text.contains('@') { "***" } else { text };
        let Ok(mut url) = Url::parse(text) else {
            return refuse(shown, "it cannot be read");
        };
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return refuse(shown, "it does not begin with http:// or https:// and a host");
        }
        if !url.username().is_empty() || url.password().is_some() {
            return refuse(shown, "it has a user or a password in it");
        }
        if url.query().is_some() || url.fragment().is_some() {
            return refuse(shown, "it has a ? or a # in it");
        }
        let path = url.path().trim_end_matches('/');
        let path = format!("{}/v1", path.strip_suffix("/v1").unwrap_or(path));
        url.set_path(&path);
        match self.key {
            Some(_) if self.key_in_clear == KeyInClear::Refused && url.scheme() == "http" && !is_loopback(&url) => {
                Err(Error::KeyInClear { host: url.host_str().unwrap_or_default().to_owned() })
            }
            _ => Ok(url),
        }
    }
}

/// Whether an address is on this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    address.map_or(host == "localhost", |address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_ends_in_v1_once() {
        let address = |text: &str| EndpointSettings::new(text, "m").address().map(|url| url.to_string());
        for text in ["http://h:8", "http://h:8/", " http://h:8/v1", "http://h:8/v1/"] {
            assert_eq!(address(text).unwrap(), "http://h:8/v1");
        }
        assert_eq!(address("https://h/api/v1").unwrap(), "https://h/api/v1");
        assert_eq!(address("https://h/av1").unwrap(), "https://h/av1/v1");
        for text in
            ["", "h:8", "ftp://h", "http://", "http://h?x=1", "http://h/#x", "http://:hidden@h", "http://u:hidden@"]
        {
            let message = address(text).unwrap_err().to_string();
            assert!(!message.contains("hidden"), "{message}");
        }
    }

    #[test]
    fn a_key_goes_in_clear_to_this_machine_only_unless_a_setting_says_so() {
        let address = |text: &str, key_in_clear| {
            let mut settings = EndpointSettings::new(text, "m");
            (settings.key, settings.key_in_clear) = (Key::new("sk-secret").ok(), key_in_clear);
            settings.address()
        };
        for text in
            ["http://127.0.0.1:8", "http://127.9.9.9", "http://localhost:8", "http://[::1]:8", "https://example.com"]
        {
            assert!(address(text, KeyInClear::Refused).is_ok(), "{text}");
        }
        for host in ["example.com", "10.0.0.1", "[2001:db8::1]", "localhost.example.com", "127.0.0.1.example.com"] {
            let message = address(&format!("http://{host}:8"), KeyInClear::Refused).unwrap_err().to_string();
            assert!(message.contains(host) && message.contains("--key-over-http"), "{message}");
            assert!(!message.contains("secret"), "{message}");
            assert!(address(&format!("http://{host}:8"), KeyInClear::Allowed).is_ok());
            assert!(
                EndpointSettings::new(format!("http://{host}:8"), "m").address().is_ok(),
                "without a key all is well"
            );
        }
    }

    #[test]
    fn settings_out_of_range_are_refused_by_name() {
        let refused = |change: fn(&mut EndpointSettings)| {
            let mut settings = EndpointSettings::new("http://h", "m");
            change(&mut settings);
            settings.check().unwrap_err().to_string()
        };
        assert!(EndpointSettings::new("http://h", "m").check().is_ok());
        assert_eq!(refused(|s| s.concurrency = 0), "concurrency is 0; it must be between 1 and 1024");
        assert_eq!(refused(|s| s.model = " ".into()), "model is ` `; it must be the name of a model");
        assert!(refused(|s| s.time_out = Duration::ZERO).starts_with("time_out is 0ns"));
        assert!(refused(|s| s.deadline = Duration::MAX).starts_with("deadline is"));
        assert!(refused(|s| s.first_pause = Duration::from_secs(21)).starts_with("first_pause is 21s"));
        assert!(refused(|s| s.longest_pause = Duration::MAX).starts_with("longest_pause is"));
        assert!(refused(|s| s.retries = u32::MAX).starts_with("retries is"));
        assert!(refused(|s| s.max_body_bytes = 0).starts_with("max_body_bytes is 0"));
    }
}
