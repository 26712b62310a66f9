//! What tokens cost, and a file that says so for several models.
//!
//! ```toml
//! [default]               # models without a section of their own
//! usd_per_million_input_tokens = 0.15
//! usd_per_million_output_tokens = 0.60
//!
//! ["big-model"]
//! usd_per_million_input_tokens = 2.5
//! usd_per_million_output_tokens = 10
//! ```
//!
//! Currency and unit stand in the name of the key (`eur_per_million_...`), so that no price can be read in another unit. One that is
//! far outside of what is charged anywhere is refused: a price per token in the place of a price per million would let a money
//! budget pass a million times what it says.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use crate::{Error, Money};

/// The number of tokens that a price is for.
const TOKENS: u128 = 1_000_000;

/// A million tokens cost between these, in any currency, or nothing. The dearest model is at 600 USD a million, 0.0006 a token, and
/// the cheapest above 0.001 a million; so no price per token passes for one per million.
const PLAUSIBLE: RangeInclusive<Money> = Money::from_nano(1_000_000)..=Money::from_nano(1_000_000_000_000_000);

/// No list of prices is longer.
const MOST_BYTES: u64 = 1 << 20;

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
pub struct TokenPrice {
    /// A million tokens that are sent.
    pub request: Money,
    /// A million tokens that are received.
    pub response: Money,
    /// The currency of both.
    pub currency: String,
}

impl TokenPrice {
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
    by_model: BTreeMap<String, TokenPrice>,
}

impl Prices {
    /// The section for models that have none of their own.
    const DEFAULT: &str = "default";

    /// Reads a file.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let unreadable = |cause: std::io::Error| refuse(path, cause.to_string());
        let found = std::fs::metadata(path).map_err(unreadable)?;
        // A pipe or a device may never end.
        if !found.is_file() || found.len() > MOST_BYTES {
            return Err(refuse(path, "it is no file of at most 1 MiB"));
        }
        let text = std::fs::read_to_string(path).map_err(unreadable)?;
        Self::parse(&text, path)
    }

    /// Reads the text of a file. The path is for messages.
    pub fn parse(text: &str, path: &Path) -> Result<Self, Error> {
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| refuse(path, error.message()))?;
        let mut prices = Self { path: path.to_owned(), by_model: BTreeMap::new() };
        for (model, section) in table {
            let price = read_section(&section).map_err(|reason| refuse(path, format!("`{model}`: {reason}")))?;
            if let Some(other) = prices.by_model.values().find(|other| other.currency != price.currency) {
                let reason =
                    format!("`{model}` is in {}, another section in {}; use one", price.currency, other.currency);
                return Err(refuse(path, reason));
            }
            prices.by_model.insert(model, price);
        }
        Ok(prices)
    }

    /// The price of a model: its own, or the default.
    pub fn of(&self, model: &str) -> Result<TokenPrice, Error> {
        let price = self.by_model.get(model).or_else(|| self.by_model.get(Self::DEFAULT));
        price.cloned().ok_or_else(|| refuse(&self.path, format!("there is no section `{model}` and no `default`")))
    }
}

/// How the keys of a section end, after the currency.
const KEYS: [&str; 2] = ["_per_million_input_tokens", "_per_million_output_tokens"];

/// The prices of one model, or what is wrong with them.
fn read_section(section: &toml::Value) -> Result<TokenPrice, String> {
    let form =
        "write usd_per_million_input_tokens and usd_per_million_output_tokens, or another currency's letters for usd";
    let section = section.as_table().ok_or_else(|| format!("it is {section}, not a section; {form}"))?;
    let mut found: [Option<Money>; 2] = [None; 2];
    let mut currency: Option<&str> = None;
    for (key, value) in section {
        let known = KEYS.iter().position(|end| key.ends_with(end)).map(|at| (at, key.trim_end_matches(KEYS[at])));
        let Some((at, letters)) = known.filter(|(_, letters)| is_currency(letters)) else {
            return Err(format!("`{key}` is no price; {form}"));
        };
        if let Some(other) = currency.replace(letters).filter(|other| *other != letters) {
            return Err(format!("it has prices in {other} and in {letters}; use one currency"));
        }
        found[at] = Some(read_price(key, value)?);
    }
    match (found, currency) {
        ([Some(request), Some(response)], Some(letters)) => {
            Ok(TokenPrice { request, response, currency: letters.to_ascii_uppercase() })
        }
        ([None, _], _) => Err(format!("the price of input tokens is missing; {form}")),
        _ => Err(format!("the price of output tokens is missing; {form}")),
    }
}

/// Whether these are the letters of a currency, as in a key.
fn is_currency(letters: &str) -> bool {
    letters.len() == 3 && letters.bytes().all(|letter| letter.is_ascii_lowercase())
}

/// A price that somebody may charge.
fn read_price(key: &str, value: &toml::Value) -> Result<Money, String> {
    // The shortest decimal of a number is the one that was written, so nothing is lost on the way.
    let text = value.as_float().map_or_else(|| value.to_string(), |number| number.to_string());
    let price: Money = text.parse().map_err(|_| format!("{key} is {text}, not an amount of money like 0.15 or 2.5"))?;
    if price != Money::default() && !PLAUSIBLE.contains(&price) {
        return Err(format!(
            "{key} is {text}, and no price known is outside of {} to {} for a million tokens; multiply a price per token by \
             1000000, and write 0 for what is free",
            PLAUSIBLE.start(),
            PLAUSIBLE.end()
        ));
    }
    Ok(price)
}

/// The reason in one line, whatever it quotes of the file.
fn refuse(path: &Path, reason: impl Into<String>) -> Error {
    Error::Prices { path: path.to_owned(), reason: reason.into().replace('\n', "\\n") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prices(text: &str) -> Result<Prices, Error> {
        Prices::parse(text, Path::new("prices.toml"))
    }

    /// A section with these prices in this currency.
    fn section(name: &str, currency: &str, input: &str, output: &str) -> String {
        format!("[{name}]\n{currency}{} = {input}\n{currency}{} = {output}\n", KEYS[0], KEYS[1])
    }

    #[test]
    fn a_model_has_its_own_price_or_the_default() {
        let both = section("default", "eur", "0.15", "0.6") + &section("\"a/b\"", "eur", "2", "10.0");
        let both = prices(&both).unwrap();
        let cost = |model| both.of(model).unwrap().of(Tokens { request: 1000, response: 10 }).to_string();
        assert_eq!((cost("a/b").as_str(), cost("other").as_str()), ("0.0021", "0.000156"));
        assert_eq!(both.of("x").unwrap().currency, "EUR");
        let one = prices(&section("m", "usd", "0", "1")).unwrap();
        assert_eq!(one.of("m").unwrap().currency, "USD");
        let message = one.of("n").unwrap_err().to_string();
        assert!(message.contains("prices.toml") && message.contains("no section `n` and no `default`"), "{message}");
    }

    #[test]
    fn a_price_per_token_is_refused_with_the_range_and_the_remedy() {
        // What a million tokens cost, and what one costs, from the cheapest to the dearest that is on any list.
        for (million, token) in [("0.005", "0.000000005"), ("0.15", "1.5e-7"), ("10", "0.00001"), ("600", "0.0006")] {
            assert!(prices(&section("m", "usd", million, million)).is_ok(), "{million}");
            let message = prices(&section("m", "usd", million, token)).unwrap_err().to_string();
            for part in ["usd_per_million_output_tokens is 0.000", "0.001 to 1000000", "per token by 1000000", "`m`"] {
                assert!(message.contains(part), "{token}: {message}");
            }
        }
        let message = prices(&section("m", "usd", "1000001", "1")).unwrap_err().to_string();
        assert!(message.contains("usd_per_million_input_tokens is 1000001"), "{message}");
    }

    #[test]
    fn a_file_of_the_old_form_is_refused_with_the_new_spelling() {
        for old in ["[m]\nrequest = 1\nresponse = 1", "currency = \"USD\"\n[m]\nrequest = 1\nresponse = 1"] {
            let message = prices(old).unwrap_err().to_string();
            assert!(message.contains("usd_per_million_input_tokens and usd_per_million_output_tokens"), "{message}");
        }
    }

    #[test]
    fn only_a_file_of_sane_size_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |path: &Path| Prices::read(path).unwrap_err().to_string();
        assert!(refused(folder.path()).contains("no file of at most 1 MiB"));
        assert!(refused(Path::new("/dev/zero")).contains("no file of at most 1 MiB"));
        assert!(refused(&folder.path().join("missing.toml")).contains("missing.toml"));
        let large = folder.path().join("large.toml");
        std::fs::write(&large, " ".repeat(2 << 20)).unwrap();
        assert!(refused(&large).contains("no file of at most 1 MiB"));
    }

    #[test]
    fn costs_are_rounded_up_and_saturate() {
        let price = |nano| TokenPrice {
            request: Money::from_nano(nano),
            response: Money::from_nano(nano),
            currency: "X".into(),
        };
        assert_eq!(price(1).of(Tokens { request: 1, response: 0 }), Money::from_nano(1));
        assert_eq!(price(1).of(Tokens { request: 0, response: 0 }), Money::from_nano(0));
        let most = Tokens { request: u64::MAX, response: u64::MAX };
        assert_eq!(price(u64::MAX).of(most), Money::from_nano(u64::MAX));
    }

    #[test]
    fn prices_that_make_no_sense_are_refused_by_name() {
        let (good, mixed) =
            (section("m", "usd", "1", "1"), section("m", "usd", "1", "1") + &section("n", "eur", "1", "1"));
        for (text, part) in [
            (section("m", "usd", "-1", "1"), "usd_per_million_input_tokens is -1"),
            (section("m", "usd", "1", "nan"), "usd_per_million_output_tokens is NaN"),
            (section("m", "USD", "1", "1"), "`USD_per_million_input_tokens` is no price"),
            (good.replacen("usd", "eur", 1), "prices in eur and in usd"),
            (mixed, "`n` is in EUR, another section in USD"),
            ("[m]\nusd_per_million_input_tokens = 1".into(), "the price of output tokens is missing"),
            ("[m]".into(), "the price of input tokens is missing"),
            (format!("{good}answer = 1"), "`answer` is no price"),
            ("m = 3".into(), "`m`: it is 3"),
            ("m = \"\"\"\ntwo\nlines\"\"\"".into(), "two\\nlines"),
            ("\"two\\nlines\" = 3".into(), "`two\\nlines`: it is 3"),
            (good.replace("= 1", "= \"two\\nlines\""), "two\\nlines"),
            ("[m".into(), "cannot use the prices in prices.toml"),
        ] {
            let message = prices(&text).unwrap_err().to_string();
            assert!(message.contains(part) && !message.contains('\n'), "{text}: {message}");
        }
    }
}
