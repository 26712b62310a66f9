//! The day on which an answer is recorded.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use counsel_transcript::Date;

/// Today in Greenwich.
pub(crate) fn today() -> Date {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    day(since.as_secs() / 86_400)
}

/// The day this many days after 1 January 1970.
fn day(mut days: u64) -> Date {
    let mut year = 1970;
    loop {
        let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let lengths = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        for (month, length) in (1..).zip(lengths) {
            if days < length {
                let day = u8::try_from(days + 1).unwrap_or(1);
                return Date::new(year, month, day).expect("the calendar has this day");
            }
            days -= length;
        }
        year += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (days, text) in [(0, "1970-01-01"), (59, "1970-03-01"), (11_016, "2000-02-29"), (20_772, "2026-11-15")] {
            assert_eq!(day(days).to_string(), text);
        }
    }
}
