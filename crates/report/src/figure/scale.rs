//! From a number to its place along an axis, and the round numbers that are written beside it.
//!
//! An axis that counts begins at zero, and goes in decades where its numbers span two or more: the place of v is then that of
//! `asinh(v / t)`, linear up to the threshold t and logarithmic beyond it, so that zero has a place, too.
//! Invariant: whatever finite numbers an axis is made for, each of them and each tick has a place in 0..=1.

use super::Axis;

/// About how many intervals lie between ticks.
const INTERVALS: u32 = 6;
/// The narrowest axis, as a share of its largest number: below that, floats have no digits left to label ticks with.
const NARROWEST: f64 = 1e-9;

/// Counts whose smallest, beyond zero, is this part of the largest or less are shown in decades.
const DECADES: f64 = 0.01;
/// An axis shows this many decades at most; what is smaller lies close to zero.
const MOST_DECADES: i32 = 5;

/// A round number on an axis.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tick {
    /// Its place along the axis, in 0..=1.
    pub(super) place: f64,
    /// As readers see it.
    pub(super) label: String,
}

/// Places along one axis.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Scale {
    /// The largest number, by which all are divided first so that no difference overflows.
    unit: f64,
    /// The ends of the axis, in units.
    low: f64,
    high: f64,
    /// The exponent of ten from which on the axis goes in decades, where it does.
    decades_from: Option<i32>,
}

impl Scale {
    /// An axis that shows these numbers, with a margin of this share of their range on both sides. Numbers that are never below zero
    /// have no margin below it.
    pub(super) fn new(numbers: &[f64], margin: f64, axis: Axis) -> Self {
        match decades(numbers).filter(|_| axis == Axis::Counting) {
            Some((threshold, most)) => {
                let high = (most / decimal(1, threshold)).asinh();
                Self { unit: 1.0, low: 0.0, high: high * (1.0 + 0.5 * margin), decades_from: Some(threshold) }
            }
            None => Self::even(numbers, margin, axis),
        }
    }

    fn even(numbers: &[f64], margin: f64, axis: Axis) -> Self {
        let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
        let most = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let (unit, low, high) = if numbers.is_empty() {
            (1.0, 0.0, 1.0)
        } else if least == 0.0 && most == 0.0 {
            (1.0, -1.0, 1.0)
        } else {
            let unit = least.abs().max(most.abs());
            let (low, high) = (least / unit, most / unit);
            if least == most { (unit, low - 0.1, high + 0.1) } else { (unit, low, high) }
        };
        let pad = (margin * (high - low)).max(0.5 * (NARROWEST - (high - low)));
        let (low, high) = (low - pad, high + pad);
        let low = if least < 0.0 {
            low
        } else if axis == Axis::Counting || low < 0.0 {
            0.0
        } else {
            low
        };
        Self { unit, low, high, decades_from: None }
    }

    /// Where a number lies: 0 at the lower end, 1 at the upper.
    pub(super) fn place(&self, value: f64) -> f64 {
        let measured = match self.decades_from {
            Some(threshold) => (value / decimal(1, threshold)).asinh(),
            None => value / self.unit,
        };
        ((measured - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    fn holds(&self, number: f64) -> bool {
        let slack = 1e-9 * (self.high - self.low);
        (self.low - slack..=self.high + slack).contains(&number)
    }

    /// The round numbers within the axis, in order.
    pub(super) fn ticks(&self) -> Vec<Tick> {
        if let Some(threshold) = self.decades_from {
            return self.decade_ticks(threshold);
        }
        let rough = (self.high - self.low) / f64::from(INTERVALS) * self.unit;
        let Some((mantissa, exponent)) = round_step(rough) else { return self.end_ticks() };
        let step = decimal(mantissa, exponent);
        let first = (self.low * self.unit / step).ceil();
        let ticks: Vec<Tick> = (0..=2 * INTERVALS)
            .map(|count| (first + f64::from(count)) * step)
            .filter(|value| value.is_finite() && self.holds(value / self.unit))
            .map(|value| Tick { place: self.place(value), label: rounded(value, exponent) })
            .collect();
        if ticks.len() < 2 { self.end_ticks() } else { ticks }
    }

    /// Zero and the powers of ten.
    fn decade_ticks(&self, threshold: i32) -> Vec<Tick> {
        let tick = |(value, exponent): (f64, i32)| Tick { place: self.place(value), label: rounded(value, exponent) };
        let powers = (threshold..=threshold + MOST_DECADES + 1).map(|exponent| (decimal(1, exponent), exponent));
        let shown = powers.filter(|(value, _)| (value / decimal(1, threshold)).asinh() <= self.high);
        [(0.0, 0)].into_iter().chain(shown).map(tick).collect()
    }

    /// The ends themselves, where no round number can be computed.
    fn end_ticks(&self) -> Vec<Tick> {
        let ends = [(0.0, self.low * self.unit), (1.0, self.high * self.unit)];
        ends.into_iter()
            .filter(|(_, value)| value.is_finite())
            .map(|(place, value)| Tick { place, label: scientific(value, 2) })
            .collect()
    }
}

/// The power of ten from which on these numbers go in decades, and the largest of them; none where they span fewer than two decades.
fn decades(numbers: &[f64]) -> Option<(i32, f64)> {
    let most = numbers.iter().copied().fold(0.0, f64::max);
    let least = numbers.iter().copied().filter(|number| *number > 0.0).fold(f64::INFINITY, f64::min);
    let is_spanned = numbers.iter().all(|number| *number >= 0.0) && least <= DECADES * most;
    // Far from the ends of what floats hold.
    if !is_spanned || !(1e-9..=1e12).contains(&most) {
        return None;
    }
    let top = whole(most.log10().floor());
    Some((whole(least.max(decimal(1, top - MOST_DECADES)).log10().floor()), most))
}

/// 1, 2 or 5 times a power of ten, near `rough`.
fn round_step(rough: f64) -> Option<(i32, i32)> {
    if !rough.is_normal() {
        return None;
    }
    let exponent = whole(rough.log10().floor());
    let share = rough / decimal(1, exponent);
    let step = match share {
        s if s < 1.5 => (1, exponent),
        s if s < 3.5 => (2, exponent),
        s if s < 7.5 => (5, exponent),
        _ => (1, exponent + 1),
    };
    decimal(step.0, step.1).is_normal().then_some(step)
}

/// A logarithm of a float, rounded before: far inside the range.
#[expect(clippy::cast_possible_truncation, reason = "logarithms of floats lie within -324..=309")]
fn whole(logarithm: f64) -> i32 {
    logarithm as i32
}

/// `mantissa` times ten to the `exponent`, correctly rounded.
fn decimal(mantissa: i32, exponent: i32) -> f64 {
    format!("{mantissa}e{exponent}").parse().unwrap_or(f64::NAN)
}

/// A multiple of a step with this exponent.
fn rounded(value: f64, exponent: i32) -> String {
    if value == 0.0 || value.abs() < 0.5 * decimal(1, exponent) {
        return "0".to_owned();
    }
    if (-4..=0).contains(&exponent) && value.abs() < 1e6 {
        return plain(value, usize::try_from(-exponent).unwrap_or(0));
    }
    if exponent > 0 && value.abs() < 1e6 {
        return plain(value, 0);
    }
    let digits = whole(value.abs().log10().floor()) - exponent;
    scientific(value, usize::try_from(digits.clamp(0, 15)).unwrap_or(0))
}

fn plain(value: f64, decimals: usize) -> String {
    crate::number::fixed(value, decimals).replace('-', "−")
}

/// `1.5×10⁷`.
fn scientific(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    format!("{}×10{}", mantissa.replace('-', "−"), superscript(exponent))
}

fn superscript(digits: &str) -> String {
    let raised = |c: char| match c.to_digit(10) {
        Some(digit) => ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][digit as usize],
        None => '⁻',
    };
    digits.chars().map(raised).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn labels(numbers: &[f64]) -> String {
        labels_of(numbers, Axis::Plain)
    }

    fn labels_of(numbers: &[f64], axis: Axis) -> String {
        Scale::new(numbers, 0.0, axis).ticks().iter().map(|tick| tick.label.as_str()).collect::<Vec<_>>().join(" ")
    }

    fn finite() -> impl Strategy<Value = f64> {
        use prop::num::f64::{NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO};
        POSITIVE | NEGATIVE | NORMAL | SUBNORMAL | ZERO
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(labels(&[0.0, 16.0]), "0 2 4 6 8 10 12 14 16");
        assert_eq!(labels(&[1.0, 30.0]), "5 10 15 20 25 30");
        assert_eq!(labels(&[-0.13, 0.31]), "−0.10 −0.05 0 0.05 0.10 0.15 0.20 0.25 0.30");
        assert_eq!(labels(&[0.84, 0.91]), "0.84 0.85 0.86 0.87 0.88 0.89 0.90 0.91");
        assert_eq!(labels(&[0.0, 3e7]), "0 5×10⁶ 1.0×10⁷ 1.5×10⁷ 2.0×10⁷ 2.5×10⁷ 3.0×10⁷");
        assert_eq!(labels(&[]), "0 0.2 0.4 0.6 0.8 1.0");
    }

    #[test]
    fn counts_begin_at_zero_and_go_in_decades_where_they_span_some() {
        assert_eq!(labels_of(&[12.0, 16.0], Axis::Counting), "0 2 4 6 8 10 12 14 16");
        assert_eq!(labels_of(&[0.0, 3.0, 45.0, 29_000.0], Axis::Counting), "0 1 10 100 1000 10000");
        assert_eq!(labels_of(&[0.0, 0.04, 16.0], Axis::Counting), "0 0.01 0.1 1 10");
        assert_eq!(labels_of(&[-1.0, 0.04, 16.0], Axis::Counting), "0 2 4 6 8 10 12 14 16");
        let scale = Scale::new(&[0.0, 1.0, 10.0, 100.0, 1000.0], 0.0, Axis::Counting);
        let places = [0.0, 1.0, 10.0, 100.0, 1000.0].map(|count| scale.place(count));
        assert_eq!((places[0], places[4]), (0.0, 1.0));
        let [low, high] = [places[3] - places[2], places[4] - places[3]];
        assert!((low - high).abs() < 0.01, "decades are equally long: {places:?}");
        // No margin below zero, whatever is measured.
        assert_eq!(Scale::new(&[0.0, 0.5], 0.1, Axis::Plain).place(0.0), 0.0);
    }

    proptest! {
        #[test]
        fn every_number_has_a_place(numbers in prop::collection::vec(finite(), 0..6), counts in any::<bool>()) {
            let scale = Scale::new(&numbers, 0.04, if counts { Axis::Counting } else { Axis::Plain });
            for number in &numbers {
                prop_assert!((0.0..=1.0).contains(&scale.place(*number)), "{number}: {scale:?}");
            }
            let ticks = scale.ticks();
            prop_assert!(ticks.len() <= 20, "{ticks:?}");
            for pair in ticks.windows(2) {
                prop_assert!(pair[0].place < pair[1].place, "{ticks:?}");
            }
            for tick in &ticks {
                prop_assert!((0.0..=1.0).contains(&tick.place) && !tick.label.contains("NaN"), "{ticks:?}");
            }
        }
    }
}
