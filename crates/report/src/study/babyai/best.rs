//! `babyai-best`: the best controller that was found, against its rivals.

use super::block::Block;
use super::column::{effort, outcome, remarks};
use super::difference::{Contrast, Versus};
use super::family::{Family, Member, everywhere};
use super::layout::{ADVISOR, Layout, Rows, TASK};
use crate::number::fixed;
use crate::study::claim::Claim;

const RIVALS: [&str; 4] = ["never", "always", "early", "random-policy"];
/// The same controller with an advisor that knows nothing, and reuse without certificate or value.
const CONTROLS: [&str; 2] = ["content-free", "trusting-reuse"];

pub(super) fn layout() -> Layout {
    let ours = Contrast { versus: Versus::Ours("best"), heading: "return", families: &[&RIVALS, &CONTROLS] };
    let net = Contrast { versus: Versus::Ours("best"), heading: "cost-adjusted", families: &[&RIVALS, &CONTROLS] };
    Layout {
        settings: vec![TASK, ADVISOR],
        columns: outcome().into_iter().chain(effort()).collect(),
        rows: Rows::Arms { contrasts: vec![ours, net], derived: Vec::new() },
        claims,
        remarks: remarks(),
    }
}

fn claims(blocks: &[Block<'_>]) -> Vec<Claim> {
    let family = Family::minus_each(blocks, "best", &RIVALS, "return");
    let net = Family::minus_each(blocks, "best", &RIVALS, "cost-adjusted");
    let controls = Family::minus_each(blocks, "best", &CONTROLS, "return");
    let against = |arm: &'static str| move |member: &Member| member.baseline == arm;
    let fractions = blocks.iter().filter_map(|block| {
        let always = block.mean("always", "calls").filter(|calls| *calls > 0.0)?;
        let share = 100.0 * block.mean("best", "calls")? / always;
        Some((format!("{} ({} %)", block.label(), fixed(share, 1)), Some(share < 50.0)))
    });
    vec![
        family.claim("it beats never-query", against("never"), Member::above),
        family.claim("it beats random moves", against("random-policy"), Member::above),
        family.claim("it beats the early schedule", against("early"), Member::above),
        family.claim("it returns no less than always-query", against("always"), |m| m.below().map(|it| !it)),
        net.claim("it beats always-query after the cost of calls", against("always"), Member::above),
        controls.claim(
            "it beats itself with an advisor without content, so its gain comes from what the advisor says",
            against("content-free"),
            Member::above,
        ),
        controls.claim(
            "it returns no less than trusting reuse, which has no certificate and no value of a query",
            against("trusting-reuse"),
            |m| m.below().map(|it| !it),
        ),
        everywhere("it makes less than half of always-query's calls", fractions),
    ]
}
