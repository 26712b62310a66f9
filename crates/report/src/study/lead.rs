//! What a report says of a study first: the deciding statement with its verdict and its numbers in one sentence, the tally of all
//! statements, one figure of what was gained against what was paid, and how the arms look.
//!
//! The deciding statement is the first one that was tested on the difference with which the table begins; without one, the first
//! statement of the study.

use std::collections::BTreeMap;

use counsel_log::StudySheet;
use counsel_log::study::{Account, FigureSpec, Measure, OfFamily, Test};

use super::family::Judged;
use super::finding::Families;
use super::illustrate::{Drawn, EFFICIENT, estimate_of, plane, seeds_in_words};
use super::results::Results;
use super::robust::Robust;
use super::ruling::{Ruling, Statement, summary};
use super::shared::Shared;
use crate::number::{fixed, p_value};
use crate::{Breadth, Error, Figure, Point, Series};

/// The beginning of a chapter.
#[derive(Debug, Clone)]
pub struct Lead {
    /// How the deciding statement stands; empty where the study states nothing.
    pub verdict: String,
    /// Why it is not judged, where it is not.
    pub reason: String,
    /// The deciding statement with its numbers, in one sentence.
    pub sentence: String,
    /// How many statements stand how, those that were tested apart from those that describe these runs.
    pub tally: String,
    /// What was gained against what was paid.
    pub figure: Option<Drawn>,
    /// The place of each arm's look, by its name.
    pub looks: BTreeMap<String, usize>,
}

/// What is compared first: a family and the part of it that a statement is about.
struct Deciding<'a> {
    test: &'a Test,
    of: &'a OfFamily,
    /// The place of the statement among all of them.
    place: usize,
}

/// Everything that a lead is made of. Statements are empty where the study was changed and nothing is judged.
pub(super) struct Ground<'a> {
    pub(super) sheet: &'a StudySheet,
    pub(super) results: &'a Results,
    pub(super) families: &'a Families,
    pub(super) statements: &'a [Statement],
}

impl Ground<'_> {
    /// The beginning of the study's chapter. `otherwise` is a figure for studies that neither gain nor pay.
    pub(super) fn lead(&self, otherwise: Option<&Drawn>) -> Lead {
        let deciding = deciding(&self.sheet.account);
        let judged = deciding.as_ref().map(|of| self.families.judged(of.test)).unwrap_or_default();
        let stands = deciding.as_ref().map_or(0, |of| of.place);
        let statement = self.statements.get(stands);
        let (verdict, reason) = match (statement, self.sheet.account.findings.get(stands)) {
            (Some(statement), _) if statement.ruling == Ruling::NotRun => {
                (statement.verdict().verdict, "not all that it speaks of was run")
            }
            (Some(statement), _) => (statement.verdict().verdict, ""),
            (None, Some(_)) => ("not judged".to_owned(), "the study was changed"),
            (None, None) => (String::new(), ""),
        };
        let words = self.sheet.account.findings.get(stands).map_or("", |finding| finding.words.as_str());
        let numbers = if judged.is_empty() { None } else { Some(self.numbers(&judged)) };
        let told = match (words.is_empty(), numbers) {
            (false, Some(numbers)) => format!("{words}: {numbers}"),
            // The statement itself has its numbers.
            (false, None) => statement.map_or_else(|| words.to_owned(), |statement| statement.words.clone()),
            (true, _) => self.best(),
        };
        let arms = self.results.blocks.iter().flat_map(|block| &block.arms);
        Lead {
            verdict,
            reason: reason.to_owned(),
            sentence: told,
            tally: if self.statements.is_empty() { String::new() } else { summary(self.statements) },
            figure: self.figure(&judged).or_else(|| otherwise.cloned()),
            looks: arms.map(|arm| (arm.name.clone(), self.results.look(&arm.name))).collect(),
        }
    }

    /// The views of many runs on what the study is about.
    pub(super) fn robust(&self) -> Result<Option<Robust>, Error> {
        let account = &self.sheet.account;
        let deciding = deciding(account);
        let judged = deciding.as_ref().map(|of| self.families.judged(of.test)).unwrap_or_default();
        let compared = judged.first().map(|judged| judged.member);
        let declared = account.table.differences.first().map(|difference| difference.measure);
        let first = || account.table.columns.first().map(|column| column.measure);
        let Some(measure) = compared.map(|member| member.measure).or(declared).or_else(first) else { return Ok(None) };
        let baseline = compared.map(|member| member.baseline.as_str()).filter(|name| !name.is_empty());
        Robust::of(&self.sheet.title, self.results, measure, baseline)
    }

    /// The differences with their intervals: one in full, several by the lowest and the highest.
    fn numbers(&self, judged: &[Judged<'_>]) -> String {
        let order = |one: &&Judged<'_>, other: &&Judged<'_>| {
            one.member.paired.mean_difference.total_cmp(&other.member.paired.mean_difference)
        };
        let (Some(low), Some(high)) = (judged.iter().min_by(order), judged.iter().max_by(order)) else {
            return String::new();
        };
        let calls = self.calls(judged).map_or_else(String::new, |calls| format!(", at {calls}"));
        let signed = |judged: &Judged<'_>| {
            let difference = judged.member.paired.mean_difference;
            format!("{}{}", if difference > 0.0 { "+" } else { "" }, fixed(difference, 3))
        };
        if let [one] = judged {
            let ends = one.member.paired.t_interval.map_or_else(
                || "no interval from one seed".to_owned(),
                |ends| format!("95 % interval {} to {}", fixed(ends.low, 3), fixed(ends.high, 3)),
            );
            let p = one.p_value.map_or_else(String::new, |p| {
                let shown = p_value(p);
                if shown.starts_with('<') { format!(", Holm p {shown}") } else { format!(", Holm p = {shown}") }
            });
            let seeds = seeds_in_words(one.member.differences.len()).replacen("the ", "", 1);
            return format!("{} ({ends}{p}, {seeds}){calls}", self.sides(one, &signed(one)));
        }
        let shown = judged.iter().filter(|judged| judged.is_shown()).count();
        let measures = judged.iter().all(|judged| judged.member.measure == low.member.measure);
        let measure = if measures { low.member.measure.to_string() } else { "differences".to_owned() };
        format!(
            "shown in {shown} of {} comparisons; {measure} from {} ({}) to {} ({}){calls}",
            judged.len(),
            signed(low),
            place(low),
            signed(high),
            place(high),
        )
    }

    /// One difference beside what both arms have: `return 0.457 of controller, +0.221 against never`.
    fn sides(&self, judged: &Judged<'_>, difference: &str) -> String {
        let member = judged.member;
        let block = self.results.blocks.iter().find(|block| member.block.as_ref() == Some(&block.name));
        let mean = block.and_then(|block| block.arm(&member.treatment)?.mean(member.measure));
        let against = if member.baseline.is_empty() { "zero" } else { &member.baseline };
        match mean {
            Some(mean) => format!(
                "{} of {} is {}, {difference} against {against}",
                member.measure,
                member.treatment,
                fixed(mean, member.measure.shown().1)
            ),
            None => format!("{} of {}, {difference} against {against}", member.measure, member.treatment),
        }
    }

    /// What the arm that is meant pays, on average over the blocks in which it is compared.
    fn calls(&self, judged: &[Judged<'_>]) -> Option<String> {
        let treatment = &judged.first()?.member.treatment;
        let is_one = judged.iter().all(|judged| judged.member.treatment == *treatment);
        let meant = |block: &&super::results::Block| {
            judged.iter().any(|judged| judged.member.block.as_ref().is_none_or(|name| *name == block.name))
        };
        let arms = || self.results.blocks.iter().filter(meant).filter_map(|block| block.arm(treatment));
        let mean = |measure| {
            let means: Vec<f64> = arms().filter_map(|arm| arm.mean(measure)).collect();
            (!means.is_empty()).then(|| means.iter().sum::<f64>() / means.len() as f64)
        };
        let told = match mean(Measure::CallsPerEpisode) {
            Some(calls) => format!("{} calls per episode", fixed(calls, 2)),
            None => format!("{} calls in a run", fixed(mean(Measure::Calls)?, 1)),
        };
        is_one.then_some(told)
    }

    /// Where nothing is stated: which arm has most of what the table shows first.
    fn best(&self) -> String {
        let Some(column) = self.sheet.account.table.columns.first() else { return String::new() };
        let shared = Shared::of(self.results, &[]);
        let mean = |name: &str| {
            let values = shared.as_ref()?.by_seed(name, column.measure);
            (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
        };
        let arms = shared.iter().flat_map(|shared| &shared.arms);
        let means = arms.filter_map(|name| Some((*name, mean(name)?)));
        let best = means.reduce(|best, next| if next.1 > best.1 { next } else { best });
        let (_, decimals) = column.shown();
        best.map_or_else(String::new, |(name, value)| {
            format!("{} is highest for {name}: {}", column.heading(), fixed(value, decimals))
        })
    }

    /// Gain against payment, one point for each arm that the compared blocks share: the mean over these blocks.
    fn figure(&self, judged: &[Judged<'_>]) -> Option<Drawn> {
        let account = &self.sheet.account;
        let compared = judged.first().map(|judged| judged.member);
        let names = compared.iter().flat_map(|member| [&member.treatment, &member.baseline]);
        let wanted: Vec<String> =
            names.filter(|name| self.results.blocks.iter().any(|block| block.arm(name).is_some())).cloned().collect();
        let shared = Shared::of(self.results, &wanted)?;
        let declared = account.figures.iter().find_map(|figure| match figure {
            FigureSpec::Frontier { paid, gained } => Some((*paid, *gained)),
            _ => None,
        });
        let has = |measure: Measure| shared.arms.iter().any(|name| !shared.by_seed(name, measure).is_empty());
        let first = account.table.columns.first().map(|column| column.measure);
        let gained = [Some(Measure::Return), first].into_iter().flatten().find(|measure| has(*measure));
        let paid = [Measure::CallsPerEpisode, Measure::Calls].into_iter().find(|measure| has(*measure));
        let (paid, gained) = declared.or(paid.zip(gained))?;
        if shared.arms.iter().all(|name| shared.by_seed(name, gained).is_empty()) {
            return None;
        }
        let figure = self.plot(&shared, paid, gained);
        Some(figure.map_err(|error| format!("The first figure of {} is not drawn: {error}.", self.sheet.id)))
    }

    fn plot(&self, shared: &Shared<'_>, paid: Measure, gained: Measure) -> Result<Figure, Error> {
        let study = &self.sheet.id;
        let mut figure = plane(format!("{study}-lead"), &format!("{gained} against {paid}"), paid, gained)?;
        figure.breadth = Breadth::Column;
        let mut seeds = Vec::new();
        for name in &shared.arms {
            let of = |measure| estimate_of(study, measure, &shared.by_seed(name, measure));
            let point = of(paid)?.zip(of(gained)?).map(|((x, x_ends), (y, y_ends))| Point {
                x,
                y,
                x_ends,
                y_ends,
                label: (*name).to_owned(),
            });
            seeds.extend(point.is_some().then(|| shared.by_seed(name, gained).len()));
            figure.push(Series::new(*name, point).at_place(self.results.look(name)))?;
        }
        let most = seeds.iter().copied().max().unwrap_or(0);
        let over = shared.place(self.results);
        let over = if over.is_empty() { seeds_in_words(most) } else { format!("{over}, {}", seeds_in_words(most)) };
        figure.caption = format!("Mean over {over}, with 95 % intervals. {EFFICIENT}");
        Ok(figure)
    }
}

/// The first statement that was tested on the difference that the table begins with, or on any.
fn deciding(account: &Account) -> Option<Deciding<'_>> {
    let first = account.table.differences.first().map(|difference| difference.measure);
    let tested = || {
        account.findings.iter().enumerate().filter_map(|(place, finding)| {
            let of = of_family(&finding.test)?;
            Some(Deciding { test: &finding.test, of, place })
        })
    };
    let is_first = |deciding: &Deciding<'_>| {
        let family = account.family(&deciding.of.family);
        family.zip(first).is_some_and(|(family, measure)| family.measures.contains(&measure))
    };
    tested().find(is_first).or_else(|| tested().next())
}

fn of_family(test: &Test) -> Option<&OfFamily> {
    match test {
        Test::Above(of) | Test::Below(of) | Test::Equivalent(of) | Test::NoLess(of) | Test::NoMore(of) => Some(of),
        _ => None,
    }
}

/// Where a comparison was made, in words.
fn place(judged: &Judged<'_>) -> String {
    let member = judged.member;
    let pair =
        format!("{} against {}", member.treatment, if member.baseline.is_empty() { "zero" } else { &member.baseline });
    if member.label.is_empty() { pair } else { format!("{pair}, {}", member.label) }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::finding::{families, statements};
    use super::super::specimen::{Measured, account, sheet};
    use super::*;

    const RETURN: Measure = Measure::Return;
    const CALLS: Measure = Measure::Calls;

    fn written() -> Account {
        account(json!({
            "table": { "columns": ["return", "calls"], "differences": [{ "measure": "return", "minus": "never" }] },
            "families": [{ "name": "gain", "measures": ["return"], "pairs": [["asks", "never"]] }],
            "findings": [
                { "words": "it calls ten times or less", "test": { "level": { "measure": "calls", "is": "<= 10", "arms": ["asks"] } } },
                { "words": "asking pays", "test": { "above": { "family": "gain" } } },
            ],
        }))
    }

    fn lead(account: Account, results: &Results) -> Lead {
        let sheet = sheet(account);
        let families = families(&sheet.account, results);
        let statements = statements(&sheet.account, results, &families);
        Ground { sheet: &sheet, results, families: &families, statements: &statements }.lead(None)
    }

    #[test]
    fn one_comparison_is_told_with_its_numbers() {
        let results = Measured::new()
            .arm("", "never", &[(RETURN, &[0.1, 0.2, 0.1, 0.2]), (CALLS, &[0.0; 4])])
            .arm("", "asks", &[(RETURN, &[0.6, 0.72, 0.6, 0.68]), (CALLS, &[4.0, 8.0, 4.0, 8.0])])
            .results();
        let lead = lead(written(), &results);
        assert_eq!(lead.verdict, "holds");
        assert_eq!(
            lead.sentence,
            "asking pays: return of asks is 0.650, +0.500 against never (95 % interval 0.474 to 0.526, Holm p < 0.001, 4 seeds), at 6.0 calls in a run"
        );
        assert_eq!(lead.tally, "Tested statements (1): holds 1. Descriptions of these runs (1): observed 1.");
        let figure = lead.figure.unwrap().unwrap();
        assert_eq!((figure.x(), figure.y(), figure.series().len()), ("calls", "return", 2));
        assert!(figure.series().iter().flat_map(|series| &series.points).all(|point| point.x_ends.unwrap().low >= 0.0));
    }

    #[test]
    fn several_comparisons_are_told_by_their_range() {
        let mut measured = Measured::new();
        for (block, gain) in [("near", 0.0), ("mid", 0.3), ("far", 0.6)] {
            let asks = [gain + 0.1, gain + 0.11, gain + 0.1, gain + 0.122];
            measured = measured.arm(block, "never", &[(RETURN, &[0.1; 4]), (CALLS, &[0.0; 4])]).arm(
                block,
                "asks",
                &[(RETURN, &asks), (CALLS, &[9.0; 4])],
            );
        }
        let mut account = written();
        account.blocks = ["near", "mid", "far"].map(str::to_owned).to_vec();
        let lead = lead(account, &measured.results());
        assert!(
            lead.sentence.starts_with("asking pays: shown in 2 of 3 comparisons; return from +0.008 (asks against never, near) to +0.608 (asks against never, far)"),
            "{}",
            lead.sentence
        );
        let figure = lead.figure.unwrap().unwrap();
        assert_eq!(figure.series()[1].points[0].x, 9.0);
        assert!(figure.caption.starts_with("Mean over all 3 blocks, the 4 seeds"), "{}", figure.caption);
    }

    #[test]
    fn without_statements_the_best_arm_is_named() {
        let results = Measured::new().arm("", "a", &[(RETURN, &[0.1])]).arm("", "b", &[(RETURN, &[0.4])]).results();
        let lead = lead(account(json!({})), &results);
        assert_eq!((lead.verdict.as_str(), lead.sentence.as_str()), ("", "return is highest for b: 0.400"));
        assert!(lead.figure.is_none(), "nothing was paid");
    }
}
