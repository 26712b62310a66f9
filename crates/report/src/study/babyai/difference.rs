//! Paired differences as columns of a table.

use counsel_stats::PairedComparison;

use super::block::{Arm, Block};
use super::family::{Family, Member};
use crate::{Cell, Column};

/// Decimals of a difference.
const DECIMALS: usize = 4;

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
    /// The headings of the difference, its p value and that after Holm's adjustment. The first contrast of a table also has
    /// a BCa interval, and is spared its full name on each heading.
    pub(super) fn columns(&self, place: usize) -> Vec<Column> {
        let heading = match self.versus {
            Versus::Baseline(baseline) => format!("{} minus {baseline}", self.heading),
            Versus::Ours(ours) => format!("{} of {ours} minus arm", self.heading),
            Versus::Uncertified => format!("{} minus certificate off", self.heading),
            Versus::Zero => self.heading.to_owned(),
        };
        let rest: Vec<String> = if place == 0 {
            ["BCa low", "BCa high", "p", "p (Holm)"].map(str::to_owned).to_vec()
        } else {
            ["p", "p (Holm)"].map(|name| format!("{name}: {heading}")).to_vec()
        };
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

    /// The cells of one arm's row, below the headings of [`Contrast::columns`].
    pub(super) fn cells(&self, place: usize, block: &Block<'_>, arm: &Arm<'_>, families: &[Family]) -> Vec<Cell> {
        let (treatment, baseline) = (self.treatment(arm.name), self.baseline(arm.name));
        let adjusted = families.iter().find_map(|family| family.find(block.name, treatment, &baseline)?.adjusted);
        let differences = if treatment == baseline { Vec::new() } else { self.differences(block, arm.name) };
        let Some(Member { paired, .. }) = Member::new(block, treatment, &baseline, &differences) else {
            return vec![Cell::not_applicable(); self.columns(place).len()];
        };
        let end = |end: f64| Cell::number(end, DECIMALS);
        let mut cells = vec![mean_difference(&paired, DECIMALS)];
        if place == 0 {
            let ends = paired.bca_interval.map(|interval| [end(interval.low), end(interval.high)]);
            cells.extend(ends.unwrap_or_else(|| [Cell::not_applicable(), Cell::not_applicable()]));
        }
        cells.extend([probability(paired.p_value), probability(adjusted)]);
        cells
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
