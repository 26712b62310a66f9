//! One entry of a table: the seeds of an arm as one number, or a paired difference.

use counsel_log::study::{ColumnSpec, Setting, Show};
use counsel_stats::{PairedComparison, Quartiles};
use serde_json::Value;

use crate::Entry;
use crate::number::fixed;
use crate::study::exact::efficient;
use crate::study::family::LEVEL;
use crate::study::measure::median;
use crate::study::results::{Arm, Block, words};

/// One measured column of one arm.
pub(super) fn measured(column: &ColumnSpec, block: &Block, arm: &Arm) -> Entry {
    let (show, decimals) = column.shown();
    if show == Show::Efficient {
        let efficient = column.of.and_then(|paid| efficient(block, arm, column.measure, paid));
        return efficient.map_or_else(Entry::not_applicable, |is| Entry::text(if is { "yes" } else { "no" }));
    }
    let values = arm.measured(column.measure);
    let Some(mean) = arm.mean(column.measure) else {
        // Answers came without it, so it was not logged; without answers it does not exist.
        let answered = arm.mean(counsel_log::study::Measure::Calls).is_some_and(|calls| calls > 0.0);
        let unrecorded = column.measure.always_exists() || answered && column.measure.comes_with_an_answer();
        return if unrecorded { Entry::not_logged() } else { Entry::not_applicable() };
    };
    let total = || column.of.map(|of| arm.measured(of).iter().sum::<f64>()).filter(|total| *total > 0.0);
    let sum = || values.iter().sum::<f64>();
    match show {
        Show::Interval => match arm.interval(column.measure) {
            Some(interval) => Entry::interval(mean, interval.half_width, decimals),
            None => Entry::number(mean, decimals),
        },
        Show::Mean => Entry::number(mean, decimals),
        Show::Median => Entry::number(median(values).unwrap_or(mean), decimals),
        Show::Quartiles => quartiles(&values, decimals),
        Show::Least => Entry::number(values.into_iter().fold(f64::INFINITY, f64::min), decimals),
        Show::Holds => {
            Entry::fraction(values.iter().filter(|value| **value == 1.0).count() as u64, values.len() as u64)
        }
        Show::Pooled => total().map_or_else(Entry::not_applicable, |total| Entry::fraction(whole(sum()), whole(total))),
        Show::PooledShare => total().map_or_else(Entry::not_applicable, |total| Entry::number(sum() / total, decimals)),
        Show::Efficient => Entry::not_applicable(),
    }
}

/// From the lower quartile to the upper one; `None` if a value is infinite.
fn quartiles(values: &[f64], decimals: usize) -> Entry {
    Quartiles::of(values).map_or_else(
        |_| Entry::not_applicable(),
        |cut| Entry::text(format!("{} to {}", fixed(cut.low, decimals), fixed(cut.high, decimals))),
    )
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a sum of counts, which is exact")]
fn whole(count: f64) -> u64 {
    count as u64
}

/// A setting of a row.
pub(super) fn setting(value: Option<Value>) -> Entry {
    value.map_or_else(Entry::not_applicable, |value| Entry::text(words(&value)))
}

/// A setting of a block as a leading entry.
pub(super) fn of_block(block: &Block, column: &Setting) -> Entry {
    setting(block.setting(column))
}

/// The mean difference with its 95 % half width, emphasised where the interval excludes zero and the adjusted p value says that
/// this is no chance among many. What no family adjusts is not emphasised.
pub(super) fn mean_difference(paired: &PairedComparison, adjusted: Option<f64>, decimals: usize) -> Entry {
    let entry = match paired.half_width() {
        Some(half_width) => Entry::interval(paired.mean_difference, half_width, decimals),
        None => Entry::number(paired.mean_difference, decimals),
    };
    let clear = paired.t_interval.is_some_and(|interval| interval.excludes(0.0)) && adjusted.is_some_and(|p| p < LEVEL);
    if clear { entry.emphasised() } else { entry }
}

/// A p value, where there is one.
pub(super) fn probability(p: Option<f64>) -> Entry {
    p.map_or_else(Entry::not_applicable, Entry::p_value)
}

#[cfg(test)]
mod tests {
    use counsel_stats::Bootstrap;

    use super::*;

    #[test]
    fn only_what_is_clear_among_many_is_bold() {
        let paired = PairedComparison::from_differences(&[0.1, 0.2, 0.3, 0.2], &Bootstrap::seeded(0)).unwrap();
        assert!(paired.t_interval.unwrap().excludes(0.0) && paired.p_value.unwrap() < LEVEL);
        let is_bold = |adjusted| mean_difference(&paired, adjusted, 3).bold;
        assert!(is_bold(Some(0.04)));
        assert!(!is_bold(Some(0.06)), "Holm's adjustment counts");
        assert!(!is_bold(None), "what no family adjusts is not bold");
        let wide = PairedComparison::from_differences(&[-0.1, 0.2, 0.3, 0.2], &Bootstrap::seeded(0)).unwrap();
        assert!(!mean_difference(&wide, Some(0.04), 3).bold);
    }
}
