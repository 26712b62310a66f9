//! One paired difference pooled over studies: block by block, and over the blocks that all studies share.
//!
//! Seeds of two studies are unrelated runs, so two studies that have the same two arms in the same block measure the same
//! difference twice, independently. Within a study arms are paired by seed, and blocks share the luck of their seeds: they are
//! averaged seed by seed before studies are pooled ([`counsel_stats::Pooled`]). Blocks are the same where their names are;
//! settings that differ are named in a note. A study that two folders hold counts twice if their seeds are not the same.

use std::collections::BTreeMap;

use counsel_log::study::{Measure, matches};
use counsel_log::{Run, first_difference};
use counsel_stats::{Interval, Moments, Pooled, holm};
use serde_json::Value;

use super::collect::{Watch, each_log, gather, studies};
use super::family::{LEVEL, compared};
use super::measure::{CellLog, measure};
use super::results::{Arm, Block, Results, difference};
use crate::{Column, Entry, Error, Rank, Table};

/// A standard error below this is what rounding leaves.
const ROUNDING: f64 = 1e-12;

/// What is pooled.
#[derive(Debug, Clone, PartialEq)]
pub struct Pooling {
    /// The arm from which something is subtracted.
    pub treatment: String,
    /// The arm that is subtracted.
    pub baseline: String,
    /// What is compared.
    pub measure: Measure,
    /// The blocks, by pattern; all of them where none is named.
    pub blocks: Vec<String>,
}

/// The same difference in one block of one study.
#[derive(Debug, Clone)]
struct Part {
    study: String,
    by_seed: BTreeMap<u64, f64>,
    settings: Value,
    runs: Vec<String>,
}

/// The parts of every block, in the order in which they are met.
type Parts = Vec<(String, Vec<Part>)>;

/// The pooled table of these studies, or of all, in one or more folders of runs.
pub fn study_pooled(
    runs: &[Run],
    wanted: Option<&[String]>,
    pooling: &Pooling,
    watch: Watch<'_>,
) -> Result<Table, Error> {
    let mut parts = Parts::new();
    let mut unseen: Vec<String> = wanted.map(<[String]>::to_vec).unwrap_or_default();
    let mut known = Vec::new();
    for run in runs {
        for mut found in studies(run, None)? {
            let id = found.sheet.id.clone();
            known.push(id.clone());
            unseen.retain(|name| *name != id);
            if wanted.is_some_and(|wanted| !wanted.contains(&id)) {
                continue;
            }
            let is_meant = |arm: &str| [&pooling.treatment, &pooling.baseline].iter().any(|meant| *meant == arm);
            found.keys.retain(|key| is_meant(found.sheet.account.split(&key.arm).1));
            let number = |log: &CellLog<'_>| vec![(pooling.measure, measure(pooling.measure, log))];
            let cells = each_log(run, &found, watch, number)?;
            add(&mut parts, pooling, &gather(&found.sheet, cells))?;
        }
    }
    if let Some(study) = unseen.into_iter().next() {
        return Err(Error::NoStudy { study, known });
    }
    if parts.is_empty() {
        let Pooling { treatment, baseline, .. } = pooling;
        return Err(Error::NoPair { treatment: treatment.clone(), baseline: baseline.clone() });
    }
    table(pooling, &parts)
}

/// Adds what one study has of the difference.
fn add(parts: &mut Parts, pooling: &Pooling, results: &Results) -> Result<(), Error> {
    let fits = |block: &&Block| pooling.blocks.is_empty() || pooling.blocks.iter().any(|of| matches(of, &block.name));
    for block in results.blocks.iter().filter(fits) {
        let (Some(one), Some(other)) = (block.arm(&pooling.treatment), block.arm(&pooling.baseline)) else { continue };
        if one.name == other.name {
            continue;
        }
        let values = |arm: &Arm| arm.by_seed(pooling.measure);
        let part = Part {
            study: results.study.clone(),
            by_seed: difference(&values(one), &values(other)),
            settings: one.spec.clone(),
            runs: [one, other].map(|arm| arm.trace(&results.study)).to_vec(),
        };
        if part.by_seed.is_empty() {
            continue;
        }
        let place = parts.iter().position(|(name, _)| *name == block.name).unwrap_or_else(|| {
            parts.push((block.name.clone(), Vec::new()));
            parts.len() - 1
        });
        let there = &mut parts[place].1;
        let shared = there.iter().filter(|known| known.study == part.study);
        let twice = shared.flat_map(|known| known.by_seed.keys()).find(|seed| part.by_seed.contains_key(seed));
        if let Some(seed) = twice {
            return Err(Error::SharedSeed { study: part.study, seed: *seed });
        }
        there.push(part);
    }
    Ok(())
}

/// Of every study, the mean over the blocks that all have, seed by seed; none where these are fewer than two.
fn over_blocks(parts: &Parts) -> Option<(String, Vec<Part>)> {
    let mut studies: Vec<Vec<&Part>> = Vec::new();
    let is_whole =
        |(_, of): &&(String, Vec<Part>)| of.len() == parts.iter().map(|(_, all)| all.len()).max().unwrap_or(0);
    let shared: Vec<&(String, Vec<Part>)> = parts.iter().filter(is_whole).collect();
    for (_, of) in &shared {
        for part in of {
            let same = |known: &&mut Vec<&Part>| {
                known[0].study == part.study && known[0].by_seed.keys().eq(part.by_seed.keys())
            };
            match studies.iter_mut().find(same) {
                Some(known) => known.push(part),
                None => studies.push(vec![part]),
            }
        }
    }
    let count = shared.len();
    let complete = studies.iter().all(|study| study.len() == count);
    let mean = |study: &Vec<&Part>| {
        let at = |seed: &u64| study.iter().map(|part| part.by_seed[seed]).sum::<f64>() / count as f64;
        Part {
            study: study[0].study.clone(),
            by_seed: study[0].by_seed.keys().map(|seed| (*seed, at(seed))).collect(),
            settings: Value::Null,
            runs: study.iter().flat_map(|part| part.runs.clone()).collect(),
        }
    };
    (count > 1 && complete).then(|| (format!("mean over {count} blocks"), studies.iter().map(mean).collect()))
}

/// The parts of a block together; none where fewer than two can be weighted.
fn pooled(parts: &[Part]) -> Option<Pooled> {
    let (mut means, mut errors) = (Vec::new(), Vec::new());
    for part in parts {
        let differences: Vec<f64> = part.by_seed.values().copied().collect();
        let Ok(moments) = Moments::of(&differences) else { continue };
        // A difference that is the same on every seed, up to rounding, has no weight of its own.
        let error = moments.standard_error().filter(|error| *error > ROUNDING);
        if let Some(error) = error {
            means.push(moments.mean);
            errors.push(error);
        }
    }
    (means.len() > 1).then(|| Pooled::of(&means, &errors, 0.95).ok()).flatten()
}

fn table(pooling: &Pooling, parts: &Parts) -> Result<Table, Error> {
    let Pooling { treatment, baseline, measure, .. } = pooling;
    let mut table = Table::new(
        "pooled",
        format!("{measure}: {treatment} minus {baseline}, pooled over studies"),
        [
            Column::left("block"),
            Column::left("study"),
            Column::right("seeds").ranked(Rank::Next),
            Column::right("difference").ranked(Rank::Main),
            Column::right("random effects").ranked(Rank::Main),
            Column::right("p").ranked(Rank::Next),
            Column::right("p (Holm)").ranked(Rank::Main),
            Column::right("Q"),
            Column::right("p of Q").ranked(Rank::Next),
            Column::right("I²").ranked(Rank::Main),
            Column::right("tau").ranked(Rank::Next),
        ],
    );
    let rows: Parts = parts.iter().cloned().chain(over_blocks(parts)).collect();
    let found: Vec<Option<Pooled>> = rows.iter().map(|(_, parts)| pooled(parts)).collect();
    let p_values: Vec<f64> = found.iter().flatten().filter_map(|pooled| pooled.random.p_value).collect();
    let mut adjusted = holm(&p_values).unwrap_or_default().into_iter();
    for ((block, parts), pooled) in rows.iter().zip(&found) {
        for part in parts {
            let values: Vec<f64> = part.by_seed.values().copied().collect();
            let ends = compared(&values).and_then(|paired| paired.t_interval);
            let study = part.runs.iter().fold(Entry::text(&part.study), Entry::traced);
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let mut row = vec![Entry::text(block), study, Entry::count(values.len() as u64), shown(mean, ends)];
            row.resize_with(table.columns().len(), Entry::not_applicable);
            table.push(row)?;
        }
        let Some(pooled) = pooled else { continue };
        let holm = adjusted.next();
        let clear = pooled.random.interval.is_some_and(|ends| ends.excludes(0.0)) && holm.is_some_and(|p| p < LEVEL);
        let random = shown(pooled.random.estimate, pooled.random.interval);
        let p = |p: Option<f64>| p.map_or_else(Entry::not_applicable, Entry::p_value);
        let seeds: usize = parts.iter().map(|part| part.by_seed.len()).sum();
        table.push(vec![
            Entry::text(block),
            Entry::text(format!("{} together", pooled.studies)),
            Entry::count(seeds as u64),
            shown(pooled.fixed.estimate, pooled.fixed.interval),
            if clear { random.emphasised() } else { random },
            p(pooled.random.p_value),
            p(holm),
            Entry::number(pooled.heterogeneity, 2),
            p(pooled.heterogeneity_p),
            Entry::number(pooled.inconsistency, 2),
            Entry::number(pooled.between, 3),
        ])?;
    }
    table.emphasis = Some("the random-effects interval excludes zero, and p (Holm) is below 0.05".into());
    table.notes = notes(pooling, parts);
    Ok(table)
}

/// What a reader has to know, and which settings are not the same in all studies.
fn notes(pooling: &Pooling, parts: &Parts) -> Vec<String> {
    let mut notes = vec![
        "a study's difference is paired by seed, with its 95 % Student interval; seeds of two studies are unrelated, so \
         studies are independent; blocks of one study are not, and are averaged seed by seed before studies are pooled"
            .to_owned(),
        "together, under `difference`: inverse-variance weights, one effect for all studies (normal interval); random effects: \
         DerSimonian and Laird, with Student's interval over studies and Hartung and Knapp's standard error where that is \
         larger; p and p (Holm, over the pooled rows) are those of random effects; I² is the share of Q beyond chance, tau the \
         standard deviation between studies"
            .to_owned(),
    ];
    let mut told: Vec<&str> = Vec::new();
    for (block, parts) in parts {
        let Some((first, others)) = parts.split_first() else { continue };
        for other in others.iter().filter(|other| other.settings != first.settings) {
            if told.contains(&other.study.as_str()) {
                continue;
            }
            told.push(&other.study);
            let place =
                if block.is_empty() { pooling.treatment.clone() } else { format!("{block}.{}", pooling.treatment) };
            let what = first_difference(&first.settings, &other.settings);
            notes.push(format!("settings of {place} differ: {what} ({} there, {} here)", first.study, other.study));
        }
    }
    notes
}

/// A number with the half width of its interval, where it has one.
fn shown(value: f64, interval: Option<Interval>) -> Entry {
    interval.map_or_else(|| Entry::number(value, 3), |ends| Entry::interval(value, ends.half_width, 3))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::specimen::Measured;
    use super::*;
    use crate::Content;

    const RETURN: Measure = Measure::Return;

    fn pooling() -> Pooling {
        Pooling { treatment: "ours".into(), baseline: "never".into(), measure: RETURN, blocks: Vec::new() }
    }

    /// A study whose arms differ by these, in blocks of these names.
    fn study(name: &str, blocks: &[(&str, [f64; 4])]) -> Results {
        let arms = |measured: Measured, (block, gains): &(&str, [f64; 4])| {
            let price = json!({ "price": name.len() });
            measured.set(block, "ours", price, &[(RETURN, gains)]).arm(block, "never", &[(RETURN, &[0.0; 4])])
        };
        Results { study: name.into(), ..blocks.iter().fold(Measured::new(), arms).results() }
    }

    fn pool(studies: &[Results]) -> Result<Table, Error> {
        let mut parts = Parts::new();
        studies.iter().try_for_each(|results| add(&mut parts, &pooling(), results))?;
        table(&pooling(), &parts)
    }

    const CLEAR: [f64; 4] = [0.09, 0.10, 0.11, 0.12];
    const FAINT: [f64; 4] = [0.05, 0.15, 0.0, 0.1];

    fn of(table: &Table, block: &str, study: &str) -> Vec<Content> {
        let text = |entry: &Entry| entry.content.plain();
        let rows = table.rows().iter().filter(|row| text(&row.entries[0]) == block && text(&row.entries[1]) == study);
        rows.flat_map(|row| row.entries.iter().map(|entry| entry.content.clone())).collect()
    }

    #[test]
    fn the_same_block_of_two_studies_is_pooled_by_precision() {
        let table = pool(&[study("main", &[("obj", CLEAR)]), study("exact", &[("obj", FAINT)])]).unwrap();
        assert_eq!(table.rows().len(), 3, "a row for each study, and one for both");
        let together = of(&table, "obj", "2 together");
        let Content::Interval { mean, half_width, .. } = together[3] else { panic!("{together:?}") };
        // Standard errors 0.00645 and 0.03227: the first has 25 times the weight of the second.
        assert!((mean - (25.0 * 0.105 + 0.075) / 26.0).abs() < 1e-4, "{mean}");
        assert!(half_width < 0.013, "{half_width}");
        assert_eq!(together[2], Content::Count { count: 8 });
        let Content::Interval { half_width: random, .. } = together[4] else { panic!("{together:?}") };
        assert!(random > half_width, "two studies say little of others");
        assert!(table.notes.iter().any(|note| note.contains("price is 4 there and 5 here")), "{:?}", table.notes);
    }

    #[test]
    fn blocks_of_a_study_are_averaged_by_seed_before_studies_are_pooled() {
        let mirrored = FAINT.map(|gain| 0.2 - gain);
        let one = study("main", &[("obj", FAINT), ("local", mirrored)]);
        let other = study("exact", &[("obj", CLEAR), ("local", FAINT), ("door", CLEAR)]);
        let table = pool(&[one, other]).unwrap();
        // `door` is in one study alone, so the mean is over the two others.
        let mean = of(&table, "mean over 2 blocks", "main");
        let Content::Interval { mean, half_width, .. } = mean[3] else { panic!("{mean:?}") };
        assert!((mean - 0.1).abs() < 1e-12 && half_width < 1e-9, "what one block loses on a seed the other wins");
        assert!(of(&table, "door", "1 together").is_empty() && !of(&table, "door", "exact").is_empty());
        assert!(of(&table, "mean over 2 blocks", "2 together").is_empty(), "a mean without spread has no weight");
    }

    #[test]
    fn the_same_runs_do_not_count_twice() {
        let error = pool(&[study("main", &[("obj", CLEAR)]), study("main", &[("obj", FAINT)])]).unwrap_err();
        assert!(error.to_string().contains("seed 0 of study `main`"), "{error}");
    }
}
