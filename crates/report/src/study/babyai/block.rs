//! A block: the arms that share one task and one advisor.

use std::collections::BTreeMap;

use counsel_stats::Interval;
use serde_json::Value;

use crate::study::results::{ArmResults, Results};

/// One arm of a block.
pub(super) struct Arm<'a> {
    /// Its name without the block's.
    pub(super) name: &'a str,
    pub(super) results: &'a ArmResults,
    spec: &'a Value,
}

/// The arms that share one task and one advisor.
pub(super) struct Block<'a> {
    pub(super) name: &'a str,
    /// Whether another block of the study has another advisor, so that a label must name it.
    among: Advisors,
    pub(super) arms: Vec<Arm<'a>>,
    results: &'a Results,
}

/// Whether the blocks of a study have one advisor or several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Advisors {
    One,
    Several,
}

/// What a specification says at a path, in words.
fn words_at(spec: &Value, path: &[&str]) -> Option<String> {
    match path.iter().try_fold(spec, |value, key| value.get(key))? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The blocks of a study, in the order of its specification; the specifications are by the full names of the arms.
pub(super) fn blocks<'a>(results: &'a Results, specs: &BTreeMap<&str, &'a Value>) -> Vec<Block<'a>> {
    let mut blocks: Vec<Block<'a>> = Vec::new();
    for arm in &results.arms {
        let Some(spec) = specs.get(arm.name.as_str()) else { continue };
        let (block, name) = arm.name.split_once('.').unwrap_or(("", &arm.name));
        let arm = Arm { name, results: arm, spec };
        match blocks.iter_mut().find(|known| known.name == block) {
            Some(known) => known.arms.push(arm),
            None => blocks.push(Block { name: block, among: Advisors::One, arms: vec![arm], results }),
        }
    }
    let advisors: Vec<Option<String>> = blocks.iter().map(|block| block.setting(&["advisor"])).collect();
    if advisors.iter().any(|advisor| *advisor != advisors[0]) {
        blocks.iter_mut().for_each(|block| block.among = Advisors::Several);
    }
    blocks
}

impl Arm<'_> {
    /// A setting of this arm.
    pub(super) fn setting(&self, path: &[&str]) -> Option<String> {
        words_at(self.spec, path)
    }

    /// A number of this arm's settings.
    pub(super) fn number(&self, path: &[&str]) -> Option<f64> {
        path.iter().try_fold(self.spec, |value, key| value.get(key))?.as_f64()
    }
}

impl Block<'_> {
    /// One arm, if the run holds it.
    pub(super) fn arm(&self, name: &str) -> Option<&Arm<'_>> {
        self.arms.iter().find(|arm| arm.name == name)
    }

    /// A setting of the block: that of its first arm which has one.
    pub(super) fn setting(&self, path: &[&str]) -> Option<String> {
        self.arms.iter().find_map(|arm| arm.setting(path))
    }

    /// The task.
    pub(super) fn task(&self) -> String {
        self.setting(&["task"]).unwrap_or_default()
    }

    /// The block in words: its task, and its advisor where the study has several.
    pub(super) fn label(&self) -> String {
        match self.among {
            Advisors::One => self.task(),
            Advisors::Several => format!("{} with {}", self.task(), self.setting(&["advisor"]).unwrap_or_default()),
        }
    }

    /// The values of a column in one arm, by seed.
    pub(super) fn by_seed(&self, arm: &str, heading: &str) -> BTreeMap<u64, f64> {
        let Some(arm) = self.arm(arm) else { return BTreeMap::new() };
        let Some(column) = self.results.column(heading) else { return BTreeMap::new() };
        let seeds = arm.results.seeds.iter().zip(&arm.results.values[column]);
        seeds.filter_map(|(seed, value)| Some((*seed, (*value)?))).collect()
    }

    /// The values of a column in one arm; nothing if the run holds none.
    pub(super) fn values(&self, arm: &str, heading: &str) -> Option<Vec<f64>> {
        self.results.values(&self.arm(arm)?.results.name, heading)
    }

    /// The mean of a column in one arm.
    pub(super) fn mean(&self, arm: &str, heading: &str) -> Option<f64> {
        self.results.mean(&self.arm(arm)?.results.name, heading)
    }

    /// The mean of a column in one arm with its 95 % interval.
    pub(super) fn interval(&self, arm: &str, heading: &str) -> Option<Interval> {
        self.results.interval(&self.arm(arm)?.results.name, heading)
    }

    /// One arm minus another, on the seeds that both have.
    pub(super) fn differences(&self, arm: &str, baseline: &str, heading: &str) -> Vec<f64> {
        difference(&self.by_seed(arm, heading), &self.by_seed(baseline, heading))
    }

    /// Whether two arms have the same value, exactly, on every seed; nothing if they share none.
    pub(super) fn equal(&self, arm: &str, other: &str, heading: &str) -> Option<bool> {
        let differences = self.differences(arm, other, heading);
        (!differences.is_empty()).then(|| differences.iter().all(|difference| *difference == 0.0))
    }
}

/// One minus the other, on the seeds that both have.
pub(super) fn difference(one: &BTreeMap<u64, f64>, other: &BTreeMap<u64, f64>) -> Vec<f64> {
    one.iter().filter_map(|(seed, value)| Some(value - other.get(seed)?)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::specimen::Study;

    #[test]
    fn arms_belong_to_the_block_before_their_dot() {
        let local = json!({ "task": "GoToLocal", "advisor": "n/plain/generate" });
        let study = Study::new(&["return"])
            .arm("obj.never", &[&[0.1, 0.2, 0.3]])
            .arm("obj.ours", &[&[0.2, 0.2]])
            .with_spec("local.ours", local, &[&[0.5]]);
        study.check(|blocks| {
            let labels: Vec<String> = blocks.iter().map(super::Block::label).collect();
            assert_eq!(labels, ["GoToObj with m/plain/generate", "GoToLocal with n/plain/generate"]);
            assert_eq!(blocks[0].differences("ours", "never", "return"), [0.1, 0.0]);
            assert_eq!(blocks[0].equal("ours", "never", "return"), Some(false));
            assert_eq!(blocks[0].equal("never", "never", "return"), Some(true));
        });
    }

    #[test]
    fn what_a_run_does_not_hold_is_absent() {
        let study = Study::new(&["return"]).arm("obj.ours", &[&[0.2, 0.4]]);
        study.check(|blocks| {
            assert_eq!(blocks[0].label(), "GoToObj");
            assert!(blocks[0].differences("ours", "never", "return").is_empty());
            assert_eq!(blocks[0].equal("ours", "never", "return"), None);
            assert_eq!((blocks[0].mean("never", "return"), blocks[0].mean("ours", "calls")), (None, None));
            assert_eq!(blocks[0].arm("ours").and_then(|arm| arm.number(&["kappa"])), None);
        });
    }
}
