//! Every arm of a file against one baseline, on shared seeds.
//!
//! For each arm: the mean of `arm - baseline`, its 95 % Student half width, its BCa bootstrap interval (9999 resamples,
//! seed 0), the two-sided paired t test, and Holm's correction over the arms of the same family, or over all arms if
//! the file has no families. A baseline that stands alone in a family of its own serves every family. Families and arms keep the order in which they first appear in the file. Pairs are sorted
//! by seed before the bootstrap, so the order of the lines does not change a number. With one seed there is a mean and
//! nothing else.

use std::collections::{BTreeMap, BTreeSet};

use counsel_decision::refusal::UnknownName;
use counsel_stats::{Bootstrap, PairedComparison, holm};
use serde::Serialize;

use crate::{ArmName, Column, Entry, Error, Format, Observation, Observations, Rank, Table, Traces, View, delimited};

/// Seed of the bootstrap: fixed, so that a file has one report.
const BOOTSTRAP_SEED: u64 = 0;
/// The level against which the caption counts corrected p values.
const LEVEL: f64 = 0.05;

/// One arm against the baseline.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ArmComparison {
    /// The family of comparisons it belongs to, if the file has families.
    pub family: Option<String>,
    /// The arm.
    pub arm: String,
    /// The comparison of the arm with the baseline.
    pub paired: PairedComparison,
    /// The p value after Holm's correction; `None` with one seed.
    pub p_holm: Option<f64>,
}

/// Every arm against the baseline.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairedReport {
    /// What the arms are compared with.
    pub baseline: String,
    /// Family by family, arms in order of first appearance.
    pub arms: Vec<ArmComparison>,
}

/// The values of one arm in one family by seed.
type ValuesBySeed<'a> = BTreeMap<SeedOrder<'a>, f64>;

impl PairedReport {
    /// Pairs every arm with `baseline` by seed, within its family.
    pub fn compare(observations: &Observations, baseline: &str) -> Result<Self, Error> {
        let arms = in_order(observations.rows().iter().map(|row| row.arm.as_str()));
        if !arms.contains(&baseline) {
            return Err(Error::UnknownBaseline(UnknownName::among(baseline, arms)));
        }
        let mut report = Self { baseline: baseline.to_owned(), arms: Vec::new() };
        let families = in_order(observations.rows().iter().map(|row| row.family.as_deref()));
        let shared = families.iter().copied().find(|family| serves_all(observations, baseline, *family));
        for family in families.into_iter().filter(|family| Some(*family) != shared) {
            let mut values: BTreeMap<&str, ValuesBySeed> = BTreeMap::new();
            let belongs = |row: &&Observation| {
                row.family.as_deref() == family || (Some(row.family.as_deref()) == shared && row.arm == baseline)
            };
            for row in observations.rows().iter().filter(belongs) {
                values.entry(&row.arm).or_default().insert(SeedOrder::of(&row.seed), row.value);
            }
            let here: Vec<&str> = arms.iter().copied().filter(|arm| values.contains_key(arm)).collect();
            report.arms.extend(compare_family(family, baseline, &here, &values)?);
        }
        Ok(report)
    }

    /// The report as a table. Its CSV form has a last column `runs`, which [`PairedReport::render`] leaves out.
    pub fn table(&self) -> Result<Table, Error> {
        let with_families = self.arms.iter().any(|row| row.family.is_some());
        let numbers = ["n", "mean_difference", "ci95_half_width", "bca_low", "bca_high", "p", "p_holm"];
        let family = with_families.then(|| Column::left("family"));
        let number = |name| {
            let rank = if ["n", "mean_difference", "p_holm"].contains(&name) { Rank::Main } else { Rank::Next };
            let column = Column::right(name).ranked(rank);
            if name == "bca_high" { column.joined() } else { column }
        };
        let columns = [Column::left("arm")].into_iter().chain(numbers.map(number)).chain(family);
        let mut table = Table::new("paired", format!("Paired differences from {}", self.baseline), columns);
        table.caption = self.caption(with_families);
        if self.arms.iter().any(|row| row.p_holm.is_none()) {
            table.notes.push("One seed gives a mean difference, but no interval and no p value.".to_owned());
        }
        table.notes.extend(self.note_of_equal_differences());
        let decimals = self.decimals();
        let number =
            |value: Option<f64>| value.map_or_else(Entry::not_applicable, |value| Entry::number(value, decimals));
        let p_value = |p: Option<f64>| p.map_or_else(Entry::not_applicable, Entry::p_value);
        for row in &self.arms {
            let paired = &row.paired;
            let family = row.family.as_ref().map(Entry::text);
            let entries = [
                Entry::text(&row.arm),
                Entry::count(paired.n as u64),
                number(Some(paired.mean_difference)),
                number(paired.half_width()),
                number(paired.bca_interval.map(|interval| interval.low)),
                number(paired.bca_interval.map(|interval| interval.high)),
                p_value(paired.p_value),
                p_value(row.p_holm),
            ];
            table.push(entries.into_iter().chain(family))?;
        }
        Ok(table)
    }

    /// Writes the report. As CSV it has the columns of [`PairedReport::table`] and no other, at full precision.
    pub fn render(&self, view: &View) -> Result<String, Error> {
        let whole = [self.table()?];
        let tables = view.narrowed(&whole)?;
        Ok(match view.format {
            Format::Csv => delimited::block(&tables[0], Traces::Hidden, delimited::Origin::Implied),
            Format::Text | Format::Markdown | Format::Latex | Format::Json => view.write(&tables),
        })
    }

    fn caption(&self, with_families: bool) -> String {
        let (all, baseline) = (self.arms.len(), &self.baseline);
        let clear = self.arms.iter().filter(|row| row.p_holm.is_some_and(|p| p <= LEVEL)).count();
        let scope = if with_families { "the arms of a family" } else { "all arms" };
        format!(
            "{clear} of {all} comparison(s) with {baseline} differ at {LEVEL} after Holm's correction over {scope}. \
             Mean of arm minus {baseline} on shared seeds, 95 % Student half width, 95 % BCa bootstrap interval \
             (9999 resamples, seed {BOOTSTRAP_SEED}), two-sided paired t test."
        )
    }

    /// Which p values rest on signs alone. Differences that are all zero need no word: their p value is 1 by any test.
    fn note_of_equal_differences(&self) -> Option<String> {
        let rests_on_signs = |row: &&ArmComparison| row.paired.equal_differences && row.paired.mean_difference != 0.0;
        let arms: Vec<&str> = self.arms.iter().filter(rests_on_signs).map(|row| row.arm.as_str()).collect();
        (!arms.is_empty()).then(|| {
            let arms = arms.join(", ");
            format!(
                "The differences of {arms} are all equal, so their spread of zero is no evidence: p is that of the sign \
                 test, 2/2^n, the least that n seeds can say."
            )
        })
    }

    /// Decimals that give the largest mean difference or half width four digits.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    fn decimals(&self) -> usize {
        let sizes = self.arms.iter().flat_map(|row| [Some(row.paired.mean_difference), row.paired.half_width()]);
        let largest = sizes.flatten().map(f64::abs).fold(0.0, f64::max);
        if largest > 0.0 { (3.0 - largest.log10().floor()).clamp(0.0, 12.0) as usize } else { 3 }
    }
}

/// Whether the baseline stands alone in this family and in no other, so that it is meant for all of them.
fn serves_all(observations: &Observations, baseline: &str, family: Option<&str>) -> bool {
    let mut rows = observations.rows().iter();
    observations.rows().iter().any(|row| row.family.as_deref() != family)
        && rows.all(|row| (row.arm == baseline) == (row.family.as_deref() == family))
}

/// The comparisons of one family, whose arms are given in order.
fn compare_family(
    family: Option<&str>,
    baseline: &str,
    arms: &[&str],
    values: &BTreeMap<&str, ValuesBySeed>,
) -> Result<Vec<ArmComparison>, Error> {
    let name = |arm: &str| ArmName { arm: arm.to_owned(), family: family.map(str::to_owned) };
    let Some(control) = values.get(baseline) else {
        return Err(Error::FamilyWithoutBaseline {
            baseline: baseline.to_owned(),
            family: family.unwrap_or_default().to_owned(),
            arms: arms.iter().map(ToString::to_string).collect(),
        });
    };
    let mut comparisons = Vec::new();
    for (&arm, treatment) in arms.iter().filter(|arm| **arm != baseline).filter_map(|arm| Some((arm, values.get(arm)?)))
    {
        check_seeds((name(arm), treatment), (name(baseline), control))?;
        check_seeds((name(baseline), control), (name(arm), treatment))?;
        let treatment: Vec<f64> = treatment.values().copied().collect();
        let control: Vec<f64> = control.values().copied().collect();
        let paired = PairedComparison::new(&treatment, &control, &Bootstrap::seeded(BOOTSTRAP_SEED))
            .map_err(|source| Error::Statistics { arm: name(arm), source })?;
        comparisons.push(ArmComparison {
            family: family.map(str::to_owned),
            arm: arm.to_owned(),
            paired,
            p_holm: None,
        });
    }
    if comparisons.is_empty() {
        return Err(Error::NothingToCompare { baseline: name(baseline) });
    }
    // All arms of a family have the seeds of its baseline, so either all of them have a p value or none.
    let p_values: Option<Vec<f64>> = comparisons.iter().map(|row| row.paired.p_value).collect();
    if let Some(p_values) = p_values {
        let corrected = holm(&p_values).map_err(|source| Error::Statistics { arm: name(baseline), source })?;
        for (row, p) in comparisons.iter_mut().zip(corrected) {
            row.p_holm = Some(p);
        }
    }
    Ok(comparisons)
}

/// Refuses an arm without some seeds of the other.
fn check_seeds(
    (arm, values): (ArmName, &ValuesBySeed),
    (other, needed): (ArmName, &ValuesBySeed),
) -> Result<(), Error> {
    let seeds: Vec<String> =
        needed.keys().filter(|seed| !values.contains_key(seed)).map(|seed| seed.text.to_owned()).collect();
    if seeds.is_empty() { Ok(()) } else { Err(Error::MissingSeeds { arm, other, seeds }) }
}

/// Seeds that are whole numbers come first, by size; others follow, by text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct SeedOrder<'a> {
    number: (bool, u64),
    text: &'a str,
}

impl<'a> SeedOrder<'a> {
    fn of(text: &'a str) -> Self {
        let number = text.parse().map_or((true, 0), |number| (false, number));
        Self { number, text }
    }
}

/// Each item once, at its first appearance.
pub(crate) fn in_order<T: Copy + Ord>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = BTreeSet::new();
    items.filter(|item| seen.insert(*item)).collect()
}
