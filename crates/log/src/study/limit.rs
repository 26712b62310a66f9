//! A limit that a number must keep, written as a reader would say it: `<= 0.03`, `= 0`, `> 0`, `0.9..1.1`.

use std::fmt;
use std::str::FromStr;

use counsel_decision::as_text;

/// Two numbers this close count as equal: sums of many rewards differ by their rounding.
const ROUNDING: f64 = 1e-9;

/// A limit that a number must keep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limit {
    /// `= x`, to nine decimals.
    Equal(f64),
    /// `< x`.
    Below(f64),
    /// `<= x`.
    AtMost(f64),
    /// `> x`.
    Above(f64),
    /// `>= x`.
    AtLeast(f64),
    /// `a..b`, both ends included.
    Within(f64, f64),
}

as_text!(Limit);

impl Limit {
    /// Whether a number keeps the limit.
    pub fn keeps(self, value: f64) -> bool {
        match self {
            Self::Equal(limit) => (value - limit).abs() < ROUNDING,
            Self::Below(limit) => value < limit,
            Self::AtMost(limit) => value <= limit,
            Self::Above(limit) => value > limit,
            Self::AtLeast(limit) => value >= limit,
            Self::Within(low, high) => (low..=high).contains(&value),
        }
    }
}

impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a limit; write for instance `<= 0.03`, `= 0`, `> 0` or `0.9..1.1`");
        let number = |text: &str| text.trim().parse().ok().filter(|value: &f64| value.is_finite()).ok_or_else(wrong);
        let text = text.trim();
        // Two signs stand before one, so that `<=` is not read as `<` and a number that begins with `=`.
        for (sign, limit) in [
            ("<=", Self::AtMost as fn(f64) -> Self),
            (">=", Self::AtLeast),
            ("<", Self::Below),
            (">", Self::Above),
            ("=", Self::Equal),
        ] {
            if let Some(rest) = text.strip_prefix(sign) {
                return number(rest).map(limit);
            }
        }
        let (low, high) = text.split_once("..").ok_or_else(wrong)?;
        let (low, high) = (number(low)?, number(high)?);
        if low <= high { Ok(Self::Within(low, high)) } else { Err(wrong()) }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Equal(limit) => write!(f, "= {limit}"),
            Self::Below(limit) => write!(f, "< {limit}"),
            Self::AtMost(limit) => write!(f, "<= {limit}"),
            Self::Above(limit) => write!(f, "> {limit}"),
            Self::AtLeast(limit) => write!(f, ">= {limit}"),
            Self::Within(low, high) => write!(f, "{low}..{high}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_read_as_they_are_written() {
        for text in ["= 0", "< 0.5", "<= 0.03", "> 0", ">= 0.9", "0.9..1.1", "-1..1"] {
            let limit: Limit = text.parse().unwrap();
            assert_eq!(limit.to_string(), text);
        }
        for text in ["", "0.9", "<", "= x", "2..1", "<= inf"] {
            let error = text.parse::<Limit>().unwrap_err();
            assert!(error.contains("is not a limit"), "{error}");
        }
    }

    #[test]
    fn ends_count_where_the_sign_says_so() {
        let keeps = |limit: &str, value| limit.parse::<Limit>().unwrap().keeps(value);
        assert!(keeps("<= 1", 1.0) && !keeps("< 1", 1.0) && keeps(">= 1", 1.0) && !keeps("> 1", 1.0));
        assert!(keeps("= 0.3", 0.1 + 0.2) && !keeps("= 0.3", 0.300_1));
        assert!(keeps("0.9..1.1", 1.1) && !keeps("0.9..1.1", 1.11));
    }
}
