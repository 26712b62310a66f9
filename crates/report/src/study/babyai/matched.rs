//! `babyai-matched`: placement and components at the controller's own number of calls.

use super::block::Block;
use super::column::{outcome, remarks};
use super::difference::{Contrast, Versus};
use super::family::{Family, Member, everywhere};
use super::layout::{ADVISOR, Layout, Rows, TASK};
use crate::number::fixed;
use crate::study::claim::Claim;

const COMPARED: [&str; 5] = ["random", "schedule", "cert-off", "global-pred", "unif-pred"];

pub(super) fn layout() -> Layout {
    let contrasts = vec![
        Contrast { versus: Versus::Ours("beta-conf"), heading: "return", families: &[&COMPARED] },
        Contrast { versus: Versus::Baseline("never"), heading: "return", families: &[&["beta-conf", "schedule"]] },
    ];
    Layout {
        settings: vec![TASK, ADVISOR],
        columns: outcome(),
        rows: Rows::Arms { contrasts, derived: Vec::new() },
        claims,
        remarks: remarks(),
    }
}

fn claims(blocks: &[Block<'_>]) -> Vec<Claim> {
    let family = Family::minus_each(blocks, "beta-conf", &COMPARED, "return");
    let against = |arm: &'static str| move |member: &Member| member.baseline == arm;
    let calls = blocks.iter().filter_map(|block| {
        let of = |arm| block.mean(arm, "calls");
        let (ours, schedule) = (of("beta-conf")?, of("schedule")?);
        let random = of("random").map_or_else(String::new, |calls| format!(", random {}", fixed(calls, 1)));
        let figures = format!("{} ({}, schedule {}{random})", block.label(), fixed(ours, 1), fixed(schedule, 1));
        Some((figures, Some((ours - schedule).abs() <= 1.0)))
    });
    let schedule = Family::of(blocks, &[("beta-conf", "never"), ("schedule", "never")], "return");
    vec![
        family.claim(
            "beta-conf beats random placement on GoToObj",
            |member| member.baseline == "random" && member.task == "GoToObj",
            Member::above,
        ),
        family.claim(
            "beta-conf does not differ clearly from the schedule of equal budget",
            against("schedule"),
            Member::unclear,
        ),
        family.claim(
            "leaving the certificate off makes no clear difference to return",
            against("cert-off"),
            Member::unclear,
        ),
        family.claim(
            "a simpler predictor makes no clear difference to return",
            |member| member.baseline.ends_with("-pred"),
            Member::unclear,
        ),
        schedule.claim(
            "the schedule of equal budget itself beats never-query on GoToObj",
            |member| member.treatment == "schedule" && member.task == "GoToObj",
            Member::above,
        ),
        everywhere("the schedule's mean calls match beta-conf's to within one", calls),
    ]
}
