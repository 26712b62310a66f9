//! Where a file says what each advisor's answer brought and cost, if it says it of all of them.

use super::sheet::Sheet;
use super::table::{RouteColumns, listed};

/// Where a reward stands: in a column, or in an answer that is compared with the right one.
#[derive(Debug, Clone, Copy)]
pub(super) enum Reward {
    Told(usize),
    Compared { answer: usize, truth: usize },
}

/// One advisor, found in a file.
#[derive(Debug, Clone)]
pub(super) struct Source {
    pub(super) name: String,
    reward: Reward,
    cost: Result<f64, usize>,
}

impl Source {
    pub(super) fn reward(&self, sheet: &Sheet, row: usize) -> Option<f64> {
        match self.reward {
            Reward::Told(place) => sheet.number(row, place),
            Reward::Compared { answer, truth } => {
                let (answer, truth) = (sheet.text(row, answer)?, sheet.text(row, truth)?);
                Some(f64::from(u8::from(answer.trim() == truth.trim())))
            }
        }
    }

    pub(super) fn cost(&self, sheet: &Sheet, row: usize) -> Option<f64> {
        match self.cost {
            Ok(cost) => Some(cost),
            Err(place) => sheet.number(row, place).filter(|cost| *cost >= 0.0),
        }
    }
}

/// Whether the first two advisors answered the same.
pub(super) fn agreement(sheet: &Sheet, advisors: &[Source], row: usize) -> Option<bool> {
    let told = sheet.place("agreed").and_then(|place| sheet.number(row, place)).map(|agreed| agreed > 0.5);
    let answer = |place: usize| match advisors[place].reward {
        Reward::Compared { answer, .. } => sheet.text(row, answer),
        Reward::Told(_) => sheet.place(&format!("answer_{}", advisors[place].name)).and_then(|at| sheet.text(row, at)),
    };
    told.or_else(|| Some(answer(0)?.trim() == answer(1)?.trim()))
}

/// The advisors that are named, or those that the columns name.
pub(super) fn advisors(sheet: &Sheet, columns: &RouteColumns) -> Result<Vec<Source>, String> {
    let place = |name: &String| {
        let missing = || format!("it has no column `{name}`; its columns are {}", listed(sheet));
        sheet.place(name).ok_or_else(missing)
    };
    if !columns.advisors.is_empty() {
        let named = columns.advisors.iter().map(|advisor| {
            let cost = match &advisor.cost {
                Ok(cost) => Ok(*cost),
                Err(column) => Err(place(column)?),
            };
            Ok(Source { name: advisor.name.clone(), reward: Reward::Told(place(&advisor.reward)?), cost })
        });
        return named.collect();
    }
    let mut found = priced(sheet);
    if found.is_empty() {
        found = unpriced(sheet);
    }
    Ok(found)
}

/// Advisors with a column of rewards and one of costs, the cheapest first.
fn priced(sheet: &Sheet) -> Vec<Source> {
    let pairs = [("reward_", "", "cost_", ""), ("r_", "", "c_", ""), ("arms.", ".reward", "arms.", ".cost")];
    let source = |column: &str| {
        let of = |(before, after, cost, end): &(&str, &str, &str, &str)| {
            let name = column.strip_prefix(before)?.strip_suffix(after)?;
            let cost = sheet.place(&format!("{cost}{name}{end}"))?;
            let reward = Reward::Told(sheet.place(column)?);
            Some(Source { name: name.to_owned(), reward, cost: Err(cost) })
        };
        pairs.iter().find_map(of)
    };
    let mut found: Vec<(f64, Source)> = sheet
        .names()
        .filter_map(source)
        .map(|source| {
            let costs: Vec<f64> = (0..sheet.rows()).filter_map(|row| source.cost(sheet, row)).collect();
            (costs.iter().sum::<f64>() / (costs.len() as f64).max(1.0), source)
        })
        .collect();
    found.sort_by(|one, other| one.0.total_cmp(&other.0).then_with(|| one.1.name.cmp(&other.1.name)));
    found.into_iter().map(|(_, source)| source).collect()
}

/// Two advisors without costs: the first is free, and a call of the second costs 1.
fn unpriced(sheet: &Sheet) -> Vec<Source> {
    let told = |names: [&str; 2], columns: [String; 2]| {
        let places = [sheet.place(&columns[0])?, sheet.place(&columns[1])?];
        Some([0, 1].map(|rank: usize| (names[rank].to_owned(), Reward::Told(places[rank]))))
    };
    let compared = |cheap: &str, strong: &str| {
        let truth = sheet.place("truth").or_else(|| sheet.place("label"))?;
        let answers = [sheet.place(&format!("answer_{cheap}"))?, sheet.place(&format!("answer_{strong}"))?];
        Some(
            [(cheap, answers[0]), (strong, answers[1])]
                .map(|(name, answer)| (name.to_owned(), Reward::Compared { answer, truth })),
        )
    };
    let pairs = [("cheap", "strong"), ("small", "large"), ("weak", "strong")];
    let known = pairs.iter().find_map(|(cheap, strong)| {
        let columns =
            |before: &str, after: &str| [format!("{before}{cheap}{after}"), format!("{before}{strong}{after}")];
        told([cheap, strong], columns("reward_", ""))
            .or_else(|| told([cheap, strong], columns("", "_correct")))
            .or_else(|| compared(cheap, strong))
    });
    let found = known.or_else(|| truths(sheet));
    let priced = |(rank, (name, reward)): (usize, (String, Reward))| {
        let cost = sheet.place(&format!("cost_{name}")).map_or(Ok(if rank == 0 { 0.0 } else { 1.0 }), Err);
        Source { name, reward, cost }
    };
    found.into_iter().flatten().enumerate().map(priced).collect()
}

/// Exactly two columns of which every entry is true or false, such as RouteLLM's: the one that is right less often first.
fn truths(sheet: &Sheet) -> Option<[(String, Reward); 2]> {
    let is_truth = |text: &str| matches!(text, "True" | "False" | "true" | "false");
    let reserved = ["asked", "agreed", "contaminated"];
    let all = sheet.names().filter(|name| !reserved.contains(name)).filter_map(|name| {
        let place = sheet.place(name)?;
        let entries: Vec<&str> = sheet.entries(place).collect();
        let right = entries.iter().filter(|text| text.eq_ignore_ascii_case("true")).count();
        (!entries.is_empty() && entries.iter().all(|text| is_truth(text))).then(|| (right, name.to_owned(), place))
    });
    let mut all: Vec<(usize, String, usize)> = all.collect();
    all.sort();
    let [weak, strong] = <[_; 2]>::try_from(all).ok()?;
    Some([weak, strong].map(|(_, name, place)| (name, Reward::Told(place))))
}
