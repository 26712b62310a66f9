//! `babyai-repeat`: asking again after a wrong answer.

use super::answer::{right, usable_answers, wrong_or_unusable};
use super::block::Block;
use super::column::effort;
use super::difference::{Contrast, Versus};
use super::family::{Family, Member, everywhere};
use super::layout::{ADVISOR, Layout, Rows, TASK};
use crate::number::fixed;
use crate::study::claim::Claim;
use crate::study::description::{Show, column};
use crate::study::measure::{calls, unusable};

const REPEATED: &str = "repeat-error rate";
const OTHERS: [&str; 2] = ["paraphrase", "repair"];

pub(super) fn layout() -> Layout {
    let identical = Contrast { versus: Versus::Ours("identical"), heading: REPEATED, families: &[&OTHERS] };
    let mut columns = vec![
        column("calls", Show::Mean(1), calls),
        column(REPEATED, Show::Interval(3), wrong_or_unusable),
        column("wrong or unusable, pooled", Show::Pooled("asked again"), |log| {
            Some(log.asked().count() as f64 - usable_answers(log).filter(|decision| right(decision)).count() as f64)
        }),
        column("unusable", Show::Mean(3), unusable),
        column("asked again", Show::Hidden, calls),
    ];
    columns.extend(effort());
    Layout {
        settings: vec![TASK, ADVISOR],
        columns,
        rows: Rows::Arms { contrasts: vec![identical], derived: Vec::new() },
        claims,
        remarks: vec![
            "each call asks a second time at a moment whose first answer was wrong; repeat-error rate: share of second \
             answers that are wrong or name no action; whether the second answer is the first one over again is not logged"
                .into(),
            "differences are paired by seed with 95 % Student intervals; p (Holm) is adjusted over all tasks, advisors \
             and both other ways of asking"
                .into(),
        ],
    }
}

fn claims(blocks: &[Block<'_>]) -> Vec<Claim> {
    let family = Family::minus_each(blocks, "identical", &OTHERS, REPEATED);
    let against = |arm: &'static str| move |member: &Member| member.baseline == arm;
    let little = |member: &Member| Some(member.paired.mean_difference < 0.1);
    let repeated = blocks.iter().filter_map(|block| {
        let rate = block.mean("identical", REPEATED)?;
        Some((format!("{} ({})", block.label(), fixed(rate, 3)), Some(rate >= 0.9)))
    });
    vec![
        everywhere("the same question repeats at least nine in ten errors", repeated),
        family.claim("other words lower that rate by less than a tenth", against("paraphrase"), little),
        family.claim(
            "telling that the first answer was wrong lowers it by less than a tenth",
            against("repair"),
            little,
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::specimen::{Advice, asked, cell};
    use super::*;

    #[test]
    fn unusable_answers_count_as_errors() {
        let cell = cell(vec![
            asked(Advice { gap: Some(0.0), ..Advice::default() }),
            asked(Advice { gap: Some(1.0), ..Advice::default() }),
            asked(Advice { usable: false, ..Advice::default() }),
            asked(Advice { gap: Some(1.0), ..Advice::default() }),
        ]);
        assert_eq!(wrong_or_unusable(&cell.log()), Some(0.75));
        assert_eq!(unusable(&cell.log()), Some(0.25));
    }
}
