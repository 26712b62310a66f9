//! What each policy would have returned and cost at a budget.

use counsel_controller::Seed;
use counsel_controller::route::{BookSpec, Layout, Offer, Request, Router, RouterSpec, Shrinkage, Spending, hull};
use counsel_stats::{Interval, mean_interval};

use super::table::RouteTable;
use crate::Error;

/// How a table is weighed.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `budgets` | five between the cheapest and the dearest advisor | mean costs of a request, above 0 |
/// | `orders` | 10 | orders of the rows, at least 2 |
/// | `buckets` | 256 | buckets of words, where texts are known |
/// | `prices` | 0.01, 0.05, 0.1 and 0.2 | prices of an answer of the dearest advisor, in units of reward; the first one is that of the verdict, by default 0.05 |
/// | `seed` | 0 | of the orders and of the router |
#[derive(Debug, Clone, PartialEq)]
pub struct RouteSettings {
    /// Mean costs of a request.
    pub budgets: Vec<f64>,
    /// Orders of the rows.
    pub orders: u64,
    /// Buckets of words.
    pub buckets: usize,
    /// Prices of an answer of the dearest advisor.
    pub prices: Vec<f64>,
    /// The seed.
    pub seed: u64,
}

impl Default for RouteSettings {
    fn default() -> Self {
        Self { budgets: Vec::new(), orders: 10, buckets: 256, prices: Vec::new(), seed: 0 }
    }
}

/// Prices that are tried where none is named.
const PRICES: [f64; 4] = [0.01, 0.05, 0.1, 0.2];
/// The one of them that the verdict is about.
const USUAL: f64 = 0.05;

impl RouteSettings {
    /// Refuses settings without a number.
    pub(super) fn check(&self) -> Result<(), Error> {
        if self.orders < 2 {
            return Err(Error::Asked { reason: format!("orders is {}; two are needed for an interval", self.orders) });
        }
        match self.prices.iter().find(|price| !(**price >= 0.0 && price.is_finite())) {
            Some(price) => Err(Error::Asked { reason: format!("a price is {price}; pass prices of at least 0") }),
            None => Ok(()),
        }
    }

    /// The prices that are tried.
    pub(super) fn prices(&self) -> Vec<f64> {
        if self.prices.is_empty() { PRICES.to_vec() } else { self.prices.clone() }
    }

    /// The price of the verdict.
    pub(super) fn price(&self) -> f64 {
        self.prices.first().copied().unwrap_or(USUAL)
    }
}

/// A policy at one budget, over the second half of the rows in every order; the first half is there to learn from.
#[derive(Debug, Clone)]
pub struct Weighed {
    /// The budget of a request.
    pub budget: f64,
    /// The policy.
    pub policy: &'static str,
    /// The mean reward, with its interval over orders where it depends on them.
    pub reward: Interval,
    /// The mean cost.
    pub cost: f64,
    /// The largest mean cost of an order, as a share of the budget.
    pub worst: f64,
}

/// What knows groups alone, and what knows all.
const LEARNERS: [&str; 2] = ["group means", "router"];

impl RouteTable {
    /// The mean reward and the mean cost of every advisor, where they are known.
    pub fn means(&self) -> (Vec<f64>, Vec<f64>) {
        let mean = |advisor: usize| {
            let (count, sum) =
                self.known(advisor).fold((0.0, 0.0), |(count, sum), (_, reward)| (count + 1.0, sum + reward));
            sum / f64::max(count, 1.0)
        };
        let advisors = 0..self.advisors.len();
        (advisors.clone().map(mean).collect(), advisors.map(|advisor| self.mean_cost(advisor)).collect())
    }

    /// What is offered: the mean cost stands for the price list, the largest one for what an answer can cost.
    fn offers(&self) -> Vec<Offer> {
        let (_, costs) = self.means();
        let worst = |advisor: usize| self.rows.iter().filter_map(|row| row.costs[advisor]).fold(0.0, f64::max);
        let offer = |(advisor, name): (usize, &String)| Offer {
            name: name.clone(),
            list_price: costs[advisor],
            worst: worst(advisor).max(costs[advisor]),
        };
        self.advisors.iter().enumerate().map(offer).collect()
    }

    /// The budgets that are asked for, or five between the cheapest advisor and the dearest.
    fn budgets(&self, settings: &RouteSettings) -> Vec<f64> {
        if !settings.budgets.is_empty() {
            return settings.budgets.clone();
        }
        let (_, costs) = self.means();
        let (low, high) =
            costs.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), cost| (low.min(*cost), high.max(*cost)));
        // A free advisor is no point of a geometric row.
        let low = if low > 0.0 { low * 1.2 } else { high / 20.0 };
        (0..5).map(|step| low * (high / low).powf(f64::from(step) / 4.0)).collect()
    }

    /// How requests are encoded: groups alone, or all that is known.
    pub(super) fn layout(&self, reads_all: bool, settings: &RouteSettings) -> Layout {
        let buckets = if reads_all && self.has_text { settings.buckets } else { 0 };
        let numbers = if reads_all { self.numbers.len() } else { 0 };
        Layout { groups: self.groups.len().min(1000), numbers, buckets, ..Layout::default() }
    }

    fn spec(&self, policy: &str, settings: &RouteSettings, spending: Spending) -> RouterSpec {
        let layout = self.layout(policy == LEARNERS[1], settings);
        let shrinkage = Shrinkage { words: if self.groups.is_empty() { 10.0 } else { 20.0 }, ..Shrinkage::default() };
        RouterSpec { book: BookSpec { layout, shrinkage, ..BookSpec::default() }, spending, ..RouterSpec::default() }
    }

    /// The order with this number: a shuffle from the end.
    pub(super) fn order(&self, settings: &RouteSettings, number: u64) -> Vec<usize> {
        use rand::seq::SliceRandom;
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        order.shuffle(&mut Seed::root(settings.seed).stream("order").index(number).rng());
        order
    }

    /// The mean reward and cost of a router over the second half of one order.
    fn routed(&self, policy: &str, settings: &RouteSettings, budget: f64, number: u64) -> Result<(f64, f64), Error> {
        let order = self.order(settings, number);
        let (learning, counted) = order.split_at(order.len() / 2);
        let spending = Spending::Budget { per_request: budget, requests: learning.len() as u64 };
        let seed = Seed::root(settings.seed).stream("router").index(number);
        let mut router = Router::new(self.spec(policy, settings, spending), &self.offers(), seed)?;
        let (mut reward, mut cost) = (0.0, 0.0);
        for (place, counts) in
            learning.iter().map(|place| (place, false)).chain(counted.iter().map(|place| (place, true)))
        {
            if counts && Some(place) == counted.first() {
                router.begin_period(budget, counted.len() as u64)?;
            }
            let row = &self.rows[*place];
            let route = router.decide(&read(policy, &row.request))?;
            let (Some(brought), Some(paid)) = (row.rewards[route.chosen], row.costs[route.chosen]) else {
                return Err(Error::Asked {
                    reason: "a request has not all outcomes, so no policy can be played on it".into(),
                });
            };
            router.settle(route.step, paid)?;
            router.learn(route.step, Some(brought))?;
            if counts {
                reward += brought;
                cost += paid;
            }
        }
        Ok((reward / counted.len() as f64, cost / counted.len() as f64))
    }
}

/// What a policy reads of a request.
fn read(policy: &str, request: &Request) -> Request {
    if policy == LEARNERS[1] { request.clone() } else { Request { group: request.group, ..Request::default() } }
}

/// Weighs every policy at every budget.
pub fn weigh(table: &RouteTable, settings: &RouteSettings) -> Result<Vec<Weighed>, Error> {
    settings.check()?;
    let (rewards, costs) = table.means();
    let mut weighed = Vec::new();
    for budget in table.budgets(settings) {
        if !(budget > 0.0 && budget.is_finite()) {
            return Err(Error::Asked { reason: format!("a budget is {budget}; pass mean costs of a request above 0") });
        }
        let weights = hull(&rewards, &costs, budget);
        let sum = |values: &[f64]| weights.iter().zip(values).map(|(weight, value)| weight * value).sum::<f64>();
        let mixture = (sum(&rewards), sum(&costs));
        let exact = |reward: f64| Interval { estimate: reward, half_width: 0.0, low: reward, high: reward };
        weighed.push(Weighed {
            budget,
            policy: "hull",
            reward: exact(mixture.0),
            cost: mixture.1,
            worst: mixture.1 / budget,
        });
        for policy in LEARNERS.into_iter().filter(|policy| *policy == LEARNERS[1] || !table.groups.is_empty()) {
            let orders = (0..settings.orders).map(|number| table.routed(policy, settings, budget, number));
            let orders: Vec<(f64, f64)> = orders.collect::<Result<_, Error>>()?;
            let rewards: Vec<f64> = orders.iter().map(|order| order.0).collect();
            let mean = rewards.iter().sum::<f64>() / rewards.len() as f64;
            let reward = mean_interval(&rewards, 0.95)?.unwrap_or_else(|| exact(mean));
            let cost = orders.iter().map(|order| order.1).sum::<f64>() / orders.len() as f64;
            let worst = orders.iter().map(|order| order.1 / budget).fold(0.0, f64::max);
            weighed.push(Weighed { budget, policy, reward, cost, worst });
        }
    }
    Ok(weighed)
}

/// What limits the spending of a router that is written to a file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Limit {
    /// A period with a hard budget: what a request may cost on average, and how many there are.
    Budget {
        /// What a request may cost.
        per_request: f64,
        /// How many there are.
        requests: u64,
    },
    /// What an answer of the dearest advisor is worth in reward.
    Price(f64),
}

/// A router that was taught all that is known of the rows, as the text that `Router::load` reads.
pub fn policy_text(table: &RouteTable, settings: &RouteSettings, limit: Limit) -> Result<String, Error> {
    let spending = match limit {
        Limit::Budget { per_request, requests } => Spending::Budget { per_request, requests },
        Limit::Price(price) => Spending::Price(price_of_cost(table, price)?),
    };
    let seed = Seed::root(settings.seed).stream("policy");
    let mut router = Router::new(table.spec(LEARNERS[1], settings, spending), &table.offers(), seed)?;
    for row in &table.rows {
        for (advisor, (reward, cost)) in row.rewards.iter().zip(&row.costs).enumerate() {
            if let (Some(reward), Some(cost)) = (reward, cost) {
                router.teach(&row.request, advisor, *reward, *cost)?;
            }
        }
    }
    Ok(router.save()?)
}

/// What a unit of cost is worth in reward where an answer of the dearest advisor is worth this price.
fn price_of_cost(table: &RouteTable, price: f64) -> Result<f64, Error> {
    let extra = table.mean_cost(table.dearest()) - table.mean_cost(0);
    if extra > 0.0 {
        return Ok(price / extra);
    }
    Err(Error::Asked {
        reason: "all advisors cost the same, so there is nothing to decide; write what they cost".into(),
    })
}
