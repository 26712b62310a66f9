//! One cell's log, as measures read it: only the columns that are asked for are decoded.

use counsel_log::{Frame, Manifest};
use serde_json::Value;

/// Advice is wrong if it is worse than the best action by more than rounding leaves.
const ROUNDING: f64 = 1e-9;

/// One cell.
pub(in crate::study) struct CellLog<'a> {
    pub(in crate::study) manifest: &'a Manifest,
    pub(in crate::study) frame: &'a Frame,
}

/// The answers of a cell, row by row.
pub(super) struct AnswerRows<'a> {
    pub(super) rows: Vec<usize>,
    certificate: &'a counsel_log::Words,
    response: &'a [Option<i64>],
    gap: &'a [Option<f64>],
    overridden: &'a [Option<i64>],
}

impl CellLog<'_> {
    /// A column in which every row has a number.
    pub(in crate::study) fn full(&self, column: &'static str) -> Vec<f64> {
        // A row without one is a fault of the log that its reader reports; the number does not matter then.
        self.frame.reals(column).iter().map(|value| value.unwrap_or(f64::NAN)).collect()
    }

    /// A column of counts.
    pub(in crate::study) fn counts(&self, column: &'static str) -> Vec<u64> {
        self.frame.ints(column).iter().map(|count| count.unwrap_or(0).cast_unsigned()).collect()
    }

    /// Whether a call was made, decision by decision.
    pub(in crate::study) fn asked(&self) -> Vec<bool> {
        self.frame.words("outcome").iter().map(|outcome| outcome == Some("asked")).collect()
    }

    /// The decisions at which a call was made, and what came of them.
    pub(super) fn answers(&self) -> AnswerRows<'_> {
        let asked = self.asked();
        AnswerRows {
            rows: (0..self.frame.rows()).filter(|row| asked[*row]).collect(),
            certificate: self.frame.words("certificate"),
            response: self.frame.ints("response"),
            gap: self.frame.reals("advice_gap"),
            overridden: self.frame.ints("override_action"),
        }
    }

    /// A number of the cell's specification, by its path.
    pub(super) fn setting(&self, path: &str) -> Option<f64> {
        at(&self.manifest.spec, path)?.as_f64()
    }
}

impl AnswerRows<'_> {
    /// Whether the answer was executed: it was certified, and nobody overrode the controller.
    pub(super) fn executed(&self, row: usize) -> bool {
        self.certificate.row(row) == Some("executed") && self.overridden[row].is_none()
    }

    /// Whether the answer named an action.
    pub(super) fn usable(&self, row: usize) -> bool {
        self.response[row].is_some_and(|response| response >= 0)
    }

    /// Whether the answer named an action that is worse than the best.
    pub(super) fn wrong(&self, row: usize) -> bool {
        self.gap[row].is_some_and(|gap| gap > ROUNDING)
    }

    /// Whether the answer named a best action.
    pub(super) fn right(&self, row: usize) -> bool {
        self.gap[row].is_some_and(|gap| gap <= ROUNDING)
    }

    /// The share of the answers in `among` that `has`; nothing if there are none.
    pub(super) fn share(&self, among: impl Fn(usize) -> bool, has: impl Fn(usize) -> bool) -> Option<f64> {
        share(self.rows.iter().copied().filter(|row| among(*row)), has)
    }

    /// How many of the answers are such.
    pub(super) fn count(&self, has: impl Fn(usize) -> bool) -> f64 {
        self.rows.iter().filter(|row| has(**row)).count() as f64
    }
}

/// What a specification says at a path with dots.
pub(in crate::study) fn at<'a>(spec: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(spec, |value, key| value.get(key))
}

/// The share of these rows that `has`; nothing if there are none.
pub(super) fn share(rows: impl Iterator<Item = usize>, has: impl Fn(usize) -> bool) -> Option<f64> {
    let (mut count, mut of) = (0u64, 0u64);
    for row in rows {
        count += u64::from(has(row));
        of += 1;
    }
    (of > 0).then(|| count as f64 / of as f64)
}

/// The mean of the numbers that are there; nothing if none is.
pub(super) fn mean(values: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0u64);
    for value in values.flatten() {
        sum += value;
        count += 1;
    }
    (count > 0).then(|| sum / count as f64)
}

/// The middle value, or the mean of the two in the middle; nothing if there are none. A radius among them may be infinite.
pub(in crate::study) fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        odd if odd % 2 == 1 => Some(values[middle]),
        _ => Some(f64::midpoint(values[middle - 1], values[middle])),
    }
}
