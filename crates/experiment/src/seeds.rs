//! A range of seeds, written `A..B`: A is in it, B is not.

use std::ops::Range;
use std::str::FromStr;

use crate::Error;

/// Seeds from the first up to, but not with, the last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeedRange(pub Range<u64>);

impl FromStr for SeedRange {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let seeds = || Error::Seeds { text: text.into() };
        let (from, to) = text.split_once("..").ok_or_else(seeds)?;
        let (from, to) = (from.trim().parse().map_err(|_| seeds())?, to.trim().parse().map_err(|_| seeds())?);
        if from < to { Ok(Self(from..to)) } else { Err(seeds()) }
    }
}
