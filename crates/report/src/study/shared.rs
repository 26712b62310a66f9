//! The arms that several blocks have in common, so that a mean over blocks compares like with like.

use std::collections::{BTreeMap, BTreeSet};

use counsel_log::study::Measure;

use super::results::{Arm, Block, Results};

/// Blocks, and the names of the arms that each of them has, in the order of the study.
pub(super) struct Shared<'a> {
    pub(super) blocks: Vec<&'a Block>,
    pub(super) arms: Vec<&'a str>,
}

impl<'a> Shared<'a> {
    /// The blocks that have these arms, with all arms that these blocks share. Where they share fewer than two, the block with the
    /// most arms stands alone.
    pub(super) fn of(results: &'a Results, wanted: &[String]) -> Option<Self> {
        let has = |block: &&Block| wanted.iter().all(|name| block.arm(name).is_some());
        let mut blocks: Vec<&Block> = results.blocks.iter().filter(has).collect();
        let mut arms = common(&blocks);
        if arms.len() < 2 {
            // Of equals the first one.
            let richest = results.blocks.iter().rev().max_by_key(|block| block.arms.len())?;
            blocks = vec![richest];
            arms = common(&blocks);
        }
        (!arms.is_empty()).then_some(Self { blocks, arms })
    }

    /// An arm in each of the blocks.
    pub(super) fn everywhere(&self, name: &str) -> Vec<&'a Arm> {
        self.blocks.iter().filter_map(|block| block.arm(name)).collect()
    }

    /// The numbers of the seeds that have one in every block: block by block, each in the order of the seeds.
    pub(super) fn by_block(&self, name: &str, measure: Measure) -> Vec<Vec<f64>> {
        let by_seed: Vec<BTreeMap<u64, f64>> = self.everywhere(name).iter().map(|arm| arm.by_seed(measure)).collect();
        let seeds: BTreeSet<u64> = by_seed.first().into_iter().flat_map(|block| block.keys().copied()).collect();
        let whole: Vec<u64> =
            seeds.into_iter().filter(|seed| by_seed.iter().all(|block| block.contains_key(seed))).collect();
        by_seed.iter().map(|block| whole.iter().map(|seed| block[seed]).collect()).collect()
    }

    /// The mean over the blocks, seed by seed.
    pub(super) fn by_seed(&self, name: &str, measure: Measure) -> Vec<f64> {
        let blocks = self.by_block(name, measure);
        let seeds = blocks.first().map_or(0, Vec::len);
        let mean = |seed: usize| blocks.iter().map(|block| block[seed]).sum::<f64>() / blocks.len() as f64;
        (0..seeds).map(mean).collect()
    }

    /// The blocks in words: `the 9 blocks that have these arms`, or nothing where a study has but one.
    pub(super) fn place(&self, results: &Results) -> String {
        match self.blocks.as_slice() {
            [_] if results.blocks.len() == 1 => String::new(),
            [one] => one.label.clone(),
            many if many.len() == results.blocks.len() => format!("all {} blocks", many.len()),
            many => format!("the {} blocks of {} that have these arms", many.len(), results.blocks.len()),
        }
    }
}

/// The arms that all of these blocks have.
fn common<'a>(blocks: &[&'a Block]) -> Vec<&'a str> {
    let Some((first, others)) = blocks.split_first() else { return Vec::new() };
    let names = first.arms.iter().map(|arm| arm.name.as_str());
    names.filter(|name| others.iter().all(|block| block.arm(name).is_some())).collect()
}

#[cfg(test)]
mod tests {
    use super::super::specimen::Measured;
    use super::*;

    const RETURN: Measure = Measure::Return;

    #[test]
    fn a_mean_over_blocks_is_of_the_arms_that_all_have() {
        let results = Measured::new()
            .arm("a", "never", &[(RETURN, &[0.1, 0.3])])
            .arm("a", "asks", &[(RETURN, &[0.5, 0.7])])
            .arm("a", "extra", &[(RETURN, &[0.9, 0.9])])
            .arm("b", "never", &[(RETURN, &[0.3, 0.5])])
            .arm("b", "asks", &[(RETURN, &[0.7, 0.9])])
            .arm("c", "never", &[(RETURN, &[0.0, 0.0])])
            .results();
        let shared = Shared::of(&results, &["asks".into(), "never".into()]).unwrap();
        assert_eq!(shared.arms, ["never", "asks"]);
        assert_eq!(shared.place(&results), "the 2 blocks of 3 that have these arms");
        let means = shared.by_seed("asks", RETURN);
        assert!((means[0] - 0.6).abs() < 1e-12 && (means[1] - 0.8).abs() < 1e-12, "{means:?}");
        // Nothing is shared by all three but one arm: the richest block stands alone.
        let alone = Shared::of(&results, &[]).unwrap();
        assert_eq!((alone.place(&results).as_str(), alone.arms), ("a", vec!["never", "asks", "extra"]));
    }
}
