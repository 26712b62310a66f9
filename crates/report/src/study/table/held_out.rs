//! Each block held out in turn: an arm that needs no tuning against one choice that was made on the other blocks.
//!
//! The regret of an arm on a held-out block is the value of the choice that is best there, in hindsight, minus the arm's,
//! seed by seed. Regrets are averaged over blocks within each seed, so that their intervals are over seeds.

use std::collections::BTreeMap;

use counsel_log::study::{Account, Measure};

use super::TableLayout;
use super::entry::{mean_difference, of_block, probability};
use crate::study::family::{Member, compared};
use crate::study::finding::Families;
use crate::study::results::{Arm, Block, Results, difference};
use crate::{Column, Entry, Rank};

/// Decimals of a regret.
const DECIMALS: usize = 4;

/// One block, held out.
struct HeldOut<'a> {
    block: &'a Block,
    /// The choice that was made on the other blocks.
    chosen: &'a Arm,
    /// The best choice on this block, in hindsight.
    best: &'a Arm,
    /// Regret by seed.
    ours: BTreeMap<u64, f64>,
    theirs: BTreeMap<u64, f64>,
}

/// Every block held out in turn; one that lacks the arm or all choices is left out.
fn held_out<'a>(results: &'a Results, arm: &str, choices: &str, measure: Measure) -> Vec<HeldOut<'a>> {
    let hold_out = |(place, block): (usize, &'a Block)| {
        let one = |named: String| results.meant(place, &named, measure).first().copied();
        let (best, chosen) = (one(format!("best of {choices}"))?, one(format!("chosen of {choices}"))?);
        let regret = |arm: &Arm| difference(&best.by_seed(measure), &arm.by_seed(measure));
        let (ours, theirs) = (regret(block.arm(arm)?), regret(chosen));
        (!ours.is_empty()).then_some(HeldOut { block, chosen, best, ours, theirs })
    };
    results.blocks.iter().enumerate().filter_map(hold_out).collect()
}

/// The mean over blocks, for every seed that all blocks have.
fn over_blocks(blocks: &[&BTreeMap<u64, f64>]) -> BTreeMap<u64, f64> {
    let seeds = blocks.first().into_iter().flat_map(|first| first.keys().copied());
    let sum = |seed: u64| blocks.iter().map(|block| block.get(&seed)).sum::<Option<f64>>();
    seeds.filter_map(|seed| Some((seed, sum(seed)? / blocks.len() as f64))).collect()
}

pub(super) fn layout(
    account: &Account,
    results: &Results,
    families: &Families,
    (arm, choices): (&str, &str),
    each: &[Measure],
) -> TableLayout {
    let settings = &account.table.settings;
    let mut columns = vec![Column::left("measure")];
    columns.extend(settings.iter().map(|setting| Column::left(setting.heading())));
    columns.extend(["chosen on the others", "best in hindsight"].map(|name| Column::left(name).ranked(Rank::Next)));
    columns.push(Column::right("seeds").ranked(Rank::Detail));
    let main = |name: String| Column::right(name).ranked(Rank::Main);
    columns.extend([format!("regret of {arm}"), "regret of the chosen".to_owned()].map(main));
    columns.push(main(format!("chosen minus {arm}")).deciding());
    columns.extend([Column::right("p").ranked(Rank::Detail), main("p (Holm)".to_owned()).deciding()]);
    let mut rows = Vec::new();
    for measure in each {
        let blocks = held_out(results, arm, choices, *measure);
        for held in &blocks {
            let mut row = vec![Entry::text(measure.to_string())];
            row.extend(settings.iter().map(|setting| of_block(held.block, setting)));
            row.extend([held.chosen, held.best].map(|arm| Entry::text(arm.name.clone())));
            row.extend(numbers(&held.ours, &held.theirs, None));
            row.push(Entry::not_applicable());
            let behind = || held.block.arms.iter().filter(|known| is_behind(held, arm, known));
            let traced = |entry: Entry| behind().fold(entry, |entry, arm| entry.traced(arm.trace(&results.study)));
            rows.push(row.into_iter().map(traced).collect());
        }
        if !blocks.is_empty() {
            let mut row = vec![Entry::not_applicable(); settings.len() + 3];
            (row[0], row[1]) = (Entry::text(measure.to_string()), Entry::text("mean over all"));
            let ours = over_blocks(&blocks.iter().map(|held| &held.ours).collect::<Vec<_>>());
            let theirs = over_blocks(&blocks.iter().map(|held| &held.theirs).collect::<Vec<_>>());
            let chosen =
                |member: &Member| member.block.is_none() && member.measure == *measure && member.treatment == arm;
            let adjusted = families.find(chosen).and_then(|member| member.adjusted);
            row.extend(numbers(&ours, &theirs, adjusted));
            row.push(probability(adjusted));
            rows.push(row);
        }
    }
    TableLayout { columns, rows }
}

fn is_behind(held: &HeldOut<'_>, arm: &str, known: &Arm) -> bool {
    [arm, &held.chosen.name, &held.best.name].contains(&known.name.as_str())
}

/// Seeds, both regrets, and what the choice regrets more, with its p value.
fn numbers(ours: &BTreeMap<u64, f64>, theirs: &BTreeMap<u64, f64>, adjusted: Option<f64>) -> Vec<Entry> {
    let estimate = |by_seed: &BTreeMap<u64, f64>| compared(&by_seed.values().copied().collect::<Vec<_>>());
    let entry = |by_seed: &BTreeMap<u64, f64>, adjusted| {
        estimate(by_seed).map_or_else(Entry::not_applicable, |paired| mean_difference(&paired, adjusted, DECIMALS))
    };
    let more = difference(theirs, ours);
    let p = estimate(&more).and_then(|paired| paired.p_value);
    vec![
        Entry::count(ours.len() as u64),
        entry(ours, None),
        entry(theirs, None),
        entry(&more, adjusted),
        probability(p),
    ]
}
