//! What was measured, as one tidy CSV for several studies: `study,arm,seed,measure,value`.
//!
//! One line for each arm, seed and measure that has a number. Beside the seeds there is a seed `summary`: the mean over the
//! seeds under the name of the measure and, from two seeds on, the half width of its 95 % Student interval under `MEASURE
//! ci95`. Where a study was changed, a last column `changed` says so. Differences between arms are not here; they are in the
//! tables.

use counsel_log::Run;

use super::changed::changes;
use super::collect::{Watch, results, studies};
use super::results::Arm;
use crate::Error;
use crate::delimited::line;
use crate::number::exact;

/// The seed of what was computed over all seeds.
const SUMMARY: &str = "summary";

/// The numbers of these studies, or of all that the run holds, in the order of the catalogue.
pub fn study_tidy(run: &Run, wanted: Option<&[String]>, watch: Watch<'_>) -> Result<String, Error> {
    let found = studies(run, wanted)?;
    let with_changes = found.iter().any(|found| !changes(&found.sheet).is_empty());
    let mut header = vec!["study", "arm", "seed", "measure", "value"];
    header.extend(with_changes.then_some("changed"));
    let mut text = line(&header.into_iter().map(str::to_owned).collect::<Vec<_>>());
    for found in &found {
        let results = results(run, found, watch)?;
        let changed = with_changes.then(|| changes(&found.sheet).join("; "));
        for arm in results.blocks.iter().flat_map(|block| &block.arms) {
            for [seed, measure, value] in numbers(arm) {
                let start = [found.sheet.id.clone(), arm.folder.clone(), seed, measure, value];
                text += &line(&start.into_iter().chain(changed.clone()).collect::<Vec<_>>());
            }
        }
    }
    Ok(text)
}

/// Seed, measure and value of all that an arm has.
fn numbers(arm: &Arm) -> Vec<[String; 3]> {
    let mut numbers = Vec::new();
    for measure in arm.values.keys() {
        let by_seed = arm.by_seed(*measure).into_iter();
        numbers.extend(by_seed.map(|(seed, value)| [seed.to_string(), measure.to_string(), exact(value)]));
        numbers.extend(arm.mean(*measure).map(|mean| [SUMMARY.to_owned(), measure.to_string(), exact(mean)]));
        numbers.extend(
            arm.interval(*measure)
                .map(|interval| [SUMMARY.to_owned(), format!("{measure} ci95"), exact(interval.half_width)]),
        );
    }
    numbers
}
