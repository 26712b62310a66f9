//! One family over several studies, in one table: a line for each pair and block, with the margin that its study declares.

use counsel_log::Run;
use counsel_log::study::Test;

use super::collect::{Watch, results, studies};
use super::family::{judge, members};
use super::ruling::Ruling;
use crate::{Column, Entry, Error, Rank, Table};

/// The members of the families of this name in these studies, or in all that the run holds. Studies without one are left out.
pub fn study_family(run: &Run, wanted: Option<&[String]>, name: &str, watch: Watch<'_>) -> Result<Table, Error> {
    let mut table = Table::new(
        "family",
        name,
        [
            Column::left("study"),
            Column::left("block"),
            Column::left("arm"),
            Column::left("against"),
            Column::right("seeds").ranked(Rank::Next),
            Column::right("its mean").ranked(Rank::Main),
            Column::right("the other's").ranked(Rank::Main),
            Column::right("difference").ranked(Rank::Main),
            Column::right("shortfall").ranked(Rank::Next),
            Column::right("margin").ranked(Rank::Next),
            Column::right("within the margin").ranked(Rank::Main),
        ],
    );
    for found in studies(run, wanted)? {
        let account = &found.sheet.account;
        let Some(family) = account.families.iter().find(|family| family.name == name) else { continue };
        let results = results(run, &found, watch)?;
        let members = members(family, &results);
        let mut tests = account.findings.iter().map(|finding| &finding.test);
        let test = tests.rfind(|test| matches!(test, Test::NoLess(of) if of.family == name));
        let margin = test.and_then(|test| if let Test::NoLess(of) = test { of.margin } else { None });
        let judged = test.map(|test| judge(test, &members)).unwrap_or_default();
        for member in &members {
            let block = results.blocks.iter().find(|block| Some(&block.name) == member.block.as_ref());
            let mean = |arm: &str| block.and_then(|block| block.arm(arm)?.mean(member.measure));
            let shown = |value: Option<f64>| value.map_or_else(Entry::not_applicable, |value| Entry::number(value, 3));
            let (difference, ends) = (member.paired.mean_difference, member.paired.t_interval);
            let ruling = judged.iter().find(|judged| std::ptr::eq(judged.member, member)).map(|judged| judged.ruling);
            table.push(vec![
                Entry::text(&found.sheet.id),
                Entry::text(member.block.as_deref().unwrap_or_default()),
                Entry::text(&member.treatment),
                Entry::text(&member.baseline),
                Entry::count(member.differences.len() as u64),
                shown(mean(&member.treatment)),
                shown(mean(&member.baseline)),
                ends.map_or_else(
                    || Entry::number(difference, 3),
                    |ends| Entry::interval(difference, ends.half_width, 3),
                ),
                Entry::number((-difference).max(0.0), 3),
                shown(margin),
                Entry::text(match ruling {
                    Some(Ruling::Holds) => "yes",
                    Some(Ruling::Fails) => "no",
                    _ => "cannot be told",
                }),
            ])?;
        }
    }
    if table.rows().is_empty() {
        return Err(Error::NoFamily { family: name.to_owned() });
    }
    table.notes.push(
        "differences are paired by seed with 95 % Student intervals; within the margin: the one-sided test against the margin, \
         adjusted by Holm's method over the family of its study"
            .into(),
    );
    Ok(table)
}
