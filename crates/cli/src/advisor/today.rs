//! The day on which an answer is recorded.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use counsel_transcript::Date;

/// Today in Greenwich.
pub(crate) fn today() -> Date {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    day(since.as_secs() / 86_400)
}

/// The day this many days after 1 January 1970.
fn day(days: u64) -> Date {
    let months = (1970..=9999).flat_map(|year| (1..=12).map(move |month| (year, month)));
    let mut calendar = months.flat_map(|(year, month)| (1..=31).filter_map(move |day| Date::new(year, month, day)));
    usize::try_from(days).ok().and_then(|days| calendar.nth(days)).expect("the calendar has this day")
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
