//! Exact statements: what these runs did, against limits that the study declares.
//!
//! Each gives the places it is about, with the number that decides, and whether the statement is true there. They say
//! nothing beyond these runs; a statement about seeds that were not run belongs to a family. Only the interval of a mean
//! can leave a limit open, when it straddles it.

use std::collections::BTreeMap;

use counsel_log::study::{
    Baseline, Best, Direction, Dominated, Gap, Level, Limit, Measure, Ordered, Pair, Ratio, Same, Spread, Statistic,
};

use super::results::{Arm, Block, Results, difference};
use super::standing::Standing;
use crate::number::fixed;

type Places = Vec<(String, Standing)>;

/// Digits after the point of a number in a note.
const DECIMALS: usize = 3;

pub(super) fn level(test: &Level, results: &Results) -> Places {
    let mut places = Vec::new();
    for (_, block) in results.fitting(&test.blocks) {
        for arm in block.fitting(&test.arms) {
            let told = match test.of {
                Statistic::Mean => arm.mean(test.measure).map(|mean| (number(mean), exactly(test.is, mean))),
                Statistic::EverySeed => every_seed(test, arm),
                Statistic::Interval => arm.interval(test.measure).map(|ends| {
                    let numbers = format!("[{}, {}]", number(ends.low), number(ends.high));
                    (numbers, straddle(test.is, ends.low, ends.high))
                }),
            };
            let name = if block.label.is_empty() || test.arms.len() > 1 { arm.name.as_str() } else { "" };
            places.extend(told.map(|(numbers, standing)| (format!("{} ({numbers})", block.place(name)), standing)));
        }
    }
    places
}

fn every_seed(test: &Level, arm: &Arm) -> Option<(String, Standing)> {
    let seeds = arm.measured(test.measure);
    let kept = seeds.iter().filter(|value| test.is.keeps(**value)).count();
    let all = seeds.len();
    (all > 0).then(|| (format!("{kept} of {all} seeds"), Standing::exactly(kept == all)))
}

/// A limit that both ends keep is kept; one that neither keeps is not; otherwise it is open. A limit on both sides may lie
/// within the interval and is open then.
fn straddle(limit: Limit, low: f64, high: f64) -> Standing {
    let within = match limit {
        Limit::Equal(_) | Limit::Within(..) => limit.keeps(f64::midpoint(low, high)),
        Limit::Below(_) | Limit::AtMost(_) | Limit::Above(_) | Limit::AtLeast(_) => false,
    };
    Standing::of(limit.keeps(low) && limit.keeps(high), !limit.keeps(low) && !limit.keeps(high) && !within)
}

/// Every pair of arms that is meant in every block, with its name in words. The second side must be an arm.
fn pairs<'a>(
    results: &'a Results,
    blocks: &'a [String],
    pairs: &'a [Pair],
    measure: Measure,
) -> Vec<(String, &'a Block, &'a Arm, &'a Arm)> {
    let mut found = Vec::new();
    for (place, block) in results.fitting(blocks) {
        for pair in pairs {
            let Baseline::Arm(other) = &pair.baseline else { continue };
            for one in results.meant(place, &pair.treatment, measure) {
                for other in results.meant(place, other, measure).into_iter().filter(|other| other.name != one.name) {
                    let several = block.label.is_empty() || pairs.len() > 1 || pair.treatment.contains('*');
                    let arms = if several { format!("{} to {}", one.name, other.name) } else { String::new() };
                    found.push((block.place(&arms), block, one, other));
                }
            }
        }
    }
    found
}

pub(super) fn ratio(test: &Ratio, results: &Results) -> Places {
    let told = |(place, block, one, other): (String, &Block, &Arm, &Arm)| {
        let start = match &test.from {
            Some(from) => block.arm(from)?.mean(test.measure)?,
            None => 0.0,
        };
        let (part, whole) = (one.mean(test.measure)? - start, other.mean(test.measure)? - start);
        // A share of nothing does not exist.
        let share = (whole > 0.0).then(|| part / whole)?;
        Some((format!("{place} ({} %)", fixed(100.0 * share, 1)), exactly(test.is, share)))
    };
    pairs(results, &test.blocks, &test.pairs, test.measure).into_iter().filter_map(told).collect()
}

pub(super) fn gap(test: &Gap, results: &Results) -> Places {
    let told = |(place, _, one, other): (String, &Block, &Arm, &Arm)| {
        let (one, other) = (one.mean(test.measure)?, other.mean(test.measure)?);
        Some((format!("{place} ({} and {})", number(one), number(other)), exactly(test.is, one - other)))
    };
    pairs(results, &test.blocks, &test.pairs, test.measure).into_iter().filter_map(told).collect()
}

pub(super) fn same(test: &Same, results: &Results) -> Places {
    let told = |(place, _, one, other): (String, &Block, &Arm, &Arm)| {
        let mut differences = difference(&one.by_seed(test.measure), &other.by_seed(test.measure));
        if let Some(without) = test.without {
            let amounts = one.by_seed(without);
            differences.retain(|seed, _| amounts.get(seed) == Some(&0.0));
        }
        let all = differences.len();
        let equal = differences.values().filter(|difference| **difference == 0.0).count();
        let most = differences.values().map(|difference| difference.abs()).fold(0.0, f64::max);
        let apart = if equal < all { format!(", at most {} apart", number(most)) } else { String::new() };
        (all > 0)
            .then(|| (format!("{place} (equal on {equal} of {all} seeds{apart})"), Standing::exactly(equal == all)))
    };
    pairs(results, &test.blocks, &test.pairs, test.measure).into_iter().filter_map(told).collect()
}

/// The arms of one order: where it is, and each arm with its place in the order and its number.
pub(super) fn ordered(test: &Ordered, results: &Results) -> Places {
    let value = |arm: &Arm| match test.per {
        None => arm.mean(test.measure),
        Some(per) => {
            let sum = |measure| arm.measured(measure).iter().sum::<f64>();
            let whole = sum(per);
            (whole > 0.0).then(|| sum(test.measure) / whole)
        }
    };
    let mut orders: BTreeMap<(usize, String), Vec<(f64, f64)>> = BTreeMap::new();
    for (place, block) in results.blocks.iter().enumerate() {
        let order = match &test.within {
            None => (place, block.label.clone()),
            Some(path) => {
                let Some(shared) = block.number(path) else { continue };
                (0, format!("{path} {shared}"))
            }
        };
        for arm in block.fitting(&test.arms) {
            let listed = || test.arms.iter().position(|name| *name == arm.name).map(|position| position as f64);
            let position = test.along.as_ref().map_or_else(listed, |path| arm.number(path));
            orders.entry(order.clone()).or_default().extend(position.zip(value(arm)));
        }
    }
    let told = |((_, place), mut points): ((usize, String), Vec<(f64, f64)>)| {
        points.sort_by(|one, other| one.0.total_cmp(&other.0));
        let kept = points.windows(2).all(|pair| follows(test.direction, pair[0].1, pair[1].1));
        let numbers: Vec<String> = points.iter().map(|(_, value)| number(*value)).collect();
        let parts = [place, format!("({})", numbers.join(" → "))];
        let place = parts.iter().filter(|part| !part.is_empty()).cloned().collect::<Vec<_>>().join(" ");
        // All arms in a listed order must be there; along a setting two are enough to go one way.
        let needed = if test.along.is_some() { 2 } else { test.arms.len().max(2) };
        (points.len() >= needed).then_some((place, Standing::exactly(kept)))
    };
    orders.into_iter().filter_map(told).collect()
}

fn follows(direction: Direction, before: f64, after: f64) -> bool {
    match direction {
        Direction::Rises => after > before,
        Direction::Falls => after < before,
        Direction::NeverFalls => after >= before,
        Direction::NeverRises => after <= before,
    }
}

pub(super) fn spread(test: &Spread, results: &Results) -> Places {
    let means: Vec<f64> = results.blocks.iter().filter_map(|block| block.arm(&test.arm)?.mean(test.measure)).collect();
    let (least, most) = means.iter().fold((f64::INFINITY, 0.0f64), |(l, m), mean| (l.min(*mean), m.max(*mean)));
    if means.len() < 2 || least <= 0.0 {
        return Vec::new();
    }
    vec![(format!("{} to {}", number(least), number(most)), exactly(test.is, most / least))]
}

pub(super) fn best_varies(test: &Best, results: &Results) -> Places {
    let best = |block: &Block| {
        let means = block.fitting(&test.arms).filter_map(|arm| Some((arm.name.clone(), arm.mean(test.measure)?)));
        means.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(name, _)| name)
    };
    let bests: Vec<String> = results.blocks.iter().filter_map(best).collect();
    let varies = bests.iter().any(|best| *best != bests[0]);
    if bests.len() > 1 { vec![(bests.join(", "), Standing::exactly(varies))] } else { Vec::new() }
}

/// Whether no other arm of the block gains as much at no more cost, with one of the two better.
pub(super) fn efficient(block: &Block, arm: &Arm, gained: Measure, paid: Measure) -> Option<bool> {
    let point = |arm: &Arm| Some((arm.mean(paid)?, arm.mean(gained)?));
    let (cost, gain) = point(arm)?;
    let dominates = |other: &Arm| point(other).is_some_and(|(c, g)| c <= cost && g >= gain && (c < cost || g > gain));
    Some(!block.arms.iter().any(dominates))
}

pub(super) fn dominated(test: &Dominated, results: &Results) -> Places {
    let told = |block: &Block| {
        let efficient = efficient(block, block.arm(&test.arm)?, test.gained, test.paid)?;
        Some((block.place(""), Standing::exactly(!efficient)))
    };
    results.blocks.iter().filter_map(told).collect()
}

fn exactly(limit: Limit, value: f64) -> Standing {
    Standing::exactly(limit.keeps(value))
}

fn number(value: f64) -> String {
    fixed(value, DECIMALS)
}
