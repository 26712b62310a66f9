//! Chronological fit, calibration and evaluation parts, section "Calibration splits".
//!
//! Invariant: the parts come from one time-ordered list and two declared cut points, and from nothing else, so they
//! cannot overlap and later data cannot reach an earlier part. Each part has a type of its own; a function that wants one
//! cannot be called with another.

use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

use crate::Error;

/// The role of the earliest part: models are fitted on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {}
/// The role of the middle part: ranks are taken on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Calibrate {}
/// The role of the last part: coverage is measured on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evaluate {}

/// One part of the data. Only [`Splits::chronological`] makes one.
#[derive(Debug, Clone, PartialEq)]
pub struct Part<Role, T> {
    items: Vec<T>,
    role: PhantomData<Role>,
}

/// The earliest part.
pub type FitSet<T> = Part<Fit, T>;
/// The middle part.
pub type CalibrationSet<T> = Part<Calibrate, T>;
/// The last part.
pub type EvaluationSet<T> = Part<Evaluate, T>;

impl<Role, T> Part<Role, T> {
    fn new(items: Vec<T>) -> Self {
        Self { items, role: PhantomData }
    }

    /// The items, in the order of time.
    pub fn as_slice(&self) -> &[T] {
        &self.items
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is no item.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// The same part with every item turned into another, such as an observation into a labelled opportunity.
    pub fn map<U>(self, turn: impl FnMut(T) -> U) -> Part<Role, U> {
        Part::new(self.items.into_iter().map(turn).collect())
    }
}

/// Where the data are cut. What is left after both parts is for evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cuts {
    /// How many items are for fitting.
    pub fit: usize,
    /// How many items after them are for calibration.
    pub calibration: usize,
}

/// The three parts.
#[derive(Debug, Clone, PartialEq)]
pub struct Splits<T> {
    /// The earliest part.
    pub fit: FitSet<T>,
    /// The middle part.
    pub calibration: CalibrationSet<T>,
    /// The last part.
    pub evaluation: EvaluationSet<T>,
}

impl<T> Splits<T> {
    /// Cuts a list whose `time` never decreases.
    pub fn chronological(mut items: Vec<T>, time: impl Fn(&T) -> u64, cuts: Cuts) -> Result<Self, Error> {
        let Cuts { fit, calibration } = cuts;
        if fit.checked_add(calibration).is_none_or(|used| used > items.len()) {
            return Err(Error::CutsPastEnd { fit, calibration, items: items.len() });
        }
        for (index, pair) in items.windows(2).enumerate() {
            let (before, time) = (time(&pair[0]), time(&pair[1]));
            if time < before {
                return Err(Error::OutOfOrder { index: index + 1, time, before });
            }
        }
        let evaluation = items.split_off(fit + calibration);
        let middle = items.split_off(fit);
        Ok(Self { fit: Part::new(items), calibration: Part::new(middle), evaluation: Part::new(evaluation) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(items: Vec<u64>, fit: usize, calibration: usize) -> Result<Splits<u64>, Error> {
        Splits::chronological(items, |&time| time, Cuts { fit, calibration })
    }

    #[test]
    fn the_parts_are_disjoint_and_in_order() {
        let parts = cut((0..10).collect(), 3, 4).unwrap();
        assert_eq!(parts.fit.as_slice(), [0, 1, 2]);
        assert_eq!(parts.calibration.as_slice(), [3, 4, 5, 6]);
        assert_eq!(parts.evaluation.map(|time| time * 2).as_slice(), [14, 16, 18]);
        assert!(cut(vec![0], 0, 0).unwrap().fit.is_empty());
    }

    #[test]
    fn bad_cuts_and_unsorted_items_are_refused() {
        assert_eq!(cut(vec![1, 2], 1, 2), Err(Error::CutsPastEnd { fit: 1, calibration: 2, items: 2 }));
        assert!(cut(vec![1, 2], usize::MAX, 2).is_err());
        assert_eq!(cut(vec![1, 3, 2], 1, 1), Err(Error::OutOfOrder { index: 2, time: 2, before: 3 }));
    }
}
