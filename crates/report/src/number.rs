//! How a number is written: rounded for readers, exact for machines.
//!
//! Readers see a fixed count of decimals, `∞` for infinities, and no minus sign before a rounded zero. Machines get the
//! shortest decimal that reads back as the same float, with `inf`, `-inf` and `NaN` spelled as most parsers take them.

use std::collections::BTreeSet;

/// `value` with `decimals` digits after the point.
pub(crate) fn fixed(value: f64, decimals: usize) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "∞" } else { "-∞" }.to_owned();
    }
    let rounded = format!("{value:.decimals$}");
    match rounded.strip_prefix('-') {
        Some(digits) if digits.chars().all(|digit| matches!(digit, '0' | '.')) => digits.to_owned(),
        _ => rounded,
    }
}

/// `value` with at most `decimals` digits after the point, one or more, and no zeros at their end.
pub(crate) fn trimmed(value: f64, decimals: usize) -> String {
    fixed(value, decimals).trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// `< 0.001`, or three decimals.
pub(crate) fn p_value(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { fixed(p, 3) }
}

/// The shortest decimal that reads back as `value`.
pub(crate) fn exact(value: f64) -> String {
    format!("{value:?}")
}

/// Whole numbers as `0..3, 7`.
pub(crate) fn ranges(seeds: &BTreeSet<u64>) -> String {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for &seed in seeds {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == seed => *last = seed,
            _ => runs.push((seed, seed)),
        }
    }
    let told = |(first, last): &(u64, u64)| if first == last { first.to_string() } else { format!("{first}..{last}") };
    runs.iter().map(told).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn readers_see_rounded_numbers() {
        assert_eq!(fixed(0.4567, 3), "0.457");
        assert_eq!(fixed(-0.4567, 3), "-0.457");
        assert_eq!(fixed(-0.0004, 3), "0.000");
        assert_eq!(fixed(-0.4, 0), "0");
        assert_eq!(fixed(f64::INFINITY, 2), "∞");
        assert_eq!(fixed(f64::NEG_INFINITY, 2), "-∞");
        assert_eq!(fixed(f64::NAN, 2), "NaN");
    }

    #[test]
    fn zeros_at_the_end_are_left_out() {
        assert_eq!([1.5, -0.25, 100.0, 0.0, -0.001].map(|value| trimmed(value, 2)), ["1.5", "-0.25", "100", "0", "0"]);
        assert_eq!(trimmed(f64::INFINITY, 2), "∞");
    }

    #[test]
    fn small_p_values_are_bounded() {
        assert_eq!(p_value(0.0), "< 0.001");
        assert_eq!(p_value(0.000_999), "< 0.001");
        assert_eq!(p_value(0.001), "0.001");
        assert_eq!(p_value(1.0), "1.000");
    }

    proptest! {
        #[test]
        fn machines_read_back_the_same_float(value in prop::num::f64::ANY) {
            let back: f64 = exact(value).parse().unwrap();
            prop_assert!(back == value || (back.is_nan() && value.is_nan()));
        }
    }
}
