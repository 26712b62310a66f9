//! A range of seeds, written `A..B` as the paper does: both ends are in it.

use std::ops::RangeInclusive;
use std::str::FromStr;

use counsel_decision::refusal::fits;

use crate::Error;

/// Seeds from the first to the last, both included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeedRange(pub RangeInclusive<u64>);

impl SeedRange {
    /// The seeds, in order.
    pub(crate) fn to_vec(&self) -> Vec<u64> {
        self.0.clone().collect()
    }
}

impl FromStr for SeedRange {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let reason = "is not a range of seeds; write A..B with A <= B, for instance 0..19 for the twenty seeds 0 to 19";
        let seeds = || Error::Spelling { text: text.into(), reason };
        let (from, to) = text.split_once("..").ok_or_else(seeds)?;
        let (from, to): (u64, u64) =
            (from.trim().parse().map_err(|_| seeds())?, to.trim().parse().map_err(|_| seeds())?);
        if from > to {
            return Err(seeds());
        }
        fits("the list of seeds", &[usize::try_from(to - from).unwrap_or(usize::MAX)], "run fewer seeds")?;
        Ok(Self(from..=to))
    }
}
