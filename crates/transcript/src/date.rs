//! The day of a recording. The library has no clock: the caller says which day it is.

use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

use counsel_decision::as_text;

use crate::Error;

/// A day of the Gregorian calendar, written `2026-11-15`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
}

impl Date {
    /// This day, if there is such a day.
    pub fn new(year: u16, month: u8, day: u8) -> Option<Self> {
        let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
        let days = match month {
            2 if leap => 29,
            2 => 28,
            4 | 6 | 9 | 11 => 30,
            1..=12 => 31,
            _ => 0,
        };
        (year <= 9999 && (1..=days).contains(&day)).then_some(Self { year, month, day })
    }
}

as_text!(Date);

impl Display for Date {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl FromStr for Date {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?;
        let read = || {
            let mut parts = text.split('-');
            let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
            let shaped = (year.len(), month.len(), day.len(), parts.next()) == (4, 2, 2, None);
            let small = |digits| number(digits).and_then(|value: u16| u8::try_from(value).ok());
            shaped.then(|| Self::new(number(year)?, small(month)?, small(day)?))?
        };
        read().ok_or_else(|| Error::Date { text: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_reads_as_it_prints() {
        for text in ["2026-11-15", "2000-02-29", "0001-01-01"] {
            assert_eq!(text.parse::<Date>().unwrap().to_string(), text);
        }
        for text in
            ["", "2026", "2026-02-29", "1900-02-29", "2026-13-01", "2026-00-10", "+026-01-01", "2026-1-01", "é26-01-01"]
        {
            assert!(text.parse::<Date>().is_err(), "{text:?}");
        }
    }
}
