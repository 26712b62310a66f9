//! `babyai-corruption`: does the certificate reject corrupted advice?

use super::answer::{acceptance_of, accuracy, corrupted, count_of, replayed_without_certificate, right, untouched};
use super::block::Block;
use super::column::{outcome, remarks};
use super::difference::{Contrast, Versus};
use super::family::{Family, Member, everywhere};
use super::layout::{ADVISOR, Layout, Rows, Setting, TASK};
use crate::number::fixed;
use crate::study::claim::Claim;
use crate::study::description::{Show, column};
use crate::study::measure::{CellLog, wrong_advice};

const TAMPERED: &str = "untouched minus corrupted";
const MISTAKEN: &str = "right minus wrong";
const REPLAYED: &str = "certificate-off rule on the same corrupted answers";

pub(super) fn layout() -> Layout {
    let arms: &[&[&str]] = &[&["beta-conf", "beta-0"]];
    let contrasts = vec![
        Contrast { versus: Versus::Zero, heading: TAMPERED, families: arms },
        Contrast { versus: Versus::Zero, heading: MISTAKEN, families: arms },
        Contrast { versus: Versus::Uncertified, heading: "return", families: &[&["beta-conf", "clean"]] },
    ];
    let mut columns = outcome();
    columns.extend([
        column("right answers", Show::Mean(3), accuracy),
        column("accepted, untouched", Show::Mean(3), |log| acceptance_of(log, untouched)),
        column("accepted, corrupted", Show::Mean(3), |log| acceptance_of(log, corrupted)),
        column("corrupted answers", Show::Mean(1), |log| Some(count_of(log, corrupted))),
        column(REPLAYED, Show::Mean(3), |log| replayed_without_certificate(log, corrupted)),
        column("accepted, right", Show::Mean(3), |log| acceptance_of(log, right)),
        column("accepted, wrong", Show::Mean(3), |log| acceptance_of(log, wrong_advice)),
        column(TAMPERED, Show::Hidden, tampered_gap),
        column(MISTAKEN, Show::Hidden, mistaken_gap),
    ]);
    let mut remarks = remarks();
    remarks.push(
        "acceptance of untouched and corrupted answers goes by what was done to them; a corrupted answer may still be right \
         and an untouched one wrong, so right and wrong are counted apart; the gaps are taken within each seed that has both"
            .into(),
    );
    Layout {
        settings: vec![TASK, ADVISOR, Setting { heading: "corruption", path: &["corruption"] }],
        columns,
        rows: Rows::Arms { contrasts, derived: Vec::new() },
        claims,
        remarks,
    }
}

/// How much more often untouched answers are executed than corrupted ones.
fn tampered_gap(log: &CellLog<'_>) -> Option<f64> {
    Some(acceptance_of(log, untouched)? - acceptance_of(log, corrupted)?)
}

/// How much more often right answers are executed than wrong ones.
fn mistaken_gap(log: &CellLog<'_>) -> Option<f64> {
    Some(acceptance_of(log, right)? - acceptance_of(log, wrong_advice)?)
}

/// The gaps of these arms in every block, adjusted together.
fn gaps(blocks: &[Block<'_>], heading: &str) -> Family {
    let gap = |block: &Block<'_>, arm: &str| Member::new(block, arm, "", &block.values(arm, heading)?);
    let of = |block| ["beta-conf", "beta-0"].map(|arm| gap(block, arm)).into_iter().flatten();
    Family::new(blocks.iter().flat_map(of))
}

fn claims(blocks: &[Block<'_>]) -> Vec<Claim> {
    let (tampered, mistaken) = (gaps(blocks, TAMPERED), gaps(blocks, MISTAKEN));
    let of = |arm: &'static str| move |member: &Member| member.treatment == arm;
    let certificate = Family::of(blocks, &[("beta-conf", "beta-conf-off"), ("clean", "clean-off")], "return");
    let replayed = blocks.iter().filter_map(|block| {
        let (off, on) = (block.mean("beta-conf", REPLAYED)?, block.mean("beta-conf", "accepted, corrupted")?);
        Some((format!("{} (off {}, on {})", block.label(), fixed(off, 2), fixed(on, 2)), Some(off == 1.0 && on < off)))
    });
    vec![
        tampered.claim(
            "beta-conf executes untouched answers more often than corrupted ones",
            of("beta-conf"),
            Member::above,
        ),
        tampered.claim("beta-0 does not clearly tell them apart", of("beta-0"), Member::unclear),
        mistaken.claim("beta-conf executes right answers more often than wrong ones", of("beta-conf"), Member::above),
        everywhere(
            "at the very opportunities of beta-conf the certificate-off rule executes every corrupted answer, the certificate fewer",
            replayed,
        ),
        certificate.claim("with half corrupted, the certificate costs return", of("beta-conf"), Member::below),
        certificate.claim("without corruption it makes no clear difference to return", of("clean"), Member::unclear),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::specimen::{Advice, asked, cell};
    use super::*;

    #[test]
    fn gaps_are_shares_of_each_kind() {
        let advice = |executed, tampered, gap| {
            asked(Advice { executed, corrupted: Some(tampered), gap: Some(gap), ..Advice::default() })
        };
        let cell = cell(vec![
            advice(true, false, 0.0),
            advice(true, false, 0.0),
            advice(false, false, 0.2),
            advice(true, true, 0.2),
            advice(false, true, 0.2),
            advice(false, true, 0.2),
            advice(false, true, 0.0),
            asked(Advice { usable: false, executed: false, corrupted: Some(true), ..Advice::default() }),
        ]);
        let log = cell.log();
        assert!((tampered_gap(&log).unwrap() - (2.0 / 3.0 - 1.0 / 4.0)).abs() < 1e-12);
        assert!((mistaken_gap(&log).unwrap() - (2.0 / 3.0 - 1.0 / 4.0)).abs() < 1e-12);
        assert_eq!(replayed_without_certificate(&log, corrupted), Some(1.0));
        assert_eq!(accuracy(&log), Some(3.0 / 7.0));
    }

    #[test]
    fn without_one_kind_there_is_no_gap() {
        let cell = cell(vec![asked(Advice { corrupted: Some(false), gap: Some(0.0), ..Advice::default() })]);
        assert_eq!((tampered_gap(&cell.log()), mistaken_gap(&cell.log())), (None, None));
    }
}
