//! A part of a run for one machine of several, written `I/N`: the seeds whose place among all seeds is I modulo N.
//!
//! All arms of a seed stay together, since they share warm starts.

use std::fmt;
use std::str::FromStr;

use crate::Error;

/// One part of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    place: usize,
    of: usize,
}

impl Shard {
    /// The seeds of this part, in order.
    pub(crate) fn of(self, seeds: &[u64]) -> Vec<u64> {
        seeds.iter().skip(self.place).step_by(self.of).copied().collect()
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.place, self.of)
    }
}

const FORM: &str = "is not a part of a run; write I/N with I from 0 to N - 1, for instance 0/4 to 3/4 for four parts";

impl FromStr for Shard {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let parts = text.split_once('/').and_then(|(place, of)| Some((place.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((place, of)) if place < of => Ok(Self { place, of }),
            _ => Err(Error::Spelling { text: text.into(), reason: FORM }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_run_are_the_whole_and_share_nothing() {
        let seeds: Vec<u64> = (100..117).collect();
        for of in 1..25 {
            let parts: Vec<Shard> = (0..of).map(|place| format!("{place}/{of}").parse().unwrap()).collect();
            let mut together: Vec<u64> = parts.iter().flat_map(|part| part.of(&seeds)).collect();
            together.sort_unstable();
            assert_eq!(together, seeds, "{of}");
        }
    }

    #[test]
    fn what_is_no_part_is_refused() {
        for text in ["", "3", "3/3", "4/3", "-1/3", "0/0", "1/2/3", "a/b"] {
            let message = text.parse::<Shard>().unwrap_err().to_string();
            assert!(message.contains(&format!("`{text}`")) && message.contains("0/4"), "{message}");
        }
    }
}
