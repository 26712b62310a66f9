//! `babyai-volume`: the controller's untuned volume against fixed schedules.

use super::block::Block;
use super::column::{outcome, remarks};
use super::difference::{Contrast, Versus};
use super::family::{Family, Member, everywhere, interval};
use super::layout::{ADVISOR, Layout, Rows, TASK};
use crate::number::fixed;
use crate::study::claim::Claim;

/// The fixed schedules, by their calls in a run.
pub(super) const FIXED: [&str; 5] = ["v25", "v50", "v75", "v100", "v150"];

pub(super) fn layout() -> Layout {
    let against_never = Contrast { versus: Versus::Baseline("never"), heading: "return", families: &[&["beta-conf"]] };
    let mut remarks = remarks();
    remarks.push("v25 to v150 spend so many calls, the earliest first".into());
    Layout {
        settings: vec![TASK, ADVISOR],
        columns: outcome(),
        rows: Rows::Arms { contrasts: vec![against_never], derived: Vec::new() },
        claims,
        remarks,
    }
}

/// The fixed schedule with the highest mean of a column, and that mean. It is chosen in hindsight.
pub(super) fn best_fixed(block: &Block<'_>, heading: &str) -> Option<(&'static str, f64)> {
    let means = FIXED.iter().filter_map(|arm| Some((*arm, block.mean(arm, heading)?)));
    means.reduce(|best, next| if next.1 > best.1 { next } else { best })
}

fn claims(blocks: &[Block<'_>]) -> Vec<Claim> {
    let family = Family::of(blocks, &[("beta-conf", "never")], "return");
    let competitive = blocks.iter().filter_map(|block| {
        let (best, mean) = best_fixed(block, "return")?;
        let ours = block.mean("beta-conf", "return")?;
        let paired = Member::new(block, "beta-conf", best, &block.differences("beta-conf", best, "return"))?;
        let place = format!(
            "{} (best in hindsight {best} {}, beta-conf {}, paired {})",
            block.label(),
            fixed(mean, 3),
            fixed(ours, 3),
            interval(&paired.paired)
        );
        Some((place, block.interval(best, "return").map(|ends| ours >= ends.low)))
    });
    let bests: Vec<&str> = blocks.iter().filter_map(|block| Some(best_fixed(block, "return")?.0)).collect();
    let volumes: Vec<f64> = blocks.iter().filter_map(|block| block.mean("beta-conf", "calls")).collect();
    let (least, most) = volumes.iter().fold((f64::INFINITY, 0.0f64), |(l, m), v| (l.min(*v), m.max(*v)));
    vec![
        everywhere(
            "beta-conf returns at least the lower end of the 95 % interval of the fixed schedule that is best in hindsight",
            competitive,
        ),
        Claim::new(
            format!("no single fixed volume is best everywhere (in hindsight: {})", bests.join(", ")),
            (bests.len() > 1).then(|| bests.iter().any(|best| *best != bests[0])),
        ),
        Claim::new(
            format!("beta-conf's volume varies: {} to {} calls, at least twofold", fixed(least, 1), fixed(most, 1)),
            (volumes.len() > 1).then_some(most >= 2.0 * least),
        ),
        family.claim("beta-conf beats never-query on GoToObj", |member| member.task == "GoToObj", Member::above),
        family.claim(
            "beta-conf does not differ clearly from never-query on the other tasks",
            |member| member.task != "GoToObj",
            Member::unclear,
        ),
    ]
}
