//! Exact statements: what these runs did, against limits that the study declares.
//!
//! Each gives the places it is about, with the number that decides, and whether the statement is true there. They say
//! nothing beyond these runs; a statement about seeds that were not run belongs to a family. The exception is the interval of a
//! mean: it is widened so that all intervals of a statement are right together, and leaves a limit open when it straddles it.

use std::collections::BTreeMap;

use counsel_log::study::{
    Best, Direction, Dominated, Gap, Level, Limit, Measure, Ordered, Pair, Ratio, Same, Spread, Statistic,
};

use super::results::{Arm, Block, MatchedArms, Results, difference, highest};
use super::ruling::Ruling;
use crate::number::fixed;

type Rulings = Vec<(String, Ruling)>;

/// Digits after the point of a number in a note.
const DECIMALS: usize = 3;

pub(super) fn level(test: &Level, results: &Results) -> Rulings {
    let mut places = Vec::new();
    let arms = results.fitting(&test.blocks).flat_map(|(_, block)| block.fitting(&test.arms));
    let all = arms.filter(|arm| arm.mean(test.measure).is_some()).count();
    for (_, block) in results.fitting(&test.blocks) {
        for arm in block.fitting(&test.arms) {
            let told = match test.of {
                Statistic::Mean => arm.mean(test.measure).map(|mean| (number(mean), exactly(test.is, mean))),
                Statistic::EverySeed => every_seed(test, arm),
                Statistic::Interval => arm.interval_among(test.measure, all).map(|ends| {
                    let numbers = format!("[{}, {}]", number(ends.low), number(ends.high));
                    (numbers, straddle(test.is, ends.low, ends.high))
                }),
            };
            let name = if block.label.is_empty() || test.arms.len() > 1 { arm.name.as_str() } else { "" };
            places.extend(told.map(|(numbers, ruling)| (format!("{} ({numbers})", block.place(name)), ruling)));
        }
    }
    places
}

fn every_seed(test: &Level, arm: &Arm) -> Option<(String, Ruling)> {
    let seeds = arm.measured(test.measure);
    let kept = seeds.iter().filter(|value| test.is.keeps(**value)).count();
    let all = seeds.len();
    (all > 0).then(|| (format!("{kept} of {all} seeds"), Ruling::exactly(kept == all)))
}

/// A limit that both ends keep is kept; one that neither keeps is not; otherwise it is open. A limit on both sides may lie
/// within the interval and is open then.
fn straddle(limit: Limit, low: f64, high: f64) -> Ruling {
    let within = match limit {
        Limit::Equal(_) | Limit::Within(..) => limit.keeps(f64::midpoint(low, high)),
        Limit::Below(_) | Limit::AtMost(_) | Limit::Above(_) | Limit::AtLeast(_) => false,
    };
    Ruling::of(limit.keeps(low) && limit.keeps(high), !limit.keeps(low) && !limit.keeps(high) && !within)
}

/// Every pair of arms that is meant, with its place in words. The second side must be an arm.
fn pairs<'a>(
    results: &'a Results,
    blocks: &'a [String],
    pairs: &'a [Pair],
    measure: Measure,
) -> Vec<(String, &'a Block, &'a Arm, &'a Arm)> {
    let several = pairs.len() > 1 || pairs.iter().any(|pair| pair.treatment.contains('*'));
    let told = |MatchedArms { block, one, other, .. }: MatchedArms<'a>| {
        let (other, is_named) = (other?, several || block.label.is_empty());
        let arms = if is_named { format!("{} to {}", one.name, other.name) } else { String::new() };
        Some((block.place(&arms), block, one, other))
    };
    results.pairs(blocks, pairs, measure).into_iter().filter_map(told).collect()
}

pub(super) fn ratio(test: &Ratio, results: &Results) -> Rulings {
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

pub(super) fn gap(test: &Gap, results: &Results) -> Rulings {
    let told = |(place, _, one, other): (String, &Block, &Arm, &Arm)| {
        let (one, other) = (one.mean(test.measure)?, other.mean(test.measure)?);
        Some((format!("{place} ({} and {})", number(one), number(other)), exactly(test.is, one - other)))
    };
    pairs(results, &test.blocks, &test.pairs, test.measure).into_iter().filter_map(told).collect()
}

pub(super) fn same(test: &Same, results: &Results) -> Rulings {
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
        (all > 0).then(|| (format!("{place} (equal on {equal} of {all} seeds{apart})"), Ruling::exactly(equal == all)))
    };
    pairs(results, &test.blocks, &test.pairs, test.measure).into_iter().filter_map(told).collect()
}

/// The arms of one order: where it is, and each arm with its place in the order and its number.
pub(super) fn ordered(test: &Ordered, results: &Results) -> Rulings {
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
        let numbers = numbers.join(" → ");
        let place = if place.is_empty() { numbers } else { format!("{place} ({numbers})") };
        // All arms in a listed order must be there; along a setting two are enough to go one way.
        let needed = if test.along.is_some() { 2 } else { test.arms.len().max(2) };
        (points.len() >= needed).then_some((place, Ruling::exactly(kept)))
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

pub(super) fn spread(test: &Spread, results: &Results) -> Rulings {
    let means: Vec<f64> = results.blocks.iter().filter_map(|block| block.arm(&test.arm)?.mean(test.measure)).collect();
    let (least, most) = means.iter().fold((f64::INFINITY, 0.0f64), |(l, m), mean| (l.min(*mean), m.max(*mean)));
    if means.len() < 2 || least <= 0.0 {
        return Vec::new();
    }
    vec![(format!("{} to {}", number(least), number(most)), exactly(test.is, most / least))]
}

pub(super) fn best_varies(test: &Best, results: &Results) -> Rulings {
    let best = |block: &'_ Block| {
        let best = highest(block.fitting(&test.arms).collect(), |arm| arm.mean(test.measure));
        best.first().map(|arm| arm.name.clone())
    };
    let bests: Vec<String> = results.blocks.iter().filter_map(best).collect();
    let varies = bests.iter().any(|best| *best != bests[0]);
    if bests.len() > 1 { vec![(bests.join(", "), Ruling::exactly(varies))] } else { Vec::new() }
}

/// Whether no other arm of the block gains as much at no more cost, with one of the two better.
pub(super) fn efficient(block: &Block, arm: &Arm, gained: Measure, paid: Measure) -> Option<bool> {
    let point = |arm: &Arm| Some((arm.mean(paid)?, arm.mean(gained)?));
    let (cost, gain) = point(arm)?;
    let dominates = |other: &Arm| point(other).is_some_and(|(c, g)| c <= cost && g >= gain && (c < cost || g > gain));
    Some(!block.arms.iter().any(dominates))
}

pub(super) fn dominated(test: &Dominated, results: &Results) -> Rulings {
    let told = |block: &Block| {
        let efficient = efficient(block, block.arm(&test.arm)?, test.gained, test.paid)?;
        Some((block.place(""), Ruling::exactly(!efficient)))
    };
    results.blocks.iter().filter_map(told).collect()
}

fn exactly(limit: Limit, value: f64) -> Ruling {
    Ruling::exactly(limit.keeps(value))
}

fn number(value: f64) -> String {
    fixed(value, DECIMALS)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::finding::{families, statements};
    use super::super::specimen::{Measured, account};
    use super::*;

    const RETURN: Measure = Measure::Return;
    const CALLS: Measure = Measure::Calls;

    fn stands(test: &Value, results: &Results) -> Ruling {
        let account = account(json!({ "findings": [{ "words": "it is so", "test": test }] }));
        statements(&account, results, &families(&account, results))[0].ruling
    }

    fn priced(dearest: &[f64]) -> Results {
        let price = |price: f64| json!({ "price": price });
        Measured::new()
            .arm("obj", "never", &[(RETURN, &[0.3, 0.4]), (CALLS, &[0.0, 0.0])])
            .set("obj", "k050", price(0.05), &[(RETURN, dearest), (CALLS, &[0.0, 6.0])])
            .set("obj", "k0", price(0.0), &[(RETURN, &[0.5, 0.5]), (CALLS, &[60.0, 60.0])])
            .results()
    }

    #[test]
    fn arms_are_ordered_along_a_setting() {
        let order = |direction: &str| json!({ "ordered": { "measure": "calls", "arms": ["k*"], "along": "price", "direction": direction } });
        let results = priced(&[0.3, 0.5]);
        assert_eq!(stands(&order("falls"), &results), Ruling::Holds);
        assert_eq!(stands(&order("rises"), &results), Ruling::Fails);
    }

    #[test]
    fn an_order_may_run_across_blocks() {
        let executed = Measure::CorruptedAndExecuted;
        let all = Measure::CorruptedAnswers;
        let spec = |tolerance: f64, corruption: f64| json!({ "tolerance": tolerance, "corruption": corruption });
        let results = Measured::new()
            .set("b", "on", spec(0.5, 0.25), &[(executed, &[5.0]), (all, &[10.0])])
            .set("a", "on", spec(0.1, 0.25), &[(executed, &[3.0]), (all, &[10.0])])
            .set("c", "on", spec(0.5, 1.0), &[(executed, &[9.0]), (all, &[10.0])])
            .results();
        let order = json!({ "ordered": { "measure": "corrupted and executed", "per": "corrupted answers", "arms": ["on"],
            "along": "tolerance", "within": "corruption", "direction": "never-falls" } });
        assert_eq!(stands(&order, &results), Ruling::Holds);
    }

    #[test]
    fn a_listed_order_needs_all_its_arms() {
        let order = |arms: &[&str]| json!({ "ordered": { "measure": "return", "arms": arms, "direction": "rises" } });
        let results = priced(&[0.1, 0.1]);
        assert_eq!(stands(&order(&["k050", "never", "k0"]), &results), Ruling::Holds);
        assert_eq!(stands(&order(&["k050", "k0", "always"]), &results), Ruling::Open);
    }

    #[test]
    fn a_silent_seed_must_return_what_never_returns() {
        let same = || json!({ "same": { "measure": "return", "pairs": [["k*", "never"]], "without": "calls" } });
        assert_eq!(stands(&same(), &priced(&[0.3, 0.9])), Ruling::Holds);
        assert_eq!(stands(&same(), &priced(&[0.31, 0.4])), Ruling::Fails);
    }

    #[test]
    fn a_level_is_kept_by_the_mean_every_seed_or_the_interval() {
        let level =
            |of: &str, is: &str| json!({ "level": { "measure": "return", "arms": ["never"], "of": of, "is": is } });
        let results = priced(&[0.3, 0.3]);
        assert_eq!(stands(&level("mean", "= 0.35"), &results), Ruling::Holds);
        assert_eq!(stands(&level("mean", "> 0.35"), &results), Ruling::Fails);
        assert_eq!(stands(&level("every-seed", ">= 0.3"), &results), Ruling::Holds);
        assert_eq!(stands(&level("every-seed", "> 0.3"), &results), Ruling::Fails);
        // Two seeds: 0.35 ± 0.635.
        assert_eq!(stands(&level("interval", "< 1"), &results), Ruling::Holds);
        assert_eq!(stands(&level("interval", "< 0.5"), &results), Ruling::Open);
        assert_eq!(stands(&level("interval", "> 1"), &results), Ruling::Fails);
        assert_eq!(stands(&level("interval", "= 0.35"), &results), Ruling::Open);
    }

    /// With four seeds the factor is 3.182 at 95 % and 4.177 at 97.5 %, so two arms are judged by wider intervals than one.
    #[test]
    fn intervals_of_one_statement_are_right_together() {
        let seeds = [0.4, 0.6, 0.4, 0.6];
        let results = Measured::new().arm("a", "x", &[(RETURN, &seeds)]).arm("a", "y", &[(RETURN, &seeds)]).results();
        let level =
            |arms: &[&str]| json!({ "level": { "measure": "return", "arms": arms, "of": "interval", "is": "< 0.7" } });
        assert_eq!(stands(&level(&["x"]), &results), Ruling::Holds);
        assert_eq!(stands(&level(&["x", "y"]), &results), Ruling::Open);
    }

    #[test]
    fn a_statement_is_not_judged_while_one_of_its_places_was_not_run() {
        let pairs = || json!([["x", "never"]]);
        let level = json!({ "level": { "measure": "return", "arms": ["x"], "is": "> 0" } });
        let gap = json!({ "gap": { "measure": "return", "pairs": pairs(), "is": "> 0" } });
        let spread = json!({ "spread": { "measure": "return", "arm": "x", "is": ">= 1" } });
        let best = json!({ "best-varies": { "measure": "return", "arms": ["*"] } });
        let dominated = json!({ "dominated": { "arm": "never", "gained": "return", "paid": "calls" } });
        let order = json!({ "ordered": { "measure": "return", "arms": ["never", "x"], "direction": "rises" } });
        let one = || {
            let values = |gained: &'static [f64]| [(RETURN, gained), (CALLS, &[0.0, 0.0] as &[f64])];
            Measured::new().arm("a", "never", &values(&[0.1, 0.2])).arm("a", "x", &values(&[0.3, 0.4]))
        };
        let missing = || one().unrun("b", "never").unrun("b", "x").results();
        for test in [&level, &gap, &spread, &best, &dominated, &order] {
            assert_eq!(stands(test, &missing()), Ruling::NotRun, "{test}");
        }
        for test in [&level, &gap, &dominated, &order] {
            assert_eq!(stands(test, &one().results()), Ruling::Holds, "{test}");
            // What is not run and not spoken of does not matter.
            assert_eq!(stands(test, &one().unrun("b", "other").results()), Ruling::Holds, "{test}");
        }
        let level_of_a = json!({ "level": { "measure": "return", "arms": ["x"], "blocks": ["a"], "is": "> 0" } });
        assert_eq!(stands(&level_of_a, &missing()), Ruling::Holds);
        // A place that was run can refute it.
        let refuted = json!({ "level": { "measure": "return", "arms": ["x"], "is": "< 0" } });
        assert_eq!(stands(&refuted, &missing()), Ruling::Fails);
    }

    #[test]
    fn shares_gaps_and_spreads_are_of_means() {
        let results = priced(&[0.3, 0.3]);
        let ratio = |pair: [&str; 2], is: &str| json!({ "ratio": { "measure": "calls", "pairs": [pair], "is": is } });
        assert_eq!(stands(&ratio(["k050", "k0"], "= 0.05"), &results), Ruling::Holds);
        assert_eq!(stands(&ratio(["k050", "never"], "> 0"), &results), Ruling::Open, "a share of nothing");
        let way = json!({ "ratio": { "measure": "return", "pairs": [["k050", "k0"]], "from": "never", "is": "> 0" } });
        assert_eq!(stands(&way, &results), Ruling::Fails);
        let gap = json!({ "gap": { "measure": "return", "pairs": [["k050", "k0"]], "is": "-0.2..0.2" } });
        assert_eq!(stands(&gap, &results), Ruling::Holds);
        let two = Measured::new().arm("a", "x", &[(CALLS, &[10.0])]).arm("b", "x", &[(CALLS, &[25.0])]).results();
        let spread = |is: &str| json!({ "spread": { "measure": "calls", "arm": "x", "is": is } });
        assert_eq!(stands(&spread(">= 2"), &two), Ruling::Holds);
        assert_eq!(stands(&spread(">= 3"), &two), Ruling::Fails);
        assert_eq!(stands(&spread(">= 2"), &results), Ruling::Open, "one block has no spread");
    }

    #[test]
    fn the_best_arm_may_differ_between_blocks() {
        let best = || json!({ "best-varies": { "measure": "return", "arms": ["v*"] } });
        let study = |second: f64| {
            let measured = Measured::new().arm("a", "v1", &[(RETURN, &[0.5])]).arm("a", "v2", &[(RETURN, &[0.4])]);
            measured.arm("b", "v1", &[(RETURN, &[0.5])]).arm("b", "v2", &[(RETURN, &[second])]).results()
        };
        assert_eq!(stands(&best(), &study(0.6)), Ruling::Holds);
        assert_eq!(stands(&best(), &study(0.4)), Ruling::Fails);
    }

    #[test]
    fn only_undominated_arms_are_efficient() {
        let paid = Measure::CallsPerEpisode;
        let results = Measured::new()
            .arm("obj", "never", &[(RETURN, &[0.4]), (paid, &[0.0])])
            .arm("obj", "k050", &[(RETURN, &[0.5]), (paid, &[1.0])])
            .arm("obj", "k002", &[(RETURN, &[0.5]), (paid, &[3.0])])
            .arm("obj", "ask", &[(RETURN, &[0.3]), (paid, &[9.0])])
            .results();
        let dominated =
            |arm: &str| json!({ "dominated": { "arm": arm, "gained": "return", "paid": "calls per episode" } });
        let found = ["never", "k050", "k002", "ask", "always"].map(|arm| stands(&dominated(arm), &results));
        let [no, yes] = [Ruling::Fails, Ruling::Holds];
        assert_eq!(found, [no, no, yes, yes, Ruling::Open]);
    }
}
