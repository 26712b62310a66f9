//! How long to wait before the next attempt: what the server asks for, or a drawn exponential pause if that is longer.

use std::time::{Duration, SystemTime};

use rand::{Rng, RngExt};

use crate::EndpointSettings;

/// The pause before retry number `retry` (from 1): between half and whole of the doubled first pause.
pub(crate) fn drawn(settings: &EndpointSettings, retry: u32, rng: &mut impl Rng) -> Duration {
    let doubled = 2_u32.saturating_pow(retry.saturating_sub(1).min(31));
    let whole = settings.first_pause.saturating_mul(doubled).min(settings.longest_pause);
    whole.mul_f64(rng.random_range(0.5..=1.0))
}

/// What a Retry-After header asks for: seconds, or a date. Anything else asks for nothing.
pub(crate) fn asked(header: &str, now: SystemTime) -> Option<Duration> {
    let header = header.trim();
    if !header.is_empty() && header.bytes().all(|byte| byte.is_ascii_digit()) {
        // More seconds than a number holds are for ever.
        return Some(header.parse().map_or(Duration::MAX, Duration::from_secs));
    }
    let date = httpdate::parse_http_date(header).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest_and_depend_on_the_seed_alone() {
        let settings = EndpointSettings::new("http://h", "m");
        let pauses = |seed| {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            [1, 2, 3, 7, 40, u32::MAX].map(|retry| drawn(&settings, retry, &mut rng).as_secs_f64())
        };
        for (pause, whole) in pauses(1).into_iter().zip([0.5, 1.0, 2.0, 20.0, 20.0, 20.0]) {
            assert!((whole / 2.0..=whole).contains(&pause), "{pause} of {whole}");
        }
        assert_eq!(pauses(1), pauses(1));
        assert_ne!(pauses(1), pauses(2));
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = httpdate::parse_http_date("Sun, 15 Nov 2026 22:00:00 GMT").unwrap();
        let asked = |header| asked(header, now);
        assert_eq!(asked(" 7 "), Some(Duration::from_secs(7)));
        assert_eq!(asked("Sun, 15 Nov 2026 22:00:09 GMT"), Some(Duration::from_secs(9)));
        assert_eq!(asked("Sun, 15 Nov 2020 22:00:09 GMT"), Some(Duration::ZERO));
        assert_eq!(asked("99999999999999999999999"), Some(Duration::MAX));
        for header in ["", "-1", "1.5", "soon", "١", "Sun, 99 Nov 2026 22:00:09 GMT"] {
            assert_eq!(asked(header), None, "{header}");
        }
    }
}
