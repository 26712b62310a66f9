//! What tokens cost, and a file that says so for several models.
//!
//! ```toml
//! currency = "EUR"        # USD where nothing is said
//!
//! [default]               # models without a section of their own
//! request = 0.15          # money per million tokens that are sent
//! response = 0.60         # and received
//!
//! ["big-model"]
//! request = 2.5
//! response = 10
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::{Error, Money};

/// Prices are given for so many tokens.
const TOKENS: u128 = 1_000_000;

/// How many tokens go each way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tokens {
    /// Sent.
    pub request: u64,
    /// Received.
    pub response: u64,
}

/// What the tokens of a model cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Price {
    /// A million tokens that are sent.
    pub request: Money,
    /// A million tokens that are received.
    pub response: Money,
    /// The currency of both.
    pub currency: String,
}

impl Price {
    /// What these tokens cost, rounded up.
    pub fn of(&self, tokens: Tokens) -> Money {
        let cost = |price: Money, tokens: u64| u128::from(price.nano()) * u128::from(tokens);
        // Two products of 64-bit numbers can be one bit too long.
        let sum = cost(self.request, tokens.request).saturating_add(cost(self.response, tokens.response));
        Money::from_nano(u64::try_from(sum.div_ceil(TOKENS)).unwrap_or(u64::MAX))
    }
}

/// The prices of several models.
#[derive(Debug, Clone)]
pub struct Prices {
    path: PathBuf,
    by_model: BTreeMap<String, Price>,
}

/// The prices of a model, as written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Section {
    request: toml::Value,
    response: toml::Value,
}

impl Prices {
    /// The section for models that have none of their own.
    const DEFAULT: &str = "default";

    /// Reads a file.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let text = std::fs::read_to_string(path).map_err(|cause| refuse(path, cause.to_string()))?;
        Self::parse(path, &text)
    }

    fn parse(path: &Path, text: &str) -> Result<Self, Error> {
        let mut table: toml::Table = text.parse().map_err(|error: toml::de::Error| refuse(path, error.message()))?;
        let currency = match table.remove("currency") {
            None => "USD".to_owned(),
            Some(toml::Value::String(name)) if is_plain(&name) => name,
            Some(other) => return Err(refuse(path, format!("currency is {other}, not a short name like \"USD\""))),
        };
        let mut by_model = BTreeMap::new();
        for (model, section) in table {
            let wrong = |reason: &str| refuse(path, format!("`{model}`: {reason}"));
            let section: Section = section.try_into().map_err(|error: toml::de::Error| wrong(error.message()))?;
            let price = |name: &str, value: &toml::Value| {
                // The shortest decimal of a number is the one that was written, so nothing is lost on the way.
                let text = value.as_float().map_or_else(|| value.to_string(), |number| number.to_string());
                text.parse::<Money>()
                    .map_err(|_| wrong(&format!("{name} is {text}, not an amount of money like 0.15 or 2.5")))
            };
            let (request, response) = (price("request", &section.request)?, price("response", &section.response)?);
            by_model.insert(model, Price { request, response, currency: currency.clone() });
        }
        Ok(Self { path: path.to_owned(), by_model })
    }

    /// The price of a model: its own, or the default.
    pub fn of(&self, model: &str) -> Result<Price, Error> {
        let price = self.by_model.get(model).or_else(|| self.by_model.get(Self::DEFAULT));
        price.cloned().ok_or_else(|| refuse(&self.path, format!("there is no section `{model}` and no `default`")))
    }
}

/// Whether a name is short and can stand in a message.
fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().count() <= 8 && name.chars().all(char::is_alphanumeric)
}

fn refuse(path: &Path, reason: impl Into<String>) -> Error {
    Error::Prices { path: path.to_owned(), reason: reason.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prices(text: &str) -> Result<Prices, Error> {
        Prices::parse(Path::new("prices.toml"), text)
    }

    #[test]
    fn a_model_has_its_own_price_or_the_default() {
        let both = prices(
            "currency = \"EUR\"\n[default]\nrequest = 0.15\nresponse = 0.6\n[\"a/b\"]\nrequest = 2\nresponse = 10.0",
        );
        let both = both.unwrap();
        let cost = |model| both.of(model).unwrap().of(Tokens { request: 1000, response: 10 }).to_string();
        assert_eq!((cost("a/b").as_str(), cost("other").as_str()), ("0.0021", "0.000156"));
        assert_eq!(both.of("x").unwrap().currency, "EUR");
        let one = prices("[m]\nrequest = 0\nresponse = 1").unwrap();
        assert_eq!(one.of("m").unwrap().currency, "USD");
        let small = prices("[m]\nrequest = 0.000000001\nresponse = 1e-9").unwrap().of("m").unwrap();
        assert_eq!((small.request.nano(), small.response.nano()), (1, 1));
        let message = one.of("n").unwrap_err().to_string();
        assert!(message.contains("prices.toml") && message.contains("no section `n` and no `default`"), "{message}");
    }

    #[test]
    fn costs_are_rounded_up_and_saturate() {
        let price =
            |nano| Price { request: Money::from_nano(nano), response: Money::from_nano(nano), currency: "X".into() };
        assert_eq!(price(1).of(Tokens { request: 1, response: 0 }), Money::from_nano(1));
        assert_eq!(price(1).of(Tokens { request: 0, response: 0 }), Money::from_nano(0));
        let most = Tokens { request: u64::MAX, response: u64::MAX };
        assert_eq!(price(u64::MAX).of(most), Money::from_nano(u64::MAX));
    }

    #[test]
    fn prices_that_make_no_sense_are_refused_by_name() {
        for (text, part) in [
            ("[m]\nrequest = -1\nresponse = 1", "request is -1"),
            ("[m]\nrequest = 1\nresponse = nan", "response is NaN"),
            ("[m]\nrequest = 1", "response"),
            ("[m]\nrequest = 1\nresponse = 1\nanswer = 1", "answer"),
            ("m = 3", "`m`"),
            ("currency = 3", "currency is 3"),
            ("currency = \"two words\"", "currency"),
            ("[m", "cannot use the prices in prices.toml"),
        ] {
            let message = prices(text).unwrap_err().to_string();
            assert!(message.contains(part) && !message.contains('\n'), "{text}: {message}");
        }
    }
}
