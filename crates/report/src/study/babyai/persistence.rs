//! `babyai-persistence`: how long the gain of early advice lasts.

use super::block::Block;
use super::column::{outcome, pairing};
use super::difference::{mean_difference, probability};
use super::episode::windowed_return;
use super::family::{Family, Member};
use super::layout::{Layout, Rows, Sheet};
use crate::study::claim::Claim;
use crate::study::description::{Show, column};
use crate::{Cell, Column};

const ARMS: [&str; 3] = ["never", "beta-conf", "schedule"];
const BASELINES: [&str; 2] = ["never", "schedule"];
/// The episodes at which the last ten are looked at, and the columns that hold their returns.
const WINDOWS: [(u64, &str); 4] =
    [(60, "return at 60"), (120, "return at 120"), (250, "return at 250"), (500, "return at 500")];

pub(super) fn layout() -> Layout {
    let mut columns = outcome();
    columns.extend([
        column(WINDOWS[0].1, Show::Hidden, |log| windowed_return(log, 60)),
        column(WINDOWS[1].1, Show::Hidden, |log| windowed_return(log, 120)),
        column(WINDOWS[2].1, Show::Hidden, |log| windowed_return(log, 250)),
        column(WINDOWS[3].1, Show::Hidden, |log| windowed_return(log, 500)),
    ]);
    let mut remarks = vec![pairing()];
    remarks.push(
        "returns are means of the ten episodes up to the one named. Exploration is laid over so many episodes: over all of \
         them the run differs from the primary one from the start, over the first 60 it continues the primary run"
            .into(),
    );
    Layout { settings: Vec::new(), columns, rows: Rows::Own(sheet), claims, remarks }
}

/// Over how many episodes exploration is laid.
fn exploration(block: &Block<'_>) -> String {
    let laid = block.setting(&["exploration_episodes"]).or_else(|| block.setting(&["episodes"]));
    laid.unwrap_or_else(|| "unknown".to_owned())
}

/// The name of a block at one window, in a family.
fn place(block: &Block<'_>, window: u64) -> String {
    format!("{} at {window}", block.name)
}

/// The controller minus this baseline, at every window of every block.
fn family(blocks: &[Block<'_>], baseline: &str) -> Family {
    let member = |block: &Block<'_>, (window, heading): (u64, &str)| {
        let differences = block.differences("beta-conf", baseline, heading);
        let mut member = Member::new(block, "beta-conf", baseline, &differences)?;
        member.block = place(block, window);
        member.label = format!("episode {window}, exploration over {}", exploration(block));
        Some(member)
    };
    Family::new(blocks.iter().flat_map(|block| WINDOWS.iter().filter_map(move |window| member(block, *window))))
}

fn sheet(study: &str, blocks: &[Block<'_>]) -> Sheet {
    let mut columns: Vec<Column> = ["task", "advisor"].map(Column::left).to_vec();
    columns.extend(["exploration over", "up to episode", "seeds"].map(Column::right));
    columns.extend(ARMS.map(Column::right));
    for baseline in BASELINES {
        let difference = format!("beta-conf minus {baseline}");
        columns.push(Column::right(difference.clone()));
        columns.extend(["p", "p (Holm)"].map(|name| Column::right(format!("{name}: {difference}"))));
    }
    let families = BASELINES.map(|baseline| family(blocks, baseline));
    let mut rows = Vec::new();
    for block in blocks {
        for (window, heading) in WINDOWS {
            let seeds = ARMS.iter().map(|arm| block.by_seed(arm, heading).len()).max().unwrap_or(0);
            if seeds == 0 {
                continue;
            }
            let words = [block.task(), block.setting(&["advisor"]).unwrap_or_default(), exploration(block)];
            let mut row: Vec<Cell> = words.into_iter().map(Cell::text).collect();
            row.extend([Cell::count(window), Cell::count(seeds as u64)]);
            row.extend(ARMS.map(|arm| match block.interval(arm, heading) {
                Some(interval) => Cell::interval(interval.estimate, interval.half_width, 3),
                None => block.mean(arm, heading).map_or_else(Cell::not_applicable, |mean| Cell::number(mean, 3)),
            }));
            for (family, baseline) in families.iter().zip(BASELINES) {
                let member = family.find(&place(block, window), "beta-conf", baseline);
                row.push(member.map_or_else(Cell::not_applicable, |member| mean_difference(&member.paired, 4)));
                row.push(probability(member.and_then(|member| member.paired.p_value)));
                row.push(probability(member.and_then(|member| member.adjusted)));
            }
            let traced = |cell: Cell| block.arms.iter().fold(cell, |cell, arm| cell.traced(arm.results.trace(study)));
            rows.push(row.into_iter().map(traced).collect());
        }
    }
    Sheet { columns, rows }
}

fn claims(blocks: &[Block<'_>]) -> Vec<Claim> {
    let [never, schedule] = BASELINES.map(|baseline| family(blocks, baseline));
    let at = |window: &'static str| move |member: &Member| member.block.ends_with(window);
    vec![
        never.claim("beta-conf leads never-query at episode 60", at(" at 60"), Member::above),
        never.claim("beta-conf leads never-query at episode 120", at(" at 120"), Member::above),
        never.claim("by episode 500 the lead over never-query is not clear any more", at(" at 500"), Member::unclear),
        schedule.claim("the matched schedule tracks beta-conf throughout", |_| true, Member::unclear),
    ]
}
