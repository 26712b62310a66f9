//! What a policy would have returned, from outcomes of which some are known by chance.
//!
//! A request whose chosen advisor's reward is known counts with the inverse of the probability that it became known; what it adds to
//! the expectation of a book of other requests is the doubly robust estimate, and where everything is known it is the plain mean.
//! Below the limits of the off-policy tier there is no number.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::table::{Basis, RouteRow, RouteTable};
use crate::Error;
use crate::off_policy::{Estimates, Limits, Refused, Visit, Weights, doubly_robust, rates};

/// What is summed: what answers brought, or what they cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Reward,
    Cost,
}

/// Judges choices on the requests of a table, with what was expected of every advisor by a book that did not learn from the request.
pub(super) struct Judge<'a> {
    table: &'a RouteTable,
    expected: &'a [Vec<f64>],
    costs: Vec<f64>,
    /// Whether the costs of each advisor are known of every request.
    fixed: Vec<bool>,
    /// Why no number can be had of an advisor's outcomes, once it was looked for.
    refused: RefCell<BTreeMap<usize, Option<String>>>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(table: &'a RouteTable, expected: &'a [Vec<f64>]) -> Self {
        let advisors = 0..table.advisors.len();
        let costs = advisors.clone().map(|advisor| table.mean_cost(advisor)).collect();
        let fixed = advisors.map(|advisor| table.rows.iter().all(|row| row.costs[advisor].is_some())).collect();
        Self { table, expected, costs, fixed, refused: RefCell::default() }
    }

    /// What these choices would have brought or cost at each of these rows; the estimate is the mean.
    pub(super) fn each(&self, rows: &[usize], choices: &[usize], outcome: Outcome) -> Vec<f64> {
        doubly_robust(&self.visits(rows, choices, outcome), 1.0)
    }

    /// Why these choices have no number, if they have none.
    pub(super) fn refuses(&self, rows: &[usize], choices: &[usize]) -> Result<Option<String>, Error> {
        if self.table.basis == Basis::Observed {
            return Ok(None);
        }
        if !self.table.is_drawn {
            return Ok(Some("no number: it is not declared that random draws with the logged probabilities decided; if they were estimated afterwards, what led to a call may have led to its outcome, and no test can see it. Declare it with --drawn".into()));
        }
        let mut heaviest = Vec::with_capacity(rows.len());
        for (row, choice) in rows.iter().zip(choices) {
            let chance = self.table.rows[*row].chances[*choice];
            if chance == 0.0 {
                let name = &self.table.advisors[*choice];
                return Ok(Some(format!("no number: at row {} the log could not know an outcome of {name}", row + 1)));
            }
            heaviest.push(1.0 / chance);
        }
        let chosen: std::collections::BTreeSet<usize> = choices.iter().copied().collect();
        for advisor in chosen {
            if let Some(reason) = self.misstated(advisor) {
                return Ok(Some(reason));
            }
        }
        let visits = self.visits(rows, choices, Outcome::Reward);
        let mut weights = Weights::of(&visits);
        let mut uneven = Ok(());
        if heaviest.iter().all(|weight| weight.is_finite()) {
            // The tail of the weights need not be guessed where every chance is logged.
            weights.k = 0.0;
            uneven = Limits::check_uneven(&heaviest);
        }
        if let Err(refused) = weights.check().and(uneven) {
            return Ok(Some(in_words(&refused, "")));
        }
        let estimates = Estimates::of(&visits, 1.0, weights)?;
        Ok(estimates.check().err().map(|refused| in_words(&refused, "")))
    }

    /// Whether outcomes of an advisor became known more or less often than the file claims.
    fn misstated(&self, advisor: usize) -> Option<String> {
        let looked_up = self.refused.borrow().get(&advisor).cloned();
        looked_up.unwrap_or_else(|| {
            let found = self.compare_rates(advisor);
            self.refused.borrow_mut().insert(advisor, found.clone());
            found
        })
    }

    fn compare_rates(&self, advisor: usize) -> Option<String> {
        let rows = &self.table.rows;
        let claimed: Vec<f64> = rows.iter().map(|row| row.chances[advisor]).collect();
        if claimed.iter().any(|chance| chance.is_nan()) {
            return None;
        }
        let happened: Vec<bool> = rows.iter().map(|row| row.rewards[advisor].is_some()).collect();
        let known: [(&'static str, &dyn Fn(usize) -> f64); 5] = [
            ("the probability", &|row| claimed[row]),
            ("place in the file", &|row| row as f64),
            ("the group", &|row| rows[row].request.group.map_or(-1.0, |group| group as f64)),
            ("the first number", &|row| rows[row].request.numbers.first().copied().unwrap_or_default()),
            ("the expected reward", &|row| self.expected[row][advisor]),
        ];
        rates(&claimed, &happened, &known).err().map(|refused| in_words(&refused, &self.table.advisors[advisor]))
    }

    fn visits(&self, rows: &[usize], choices: &[usize], outcome: Outcome) -> Vec<Vec<Visit>> {
        let visit = |(row, choice): (&usize, &usize)| {
            let RouteRow { rewards, costs, chances, .. } = &self.table.rows[*row];
            let (known, expected) = match outcome {
                Outcome::Reward => (rewards[*choice], self.expected[*row][*choice]),
                Outcome::Cost if self.fixed[*choice] => (costs[*choice], self.costs[*choice]),
                // The chance is that of the reward, so a cost counts beside one alone.
                Outcome::Cost => (costs[*choice].filter(|_| rewards[*choice].is_some()), self.costs[*choice]),
            };
            // A cost that is known of every request is known without an answer.
            let is_certain = self.table.basis == Basis::Observed || (outcome == Outcome::Cost && self.fixed[*choice]);
            let ratio = match known {
                Some(_) if is_certain => 1.0,
                Some(_) => 1.0 / chances[*choice],
                None => 0.0,
            };
            vec![Visit { reward: known.unwrap_or_default(), ratio, expected, value: expected }]
        };
        rows.iter().zip(choices).map(visit).collect()
    }
}

/// A refusal of the off-policy tier, about requests and outcomes.
fn in_words(refused: &Refused, advisor: &str) -> String {
    match refused {
        Refused::OtherRate { by, between: [low, high], asked, claimed, rows } => format!(
            "no number: the probabilities are not how outcomes of {advisor} became known: where {by} is {low:.4} to {high:.4} {claimed:.1} are claimed in {rows} rows, and {asked} are there"
        ),
        Refused::OtherTrend { by, deviations } => format!(
            "no number: the probabilities are not how outcomes of {advisor} became known: what is there beyond the claim goes with {by}, {deviations:.1} standard deviations from chance"
        ),
        Refused::OtherMean { mean, half_width } => format!(
            "no number: the mean weight is {mean:.3} ± {half_width:.3}, and would be 1 if the probabilities were how outcomes became known"
        ),
        Refused::OneCarries { share } => {
            format!("no number: one request carries {:.1} % of the weight, above 10 %", share * 100.0)
        }
        Refused::Uneven { needed, episodes } => format!(
            "no number: with probabilities so near to 0 some requests weigh so much that {needed:.0} are needed, and {episodes} are judged"
        ),
        Refused::Disjoint { names: [one, other], means } => format!(
            "no number: {one} says {:.4} and {other} {:.4}, and their intervals do not meet, as they would if the probabilities were right",
            means[0], means[1]
        ),
        other => other.to_string(),
    }
}
