//! `babyai-tolerance`: the certificate's tolerance against corruption, one row for each pair.

use super::answer::{corrupted, count_of};
use super::block::Block;
use super::column::{outcome, pairing};
use super::difference::{mean_difference, probability};
use super::family::{Family, Member, everywhere};
use super::layout::{Layout, Rows, Sheet};
use crate::number::fixed;
use crate::study::claim::Claim;
use crate::study::description::{Show, column};
use crate::study::measure::executed_advice;
use crate::{Cell, Column};

const ANSWERS: &str = "corrupted answers";
const EXECUTED: &str = "corrupted and executed";
const TOLERANCE: &[&str] = &["execution", "certified", "tolerance"];
const CORRUPTION: &[&str] = &["corruption"];

pub(super) fn layout() -> Layout {
    let mut columns = outcome();
    columns.extend([
        column(ANSWERS, Show::Hidden, |log| Some(count_of(log, corrupted))),
        column(EXECUTED, Show::Hidden, |log| Some(count_of(log, |d| corrupted(d) && executed_advice(d)))),
    ]);
    let mut remarks = vec![pairing()];
    remarks.push(
        "corrupted and executed: of the corrupted answers that named an action, summed over seeds, with their number; the \
         two arms of a pair play on their own, so their answers differ after the first that only one executes"
            .into(),
    );
    Layout { settings: Vec::new(), columns, rows: Rows::Own(sheet), claims, remarks }
}

fn number(block: &Block<'_>, path: &[&str]) -> Option<f64> {
    block.setting(path)?.parse().ok()
}

fn label(block: &Block<'_>) -> String {
    let setting = |path| number(block, path).map_or_else(|| "unknown".to_owned(), |value| value.to_string());
    format!("tolerance {} at corruption {}", setting(TOLERANCE), setting(CORRUPTION))
}

/// Executed and all corrupted answers of an arm, over all seeds.
fn pooled(block: &Block<'_>, arm: &str) -> Option<(f64, f64)> {
    let sum = |heading| block.values(arm, heading).map(|values| values.iter().sum::<f64>());
    sum(EXECUTED).zip(sum(ANSWERS)).filter(|(_, all)| *all > 0.0)
}

/// Return with the certificate minus return without, over all pairs.
fn family(blocks: &[Block<'_>]) -> Family {
    let mut family = Family::of(blocks, &[("on", "off")], "return");
    for member in &mut family.0 {
        member.label = blocks.iter().find(|block| block.name == member.block).map_or_else(String::new, label);
    }
    family
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counts, summed exactly")]
fn sheet(study: &str, blocks: &[Block<'_>]) -> Sheet {
    let mut columns: Vec<Column> = ["tolerance", "corruption", "seeds"].map(Column::right).to_vec();
    for arm in ["on", "off"] {
        columns.push(Column::right(format!("{EXECUTED}, {arm}")));
        columns.push(Column::right(format!("share, {arm}")));
        columns.push(Column::right(format!("calls, {arm}")));
        columns.push(Column::right(format!("return, {arm}")));
    }
    columns.extend(["return on minus off", "p", "p (Holm)"].map(Column::right));
    let family = family(blocks);
    let row = |block: &Block<'_>| {
        let optional = |value: Option<f64>, decimals| {
            value.map_or_else(Cell::not_applicable, |value| Cell::number(value, decimals))
        };
        let seeds = block.arms.iter().map(|arm| arm.results.seeds.len()).max().unwrap_or(0);
        let mut row = vec![
            optional(number(block, TOLERANCE), 2),
            optional(number(block, CORRUPTION), 2),
            Cell::count(seeds as u64),
        ];
        for arm in ["on", "off"] {
            let counts = pooled(block, arm);
            row.push(counts.map_or_else(Cell::not_applicable, |(some, all)| Cell::fraction(some as u64, all as u64)));
            row.push(optional(counts.map(|(some, all)| some / all), 3));
            row.push(optional(block.mean(arm, "calls"), 1));
            row.push(match block.interval(arm, "return") {
                Some(interval) => Cell::interval(interval.estimate, interval.half_width, 3),
                None => optional(block.mean(arm, "return"), 3),
            });
        }
        let member = family.find(block.name, "on", "off");
        row.push(member.map_or_else(Cell::not_applicable, |member| mean_difference(&member.paired, 4)));
        row.push(probability(member.and_then(|member| member.paired.p_value)));
        row.push(probability(member.and_then(|member| member.adjusted)));
        let traced = |cell: Cell| block.arms.iter().fold(cell, |cell, arm| cell.traced(arm.results.trace(study)));
        row.into_iter().map(traced).collect()
    };
    Sheet { columns, rows: blocks.iter().map(row).collect() }
}

fn claims(blocks: &[Block<'_>]) -> Vec<Claim> {
    let family = family(blocks);
    let mut rates: Vec<f64> = blocks.iter().filter_map(|block| number(block, CORRUPTION)).collect();
    rates.sort_by(f64::total_cmp);
    rates.dedup();
    let monotone = rates.iter().filter_map(|rate| {
        let mut shares: Vec<(f64, f64)> = blocks
            .iter()
            .filter(|block| number(block, CORRUPTION) == Some(*rate))
            .filter_map(|block| Some((number(block, TOLERANCE)?, pooled(block, "on").map(|(some, all)| some / all)?)))
            .collect();
        shares.sort_by(|one, other| one.0.total_cmp(&other.0));
        let shown: Vec<String> =
            shares.iter().map(|(tolerance, share)| format!("{tolerance}: {}", fixed(*share, 2))).collect();
        let rises = shares.windows(2).all(|pair| pair[0].1 <= pair[1].1);
        (shares.len() > 1).then(|| (format!("corruption {rate} ({})", shown.join(", ")), Some(rises)))
    });
    let trusting = blocks.iter().filter_map(|block| {
        let (some, all) = pooled(block, "off")?;
        Some((label(block), Some(some == all)))
    });
    let strictest = blocks.iter().filter(|block| number(block, TOLERANCE) == Some(0.05)).filter_map(|block| {
        let calls = block.mean("on", "calls")?;
        let same = block.equal("on", "off", "return")?;
        Some((format!("{} ({} calls)", label(block), fixed(calls, 1)), Some(calls == 0.0 && same)))
    });
    vec![
        everywhere("a stricter tolerance executes a smaller share of corrupted answers", monotone),
        everywhere("without the certificate every corrupted answer is executed", trusting),
        everywhere("at a tolerance of 0.05 nothing is asked, and both arms are the same run", strictest),
        family.claim("the certificate does not raise return", |_| true, |member: &Member| member.above().map(|it| !it)),
    ]
}
