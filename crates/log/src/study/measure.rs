//! The measures: one number per cell, by name.
//!
//! A measure has one name and one meaning, in tables, families, findings and figures alike. The report computes each from
//! the columns that it needs; a number that a cell does not support is absent, never guessed.

use std::fmt;
use std::str::FromStr;

use counsel_decision::as_text;
use counsel_decision::refusal::find_named;

use super::Show;
use super::declared::DECLARED;
pub use super::declared::Measure;

/// How `return at N` begins; N is an episode.
const RETURN_AT: &str = "return at ";
/// How `cost-adjusted at P` begins; P is a price.
const REPRICED: &str = "cost-adjusted at ";
/// How `steps to a return of R` begins; R is a return.
const STEPS_TO: &str = "steps to a return of ";
/// Names that a measure had before; sheets of earlier runs have them.
const EARLIER: [(&str, Measure); 1] = [("steps to target", Measure::StepsOfSuccess)];
/// Prices and returns are distinguished to this fraction of a unit.
const PARTS: f64 = 1e6;

as_text!(Measure);

impl Measure {
    /// All measures without a number of their own.
    pub fn all() -> impl Iterator<Item = Self> {
        DECLARED.iter().map(|declared| declared.measure)
    }

    fn declared(self) -> Option<&'static super::declared::Declared> {
        DECLARED.iter().find(|declared| declared.measure == self)
    }

    /// What it means, in words.
    pub fn meaning(self) -> String {
        match self {
            Self::ReturnAt(episode) => format!("mean return of the ten episodes up to episode {episode}"),
            Self::Repriced(millionths) => {
                let price = millionths as f64 / PARTS;
                format!("return minus {price} times calls per episode, with the run as it was at its own price")
            }
            Self::StepsTo(millionths) => {
                let target = millionths as f64 / PARTS;
                format!(
                    "steps of the run until ten episodes in a row return {target} in the mean, those ten included; all its steps where \
                     they never do"
                )
            }
            other => other.declared().map_or_else(String::new, |declared| declared.meaning.to_owned()),
        }
    }

    /// Whether it is recorded with every answer, so that answers without it mean that it was not logged.
    pub fn comes_with_an_answer(self) -> bool {
        let recorded = matches!(self, Self::TokensPerCall | Self::LatencyPerCall);
        recorded || matches!(self, Self::NegativeNet | Self::TopPrecision)
    }

    /// Whether it exists at every decision, logged or not.
    pub fn always_exists(self) -> bool {
        matches!(self, Self::OptimumCovered | Self::OptimaCovered)
    }

    /// The smallest difference that matters where a statement names no margin: 0.02 of a return, which in most worlds is between
    /// 0 and 1, or of a success rate. Other measures have no such size in common.
    pub fn relevant_difference(self) -> Option<f64> {
        let is_gain = matches!(
            self,
            Self::Return | Self::LateReturn | Self::ReturnAt(_) | Self::Success | Self::ReturnAfterShift
        );
        let is_net = matches!(self, Self::CostAdjusted | Self::Repriced(_) | Self::NetReturn);
        (is_gain || is_net).then_some(0.02)
    }

    /// How it is shown by default, and with how many decimals.
    pub fn shown(self) -> (Show, usize) {
        self.declared().map_or((Show::Interval, 3), |declared| (declared.show, declared.decimals))
    }
}

impl fmt::Display for Measure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ReturnAt(episode) => write!(f, "{RETURN_AT}{episode}"),
            Self::Repriced(millionths) => write!(f, "{REPRICED}{}", *millionths as f64 / PARTS),
            Self::StepsTo(millionths) => write!(f, "{STEPS_TO}{}", *millionths as f64 / PARTS),
            other => f.write_str(other.declared().map_or("unknown", |declared| declared.name)),
        }
    }
}

impl FromStr for Measure {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        if let Some(episode) = name.strip_prefix(RETURN_AT).and_then(|number| number.parse().ok()) {
            return Ok(Self::ReturnAt(episode));
        }
        if let Some(millionths) = name.strip_prefix(REPRICED).and_then(millionths) {
            return Ok(Self::Repriced(millionths));
        }
        if let Some(millionths) = name.strip_prefix(STEPS_TO).and_then(millionths) {
            return Ok(Self::StepsTo(millionths));
        }
        if let Some((_, measure)) = EARLIER.iter().find(|(earlier, _)| *earlier == name) {
            return Ok(*measure);
        }
        let named = DECLARED.iter().map(|declared| (declared.name, declared.measure));
        find_named(name, named).map_err(|unknown| format!("there is no measure {unknown}"))
    }
}

/// A price or a return in millionths; nothing for one that is negative, too high, or finer than that.
fn millionths(price: &str) -> Option<u64> {
    let parts = price.parse::<f64>().ok().filter(|price| (0.0..=1000.0).contains(price))? * PARTS;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 10^9")]
    let whole = parts.round() as u64;
    ((parts - parts.round()).abs() < 1e-6).then_some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_measure_reads_back_under_its_name() {
        let numbered = [Measure::ReturnAt(60), Measure::Repriced(20_000), Measure::StepsTo(500_000)];
        for measure in Measure::all().chain(numbered) {
            assert_eq!(measure.to_string().parse(), Ok(measure));
            assert!(!measure.meaning().is_empty(), "{measure} has no meaning");
        }
        assert_eq!(Measure::ReturnAt(60).to_string(), "return at 60");
        assert_eq!(Measure::Repriced(5_000).to_string(), "cost-adjusted at 0.005");
        assert_eq!(Measure::StepsTo(500_000).to_string(), "steps to a return of 0.5");
        assert_eq!("steps to target".parse(), Ok(Measure::StepsOfSuccess), "the name in the sheets of earlier runs");
        for wrong in ["cost-adjusted at -1", "cost-adjusted at 0.0000001", "cost-adjusted at much"] {
            assert!(wrong.parse::<Measure>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_wrong_name_is_answered_with_the_nearest() {
        let error = "retrun".parse::<Measure>().unwrap_err();
        assert_eq!(error, "there is no measure `retrun` (did you mean `return`?)");
    }
}
