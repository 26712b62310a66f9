//! What a file says of outcomes: one column per advisor, or the advisor that was chosen. The records of other programs are known by
//! their columns.
//!
//! | program | its columns |
//! |---|---|
//! | ParetoBandit | `arms.MODEL.reward`, `arms.MODEL.cost`, `prompt`, `source` |
//! | UCCI | `u`, `small_correct`, `large_correct` |
//! | RouteLLM | `prompt`, and two columns of True and False under the names of models |
//! | a router of this program | `advisors`, `probabilities`, `chosen`; and `reward` and `cost`, which you add |
//! | a cascade of this program | `asked`, `probability`; and `reward`, which you add |

use std::collections::BTreeSet;

use counsel_controller::route::Request;

use super::sheet::Sheet;
use super::sources::{Source, advisors, agreement};
use super::table::{Basis, RouteColumns, RouteRow, listed};

/// Where the probabilities of choices stand.
#[derive(Debug, Clone)]
pub(super) enum Chances {
    /// One column per advisor.
    Each(Vec<usize>),
    /// A list in a column.
    List(usize),
    /// That of the choice alone.
    Choice(usize),
    /// That of asking the second advisor.
    Asking(usize),
}

/// Who was chosen.
#[derive(Debug, Clone, Copy)]
pub(super) enum Choice {
    /// Its name, or its number from 0.
    Named(usize),
    /// Whether the second one was asked.
    Asked(usize),
}

/// What a file says of outcomes.
#[derive(Debug, Clone)]
pub(super) enum Form {
    /// Columns of each advisor; the probabilities that the second was asked, and that outcomes became known, where there are some.
    Outcomes { advisors: Vec<Source>, asking: Option<usize>, seen: Option<usize>, judges_both: bool },
    /// The advisor that was chosen, with its reward and cost.
    Choices {
        advisors: Vec<String>,
        chosen: Choice,
        chances: Chances,
        reward: usize,
        cost: Option<usize>,
        seen: Option<usize>,
    },
}

impl Form {
    /// What a file says, by its columns.
    pub(super) fn of(sheet: &Sheet, columns: &RouteColumns) -> Result<Self, String> {
        if columns.advisors.is_empty() && sheet.place("reward").is_some() {
            let named = sheet.place("chosen").map(Choice::Named);
            if let Some(chosen) = named.or_else(|| sheet.place("asked").map(Choice::Asked)) {
                return choices(sheet, chosen);
            }
        }
        let advisors = advisors(sheet, columns)?;
        if advisors.len() < 2 {
            return Err(format!(
                "it has outcomes of {} advisors, and two are needed; name columns with --advisor NAME=REWARD,COST. Its columns are {}",
                advisors.len(),
                listed(sheet)
            ));
        }
        let (asking, seen) = (sheet.place("p_ask").filter(|_| advisors.len() == 2), sheet.place("p_seen"));
        let mut form = Self::Outcomes { advisors, asking, seen, judges_both: true };
        form.settle_who_is_judged(sheet)?;
        Ok(form)
    }

    /// The names of the advisors.
    pub(super) fn advisors(&self) -> impl Iterator<Item = &str> {
        let (sources, names): (&[Source], &[String]) = match self {
            Self::Outcomes { advisors, .. } => (advisors, &[]),
            Self::Choices { advisors, .. } => (&[], advisors),
        };
        sources.iter().map(|source| source.name.as_str()).chain(names.iter().map(String::as_str))
    }

    /// What its outcomes rest on.
    pub(super) fn basis(&self) -> Basis {
        match self {
            Self::Outcomes { asking: None, seen: None, .. } => Basis::Observed,
            Self::Outcomes { asking: None, seen: Some(_), .. } => Basis::Weighed,
            _ => Basis::OffPolicy,
        }
    }

    /// Nothing is missing where all outcomes are known. Where the second advisor was asked, the first one's answer is judged as well, or it is not: in all rows the same.
    fn settle_who_is_judged(&mut self, sheet: &Sheet) -> Result<(), String> {
        let Self::Outcomes { advisors, asking, seen, judges_both } = self else { return Ok(()) };
        let is_known = |row: usize| advisors.iter().all(|source| source.reward(sheet, row).is_some());
        if (0..sheet.rows()).all(is_known) {
            // Whatever was asked, all outcomes are there.
            (*asking, *seen) = (None, None);
        }
        if asking.is_none() {
            return Ok(());
        }
        let rewards = |row: usize| [0, 1].map(|place: usize| advisors[place].reward(sheet, row));
        let asked: Vec<bool> = (0..sheet.rows())
            .map(rewards)
            .filter(|rewards| rewards[1].is_some())
            .map(|rewards| rewards[0].is_some())
            .collect();
        let both = asked.iter().filter(|both| **both).count();
        if both > 0 && both < asked.len() {
            return Err(format!(
                "where `{}` was asked, the outcome of `{}` is known in {both} of {} rows; write it always, or never",
                advisors[1].name,
                advisors[0].name,
                asked.len()
            ));
        }
        *judges_both = both > 0;
        Ok(())
    }

    /// What a row says; nothing if an outcome is missing and the file does not say how probable that was.
    pub(super) fn outcome(&self, sheet: &Sheet, row: usize) -> Result<Option<RouteRow>, String> {
        match self {
            Self::Outcomes { advisors, asking, seen, judges_both } => {
                let rewards: Vec<Option<f64>> = advisors.iter().map(|source| source.reward(sheet, row)).collect();
                let costs = advisors.iter().map(|source| source.cost(sheet, row)).collect();
                let agreed = agreement(sheet, advisors, row);
                let known = rewards.iter().flatten().count();
                if asking.is_none() && seen.is_none() {
                    let full = known == rewards.len() && advisors.iter().all(|one| one.cost(sheet, row).is_some());
                    let chances = vec![1.0; rewards.len()];
                    return Ok(full.then(|| RouteRow { rewards, costs, chances, agreed, request: Request::default() }));
                }
                let seen = probability(sheet, row, *seen)?.unwrap_or(1.0);
                let chances = match probability(sheet, row, *asking)? {
                    None if known > 0 && known < rewards.len() => {
                        return Err("it has the outcome of one advisor and not of another; write p_ask, the probability of asking".into());
                    }
                    None => vec![seen; rewards.len()],
                    Some(ask) => vec![if *judges_both { seen } else { (1.0 - ask) * seen }, ask * seen],
                };
                refuse_impossible(&rewards, &chances)?;
                Ok(Some(RouteRow { rewards, costs, chances, agreed, request: Request::default() }))
            }
            Self::Choices { advisors, chosen, chances, reward, cost, seen } => {
                let chosen = chosen.of(sheet, row, advisors)?;
                let count = advisors.len();
                let (mut rewards, mut costs) = (vec![None; count], vec![None; count]);
                rewards[chosen] = sheet.number(row, *reward);
                if seen.is_none() && rewards[chosen].is_none() {
                    return Err("its reward is missing, and no column p_seen says how probable that was; write the probability that a reward becomes known".into());
                }
                match cost {
                    Some(place) => costs[chosen] = sheet.number(row, *place).filter(|cost| *cost >= 0.0),
                    None => costs.iter_mut().zip(0_u32..).for_each(|(cost, rank)| *cost = Some(f64::from(rank.min(1)))),
                }
                let seen = probability(sheet, row, *seen)?.unwrap_or(1.0);
                let mut chances = chances.of(sheet, row, chosen, count)?;
                chances.iter_mut().for_each(|chance| *chance *= seen);
                refuse_impossible(&rewards, &chances)?;
                Ok(Some(RouteRow { rewards, costs, chances, agreed: None, request: Request::default() }))
            }
        }
    }
}

impl Choice {
    fn of(self, sheet: &Sheet, row: usize, advisors: &[String]) -> Result<usize, String> {
        match self {
            Self::Asked(place) => {
                let asked = sheet.number(row, place).filter(|asked| *asked == 0.0 || *asked == 1.0);
                asked
                    .map(|asked| usize::from(asked > 0.5))
                    .ok_or_else(|| "asked is missing; write true or false".into())
            }
            Self::Named(place) => {
                let chosen = sheet.text(row, place).ok_or("chosen is missing; write the name of the advisor")?;
                let named = advisors.iter().position(|name| name == chosen);
                let numbered = || chosen.parse().ok().filter(|number: &usize| *number < advisors.len());
                named.or_else(numbered).ok_or_else(|| format!("chosen is `{chosen}`, which is no advisor"))
            }
        }
    }
}

impl Chances {
    fn of(&self, sheet: &Sheet, row: usize, chosen: usize, count: usize) -> Result<Vec<f64>, String> {
        let one = |place: usize| {
            let missing = "a probability is missing; write that of every choice, as it was drawn";
            probability(sheet, row, Some(place))?.ok_or_else(|| missing.to_owned())
        };
        match self {
            Self::Each(places) => places.iter().map(|place| one(*place)).collect(),
            Self::Asking(place) => one(*place).map(|ask| vec![1.0 - ask, ask]),
            Self::Choice(place) => {
                let probability = one(*place)?;
                let rest = if count == 2 { 1.0 - probability } else { f64::NAN };
                let mut chances = vec![rest; count];
                chances[chosen] = probability;
                Ok(chances)
            }
            Self::List(place) => {
                let list: Option<Vec<f64>> = sheet.text(row, *place).and_then(|text| serde_json::from_str(text).ok());
                list.filter(|list| list.len() == count && list.iter().all(|one| (0.0..=1.0).contains(one)))
                    .ok_or_else(|| format!("probabilities is no list of {count} probabilities"))
            }
        }
    }
}

/// A probability, if there is a column for it.
fn probability(sheet: &Sheet, row: usize, place: Option<usize>) -> Result<Option<f64>, String> {
    let Some(place) = place else { return Ok(None) };
    match sheet.number(row, place) {
        Some(number) if !(0.0..=1.0).contains(&number) => {
            Err(format!("a probability is {number}; write a number from 0 to 1"))
        }
        None => Err("a probability is missing; write a number from 0 to 1".into()),
        found => Ok(found),
    }
}

/// What is known had a chance to be.
fn refuse_impossible(rewards: &[Option<f64>], chances: &[f64]) -> Result<(), String> {
    if rewards.iter().zip(chances).any(|(reward, chance)| reward.is_some() && *chance == 0.0) {
        return Err("an outcome is known that had probability 0; write the probability with which it was drawn".into());
    }
    Ok(())
}

/// A log of choices.
fn choices(sheet: &Sheet, chosen: Choice) -> Result<Form, String> {
    let reward = sheet.place("reward").ok_or("it has no column `reward`")?;
    let (cost, seen) = (sheet.place("cost"), sheet.place("p_seen"));
    let Choice::Named(place) = chosen else {
        let asking = sheet.place("p_ask").or_else(|| sheet.place("probability"));
        let asking =
            asking.ok_or("it has no column `p_ask`; write the probability with which the strong advisor was asked")?;
        let advisors = vec!["cheap".to_owned(), "strong".to_owned()];
        return Ok(Form::Choices { advisors, chosen, chances: Chances::Asking(asking), reward, cost, seen });
    };
    let list: Option<Vec<String>> = sheet
        .place("advisors")
        .and_then(|place| sheet.entries(place).next())
        .and_then(|text| serde_json::from_str(text).ok());
    let mut advisors = list.clone().unwrap_or_else(|| {
        let names: BTreeSet<&str> = sheet.entries(place).collect();
        names.into_iter().map(str::to_owned).collect()
    });
    if list.is_none() {
        let mean = |name: &String| {
            let costs: Vec<f64> = (0..sheet.rows())
                .filter(|row| sheet.text(*row, place) == Some(name))
                .filter_map(|row| sheet.number(row, cost?))
                .collect();
            costs.iter().sum::<f64>() / (costs.len() as f64).max(1.0)
        };
        advisors.sort_by(|one, other| mean(one).total_cmp(&mean(other)));
    }
    if advisors.len() < 2 || (advisors.len() > 2 && cost.is_none()) {
        return Err(format!(
            "it has choices of {} advisors{}; its columns are {}",
            advisors.len(),
            if advisors.len() < 2 {
                ", and two are needed"
            } else {
                " and no column `cost`; write what each answer cost"
            },
            listed(sheet)
        ));
    }
    let each: Option<Vec<usize>> = advisors.iter().map(|name| sheet.place(&format!("p_{name}"))).collect();
    let list = sheet.place("probabilities").map(Chances::List);
    let chances = each.map(Chances::Each).or(list).or_else(|| sheet.place("probability").map(Chances::Choice));
    let chances = chances.ok_or_else(|| {
        format!(
            "it has choices without their probabilities; write `probability`, with which the choice was drawn, or p_{} and so on",
            advisors[0]
        )
    })?;
    Ok(Form::Choices { advisors, chosen, chances, reward, cost, seen })
}
