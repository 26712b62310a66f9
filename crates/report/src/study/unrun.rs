//! What a statement is about and was never run.
//!
//! A statement speaks of all its places, so it is not judged while one of them is missing. What it needs follows from the study
//! alone: the blocks and arms that its patterns pick among those that the study declares.

use std::collections::BTreeSet;

use counsel_log::study::{Account, Choice, Family, OfFamily, Over, Pair, Test, matches};

use super::results::{DeclaredBlock, Results};

/// Every arm that was not run and that this test needs, as its folder is named, in order.
pub(super) fn unrun(test: &Test, account: &Account, results: &Results) -> Vec<String> {
    let blocks = &results.declared;
    let mut needs = Needs { blocks, found: BTreeSet::new() };
    match test {
        Test::Above(of) | Test::Below(of) | Test::Equivalent(of) | Test::NoLess(of) | Test::NoMore(of) => {
            let family = account.family(&of.family);
            family.into_iter().for_each(|family| needs.family(family, of));
        }
        Test::Level(test) => needs.arms(&test.blocks, &test.arms),
        Test::Ratio(test) => {
            needs.pairs(&test.blocks, &test.pairs);
            needs.arms(&test.blocks, test.from.as_slice());
        }
        Test::Gap(test) => needs.pairs(&test.blocks, &test.pairs),
        Test::Same(test) => needs.pairs(&test.blocks, &test.pairs),
        // A listed order is that of the blocks which have all its arms.
        Test::Ordered(test) => {
            for block in blocks {
                let has = |arm: &String| block.arms.contains(arm);
                if test.along.is_some() || test.arms.iter().all(has) {
                    needs.arms(std::slice::from_ref(&block.name), &test.arms);
                }
            }
        }
        Test::Spread(test) => needs.arms(&[], std::slice::from_ref(&test.arm)),
        Test::BestVaries(test) => needs.arms(&[], &test.arms),
        Test::Dominated(test) => {
            for block in blocks.iter().filter(|block| block.arms.contains(&test.arm)) {
                needs.arms(std::slice::from_ref(&block.name), &["*".to_owned()]);
            }
        }
    }
    let was_run = |(block, arm): &(usize, usize)| {
        let DeclaredBlock { name, arms } = &blocks[*block];
        results.blocks.iter().any(|run| run.name == *name && run.arm(&arms[*arm]).is_some())
    };
    needs.found.iter().filter(|place| !was_run(place)).map(|(block, arm)| blocks[*block].folder(*arm)).collect()
}

/// How many members a family has when all that the study declares is run.
pub(super) fn declared_members(family: &Family, results: &Results) -> usize {
    let in_block = |block: &DeclaredBlock, pair: &Pair| {
        let is_choice = |named: &str| !matches!(Choice::of(named), Choice::Each(_));
        let ones = meant(block, &pair.treatment);
        let count = |one: usize| match pair.baseline.arm() {
            None => 1,
            Some(named) if is_choice(named) => usize::from(!meant(block, named).is_empty()),
            Some(named) => meant(block, named).iter().filter(|other| **other != one).count(),
        };
        let counts = ones.iter().map(|one| count(*one));
        if is_choice(&pair.treatment) { counts.max().unwrap_or(0) } else { counts.sum() }
    };
    let of_pair = |pair: &Pair| {
        let blocks = results.declared.iter().filter(|block| fits(&family.blocks, &block.name));
        let all: usize = blocks.map(|block| in_block(block, pair)).sum();
        if family.over == Over::MeanOfBlocks { all.min(1) } else { all }
    };
    family.measures.len() * family.pairs.iter().map(of_pair).sum::<usize>()
}

impl DeclaredBlock {
    /// An arm as its folder is named.
    fn folder(&self, arm: usize) -> String {
        let arm = &self.arms[arm];
        if self.name.is_empty() { arm.clone() } else { format!("{}.{arm}", self.name) }
    }
}

fn fits(patterns: &[String], name: &str) -> bool {
    patterns.is_empty() || patterns.iter().any(|pattern| matches(pattern, name))
}

/// The places of the arms of a block that a name, a pattern or a choice may mean.
fn meant(block: &DeclaredBlock, named: &str) -> Vec<usize> {
    let pattern = Choice::of(named).pattern();
    (0..block.arms.len()).filter(|arm| matches(pattern, &block.arms[*arm])).collect()
}

/// Arms that are needed: their blocks' places and their own.
struct Needs<'a> {
    blocks: &'a [DeclaredBlock],
    found: BTreeSet<(usize, usize)>,
}

impl Needs<'_> {
    fn arms(&mut self, blocks: &[String], arms: &[String]) {
        for (place, block) in self.blocks.iter().enumerate().filter(|(_, block)| fits(blocks, &block.name)) {
            self.found.extend(arms.iter().flat_map(|named| meant(block, named)).map(|arm| (place, arm)));
        }
    }

    fn pairs(&mut self, blocks: &[String], pairs: &[Pair]) {
        for (place, block) in self.blocks.iter().enumerate().filter(|(_, block)| fits(blocks, &block.name)) {
            for pair in pairs {
                self.pair(place, pair, &meant(block, &pair.treatment), &|_| true);
            }
        }
    }

    fn family(&mut self, family: &Family, of: &OfFamily) {
        let is_mean = family.over == Over::MeanOfBlocks;
        let is_meant = |name: &str| fits(&family.blocks, name) && (is_mean || fits(&of.blocks, name));
        for (place, block) in self.blocks.iter().enumerate().filter(|(_, block)| is_meant(&block.name)) {
            for pair in &family.pairs {
                // A member that is chosen, or a mean over blocks, is named as the pair names it.
                let is_named = |patterns: &[String], side: &str, arm: usize| {
                    let as_written = is_mean || !matches!(Choice::of(side), Choice::Each(_));
                    fits(patterns, &block.arms[arm]) || as_written && (!is_mean || fits(patterns, side))
                };
                let ones = meant(block, &pair.treatment);
                let ones: Vec<usize> =
                    ones.into_iter().filter(|one| is_named(&of.arms, &pair.treatment, *one)).collect();
                let baseline = pair.baseline.arm().unwrap_or_default();
                self.pair(place, pair, &ones, &|other| is_named(&of.against, baseline, other));
            }
        }
    }

    /// These arms of a block with what is subtracted from them, if the block has both.
    fn pair(&mut self, place: usize, pair: &Pair, ones: &[usize], is_meant: &dyn Fn(usize) -> bool) {
        let block = &self.blocks[place];
        let chosen_elsewhere = |named: &str| matches!(Choice::of(named), Choice::Chosen(_));
        let others = match pair.baseline.arm() {
            None => Vec::new(),
            Some(named) => {
                let others: Vec<usize> = meant(block, named).into_iter().filter(|other| is_meant(*other)).collect();
                if !ones.iter().any(|one| others.iter().any(|other| other != one)) {
                    return;
                }
                others
            }
        };
        self.found.extend(ones.iter().chain(&others).map(|arm| (place, *arm)));
        // What is chosen on the other blocks needs them.
        for named in [Some(pair.treatment.as_str()), pair.baseline.arm()].into_iter().flatten() {
            if chosen_elsewhere(named) && !ones.is_empty() {
                self.arms(&[], &[Choice::of(named).pattern().to_owned()]);
            }
        }
    }
}
