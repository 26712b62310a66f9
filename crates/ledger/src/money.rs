//! Amounts of money, exact: whole billionths of the currency's unit, so that sums do not drift and what is printed is what
//! is counted.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::Error;

/// Billionths in one unit.
const NANO: u64 = 1_000_000_000;
/// Digits after the point that a billionth has.
const DIGITS: usize = 9;

/// An amount of money. Sums saturate, so that no sum is too small.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Money(u64);

impl Money {
    /// So many billionths of a unit.
    pub const fn from_nano(nano: u64) -> Self {
        Self(nano)
    }

    /// In billionths of a unit.
    pub const fn nano(self) -> u64 {
        self.0
    }

    /// Both together.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// What is left without the other; nothing if that is more.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Display for Money {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let text = format!("{}.{:09}", self.0 / NANO, self.0 % NANO);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

impl FromStr for Money {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let refuse = || Error::Amount { value: text.to_owned() };
        let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole) || !digits(part) || part.len() > DIGITS {
            return Err(refuse());
        }
        let units: u64 = whole.parse().map_err(|_| refuse())?;
        let nano: u64 = format!("{part:0<DIGITS$}").parse().map_err(|_| refuse())?;
        units.checked_mul(NANO).and_then(|units| units.checked_add(nano)).map(Self).ok_or_else(refuse)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn amounts_are_read_exactly_or_not_at_all() {
        let read = |text: &str| text.parse::<Money>().map(Money::nano);
        for (text, nano) in
            [("0", 0), ("0.1", 100_000_000), ("12.000000001", 12_000_000_001), ("007.50", 7_500_000_000)]
        {
            assert_eq!(read(text).unwrap(), nano, "{text}");
        }
        for text in ["", ".", ".5", "5.", "-1", "+1", "nan", "inf", "1e3", "1,5", "0.0000000001", "99999999999", "1 "] {
            let message = read(text).unwrap_err().to_string();
            assert!(message.starts_with(&format!("`{text}` is no amount of money")), "{message}");
        }
    }

    proptest! {
        #[test]
        fn what_is_printed_reads_back_the_same(nano in any::<u64>()) {
            let money = Money::from_nano(nano);
            prop_assert_eq!(money.to_string().parse::<Money>().unwrap(), money);
        }
    }
}
