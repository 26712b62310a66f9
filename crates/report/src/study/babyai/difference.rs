//! Paired differences as columns of a table.

use counsel_stats::PairedComparison;

use super::block::{Arm, Block};
use super::family::{Family, Member};
use crate::{Cell, Column};

/// What is subtracted from what, on the row of an arm.
#[derive(Debug, Clone, Copy)]
pub(super) enum Versus {
    /// The row's arm minus this one.
    Baseline(&'static str),
    /// This arm minus the row's.
    Ours(&'static str),
    /// The row's arm minus the same arm without a certificate, whose name ends in `-off`.
    Uncertified,
    /// Nothing: the column itself is a difference, and is compared with zero.
    Zero,
}

/// The paired difference of a column, as columns of the table.
pub(super) struct Contrast {
    pub(super) versus: Versus,
    /// The column that is compared.
    pub(super) heading: &'static str,
    /// The arms whose differences are adjusted together, over all blocks; several lists are several families.
    pub(super) families: &'static [&'static [&'static str]],
}

impl Contrast {
    /// The headings of the difference, its BCa interval, its p value and that after Holm's adjustment.
    /// Only the first contrast of a table is spared the full name on each.
    pub(super) fn columns(&self, place: usize) -> Vec<Column> {
        let heading = match self.versus {
            Versus::Baseline(baseline) => format!("{} minus {baseline}", self.heading),
            Versus::Ours(ours) => format!("{} of {ours} minus arm", self.heading),
            Versus::Uncertified => format!("{} minus certificate off", self.heading),
            Versus::Zero => format!("{} minus zero", self.heading),
        };
        let rest = ["BCa low", "BCa high", "p", "p (Holm)"]
            .map(|name| if place == 0 { name.to_owned() } else { format!("{name}: {heading}") });
        [heading].into_iter().chain(rest).map(Column::right).collect()
    }

    /// The families of this contrast.
    pub(super) fn families(&self, blocks: &[Block<'_>]) -> Vec<Family> {
        let member = |block: &Block<'_>, arm: &str| {
            Member::new(block, self.treatment(arm), &self.baseline(arm), &self.differences(block, arm))
        };
        let of_arms = |arms: &&[&str]| {
            Family::new(blocks.iter().flat_map(|block| arms.iter().filter_map(move |arm| member(block, arm))))
        };
        self.families.iter().map(of_arms).collect()
    }

    fn treatment<'a>(&self, arm: &'a str) -> &'a str {
        match self.versus {
            Versus::Ours(ours) => ours,
            Versus::Baseline(_) | Versus::Uncertified | Versus::Zero => arm,
        }
    }

    fn baseline(&self, arm: &str) -> String {
        match self.versus {
            Versus::Baseline(baseline) => baseline.to_owned(),
            Versus::Ours(_) => arm.to_owned(),
            Versus::Uncertified => format!("{arm}-off"),
            Versus::Zero => String::new(),
        }
    }

    fn differences(&self, block: &Block<'_>, arm: &str) -> Vec<f64> {
        match self.versus {
            Versus::Zero => block.values(arm, self.heading).unwrap_or_default(),
            _ => block.differences(self.treatment(arm), &self.baseline(arm), self.heading),
        }
    }

    /// The cells of one arm's row.
    pub(super) fn cells(&self, block: &Block<'_>, arm: &Arm<'_>, families: &[Family], decimals: usize) -> Vec<Cell> {
        let (treatment, baseline) = (self.treatment(arm.name), self.baseline(arm.name));
        let adjusted = families.iter().find_map(|family| family.find(block.name, treatment, &baseline)?.adjusted);
        let itself = treatment == baseline;
        let member = (!itself).then(|| Member::new(block, treatment, &baseline, &self.differences(block, arm.name)));
        member.flatten().map_or_else(
            || vec![Cell::not_applicable(); 5],
            |member| {
                let paired = &member.paired;
                let end = |end: Option<f64>| end.map_or_else(Cell::not_applicable, |end| Cell::number(end, decimals));
                vec![
                    mean_difference(paired, decimals),
                    end(paired.bca_interval.map(|interval| interval.low)),
                    end(paired.bca_interval.map(|interval| interval.high)),
                    probability(paired.p_value),
                    probability(adjusted),
                ]
            },
        )
    }
}

/// The mean difference with its 95 % half width, emphasised where the interval excludes zero.
pub(super) fn mean_difference(paired: &PairedComparison, decimals: usize) -> Cell {
    let cell = match paired.half_width() {
        Some(half_width) => Cell::interval(paired.mean_difference, half_width, decimals),
        None => Cell::number(paired.mean_difference, decimals),
    };
    let clear = paired.t_interval.is_some_and(|interval| interval.excludes(0.0));
    if clear { cell.emphasised() } else { cell }
}

/// A p value, where there is one.
pub(super) fn probability(p: Option<f64>) -> Cell {
    p.map_or_else(Cell::not_applicable, Cell::p_value)
}
