//! `babyai-exact`: placement at exactly equal calls.

use super::block::Block;
use super::column::{outcome, remarks};
use super::difference::{Contrast, Versus};
use super::family::{Family, Member, everywhere};
use super::layout::{ADVISOR, Layout, Rows, TASK};
use crate::study::claim::Claim;

const COMPARED: [&str; 2] = ["random-exact", "schedule"];

pub(super) fn layout() -> Layout {
    let ours = Contrast { versus: Versus::Ours("beta-conf"), heading: "return", families: &[&COMPARED] };
    Layout {
        settings: vec![TASK, ADVISOR],
        columns: outcome(),
        rows: Rows::Arms { contrasts: vec![ours], derived: Vec::new() },
        claims,
        remarks: remarks(),
    }
}

fn claims(blocks: &[Block<'_>]) -> Vec<Claim> {
    let family = Family::minus_each(blocks, "beta-conf", &COMPARED, "return");
    let equal_calls = |arm: &'static str| {
        let places = blocks.iter().filter_map(move |block| {
            let differences = block.differences(arm, "beta-conf", "calls");
            let equal = differences.iter().filter(|difference| **difference == 0.0).count();
            let most = differences.iter().map(|difference| difference.abs()).fold(0.0, f64::max);
            let all = differences.len();
            let apart = if equal < all { format!(", at most {most} apart") } else { String::new() };
            let place = format!("{} (equal on {equal} of {all} seeds{apart})", block.label());
            (all > 0).then_some((place, Some(equal == all)))
        });
        everywhere(&format!("{arm} makes exactly as many calls as beta-conf, seed by seed"), places)
    };
    let random = |task: &'static str| move |member: &Member| member.baseline == "random-exact" && member.task == task;
    vec![
        equal_calls("random-exact"),
        equal_calls("schedule"),
        family.claim("beta-conf beats random placement on GoToObj", random("GoToObj"), Member::above),
        family.claim(
            "beta-conf does not differ clearly from random placement on GoToLocal",
            random("GoToLocal"),
            Member::unclear,
        ),
        family.claim(
            "beta-conf does not differ clearly from the schedule of equal calls",
            |member| member.baseline == "schedule",
            Member::unclear,
        ),
    ]
}
