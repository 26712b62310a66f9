//! What was measured: one number per block, arm, measure and seed.
//!
//! The arms of a block share a task and an advisor, and their seeds. A study without blocks has one that is not named.
//! Arms and blocks that a run does not hold are simply not there.

use std::collections::BTreeMap;

use counsel_log::study::{Baseline, Choice, Measure, Pair, Setting, matches};
use counsel_stats::{Interval, mean_interval};
use serde_json::Value;

use super::measure::at;

/// One arm of a block.
#[derive(Debug, Clone)]
pub(super) struct Arm {
    /// Its name within the block.
    pub(super) name: String,
    /// Its name in the run's folder.
    pub(super) folder: String,
    pub(super) seeds: Vec<u64>,
    pub(super) spec: Value,
    /// One number per seed, where the seed has one.
    pub(super) values: BTreeMap<Measure, Vec<Option<f64>>>,
}

/// The arms that share one task and one advisor.
#[derive(Debug, Clone)]
pub(super) struct Block {
    pub(super) name: String,
    /// The block in words, as far as it differs from the others; empty in a study without blocks.
    pub(super) label: String,
    pub(super) arms: Vec<Arm>,
}

/// All blocks of a study, in the order of its specification.
#[derive(Debug, Clone)]
pub(super) struct Results {
    pub(super) study: String,
    pub(super) blocks: Vec<Block>,
    /// What the study declares, run or not.
    pub(super) declared: Vec<DeclaredBlock>,
}

/// A block as the study declares it.
#[derive(Debug, Clone)]
pub(super) struct DeclaredBlock {
    pub(super) name: String,
    /// The names of its arms within it.
    pub(super) arms: Vec<String>,
}

impl Arm {
    /// The numbers of the seeds that have one.
    pub(super) fn measured(&self, measure: Measure) -> Vec<f64> {
        self.values.get(&measure).into_iter().flatten().copied().flatten().collect()
    }

    /// The same by seed.
    pub(super) fn by_seed(&self, measure: Measure) -> BTreeMap<u64, f64> {
        let values = self.values.get(&measure).into_iter().flatten();
        self.seeds.iter().zip(values).filter_map(|(seed, value)| Some((*seed, (*value)?))).collect()
    }

    /// The mean over the seeds; nothing if none has a number.
    pub(super) fn mean(&self, measure: Measure) -> Option<f64> {
        let values = self.measured(measure);
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    }

    /// The 95 % interval of the mean.
    pub(super) fn interval(&self, measure: Measure) -> Option<Interval> {
        self.interval_among(measure, 1)
    }

    /// The interval of the mean as one of `all` that hold together at 95 % (Bonferroni).
    pub(super) fn interval_among(&self, measure: Measure, all: usize) -> Option<Interval> {
        mean_interval(&self.measured(measure), 1.0 - 0.05 / all.max(1) as f64).ok().flatten()
    }

    /// A number of its settings.
    pub(super) fn number(&self, path: &str) -> Option<f64> {
        at(&self.spec, path)?.as_f64()
    }

    /// The runs behind this arm: `lock/controller/0..23`, or a list where seeds are not in a row.
    pub(super) fn trace(&self, study: &str) -> String {
        let in_a_row = self.seeds.windows(2).all(|pair| pair[1] == pair[0] + 1);
        let seeds = match (self.seeds.first(), self.seeds.last()) {
            (Some(first), Some(last)) if in_a_row => format!("{first}..{last}"),
            _ => self.seeds.iter().map(u64::to_string).collect::<Vec<_>>().join(","),
        };
        format!("{study}/{}/{seeds}", self.folder)
    }
}

impl Block {
    /// One arm, if the run holds it.
    pub(super) fn arm(&self, name: &str) -> Option<&Arm> {
        self.arms.iter().find(|arm| arm.name == name)
    }

    /// The arms that fit one of these patterns, in the order of the study.
    pub(super) fn fitting<'a>(&'a self, patterns: &'a [String]) -> impl Iterator<Item = &'a Arm> {
        self.arms.iter().filter(|arm| patterns.iter().any(|pattern| matches(pattern, &arm.name)))
    }

    /// What the specification of the first arm that says anything says at a setting.
    pub(super) fn setting(&self, setting: &Setting) -> Option<Value> {
        self.arms.iter().find_map(|arm| said(&arm.spec, setting))
    }

    /// A number of the block's settings.
    pub(super) fn number(&self, path: &str) -> Option<f64> {
        self.arms.iter().find_map(|arm| arm.number(path))
    }

    /// This block and these arms in words.
    pub(super) fn place(&self, arms: &str) -> String {
        [self.label.as_str(), arms].iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join(", ")
    }
}

impl Results {
    /// The place of an arm among all names that were run, in the order of the study. It is the same in every block, so an arm has one
    /// look everywhere.
    pub(super) fn look(&self, arm: &str) -> usize {
        let mut names: Vec<&String> = Vec::new();
        for name in self.blocks.iter().flat_map(|block| block.arms.iter().map(|arm| &arm.name)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.iter().position(|name| *name == arm).unwrap_or(0)
    }

    /// Whether each row says the name of its block: where the leading settings do not tell all blocks apart.
    pub(super) fn are_blocks_named(&self) -> bool {
        self.blocks.len() > 1 && self.blocks.iter().all(|block| block.label == block.name)
    }

    /// The blocks whose names fit one of these patterns, with their places; all of them where none is given.
    pub(super) fn fitting<'a>(&'a self, patterns: &'a [String]) -> impl Iterator<Item = (usize, &'a Block)> {
        let fits = |block: &Block| patterns.is_empty() || patterns.iter().any(|pattern| matches(pattern, &block.name));
        self.blocks.iter().enumerate().filter(move |(_, block)| fits(block))
    }

    /// The arms of a block that are meant by a name, a pattern or a choice.
    pub(super) fn meant(&self, block: usize, named: &str, measure: Measure) -> Vec<&Arm> {
        let here = &self.blocks[block];
        let candidates = |pattern: &str| here.arms.iter().filter(|arm| matches(pattern, &arm.name)).collect::<Vec<_>>();
        match Choice::of(named) {
            Choice::Each(pattern) => candidates(pattern),
            Choice::Best(pattern) => highest(candidates(pattern), |arm| arm.mean(measure)),
            Choice::Chosen(pattern) => {
                let candidates = candidates(pattern);
                let complete = |other: &&Block| {
                    candidates.iter().all(|arm| other.arm(&arm.name).is_some_and(|arm| arm.mean(measure).is_some()))
                };
                let others = self.blocks.iter().enumerate().filter(|(place, _)| *place != block);
                let others: Vec<&Block> = others.map(|(_, other)| other).filter(complete).collect();
                let total = |arm: &Arm| {
                    let means = others.iter().map(|other| other.arm(&arm.name)?.mean(measure));
                    means.sum::<Option<f64>>().filter(|_| !others.is_empty())
                };
                highest(candidates, total)
            }
        }
    }
}

/// A pair of arms in a block that has both.
pub(super) struct MatchedArms<'a> {
    pub(super) block: &'a Block,
    pub(super) one: &'a Arm,
    /// The arm that it is compared with; `None` for a number.
    pub(super) other: Option<&'a Arm>,
    /// That number.
    pub(super) level: f64,
}

impl Results {
    /// Every pair that is meant, in every block that has it. An arm is never compared with itself.
    pub(super) fn pairs<'a>(
        &'a self,
        blocks: &'a [String],
        pairs: &'a [Pair],
        measure: Measure,
    ) -> Vec<MatchedArms<'a>> {
        let mut found = Vec::new();
        for (place, block) in self.fitting(blocks) {
            for pair in pairs {
                for one in self.meant(place, &pair.treatment, measure) {
                    match &pair.baseline {
                        Baseline::Level(level) => found.push(MatchedArms { block, one, other: None, level: *level }),
                        Baseline::Arm(named) => {
                            let others = self.meant(place, named, measure).into_iter();
                            let others = others.filter(|other| other.name != one.name);
                            found.extend(others.map(|other| MatchedArms {
                                block,
                                one,
                                other: Some(other),
                                level: 0.0,
                            }));
                        }
                    }
                }
            }
        }
        found
    }
}

/// The arm with the highest number, the first of them where several tie; none if none has a number.
pub(super) fn highest(arms: Vec<&Arm>, of: impl Fn(&Arm) -> Option<f64>) -> Vec<&Arm> {
    let numbered = arms.into_iter().filter_map(|arm| Some((arm, of(arm)?)));
    let best = numbered.reduce(|best, next| if next.1 > best.1 { next } else { best });
    best.map(|(arm, _)| arm).into_iter().collect()
}

/// What a specification says at a setting.
pub(super) fn said(spec: &Value, setting: &Setting) -> Option<Value> {
    let paths = [Some(&setting.setting), setting.or.as_ref()].into_iter().flatten();
    paths.filter_map(|path| at(spec, path)).find(|value| value.is_string() || value.is_number()).cloned()
}

/// A setting in words.
pub(super) fn words(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// One minus the other, on the seeds that both have.
pub(super) fn difference(one: &BTreeMap<u64, f64>, other: &BTreeMap<u64, f64>) -> BTreeMap<u64, f64> {
    one.iter().filter_map(|(seed, value)| Some((*seed, value - other.get(seed)?))).collect()
}
