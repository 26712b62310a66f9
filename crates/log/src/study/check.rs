//! Refuses an account that speaks of arms, blocks or families that the study does not have.

use std::collections::BTreeSet;

use counsel_decision::refusal::{UnknownName, find_named, nearest};

use super::{Account, Choice, Family, FigureSpec, Finding, OfFamily, Pair, Rows, Show, Test, matches};

fn is_margin(margin: f64) -> bool {
    margin > 0.0 && margin.is_finite()
}

/// The names that may be spoken of.
struct Known<'a> {
    account: &'a Account,
    arms: BTreeSet<&'a str>,
}

impl Account {
    /// Checks every name against the study's arms, given in full: with their block where there are blocks.
    pub fn check<'a>(&'a self, arms: impl IntoIterator<Item = &'a str>) -> Result<(), String> {
        let known = Known { account: self, arms: arms.into_iter().map(|arm| self.split(arm).1).collect() };
        known.table().map_err(|reason| format!("[table]: {reason}"))?;
        let mut names = BTreeSet::new();
        for family in &self.families {
            let here = |reason| format!("family `{}`: {reason}", family.name);
            if !names.insert(&family.name) {
                return Err(here("it is declared twice; give each a name of its own".into()));
            }
            known.family(family).map_err(here)?;
        }
        for finding in &self.findings {
            known.finding(finding).map_err(|reason| format!("finding `{}`: {reason}", finding.words))?;
        }
        for figure in &self.figures {
            let arms = match figure {
                FigureSpec::Curve { arms } | FigureSpec::Sweep { arms, .. } | FigureSpec::Reliability { arms, .. } => {
                    arms.as_slice()
                }
                FigureSpec::Frontier { .. } => &[],
            };
            known.all_arms(arms).map_err(|reason| format!("[[figures]]: {reason}"))?;
        }
        Ok(())
    }
}

impl Known<'_> {
    fn table(&self) -> Result<(), String> {
        let table = &self.account.table;
        for column in &table.columns {
            let needs_second = matches!(column.shown().0, Show::Pooled | Show::PooledShare | Show::Efficient);
            if needs_second && column.of.is_none() {
                return Err(format!("the column `{}` needs a second measure; add `of`", column.heading()));
            }
        }
        for difference in &table.differences {
            let said = [&difference.minus, &difference.from].into_iter().flatten();
            if said.clone().count() + usize::from(!difference.pairs.is_empty()) > 1 {
                return Err(format!(
                    "the difference of `{}` has several baselines; keep one of minus, from and pairs",
                    difference.measure
                ));
            }
            said.chain(difference.pairs.iter().flatten()).try_for_each(|arm| self.arm(arm))?;
        }
        match &table.rows {
            Rows::Arms => Ok(()),
            Rows::SideBySide { arms, .. } => self.all_arms(arms),
            Rows::HeldOut { arm, choices, .. } => self.arm(arm).and_then(|()| self.arm(choices)),
        }
    }

    fn family(&self, family: &Family) -> Result<(), String> {
        if family.measures.is_empty() || family.pairs.is_empty() {
            return Err("it has no measures or no pairs; name at least one of each".into());
        }
        self.pairs(&family.pairs)?;
        self.blocks(&family.blocks)
    }

    fn finding(&self, finding: &Finding) -> Result<(), String> {
        match &finding.test {
            Test::Above(test) | Test::Below(test) => {
                if test.margin.is_some_and(|margin| !is_margin(margin)) {
                    return Err("its margin is not above zero; name the smallest difference that matters".into());
                }
                self.members(test)
            }
            Test::Equivalent(test) | Test::NoLess(test) | Test::NoMore(test) => {
                if !test.margin.is_some_and(is_margin) {
                    return Err("it needs a margin above zero: the largest difference that does not matter".into());
                }
                self.members(test)
            }
            Test::Level(test) => self.all_arms(&test.arms).and_then(|()| self.blocks(&test.blocks)),
            Test::Ratio(test) => {
                test.from.iter().try_for_each(|arm| self.arm(arm))?;
                self.pairs(&test.pairs).and_then(|()| self.blocks(&test.blocks))
            }
            Test::Gap(test) => self.pairs(&test.pairs).and_then(|()| self.blocks(&test.blocks)),
            Test::Same(test) => self.pairs(&test.pairs).and_then(|()| self.blocks(&test.blocks)),
            Test::Ordered(test) => self.all_arms(&test.arms),
            Test::Spread(test) => self.arm(&test.arm),
            Test::BestVaries(test) => self.all_arms(&test.arms),
            Test::Dominated(test) => self.arm(&test.arm),
        }
    }

    /// The family, and that each of the patterns picks something of it.
    fn members(&self, test: &OfFamily) -> Result<(), String> {
        let named = self.account.families.iter().map(|family| (family.name.as_str(), family));
        let family = find_named(&test.family, named).map_err(|unknown| format!("there is no family {unknown}"))?;
        self.blocks(&test.blocks)?;
        if let Some(other) = test.measures.iter().find(|measure| !family.measures.contains(measure)) {
            return Err(format!("family `{}` has no measure `{other}`", family.name));
        }
        let treatments: Vec<&str> = family.pairs.iter().map(|pair| pair.treatment.as_str()).collect();
        let baselines: Vec<&str> = family.pairs.iter().filter_map(|pair| pair.baseline.arm()).collect();
        for (patterns, sides) in [(&test.arms, treatments), (&test.against, baselines)] {
            for pattern in patterns {
                // A side of the family may itself be a pattern, so it counts if both fit some arm.
                let fits = |side: &&str| {
                    matches(pattern, side)
                        || self.arms.iter().any(|arm| matches(pattern, arm) && matches(Choice::of(side).pattern(), arm))
                };
                if !sides.iter().any(fits) {
                    let hint = nearest(pattern, sides.iter().copied());
                    return Err(format!("family `{}` has no arm `{pattern}` there{hint}", family.name));
                }
            }
        }
        Ok(())
    }

    fn pairs(&self, pairs: &[Pair]) -> Result<(), String> {
        for pair in pairs {
            self.arm(&pair.treatment)?;
            pair.baseline.arm().map_or(Ok(()), |arm| self.arm(arm))?;
        }
        Ok(())
    }

    fn all_arms(&self, patterns: &[String]) -> Result<(), String> {
        patterns.iter().try_for_each(|pattern| self.arm(pattern))
    }

    fn arm(&self, named: &str) -> Result<(), String> {
        let pattern = Choice::of(named).pattern();
        if self.arms.iter().any(|arm| matches(pattern, arm)) {
            return Ok(());
        }
        Err(format!("the study has no arm {}", UnknownName::among(pattern, self.arms.iter().copied())))
    }

    fn blocks(&self, patterns: &[String]) -> Result<(), String> {
        let known = || self.account.blocks.iter().map(String::as_str);
        let missing = patterns.iter().find(|pattern| !known().any(|block| matches(pattern, block)));
        missing
            .map_or(Ok(()), |pattern| Err(format!("the study has no block {}", UnknownName::among(pattern, known()))))
    }
}
