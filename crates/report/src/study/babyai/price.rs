//! `babyai-price`: the controller at six prices of a call, each a full rerun.

use super::block::{Arm, Block};
use super::column::{outcome, remarks};
use super::difference::{Contrast, Versus};
use super::family::{Family, Member, everywhere};
use super::layout::{ADVISOR, Layout, Rows, Setting, TASK};
use crate::number::fixed;
use crate::study::claim::Claim;
use crate::study::description::{Measured, Show};

const PRICED: [&str; 9] = ["k0", "k002", "k005", "k010", "k020", "k050", "k100", "k200", "k500"];

pub(super) fn layout() -> Layout {
    let against_never = |heading| Contrast { versus: Versus::Baseline("never"), heading, families: &[&PRICED] };
    Layout {
        settings: vec![TASK, ADVISOR, Setting { heading: "price", path: &["kappa"] }],
        columns: columns(),
        rows: Rows::Arms {
            contrasts: vec![against_never("cost-adjusted"), against_never("return")],
            derived: Vec::new(),
        },
        claims,
        remarks: remarks(),
    }
}

/// The usual columns, with calls by the episode.
pub(super) fn columns() -> Vec<Measured> {
    let by_episode = |mut column: Measured| {
        match column.heading {
            "calls per episode" => column.show = Show::Mean(3),
            "cost-adjusted" => column.show = Show::Interval(3),
            _ => {}
        }
        column
    };
    outcome().into_iter().map(by_episode).collect()
}

/// The priced arms of a block with their prices and their calls per episode, from the lowest price on.
pub(super) fn calls_by_price(block: &Block<'_>) -> Vec<(f64, f64)> {
    let priced = |arm: &Arm<'_>| {
        let price = arm.name.starts_with('k').then(|| arm.number(&["kappa"])).flatten()?;
        Some((price, block.mean(arm.name, "calls per episode")?))
    };
    let mut calls: Vec<(f64, f64)> = block.arms.iter().filter_map(priced).collect();
    calls.sort_by(|one, other| one.0.total_cmp(&other.0));
    calls
}

/// Whether calls fall, or stay, from each price to the next, in each block.
pub(super) fn falling(blocks: &[Block<'_>]) -> Claim {
    let places = blocks.iter().filter_map(|block| {
        let calls = calls_by_price(block);
        let shown: Vec<String> = calls.iter().map(|(_, calls)| fixed(*calls, 3)).collect();
        let falls = calls.windows(2).all(|pair| pair[1].1 <= pair[0].1);
        (calls.len() > 1).then(|| (format!("{} ({})", block.label(), shown.join(" → ")), Some(falls)))
    });
    everywhere("calls per episode fall monotonically as the price rises (means over seeds)", places)
}

fn claims(blocks: &[Block<'_>]) -> Vec<Claim> {
    let priced_out = blocks.iter().flat_map(|block| block.arms.iter().map(move |arm| (block, arm.name)));
    let priced_out = priced_out.filter_map(|(block, arm)| {
        let calls = block.by_seed(arm, "calls");
        let (returned, never) = (block.by_seed(arm, "return"), block.by_seed("never", "return"));
        let silent: Vec<u64> = calls.iter().filter(|(_, calls)| **calls == 0.0).map(|(seed, _)| *seed).collect();
        let same = silent.iter().filter(|seed| returned.get(seed) == never.get(seed)).count();
        let all = silent.len();
        let place = format!("{} at {arm} ({same} of {all} silent seeds)", block.label());
        (arm.starts_with('k') && all > 0).then_some((place, Some(same == all)))
    });
    let dearest = blocks.iter().filter_map(|block| {
        let calls = block.mean("k050", "calls per episode")?;
        Some((format!("{} ({})", block.label(), fixed(calls, 3)), Some(calls == 0.0)))
    });
    let beyond = blocks.iter().filter_map(|block| {
        let calls = block.mean("k500", "calls per episode")?;
        Some((format!("{} ({})", block.label(), fixed(calls, 3)), Some(calls == 0.0)))
    });
    let pairs = PRICED.map(|arm| (arm, "never"));
    let utility = Family::of(blocks, &pairs, "cost-adjusted");
    let returned = Family::of(blocks, &pairs, "return");
    vec![
        falling(blocks),
        everywhere("at a price of 0.05 the controller makes no call", dearest),
        everywhere("at a price of 0.5, beyond the paper's, it makes none", beyond),
        everywhere("on a seed without calls the return is never-query's, exactly", priced_out),
        by_arm(&returned, "the return does not differ clearly from never-query's at any price", Member::unclear),
        by_arm(
            &utility,
            "the cost-adjusted return is above never-query's (the paper gives no interval)",
            Member::above,
        ),
    ]
}

/// A claim about every member, which names the arms rather than the baseline.
pub(super) fn by_arm(family: &Family, words: &str, truth: impl Fn(&Member) -> Option<bool>) -> Claim {
    let place = |member: &Member| format!("{} at {} ({})", member.label, member.treatment, member.figures());
    everywhere(words, family.0.iter().map(|member| (place(member), truth(member))))
}

#[cfg(test)]
mod tests {
    use super::super::specimen::Study;
    use super::*;
    use crate::study::claim::Verdict;

    fn study(dearest: &[f64]) -> Study {
        Study::new(&["return", "calls", "calls per episode"])
            .arm("obj.never", &[&[0.3, 0.4], &[0.0, 0.0], &[0.0, 0.0]])
            .priced("obj.k050", 0.05, &[dearest, &[0.0, 6.0], &[0.0, 0.1]])
            .priced("obj.k0", 0.0, &[&[0.5, 0.5], &[60.0, 60.0], &[1.0, 1.0]])
    }

    #[test]
    fn calls_are_ordered_by_price() {
        study(&[0.3, 0.5]).check(|blocks| {
            assert_eq!(calls_by_price(&blocks[0]), [(0.0, 1.0), (0.05, 0.05)]);
            assert_eq!(falling(blocks).verdict, Verdict::Holds);
        });
    }

    #[test]
    fn a_silent_seed_must_return_what_never_returns() {
        let verdict = |dearest: &[f64]| {
            let mut verdict = Verdict::Open;
            study(dearest).check(|blocks| {
                let claims = claims(blocks);
                verdict = claims.iter().find(|claim| claim.words.contains("a seed without calls")).unwrap().verdict;
            });
            verdict
        };
        assert_eq!(verdict(&[0.3, 0.9]), Verdict::Holds);
        assert_eq!(verdict(&[0.31, 0.4]), Verdict::Fails);
    }
}
