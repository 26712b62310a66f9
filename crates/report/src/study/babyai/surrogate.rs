//! `babyai-surrogate`: the epistemic-gap surrogate against the uncertainty gates, with and without the certificate.

use super::answer::{acceptance_of, corrupted, untouched};
use super::block::Block;
use super::column::{effort, outcome, remarks};
use super::difference::{Contrast, Versus};
use super::family::{Family, Member, everywhere};
use super::layout::{ADVISOR, Layout, Rows, TASK};
use crate::number::fixed;
use crate::study::claim::Claim;
use crate::study::description::{Show, column};
use crate::study::measure::{right_rejection, unsafe_acceptance};

const RIVALS: [&str; 3] = ["never", "ask", "value"];

pub(super) fn layout() -> Layout {
    let contrasts = vec![
        Contrast { versus: Versus::Ours("surrogate"), heading: "return", families: &[&RIVALS] },
        Contrast { versus: Versus::Uncertified, heading: "return", families: &[&["surrogate", "corrupt"]] },
    ];
    let mut columns = outcome();
    columns.extend(effort());
    columns.extend([
        column("wrong and executed", Show::Mean(3), unsafe_acceptance),
        column("right and rejected", Show::Mean(3), right_rejection),
        column("accepted, untouched", Show::Mean(3), |log| acceptance_of(log, untouched)),
        column("accepted, corrupted", Show::Mean(3), |log| acceptance_of(log, corrupted)),
    ]);
    let mut remarks = remarks();
    remarks.push(
        "wrong and executed: share of all answers; right and rejected: share of the right ones; an answer is wrong if its \
         action lengthens the shortest way to success"
            .into(),
    );
    Layout {
        settings: vec![TASK, ADVISOR],
        columns,
        rows: Rows::Arms { contrasts, derived: Vec::new() },
        claims,
        remarks,
    }
}

fn claims(blocks: &[Block<'_>]) -> Vec<Claim> {
    let family = Family::minus_each(blocks, "surrogate", &RIVALS, "return");
    let certificate = Family::of(blocks, &[("surrogate", "surrogate-off"), ("corrupt", "corrupt-off")], "return");
    let fewer = blocks.iter().flat_map(|block| ["ask", "value"].map(|rival| (block, rival)));
    let fewer = fewer.filter_map(|(block, rival)| {
        let (ours, theirs) = (block.mean("surrogate", "calls")?, block.mean(rival, "calls")?);
        let place = format!("{} against {rival} ({} of {})", block.label(), fixed(ours, 0), fixed(theirs, 0));
        Some((place, Some(ours <= 0.5 * theirs)))
    });
    let screened = blocks.iter().filter_map(|block| {
        let of = |arm, heading| block.mean(arm, heading);
        let (clean, tampered) = (of("corrupt", "accepted, untouched")?, of("corrupt", "accepted, corrupted")?);
        let place = format!("{} (untouched {}, corrupted {})", block.label(), fixed(clean, 3), fixed(tampered, 3));
        Some((place, Some(tampered < clean)))
    });
    vec![
        everywhere("the surrogate makes at most half the calls of the uncertainty gates", fewer),
        family.claim("it returns more than the uncertainty gates", |member| member.baseline != "never", Member::above),
        family.claim(
            "it does not differ clearly from never-query",
            |member| member.baseline == "never",
            Member::unclear,
        ),
        certificate.claim("the certificate makes no clear difference to return", |_| true, Member::unclear),
        everywhere(
            "with a quarter corrupted, the certificate admits corrupted answers less often than others",
            screened,
        ),
    ]
}
