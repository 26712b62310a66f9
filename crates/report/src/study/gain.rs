//! What one arm gains over another, block by block or on the mean over blocks, and whether that is shown.
//!
//! The differences are those of a family: paired by seed, adjusted together by Holm's method, and judged as a statement `above` is.
//! A gain that is clearly below the smallest difference that matters is refuted; one that is not clear either way stays open.

use counsel_log::study::{Family, OfFamily, Test};
use counsel_log::{CellKey, Run};
use counsel_stats::PairedComparison;

use super::collect::{Found, each_log, gather};
use super::family::{Judged, judge, members};
use super::measure::{CellLog, measure};
use super::results::Results;
use super::ruling::Ruling;
use crate::Error;

/// The gain in one place.
#[derive(Debug, Clone, PartialEq)]
pub struct Gain {
    /// The name of the block; nothing for the mean over blocks.
    pub block: Option<String>,
    /// The difference over seeds, with its interval.
    pub paired: PairedComparison,
    /// Whether it is a gain: shown or refuted; none if these runs cannot tell.
    pub shown: Option<bool>,
}

impl Gain {
    /// The gains of a family in these cells of a study.
    pub fn of(run: &Run, study: &str, cells: Vec<CellKey>, family: &Family) -> Result<Vec<Self>, Error> {
        let found = Found { sheet: run.sheet(study)?, keys: cells };
        let numbers = |log: &CellLog<'_>| family.measures.iter().map(|of| (*of, measure(*of, log))).collect::<Vec<_>>();
        let cells = each_log(run, &found, &|_| {}, numbers)?;
        Ok(Self::judged(family, &gather(&found.sheet, cells)))
    }

    fn judged(family: &Family, results: &Results) -> Vec<Self> {
        let above = Test::Above(OfFamily { family: family.name.clone(), ..OfFamily::default() });
        let gain = |Judged { member, ruling, .. }: Judged<'_>| Self {
            block: member.block.clone(),
            paired: member.paired,
            shown: match ruling {
                Ruling::Holds => Some(true),
                Ruling::Fails => Some(false),
                Ruling::Open | Ruling::NotRun => None,
            },
        };
        judge(&above, &members(family, results)).into_iter().map(gain).collect()
    }
}

#[cfg(test)]
mod tests {
    use counsel_log::study::{Measure, Over};
    use serde_json::json;

    use super::super::specimen::Measured;
    use super::*;

    const NET: Measure = Measure::NetReturn;

    fn family(over: Over) -> Family {
        let written = json!({ "name": "gain", "measures": ["net return"], "pairs": [["asks", "silent"]] });
        Family { over, ..serde_json::from_value(written).unwrap() }
    }

    /// Differences by seed, against an arm that earns nothing.
    fn measured(blocks: &[(&str, [f64; 4])]) -> Results {
        let arms = |measured: Measured, (block, gains): &(&str, [f64; 4])| {
            measured.arm(block, "asks", &[(NET, gains)]).arm(block, "silent", &[(NET, &[0.0; 4])])
        };
        blocks.iter().fold(Measured::new(), arms).results()
    }

    #[test]
    fn a_gain_is_shown_refuted_or_left_open() {
        let results = measured(&[
            ("clear", [0.30, 0.31, 0.29, 0.30]),
            ("slight", [0.004, 0.005, 0.006, 0.005]),
            ("loss", [-0.30, -0.31, -0.29, -0.30]),
            ("noise", [0.5, -0.4, 0.3, -0.2]),
        ]);
        let gains = Gain::judged(&family(Over::EachBlock), &results);
        let told: Vec<_> = gains.iter().map(|gain| (gain.block.as_deref().unwrap(), gain.shown)).collect();
        assert_eq!(
            told,
            [("clear", Some(true)), ("slight", Some(false)), ("loss", Some(false)), ("noise", None)],
            "what is clearly below 0.02 matters to nobody"
        );
        assert!((gains[0].paired.mean_difference - 0.3).abs() < 1e-12);
    }

    #[test]
    fn the_mean_over_blocks_is_taken_seed_by_seed() {
        let results = measured(&[("one", [0.5, 0.1, 0.5, 0.1]), ("other", [0.1, 0.5, 0.1, 0.52])]);
        let [gain] = &Gain::judged(&family(Over::MeanOfBlocks), &results)[..] else { panic!("one mean") };
        assert_eq!((gain.block.as_deref(), gain.shown), (None, Some(true)), "the blocks make up for each other");
        assert!(gain.paired.half_width().unwrap() < 0.02, "{gain:?}");
    }

    #[test]
    fn one_seed_tells_nothing() {
        let results = Measured::new().arm("here", "asks", &[(NET, &[0.9])]).arm("here", "silent", &[(NET, &[0.1])]);
        let [gain] = &Gain::judged(&family(Over::EachBlock), &results.results())[..] else { panic!("one block") };
        assert_eq!(gain.shown, None);
    }
}
