//! Families of paired differences, adjusted together by Holm's method, and the five tests on their members.
//!
//! For a member with differences `d` over seeds, Holm's adjustment runs over all members of the family, whichever of them a
//! statement is about. At the level 0.05:
//!
//! | test | holds | does not hold |
//! |---|---|---|
//! | above | the 95 % interval is above 0 and the adjusted two-sided p is below 0.05 | d is clearly below the smallest difference that matters |
//! | below | the mirror image | the mirror image |
//! | equivalent | both one-sided tests reject: the adjusted TOST p against ±margin is below 0.05 | d is clearly beyond the margin |
//! | no less | the adjusted one-sided p of d > -margin is below 0.05 | d is clearly below -margin |
//! | no more | the adjusted one-sided p of d < margin is below 0.05 | d is clearly above margin |
//!
//! The smallest difference that matters is the statement's margin, or what its measure declares, or 0. A difference that is
//! above 0 and clearly below it does not hold. "Clearly beyond" is the standard of above and below, with the bound in the place of 0. Everything else cannot be told:
//! failing to show a difference shows nothing. One seed has no interval, so with it nothing can be told.

use std::collections::BTreeMap;

use counsel_log::study::{Family, Measure, OfFamily, Over, Pair, Test, matches};
use counsel_stats::{Bootstrap, PairedComparison, Tail, bound_p_value, equivalence_p_value, holm};

use super::results::{Arm, MatchedArms, Results, difference};
use super::ruling::Ruling;
use crate::number::{fixed, p_value};

/// At this, an adjusted p value shows nothing any more.
pub(super) const LEVEL: f64 = 0.05;

/// One paired difference of a family.
#[derive(Debug, Clone)]
pub(super) struct Member {
    /// The name of the block; nothing for the mean over blocks.
    pub(super) block: Option<String>,
    /// The block in words.
    pub(super) label: String,
    pub(super) measure: Measure,
    pub(super) treatment: String,
    /// The arm that is subtracted; a level where it is a number.
    pub(super) baseline: String,
    /// The price that both arms are charged, where the family charges one.
    pub(super) charge: Option<f64>,
    pub(super) differences: Vec<f64>,
    pub(super) paired: PairedComparison,
    /// The p value after Holm's adjustment.
    pub(super) adjusted: Option<f64>,
}

/// A comparison without its bootstrap interval, which only tables show.
pub(super) fn compared(differences: &[f64]) -> Option<PairedComparison> {
    PairedComparison::from_differences(differences, &Bootstrap { resamples: 1, ..Bootstrap::seeded(0) }).ok()
}

/// The members of a family, adjusted.
pub(super) fn members(family: &Family, results: &Results) -> Vec<Member> {
    let mut members = Vec::new();
    for measure in &family.measures {
        for pair in &family.pairs {
            let found = in_blocks(family, results, *measure, pair);
            match family.over {
                Over::EachBlock => members.extend(found.into_iter().map(|(member, _)| member)),
                Over::MeanOfBlocks => members.extend(mean_of(&found, pair)),
            }
        }
    }
    let p_values: Vec<Option<f64>> = members.iter().map(|member| member.paired.p_value).collect();
    for (member, adjusted) in members.iter_mut().zip(adjust(&p_values)) {
        member.adjusted = adjusted;
    }
    members
}

/// The members of one pair, with their differences by seed.
fn in_blocks(family: &Family, results: &Results, measure: Measure, pair: &Pair) -> Vec<(Member, BTreeMap<u64, f64>)> {
    let mut found = Vec::new();
    for MatchedArms { block, one, other, level } in results.pairs(&family.blocks, std::slice::from_ref(pair), measure) {
        let charge = family.charged.as_ref().and_then(|path| one.number(path));
        let taken = |arm: &Arm| match charge {
            Some(price) => {
                let calls = arm.by_seed(Measure::CallsPerEpisode);
                let charged = |(seed, value)| Some((seed, value - price * calls.get(&seed)?));
                arm.by_seed(measure).into_iter().filter_map(charged).collect()
            }
            None => arm.by_seed(measure),
        };
        let (baseline, by_seed) = match other {
            Some(other) => (other.name.clone(), difference(&taken(one), &taken(other))),
            None => {
                let above = taken(one).into_iter().map(|(seed, value)| (seed, value - level)).collect();
                (if level == 0.0 { String::new() } else { level.to_string() }, above)
            }
        };
        let differences: Vec<f64> = by_seed.values().copied().collect();
        let Some(paired) = compared(&differences) else { continue };
        let member = Member {
            block: Some(block.name.clone()),
            label: block.label.clone(),
            measure,
            treatment: one.name.clone(),
            baseline,
            charge,
            differences,
            paired,
            adjusted: None,
        };
        found.push((member, by_seed));
    }
    found
}

/// The mean over blocks, for every seed that all of them have.
fn mean_of(found: &[(Member, BTreeMap<u64, f64>)], pair: &Pair) -> Option<Member> {
    let (first, seeds) = found.first()?;
    let sum = |seed: &u64| found.iter().map(|(_, by_seed)| by_seed.get(seed)).sum::<Option<f64>>();
    let differences: Vec<f64> = seeds.keys().filter_map(|seed| Some(sum(seed)? / found.len() as f64)).collect();
    let paired = compared(&differences)?;
    let label = format!("mean over {} blocks", found.len());
    let (treatment, baseline) = (pair.treatment.clone(), pair.baseline.arm().unwrap_or(&first.baseline).to_owned());
    Some(Member { block: None, label, treatment, baseline, differences, paired, ..first.clone() })
}

/// Holm's adjustment of the p values that are there.
fn adjust(p_values: &[Option<f64>]) -> Vec<Option<f64>> {
    let there: Vec<f64> = p_values.iter().copied().flatten().collect();
    let mut adjusted = holm(&there).unwrap_or_default().into_iter();
    p_values.iter().map(|p| p.and_then(|_| adjusted.next())).collect()
}

/// Where a bound is clearly left behind on one side, by the 95 % interval and the adjusted p value.
fn beyond(members: &[Member], bound: impl Fn(&Member) -> f64, side: Tail) -> Vec<bool> {
    let p_value = |member: &Member| bound_p_value(&member.differences, bound(member), Tail::Both).ok().flatten();
    let p_values: Vec<Option<f64>> = members.iter().map(p_value).collect();
    let clear = |(member, p): (&Member, Option<f64>)| {
        let ends = member.paired.t_interval.zip(p.filter(|p| *p < LEVEL)).map(|(ends, _)| ends);
        ends.is_some_and(|ends| if side == Tail::Above { ends.low > bound(member) } else { ends.high < bound(member) })
    };
    members.iter().zip(adjust(&p_values)).map(clear).collect()
}

/// The adjusted p values of a test against a margin.
fn margin_p_values(members: &[Member], p_value: impl Fn(&[f64]) -> Option<f64>) -> Vec<Option<f64>> {
    adjust(&members.iter().map(|member| p_value(&member.differences)).collect::<Vec<_>>())
}

/// A member, how it stands to a test, and the adjusted p value of that test.
pub(super) struct Judged<'a> {
    pub(super) member: &'a Member,
    pub(super) ruling: Ruling,
    pub(super) p_value: Option<f64>,
}

/// How the members of a family that a statement is about stand to its test.
pub(super) fn judge<'a>(test: &Test, members: &'a [Member]) -> Vec<Judged<'a>> {
    let above = |bound: f64| beyond(members, |_| bound, Tail::Above);
    let below = |bound: f64| beyond(members, |_| bound, Tail::Below);
    let relevant =
        |of: &OfFamily, member: &Member| of.margin.or_else(|| member.measure.relevant_difference()).unwrap_or_default();
    // What is clearly too small to matter does not hold, even where it is clearly not zero.
    let unless = |holds: Vec<bool>, fails: &[bool]| -> Vec<bool> {
        holds.into_iter().zip(fails).map(|(holds, fails)| holds && !fails).collect()
    };
    let margin = |of: &OfFamily| of.margin.unwrap_or_default();
    let two_sided = || members.iter().map(|member| member.adjusted).collect::<Vec<_>>();
    let rejects = |p_values: &[Option<f64>]| p_values.iter().map(|p| p.is_some_and(|p| p < LEVEL)).collect();
    let (of, p_values, holds, fails): (_, _, Vec<bool>, Vec<bool>) = match test {
        Test::Above(of) => {
            let fails = beyond(members, |member| relevant(of, member), Tail::Below);
            (of, two_sided(), unless(above(0.0), &fails), fails)
        }
        Test::Below(of) => {
            let fails = beyond(members, |member| -relevant(of, member), Tail::Above);
            (of, two_sided(), unless(below(0.0), &fails), fails)
        }
        Test::Equivalent(of) => {
            let margin = margin(of);
            let p_values = margin_p_values(members, |sample| equivalence_p_value(sample, margin).ok().flatten());
            let outside = above(margin).into_iter().zip(below(-margin)).map(|(above, below)| above || below).collect();
            let holds = rejects(&p_values);
            (of, p_values, holds, outside)
        }
        Test::NoLess(of) => {
            let bound = -margin(of);
            let p_values = margin_p_values(members, |sample| bound_p_value(sample, bound, Tail::Above).ok().flatten());
            let holds = rejects(&p_values);
            (of, p_values, holds, below(bound))
        }
        Test::NoMore(of) => {
            let bound = margin(of);
            let p_values = margin_p_values(members, |sample| bound_p_value(sample, bound, Tail::Below).ok().flatten());
            let holds = rejects(&p_values);
            (of, p_values, holds, above(bound))
        }
        _ => return Vec::new(),
    };
    let mut judged = Vec::new();
    for (place, member) in members.iter().enumerate().filter(|(_, member)| is_meant(of, member)) {
        judged.push(Judged { member, ruling: Ruling::of(holds[place], fails[place]), p_value: p_values[place] });
    }
    judged
}

/// Whether a statement is about this member.
fn is_meant(of: &OfFamily, member: &Member) -> bool {
    let fits = |patterns: &[String], name: &str| patterns.is_empty() || patterns.iter().any(|p| matches(p, name));
    fits(&of.blocks, member.block.as_deref().unwrap_or_default())
        && fits(&of.arms, &member.treatment)
        && fits(&of.against, &member.baseline)
        && (of.measures.is_empty() || of.measures.contains(&member.measure))
}

impl Judged<'_> {
    /// Whether the test shows what it is to show.
    pub(super) fn is_shown(&self) -> bool {
        self.ruling == Ruling::Holds
    }

    /// The difference with its interval and the adjusted p value of the test: `+0.055 [0.010, 0.100], Holm p 0.012`.
    pub(super) fn figures(&self) -> String {
        let paired = &self.member.paired;
        let sign = if paired.mean_difference > 0.0 { "+" } else { "" };
        let ends = paired.t_interval.map_or_else(
            || "no interval from one seed".to_owned(),
            |ends| format!("[{}, {}]", fixed(ends.low, 3), fixed(ends.high, 3)),
        );
        let adjusted = self.p_value.map_or_else(|| "no p".to_owned(), |p| format!("Holm p {}", p_value(p)));
        format!("{sign}{} {ends}, {adjusted}", fixed(paired.mean_difference, 3))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::specimen::{Measured, account};
    use super::*;

    const RETURN: Measure = Measure::Return;

    /// A family of one arm minus `never`, whose differences are these, in one block each.
    fn family(blocks: &[&[f64]]) -> Vec<Member> {
        let mut measured = Measured::new();
        for (place, differences) in blocks.iter().enumerate() {
            let zeros = vec![0.0; differences.len()];
            let block = place.to_string();
            measured = measured.arm(&block, "never", &[(RETURN, &zeros)]).arm(&block, "ours", &[(RETURN, differences)]);
        }
        let family = json!({ "name": "all", "measures": ["return"], "pairs": [["ours", "never"]] });
        members(&account(json!({ "families": [family] })).families[0], &measured.results())
    }

    fn stands(test: &serde_json::Value, blocks: &[&[f64]]) -> Vec<Ruling> {
        let test: Test = serde_json::from_value(test.clone()).unwrap();
        judge(&test, &family(blocks)).into_iter().map(|judged| judged.ruling).collect()
    }

    /// Two seeds follow Cauchy's law: with mean m and half the distance h between them, the two-sided p value of a bound b is
    /// 1 - 2 atan(|m - b| / h) / pi, and the 95 % interval is m ± 12.706 h.
    #[test]
    fn above_and_below_follow_the_closed_form() {
        let (above, below) = (json!({ "above": { "family": "all" } }), json!({ "below": { "family": "all" } }));
        // m / h = 13 is just beyond 12.706, m / h = 12 is not.
        assert_eq!(stands(&above, &[&[0.12, 0.14]]), [Ruling::Holds]);
        assert_eq!(stands(&above, &[&[0.11, 0.13]]), [Ruling::Open]);
        assert_eq!(stands(&above, &[&[-0.12, -0.14]]), [Ruling::Fails]);
        assert_eq!(stands(&below, &[&[-0.12, -0.14]]), [Ruling::Holds]);
        assert_eq!(stands(&below, &[&[0.12, 0.14]]), [Ruling::Fails]);
        assert_eq!(stands(&above, &[&[0.3]]), [Ruling::Open], "one seed shows nothing");
    }

    /// A tight interval around zero refutes what a wide one leaves open.
    #[test]
    fn what_is_clearly_smaller_than_what_matters_does_not_hold() {
        let (above, below) = (json!({ "above": { "family": "all" } }), json!({ "below": { "family": "all" } }));
        let wide = [0.001, -0.001, 0.07, -0.07];
        let tight = [0.001, -0.002, 0.002, -0.001, 0.0];
        for test in [&above, &below] {
            assert_eq!(stands(test, &[&wide]), [Ruling::Open]);
            assert_eq!(stands(test, &[&tight]), [Ruling::Fails]);
        }
        // Clearly above zero, and clearly below 0.02 of a return; under a margin of its own it holds.
        let small = [0.006, 0.007, 0.008, 0.006, 0.007];
        assert_eq!(stands(&above, &[&small]), [Ruling::Fails]);
        let own = json!({ "above": { "family": "all", "margin": 0.001 } });
        assert_eq!(stands(&own, &[&small]), [Ruling::Holds]);
    }

    #[test]
    fn a_second_member_makes_the_first_harder() {
        let above = json!({ "above": { "family": "all" } });
        // Holm doubles the smaller p value: 13 is not enough any more, 26 is.
        assert_eq!(stands(&above, &[&[0.12, 0.14], &[0.1, -0.1]]), [Ruling::Open, Ruling::Open]);
        assert_eq!(stands(&above, &[&[0.25, 0.27], &[0.1, -0.1]]), [Ruling::Holds, Ruling::Open]);
    }

    /// One-sided at 0.05 the factor of two seeds is 6.314.
    #[test]
    fn equivalence_needs_both_margins_and_is_refuted_beyond_one() {
        let equivalent = json!({ "equivalent": { "family": "all", "margin": 0.1 } });
        // (0.1 - 0.03) / 0.01 = 7 is beyond 6.314; (0.1 - 0.04) / 0.01 = 6 is not.
        assert_eq!(stands(&equivalent, &[&[0.02, 0.04]]), [Ruling::Holds]);
        assert_eq!(stands(&equivalent, &[&[0.03, 0.05]]), [Ruling::Open]);
        // Clearly above zero, yet neither shown within the margin nor clearly beyond it.
        assert_eq!(stands(&equivalent, &[&[0.14, 0.16]]), [Ruling::Open]);
        assert_eq!(stands(&equivalent, &[&[0.23, 0.25]]), [Ruling::Fails]);
        assert_eq!(stands(&equivalent, &[&[-0.23, -0.25]]), [Ruling::Fails]);
        assert_eq!(stands(&equivalent, &[&[0.0; 5]]), [Ruling::Holds], "equal runs are equivalent");
        assert_eq!(stands(&equivalent, &[&[0.0; 4]]), [Ruling::Open], "but four of them say too little");
    }

    #[test]
    fn a_large_p_value_is_no_evidence_of_equality() {
        let equivalent = json!({ "equivalent": { "family": "all", "margin": 0.05 } });
        assert_eq!(stands(&equivalent, &[&[0.3, -0.3, 0.1, -0.1]]), [Ruling::Open]);
    }

    #[test]
    fn no_less_and_no_more_look_at_one_margin() {
        let no_less = json!({ "no-less": { "family": "all", "margin": 0.1 } });
        let no_more = json!({ "no-more": { "family": "all", "margin": 0.1 } });
        assert_eq!(stands(&no_less, &[&[-0.02, -0.04]]), [Ruling::Holds]);
        assert_eq!(stands(&no_less, &[&[-0.03, -0.05]]), [Ruling::Open]);
        assert_eq!(stands(&no_less, &[&[-0.23, -0.25]]), [Ruling::Fails]);
        assert_eq!(stands(&no_less, &[&[0.23, 0.25]]), [Ruling::Holds], "more is no less");
        assert_eq!(stands(&no_more, &[&[0.02, 0.04]]), [Ruling::Holds]);
        assert_eq!(stands(&no_more, &[&[0.23, 0.25]]), [Ruling::Fails]);
        assert_eq!(stands(&no_more, &[&[-0.23, -0.25]]), [Ruling::Holds]);
    }

    #[test]
    fn both_arms_are_charged_the_price_of_the_first() {
        let calls = Measure::CallsPerEpisode;
        let results = Measured::new()
            .arm("obj", "ask", &[(RETURN, &[0.5, 0.6]), (calls, &[10.0, 20.0])])
            .set("obj", "k010", json!({ "price": 0.01 }), &[(RETURN, &[0.5, 0.5]), (calls, &[1.0, 2.0])])
            .results();
        let family = json!({ "name": "net", "measures": ["return"], "pairs": [["k*", "ask"]], "charged": "price" });
        let found = members(&account(json!({ "families": [family] })).families[0], &results);
        assert_eq!(found.len(), 1);
        assert!((found[0].paired.mean_difference - 0.085).abs() < 1e-12);
    }

    #[test]
    fn the_schedule_is_chosen_on_the_other_blocks() {
        let mut measured = Measured::new();
        for (block, returns) in [("a", [0.1, 0.5, 0.2]), ("b", [0.9, 0.2, 0.3]), ("c", [0.3, 0.2, 0.4])] {
            for (arm, gained) in ["v25", "v50", "v75"].iter().zip(returns) {
                measured = measured.arm(block, arm, &[(RETURN, &[gained, gained + 0.01])]);
            }
            measured = measured.arm(block, "ours", &[(RETURN, &[0.3, 0.31])]);
        }
        let results = measured.results();
        let of = |named: &str| -> Vec<String> {
            (0..3).map(|block| results.meant(block, named, RETURN)[0].name.clone()).collect()
        };
        assert_eq!(of("best of v*"), ["v50", "v25", "v75"]);
        assert_eq!(of("chosen of v*"), ["v25", "v50", "v25"]);
        let family = json!({ "name": "regret", "measures": ["return"], "pairs": [["best of v*", "ours"]],
            "over": "mean-of-blocks" });
        let found = members(&account(json!({ "families": [family] })).families[0], &results);
        assert_eq!((found.len(), found[0].label.as_str()), (1, "mean over 3 blocks"));
        assert!((found[0].paired.mean_difference - (0.2 + 0.6 + 0.1) / 3.0).abs() < 1e-12);
    }

    #[test]
    fn a_block_alone_has_no_others_to_choose_on() {
        let results = Measured::new().arm("a", "v25", &[(RETURN, &[0.1])]).results();
        assert!(results.meant(0, "chosen of v*", RETURN).is_empty());
    }
}
