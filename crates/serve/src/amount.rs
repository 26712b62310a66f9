//! What is spent and what limits it: calls, tokens and money.

use std::fmt;

use counsel_ledger::Money;
use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Calls, tokens and money together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Amount {
    /// Calls.
    pub calls: u64,
    /// Tokens, sent and received.
    pub tokens: u64,
    /// Money, in US dollars.
    pub usd: Money,
}

impl Amount {
    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            calls: self.calls.saturating_add(other.calls),
            tokens: self.tokens.saturating_add(other.tokens),
            usd: self.usd.plus(other.usd),
        }
    }

    /// What is left without the other; nothing of what that has more of.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self {
            calls: self.calls.saturating_sub(other.calls),
            tokens: self.tokens.saturating_sub(other.tokens),
            usd: self.usd.minus(other.usd),
        }
    }

    /// The smaller of each.
    #[must_use]
    pub fn at_most(self, other: Self) -> Self {
        Self { calls: self.calls.min(other.calls), tokens: self.tokens.min(other.tokens), usd: self.usd.min(other.usd) }
    }
}

/// An amount of money as policies and answers have it: a number of dollars, or its decimal digits as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Usd(pub Money);

impl Usd {
    /// As a number of dollars.
    #[expect(clippy::cast_precision_loss, reason = "a number for people; sums are exact")]
    pub fn number(self) -> f64 {
        self.0.nano() as f64 / 1e9
    }
}

impl Serialize for Usd {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0.to_string())
    }
}

impl<'de> Deserialize<'de> for Usd {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Dollars;
        impl Visitor<'_> for Dollars {
            type Value = Usd;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an amount of dollars, 0 or more, with at most 9 digits after the point")
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Usd, E> {
                value
                    .checked_mul(1_000_000_000)
                    .map(|nano| Usd(Money::from_nano(nano)))
                    .ok_or_else(|| E::custom("too much"))
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Usd, E> {
                u64::try_from(value)
                    .map_err(|_| E::invalid_value(de::Unexpected::Signed(value), &self))
                    .and_then(|v| self.visit_u64(v))
            }

            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Usd, E> {
                if !(0.0..=1e9).contains(&value) {
                    return Err(E::invalid_value(de::Unexpected::Float(value), &self));
                }
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "in range")]
                let nano = (value * 1e9).round() as u64;
                Ok(Usd(Money::from_nano(nano)))
            }

            fn visit_str<E: de::Error>(self, value: &str) -> Result<Usd, E> {
                value.parse().map(Usd).map_err(|_| E::invalid_value(de::Unexpected::Other("another text"), &self))
            }
        }
        deserializer.deserialize_any(Dollars)
    }
}

/// What may be spent at most. A unit that is not named is not limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<u64>,
    /// Tokens, sent and received.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usd: Option<Usd>,
}

impl Limits {
    /// Whether nothing is limited.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The larger of each limit and this amount.
    pub(crate) fn at_least(self, amount: Amount) -> Self {
        Self {
            calls: self.calls.map(|limit| limit.max(amount.calls)),
            tokens: self.tokens.map(|limit| limit.max(amount.tokens)),
            usd: self.usd.map(|limit| limit.max(Usd(amount.usd))),
        }
    }

    /// The unit in which so much together is more than may be spent, if there is one.
    pub(crate) fn exceeded_by(&self, total: Amount) -> Option<&'static str> {
        let over = |limit: Option<u64>, total: u64| limit.is_some_and(|limit| total > limit);
        if over(self.calls, total.calls) {
            Some("calls")
        } else if over(self.tokens, total.tokens) {
            Some("tokens")
        } else {
            self.usd.is_some_and(|limit| total.usd > limit.0).then_some("usd")
        }
    }
}
