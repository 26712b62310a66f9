//! A finding against the results: the places that it is about, and how it stands there.

use counsel_log::study::{Account, Family, Finding, Measure, Test};

use super::exact;
use super::family::{Judged, Member, judge, members};
use super::results::Results;
use super::ruling::{Kind, Ruling, Statement};
use super::unrun::{declared_members, unrun};

/// The members of every family, in the order of the study.
pub(super) struct Families(Vec<(String, Vec<Member>)>);

impl Families {
    /// The members of one family.
    fn of(&self, name: &str) -> &[Member] {
        self.0.iter().find(|(known, _)| known == name).map_or(&[], |(_, members)| members)
    }

    /// The members that a test is about, as they stand to it; none where it is about no family.
    pub(super) fn judged(&self, test: &Test) -> Vec<Judged<'_>> {
        match test {
            Test::Above(of) | Test::Below(of) | Test::Equivalent(of) | Test::NoLess(of) | Test::NoMore(of) => {
                judge(test, self.of(&of.family))
            }
            _ => Vec::new(),
        }
    }

    /// The families of which members are missing, with those that are there and those that the study declares.
    pub(super) fn partial<'a>(&'a self, account: &'a Account, results: &'a Results) -> Vec<(&'a str, usize, usize)> {
        let counted =
            |family: &'a Family| (family.name.as_str(), self.of(&family.name).len(), declared_members(family, results));
        account.families.iter().map(counted).filter(|(_, there, all)| there < all).collect()
    }

    /// One arm minus another in a block, with nothing charged; of any measure where none is named.
    pub(super) fn between(&self, block: &str, measure: Option<Measure>, [one, other]: [&str; 2]) -> Option<&Member> {
        self.find(|member| {
            member.block.as_deref() == Some(block)
                && measure.is_none_or(|measure| member.measure == measure)
                && (member.treatment.as_str(), member.baseline.as_str()) == (one, other)
                && member.charge.is_none()
        })
    }

    /// The first member that is such, of whichever family.
    pub(super) fn find(&self, is: impl Fn(&Member) -> bool) -> Option<&Member> {
        self.0.iter().flat_map(|(_, members)| members).find(|member| is(member))
    }
}

/// Every family of a study, adjusted.
pub(super) fn families(account: &Account, results: &Results) -> Families {
    Families(account.families.iter().map(|family| (family.name.clone(), members(family, results))).collect())
}

/// Every finding of a study.
pub(super) fn statements(account: &Account, results: &Results, families: &Families) -> Vec<Statement> {
    let judged = |Finding { words, test, beyond }: &Finding| {
        let kind = if test.is_of_seeds() { Kind::Tested } else { Kind::Described };
        let stands =
            Statement::everywhere(words, kind, &places(test, results, families), &unrun(test, account, results));
        Statement { beyond: *beyond, ..stands }
    };
    account.findings.iter().map(judged).collect()
}

fn places(test: &Test, results: &Results, families: &Families) -> Vec<(String, Ruling)> {
    match test {
        Test::Above(_) | Test::Below(_) | Test::Equivalent(_) | Test::NoLess(_) | Test::NoMore(_) => {
            named(&families.judged(test))
        }
        Test::Level(test) => exact::level(test, results),
        Test::Ratio(test) => exact::ratio(test, results),
        Test::Gap(test) => exact::gap(test, results),
        Test::Same(test) => exact::same(test, results),
        Test::Ordered(test) => exact::ordered(test, results),
        Test::Spread(test) => exact::spread(test, results),
        Test::BestVaries(test) => exact::best_varies(test, results),
        Test::Dominated(test) => exact::dominated(test, results),
    }
}

/// The members in words: their block, and whatever else distinguishes them.
fn named(judged: &[Judged<'_>]) -> Vec<(String, Ruling)> {
    let varies = |of: fn(&Member) -> String| judged.iter().any(|other| of(other.member) != of(judged[0].member));
    let (arms, baselines, measures) =
        (varies(|m| m.treatment.clone()), varies(|m| m.baseline.clone()), varies(|m| m.measure.to_string()));
    let place = |judged: &Judged<'_>| {
        let member = judged.member;
        let mut parts = Vec::new();
        if !member.label.is_empty() {
            parts.push(member.label.clone());
        }
        if arms || member.label.is_empty() {
            parts.push(member.treatment.clone());
        }
        if (baselines || member.label.is_empty()) && !member.baseline.is_empty() {
            parts.push(format!("against {}", member.baseline));
        }
        if measures {
            parts.push(member.measure.to_string());
        }
        format!("{} ({})", parts.join(" "), judged.figures())
    };
    judged.iter().map(|judged| (place(judged), judged.ruling)).collect()
}
