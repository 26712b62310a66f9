//! `babyai-frontier`: what the surrogate gate returns and asks for, price by price.

use super::block::{Arm, Block, difference};
use super::column::remarks;
use super::difference::{Contrast, Versus};
use super::family::{Family, Member, everywhere};
use super::layout::{ADVISOR, Derived, Layout, Rows, Setting, TASK};
use super::price::{by_arm, columns, falling};
use crate::Cell;
use crate::number::fixed;
use crate::study::claim::Claim;

const PRICED: [&str; 6] = ["k002", "k005", "k010", "k020", "k050", "k100"];

pub(super) fn layout() -> Layout {
    let against_never = Contrast { versus: Versus::Baseline("never"), heading: "return", families: &[&PRICED] };
    let mut remarks = remarks();
    remarks.push(
        "cost-adjusted is taken at the price of the row; never, always and ask do not see a price, so the notes charge \
         them each of the prices. Pareto-efficient: no other arm returns as much at no more calls, with one of them better \
         (means over seeds)"
            .into(),
    );
    Layout {
        settings: vec![TASK, ADVISOR, Setting { heading: "price", path: &["kappa"] }],
        columns: columns(),
        rows: Rows::Arms {
            contrasts: vec![against_never],
            derived: vec![Derived { heading: "Pareto-efficient", cell: efficiency }],
        },
        claims,
        remarks,
    }
}

/// Whether no other arm of the block returns as much at no more calls.
fn efficient(block: &Block<'_>, arm: &str) -> Option<bool> {
    let point = |arm: &str| Some((block.mean(arm, "calls per episode")?, block.mean(arm, "return")?));
    let (calls, gained) = point(arm)?;
    let dominates = |other: &Arm<'_>| {
        point(other.name).is_some_and(|(c, g)| c <= calls && g >= gained && (c < calls || g > gained))
    };
    Some(!block.arms.iter().any(dominates))
}

fn efficiency(block: &Block<'_>, arm: &Arm<'_>) -> Cell {
    match efficient(block, arm.name) {
        Some(true) => Cell::text("yes"),
        Some(false) => Cell::text("no"),
        None => Cell::not_applicable(),
    }
}

/// The surrogate minus a gate that does not see prices, after cost at the surrogate's price, for every price.
fn net_of(blocks: &[Block<'_>], rival: &str) -> Family {
    let member = |block: &Block<'_>, arm: &str| {
        let price = block.arm(arm)?.number(&["kappa"])?;
        let net = |arm: &str| {
            let calls = block.by_seed(arm, "calls per episode");
            let charged = block.by_seed(arm, "return").into_iter();
            charged.filter_map(|(seed, gained)| Some((seed, gained - price * calls.get(&seed)?))).collect()
        };
        Member::new(block, arm, rival, &difference(&net(arm), &net(rival)))
    };
    Family::new(blocks.iter().flat_map(|block| PRICED.iter().filter_map(move |arm| member(block, arm))))
}

fn claims(blocks: &[Block<'_>]) -> Vec<Claim> {
    let blind = blocks.iter().filter_map(|block| {
        let ask = block.mean("ask", "calls per episode")?;
        let most = PRICED.iter().filter_map(|arm| block.mean(arm, "calls per episode")).reduce(f64::max)?;
        let place = format!("{} (ask {}, surrogate at most {})", block.label(), fixed(ask, 2), fixed(most, 2));
        Some((place, Some(most < ask)))
    });
    let dominated = blocks.iter().filter_map(|block| Some((block.label(), Some(!efficient(block, "ask")?))));
    vec![
        falling(blocks),
        everywhere("at every price the surrogate makes fewer calls per episode than the uncertainty gate", blind),
        everywhere("the uncertainty gate is not Pareto-efficient", dominated),
        by_arm(&net_of(blocks, "ask"), "after cost the surrogate is above the uncertainty gate", Member::above),
        by_arm(&net_of(blocks, "always"), "after cost the surrogate is above always-query", Member::above),
        by_arm(&net_of(blocks, "never"), "after cost the surrogate is not below never-query", |member| {
            member.below().map(|it| !it)
        }),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::specimen::Study;
    use super::*;

    #[test]
    fn only_undominated_arms_are_efficient() {
        let study = Study::new(&["return", "calls per episode"])
            .arm("obj.never", &[&[0.4, 0.4], &[0.0, 0.0]])
            .arm("obj.k050", &[&[0.5, 0.5], &[1.0, 1.0]])
            .arm("obj.k002", &[&[0.5, 0.5], &[3.0, 3.0]])
            .arm("obj.ask", &[&[0.3, 0.3], &[9.0, 9.0]]);
        study.check(|blocks| {
            let verdicts = ["never", "k050", "k002", "ask", "always"].map(|arm| efficient(&blocks[0], arm));
            assert_eq!(verdicts, [Some(true), Some(true), Some(false), Some(false), None]);
        });
    }

    #[test]
    fn rivals_are_charged_the_price_of_the_row() {
        let study = Study::new(&["return", "calls per episode"]).arm("obj.ask", &[&[0.5, 0.6], &[10.0, 20.0]]).priced(
            "obj.k010",
            0.01,
            &[&[0.5, 0.5], &[1.0, 2.0]],
        );
        study.check(|blocks| {
            let family = net_of(blocks, "ask");
            assert_eq!(family.0.len(), 1);
            assert!((family.0[0].paired.mean_difference - 0.085).abs() < 1e-12);
        });
    }
}
