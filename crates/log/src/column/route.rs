//! Who answered, in decisions without a world: what was known of the request, what the router or cascade computed, and the
//! feedback it learned from. A log has these columns only where its rows are such decisions.
//!
//! The audit computes the choices again, model state included: `counsel-experiment` puts what is given into a fresh router.

use super::Read;
use super::declaration::{Field, LogColumn};
use super::word::{Number, put};
use crate::draft::Draft;

/// Who answered a request, and why.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Routed {
    /// Whether the decision counts in the results; others are there to learn from.
    pub counted: bool,
    /// The group of the request.
    pub group: Option<u64>,
    /// Its numbers.
    pub numbers: Vec<f64>,
    /// Its words: bucket, count, bucket, count.
    pub words: Vec<i64>,
    /// The expected reward of every advisor.
    pub rewards: Vec<f64>,
    /// The expected cost of every advisor.
    pub costs: Vec<f64>,
    /// The expected reward in the optimist's eyes.
    pub hopes: Vec<f64>,
    /// Which model of each advisor predicted.
    pub experts: Vec<String>,
    /// What a unit of cost is worth in reward.
    pub money: f64,
    /// Which advisors fit the budget: 1 or 0.
    pub allowed: Vec<i64>,
    /// The probability of every advisor.
    pub probabilities: Vec<f64>,
    /// What exploring may still cost, or the bankroll.
    pub account: Option<f64>,
    /// The number in [0, 1) that decided.
    pub uniform: f64,
    /// Who answered.
    pub chosen: u64,
    /// Who was asked, in this order, where several can be asked one after the other.
    pub asked: Vec<i64>,
    /// What the answer cost.
    pub cost: f64,
    /// The reward that was learned; absent where none came.
    pub learned: Option<f64>,
    /// The step before which it was learned; the next one where feedback is not late.
    pub learned_at: Option<u64>,
    /// Which answers are the same: a number for each advisor; empty where it is not known.
    pub answers: Vec<i64>,
    /// What every advisor's answer brought.
    pub advisor_rewards: Vec<f64>,
    /// What every advisor's answer cost.
    pub advisor_costs: Vec<f64>,
    /// The mean reward that was published for this order.
    pub published: Option<f64>,
}

/// A column that is a number of the route; absent where there is no route.
macro_rules! one {
    ($kind:ident, $field:ident) => {
        Field::$kind {
            write: |row| row.route.and_then(|route| route.$field.number()),
            read: |draft, number| match &mut draft.route {
                Some(route) => put(&mut route.$field, Number::read(number)),
                None => absent(number.is_none()),
            },
        }
    };
}

/// A column that is a list of the route.
macro_rules! many {
    ($kind:ident, $field:ident) => {
        Field::$kind {
            write: |row, list| list.extend(row.route.iter().flat_map(|route| route.$field.iter().copied())),
            read: |draft, list| match &mut draft.route {
                Some(route) => put(&mut route.$field, Ok(list.to_vec())),
                None => absent(list.is_empty()),
            },
        }
    };
}

fn absent(is_absent: bool) -> Read {
    if is_absent { Ok(()) } else { Err("has an entry, but the row has no route_counted".into()) }
}

/// The first column of a route says whether there is one.
fn begin(draft: &mut Draft<'_>, counted: Option<i64>) -> Read {
    draft.route = None;
    if let Some(counted) = counted {
        let counted = super::word::truth(counted)?;
        draft.route = Some(Box::new(Routed { counted, ..Routed::default() }));
    }
    Ok(())
}

pub(super) const COLUMNS: &[LogColumn] = &[
    LogColumn::given(
        "route_counted",
        "1 if the decision counts in the results, 0 if it is there to learn from; absent where nothing is routed",
        Field::Int { write: |row| row.route.and_then(|route| route.counted.number()), read: begin },
    )
    .where_used(),
    LogColumn::given(
        "route_group",
        "the number of the request's group; absent where it is not known",
        one!(Int, group),
    )
    .where_used(),
    LogColumn::given("route_numbers", "the numbers that are known of the request", many!(Reals, numbers)).where_used(),
    LogColumn::given(
        "route_words",
        "the words of the request where they are read: bucket, count, bucket, count",
        many!(Ints, words),
    )
    .where_used(),
    LogColumn::computed("route_rewards", "m, the expected reward of every advisor", many!(Reals, rewards)).where_used(),
    LogColumn::computed("route_costs", "c, the expected cost of every advisor", many!(Reals, costs)).where_used(),
    LogColumn::computed("route_hopes", "u, the expected reward in the optimist's eyes", many!(Reals, hopes))
        .where_used(),
    LogColumn::computed(
        "route_experts",
        "which model of each advisor predicted: `level`, `group` or `all`; empty where nothing is learned",
        Field::Words {
            write: |row, list| list.extend(row.route.iter().flat_map(|route| route.experts.iter().map(String::as_str))),
            read: |draft, list| match &mut draft.route {
                Some(route) => put(&mut route.experts, Ok(list.iter().map(|&word| word.to_owned()).collect())),
                None => absent(list.is_empty()),
            },
        },
    )
    .where_used(),
    LogColumn::computed("route_money", "λ, what a unit of cost is worth in reward", one!(Real, money)).where_used(),
    LogColumn::computed("route_allowed", "1 for every advisor that fits the budget, else 0", many!(Ints, allowed))
        .where_used(),
    LogColumn::computed("route_probabilities", "the probability of every advisor", many!(Reals, probabilities))
        .where_used(),
    LogColumn::computed(
        "route_account",
        "what exploring may still cost, or the bankroll of a cascade, before the decision; absent where there is none",
        one!(Real, account),
    )
    .where_used(),
    LogColumn::computed("route_uniform", "the number in [0, 1) that decided", one!(Real, uniform)).where_used(),
    LogColumn::computed("route_chosen", "the advisor whose answer was executed", one!(Int, chosen)).where_used(),
    LogColumn::computed(
        "route_asked",
        "the advisors that were asked, in this order; empty where one is asked at most",
        many!(Ints, asked),
    )
    .where_used(),
    LogColumn::given(
        "route_answers",
        "which answers are the same, a number for each advisor; empty where it is not known",
        many!(Ints, answers),
    )
    .where_used(),
    LogColumn::given("route_cost", "what its answer cost", one!(Real, cost)).where_used(),
    LogColumn::given("route_learned", "the reward that was learned; absent where none came", one!(Real, learned))
        .where_used(),
    LogColumn::given(
        "route_learned_at",
        "the step before which it was learned; absent where nothing was",
        one!(Int, learned_at),
    )
    .where_used(),
    LogColumn::hindsight("route_advisor_rewards", "what every advisor's answer brought", many!(Reals, advisor_rewards))
        .where_used(),
    LogColumn::hindsight("route_advisor_costs", "what every advisor's answer cost", many!(Reals, advisor_costs))
        .where_used(),
    LogColumn::hindsight(
        "route_published",
        "the mean reward that was published for this order and budget; absent where none was",
        one!(Real, published),
    )
    .where_used(),
];
