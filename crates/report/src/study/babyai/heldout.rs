//! `babyai-heldout`: the controller against one fixed budget that was chosen on the other tasks.
//!
//! The regret of an arm on a held-out task is the value of the schedule that is best there, in hindsight, minus the arm's,
//! seed by seed. Regrets are averaged over tasks within each seed, so that their intervals are over seeds.

use std::collections::BTreeMap;

use counsel_stats::{Bootstrap, PairedComparison};

use super::block::Block;
use super::column::{outcome, pairing};
use super::difference::{mean_difference, probability};
use super::family::{Family, Member, everywhere, interval};
use super::layout::{Layout, Rows, Sheet};
use super::volume::{FIXED, best_fixed};
use crate::study::claim::Claim;
use crate::{Cell, Column};

/// By what a schedule is chosen and regret is counted.
const MEASURES: [&str; 2] = ["return", "cost-adjusted"];

pub(super) fn layout() -> Layout {
    let mut remarks = vec![pairing()];
    remarks.push(
        "cost-adjusted: return minus the price of a call times calls per episode; regret: value of the schedule that is best on the held-out task in hindsight, minus the arm's; below zero means \
         better than every schedule. The global schedule is the one with the highest mean over the other tasks"
            .into(),
    );
    Layout { settings: Vec::new(), columns: outcome(), rows: Rows::Own(sheet), claims, remarks }
}

/// One task, held out.
struct HeldOut<'a> {
    block: &'a Block<'a>,
    /// The schedule that was chosen on the other tasks.
    global: &'static str,
    /// The best schedule on this task, in hindsight.
    best: &'static str,
    /// Regret by seed.
    ours: BTreeMap<u64, f64>,
    theirs: BTreeMap<u64, f64>,
}

/// Every task held out in turn; tasks with missing arms are left out.
fn held_out<'a>(blocks: &'a [Block<'a>], measure: &str) -> Vec<HeldOut<'a>> {
    let complete =
        |block: &&Block<'_>| FIXED.iter().chain(["beta-conf"].iter()).all(|arm| block.mean(arm, measure).is_some());
    let tasks: Vec<&Block<'_>> = blocks.iter().filter(complete).collect();
    let regret = |block: &Block<'_>, best: &str, arm: &str| {
        let arm = block.by_seed(arm, measure);
        let best = block.by_seed(best, measure).into_iter();
        best.filter_map(|(seed, value)| Some((seed, value - arm.get(&seed)?))).collect()
    };
    let hold_out = |(place, block): (usize, &&'a Block<'a>)| {
        let others = || tasks.iter().enumerate().filter(move |(other, _)| *other != place).map(|(_, other)| other);
        let total = |arm: &str| others().filter_map(|other| other.mean(arm, measure)).sum::<f64>();
        let totals = FIXED.iter().map(|arm| (*arm, total(arm)));
        let (global, _) = totals.reduce(|best, next| if next.1 > best.1 { next } else { best })?;
        let (best, _) = best_fixed(block, measure)?;
        let (ours, theirs) = (regret(block, best, "beta-conf"), regret(block, best, global));
        (tasks.len() > 1).then_some(HeldOut { block, global, best, ours, theirs })
    };
    tasks.iter().enumerate().filter_map(hold_out).collect()
}

/// The mean over tasks, for every seed that all tasks have.
fn over_tasks(tasks: &[&BTreeMap<u64, f64>]) -> BTreeMap<u64, f64> {
    let seeds = tasks.first().into_iter().flat_map(|first| first.keys().copied());
    let sum = |seed: u64| tasks.iter().map(|task| task.get(&seed)).sum::<Option<f64>>();
    seeds.filter_map(|seed| Some((seed, sum(seed)? / tasks.len() as f64))).collect()
}

fn estimate(values: &BTreeMap<u64, f64>) -> Option<PairedComparison> {
    let values: Vec<f64> = values.values().copied().collect();
    PairedComparison::from_differences(&values, &Bootstrap::seeded(0)).ok()
}

fn minus(one: &BTreeMap<u64, f64>, other: &BTreeMap<u64, f64>) -> BTreeMap<u64, f64> {
    one.iter().filter_map(|(seed, value)| Some((*seed, value - other.get(seed)?))).collect()
}

/// The mean regrets over tasks by seed: of the controller, and of the global schedule.
fn mean_regrets(tasks: &[HeldOut<'_>]) -> (BTreeMap<u64, f64>, BTreeMap<u64, f64>) {
    let ours: Vec<_> = tasks.iter().map(|task| &task.ours).collect();
    let theirs: Vec<_> = tasks.iter().map(|task| &task.theirs).collect();
    (over_tasks(&ours), over_tasks(&theirs))
}

/// What the global schedule regrets more than the controller, for each measure, adjusted together.
fn family(blocks: &[Block<'_>]) -> Family {
    Family::new(MEASURES.iter().filter_map(|measure| {
        let tasks = held_out(blocks, measure);
        let (ours, theirs) = mean_regrets(&tasks);
        let differences: Vec<f64> = minus(&theirs, &ours).into_values().collect();
        let mut member = Member::new(tasks.first()?.block, "beta-conf", "global", &differences)?;
        (*measure).clone_into(&mut member.block);
        member.label = format!("{measure}, mean over {} tasks", tasks.len());
        Some(member)
    }))
}

fn sheet(study: &str, blocks: &[Block<'_>]) -> Sheet {
    let columns = ["measure", "held-out task", "advisor", "chosen on the others", "best in hindsight"];
    let numbers = ["seeds", "regret of beta-conf", "regret of the chosen", "chosen minus beta-conf", "p", "p (Holm)"];
    let columns = columns.map(Column::left).into_iter().chain(numbers.map(Column::right)).collect();
    let family = family(blocks);
    let mut rows = Vec::new();
    for measure in MEASURES {
        let tasks = held_out(blocks, measure);
        let figures = |ours: &BTreeMap<u64, f64>, theirs: &BTreeMap<u64, f64>| {
            let cell =
                |values| estimate(values).map_or_else(Cell::not_applicable, |paired| mean_difference(&paired, 4));
            let difference = minus(theirs, ours);
            let p = estimate(&difference).and_then(|paired| paired.p_value);
            vec![Cell::count(ours.len() as u64), cell(ours), cell(theirs), cell(&difference), probability(p)]
        };
        for task in &tasks {
            let advisor = task.block.setting(&["advisor"]).unwrap_or_default();
            let words = [measure.to_owned(), task.block.task(), advisor, task.global.to_owned(), task.best.to_owned()];
            let mut row: Vec<Cell> = words.into_iter().map(Cell::text).collect();
            row.extend(figures(&task.ours, &task.theirs));
            row.push(Cell::not_applicable());
            let arms =
                || task.block.arms.iter().filter(|arm| ["beta-conf", task.global, task.best].contains(&arm.name));
            rows.push(
                row.into_iter()
                    .map(|cell| arms().fold(cell, |cell, arm| cell.traced(arm.results.trace(study))))
                    .collect(),
            );
        }
        if let Some(member) = family.find(measure, "beta-conf", "global") {
            let (ours, theirs) = mean_regrets(&tasks);
            let mut row: Vec<Cell> = [measure, "mean over tasks"].map(Cell::text).to_vec();
            row.extend(vec![Cell::not_applicable(); 3]);
            row.extend(figures(&ours, &theirs));
            row.push(probability(member.adjusted));
            rows.push(row);
        }
    }
    Sheet { columns, rows }
}

fn claims(blocks: &[Block<'_>]) -> Vec<Claim> {
    let family = family(blocks);
    let oracle = MEASURES.iter().filter_map(|measure| {
        let paired = estimate(&mean_regrets(&held_out(blocks, measure)).0)?;
        let reaches_zero = paired.t_interval.map(|ends| ends.low <= 0.0);
        Some((format!("{measure} ({})", interval(&paired)), reaches_zero))
    });
    let behind = held_out(blocks, "cost-adjusted");
    let behind = behind.iter().filter(|task| ["Open", "Pickup"].contains(&task.block.task().as_str()));
    let behind = behind.filter_map(|task| {
        let paired = estimate(&minus(&task.theirs, &task.ours))?;
        Some((format!("{} ({})", task.block.task(), interval(&paired)), Some(paired.mean_difference < 0.0)))
    });
    vec![
        family.claim("beta-conf regrets less than the global schedule, averaged over tasks", |_| true, Member::above),
        everywhere("its mean regret against the best schedule in hindsight is not clearly above zero (95 %)", oracle),
        everywhere("after cost it is behind the global schedule on the tasks with little to win", behind),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::specimen::Study;
    use super::*;

    #[test]
    fn the_schedule_is_chosen_on_the_other_tasks() {
        let flat = |v: f64| vec![v, v + 0.01];
        let mut study = Study::new(&["return"]);
        for (task, returns) in
            [("a", [0.1, 0.5, 0.2, 0.1, 0.1]), ("b", [0.9, 0.2, 0.3, 0.1, 0.1]), ("c", [0.3, 0.2, 0.4, 0.1, 0.1])]
        {
            for (arm, gained) in FIXED.iter().zip(returns) {
                study = study.arm(&format!("{task}.{arm}"), &[&flat(gained)]);
            }
            study = study.arm(&format!("{task}.beta-conf"), &[&flat(0.3)]);
        }
        study.check(|blocks| {
            let tasks = held_out(blocks, "return");
            let chosen: Vec<_> = tasks.iter().map(|task| (task.global, task.best)).collect();
            assert_eq!(chosen, [("v25", "v50"), ("v50", "v25"), ("v25", "v75")]);
            let (ours, theirs) = mean_regrets(&tasks);
            let (near, mean) = (|one: f64, other: f64| (one - other).abs() < 1e-12, 1.0 / 3.0);
            assert!(ours.values().all(|regret| near(*regret, mean * (0.2 + 0.6 + 0.1))));
            assert!(theirs.values().all(|regret| near(*regret, mean * (0.4 + 0.7 + 0.1))));
        });
    }

    #[test]
    fn one_task_alone_cannot_be_held_out() {
        let mut study = Study::new(&["return"]);
        for arm in FIXED.iter().chain(["beta-conf"].iter()) {
            study = study.arm(&format!("a.{arm}"), &[&[0.1, 0.2]]);
        }
        study.check(|blocks| assert!(held_out(blocks, "return").is_empty()));
    }
}
