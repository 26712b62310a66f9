//! Which of K advisors answers a request: the one with the best predicted reward less the price of its predicted cost.
//!
//! | step | formula |
//! |---|---|
//! | expect | m_k = w_k·φ, c_k = list price × max(v_k·φ, 0.1) |
//! | hope | u_k = m_k + α σ_k / sqrt(n_k + 1) |
//! | price | λ: see [`Pacer`] |
//! | allow | the cheapest, and all whose worst case fits: see [`Ledger`] |
//! | greedy, optimist | the allowed k with the largest m_k - λ c_k, u_k - λ c_k |
//! | choose | where they differ and the exploration account is not overdrawn, by a coin; otherwise the greedy one |
//!
//! Invariant: the probability of every advisor is fixed before the uniform number is drawn, is zero for all that are not
//! allowed, and sums to one. Cost and reward may come late, in any order, or never; see [`Router::settle`] and
//! [`Router::learn`]. With one advisor beside a free answer of one's own this is the paper's gate.

use std::collections::BTreeMap;

use counsel_decision::Seed;
use counsel_decision::refusal::{below, shape};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::features::{Request, Sparse};
use super::gain_book::{GainBook, Lesson};
use super::ledger::Ledger;
use super::pacer::Pacer;
use super::router_spec::{Offer, Optimism, RouterSpec, Spending};
use super::saved;
use crate::Error;
use crate::error::is_sane;

/// The requests whose account is open from the start, so that the first optimist is not turned away.
const HEAD_START: f64 = 20.0;

/// One decision of a router, with all that it was computed from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Route {
    /// Its number, from 0: cost and reward are reported under it.
    pub step: u64,
    /// The expected reward of every advisor.
    pub rewards: Vec<f64>,
    /// The expected cost of every advisor.
    pub costs: Vec<f64>,
    /// The expected reward in the optimist's eyes.
    pub hopes: Vec<f64>,
    /// λ.
    pub price: f64,
    /// Which advisors fit the ledger.
    pub allowed: Vec<bool>,
    /// The probability of every advisor.
    pub probabilities: Vec<f64>,
    /// The best by expectation.
    pub greedy: usize,
    /// The best by hope.
    pub optimist: usize,
    /// What exploring may still cost; absent without a budget.
    pub account: Option<f64>,
    /// The number in [0, 1) that decided.
    pub uniform: f64,
    /// Who answers.
    pub chosen: usize,
}

/// A decision whose cost or reward has not come yet.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Open {
    phi: Sparse,
    chosen: usize,
    worst: f64,
    expected: f64,
    explored: bool,
    cost: Option<f64>,
}

/// Routes requests among advisors.
///
/// ```
/// use counsel_controller::Seed;
/// use counsel_controller::route::{Offer, Request, Router, RouterSpec, Spending};
///
/// let offers = [Offer::at("small", 0.001), Offer::at("large", 0.02)];
/// let spending = Spending::Budget { per_request: 0.005, requests: 1000 };
/// let mut router = Router::new(RouterSpec { spending, ..RouterSpec::default() }, &offers, Seed::root(1))?;
/// let route = router.decide(&Request::text("What is 2 + 2?"))?;
/// router.settle(route.step, 0.001)?;
/// router.learn(route.step, Some(1.0))?;
/// # Ok::<(), counsel_controller::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Router {
    spec: RouterSpec,
    offers: Vec<Offer>,
    book: GainBook,
    pacer: Pacer,
    ledger: Option<Ledger>,
    seed: Seed,
    steps: u64,
    /// What choices other than the greedy one have cost.
    explored: f64,
    /// The budget that was released so far.
    released: f64,
    open: BTreeMap<u64, Open>,
}

impl Router {
    /// A router that knows nothing but the price list.
    pub fn new(spec: RouterSpec, offers: &[Offer], seed: Seed) -> Result<Self, Error> {
        spec.check(offers)?;
        let ledger = match spec.spending {
            Spending::Price(_) => None,
            Spending::Budget { per_request, requests } => Some(Ledger::new(per_request * requests as f64, requests)?),
        };
        Ok(Self {
            spec,
            offers: offers.to_vec(),
            book: GainBook::new(spec.book, offers.len())?,
            pacer: Pacer::new(offers.len(), spec.window, spec.every)?,
            ledger,
            seed,
            steps: 0,
            explored: 0.0,
            released: 0.0,
            open: BTreeMap::new(),
        })
    }

    /// Begins a period with this budget; what was learned stays.
    pub fn begin_period(&mut self, per_request: f64, requests: u64) -> Result<(), Error> {
        let fresh = Ledger::new(per_request * requests as f64, requests)?;
        self.ledger = Some(match &self.ledger {
            Some(ledger) => ledger.renewed(fresh.budget(), requests),
            None => fresh,
        });
        Ok(())
    }

    /// Learns what an answer brought and cost that was not routed here: a warm start.
    pub fn teach(&mut self, request: &Request, advisor: usize, reward: f64, cost: f64) -> Result<(), Error> {
        let phi = self.book.encode(request)?;
        below("advisor", advisor, self.offers.len())?;
        self.book.learn(advisor, &phi, reward, Some(self.in_units(advisor, cost)))?;
        self.note_worst(advisor, cost);
        Ok(())
    }

    /// Its settings.
    pub fn spec(&self) -> &RouterSpec {
        &self.spec
    }

    /// The advisors, with the worst costs that were met.
    pub fn offers(&self) -> &[Offer] {
        &self.offers
    }

    /// The book.
    pub fn book(&self) -> &GainBook {
        &self.book
    }

    /// The ledger of the period, where there is a budget.
    pub fn ledger(&self) -> Option<&Ledger> {
        self.ledger.as_ref()
    }

    /// Decides who answers. The answer is paid for from now on.
    pub fn decide(&mut self, request: &Request) -> Result<Route, Error> {
        self.decide_expecting(request, None)
    }

    /// The same with rewards that somebody else expects, such as a calibrated score, in place of those of the book.
    pub fn decide_expecting(&mut self, request: &Request, expected: Option<&[f64]>) -> Result<Route, Error> {
        let phi = self.book.encode(request)?;
        if let Some(expected) = expected {
            shape("expected rewards", expected.len(), self.offers.len(), "advisor")?;
        }
        let advisors = self.offers.len();
        let (mut rewards, mut costs) = (Vec::with_capacity(advisors), Vec::with_capacity(advisors));
        for (advisor, offer) in self.offers.iter().enumerate() {
            let known = self.book.predict(advisor, &phi);
            rewards.push(expected.map_or(known.reward, |expected| expected[advisor]));
            costs.push(offer.list_price * known.cost);
        }
        let hopes: Vec<f64> =
            rewards.iter().enumerate().map(|(advisor, reward)| reward + self.hope(advisor, &phi)).collect();
        let price = match (&self.spec.spending, &self.ledger) {
            (_, Some(ledger)) => self.pacer.meet(&hopes, &costs, ledger.rate()),
            (Spending::Price(price), None) => *price,
            (Spending::Budget { .. }, None) => 0.0,
        };
        let allowed = self.allowed();
        let best = |values: &[f64]| best_allowed(values, &costs, price, &allowed);
        let (greedy, optimist) = (best(&rewards), best(&hopes));
        let account = self.account();
        let probabilities = self.probabilities(greedy, optimist, account, &costs, &allowed);
        let uniform: f64 = self.seed.index(self.steps).rng().random();
        let chosen = drawn(&probabilities, uniform);
        let step = self.steps;
        let (worst, expected) = (self.offers[chosen].worst, costs[chosen]);
        if let Some(ledger) = &mut self.ledger {
            self.released += ledger.share();
            ledger.reserve(worst, expected);
        }
        self.open.insert(step, Open { phi, chosen, worst, expected, explored: chosen != greedy, cost: None });
        self.steps += 1;
        Ok(Route {
            step,
            rewards,
            costs,
            hopes,
            price,
            allowed,
            probabilities,
            greedy,
            optimist,
            account,
            uniform,
            chosen,
        })
    }

    /// The answer to a decision cost this. Until then its worst case is reserved.
    pub fn settle(&mut self, step: u64, cost: f64) -> Result<(), Error> {
        if !(cost >= 0.0 && is_sane(cost)) {
            return Err(Error::Cost { cost });
        }
        let open = self.open.get_mut(&step).filter(|open| open.cost.is_none());
        let open = open.ok_or(Error::NotOpen { serial: step })?;
        open.cost = Some(cost);
        let (worst, expected, explored, chosen) = (open.worst, open.expected, open.explored, open.chosen);
        if let Some(ledger) = &mut self.ledger {
            ledger.settle(worst, expected, cost);
        }
        if explored {
            self.explored += cost;
        }
        self.note_worst(chosen, cost);
        Ok(())
    }

    /// The executed answer brought this, or nobody will ever say (`None`). Closes the decision; a cost that was not settled by now
    /// counts as its worst case in the ledger and is not learned. The lesson is for [`Router::correct`].
    pub fn learn(&mut self, step: u64, reward: Option<f64>) -> Result<Option<Lesson>, Error> {
        if let Some(reward) = reward.filter(|reward| !is_sane(*reward)) {
            return Err(Error::Reward { reward });
        }
        let Open { phi, chosen, worst, expected, explored, cost } =
            self.open.remove(&step).ok_or(Error::NotOpen { serial: step })?;
        if cost.is_none() {
            if let Some(ledger) = &mut self.ledger {
                ledger.settle(worst, expected, worst);
            }
            self.explored += if explored { worst } else { 0.0 };
        }
        let in_units = cost.map(|cost| self.in_units(chosen, cost));
        match (reward, in_units) {
            (Some(reward), cost) => self.book.learn(chosen, &phi, reward, cost).map(Some),
            (None, Some(cost)) => self.book.learn_cost(chosen, &phi, cost).map(|()| None),
            (None, None) => Ok(None),
        }
    }

    /// A reward that was learned turns out to be another one.
    pub fn correct(&mut self, lesson: Lesson, reward: f64) -> Result<Lesson, Error> {
        self.book.correct(lesson, reward)
    }

    /// Everything that later decisions depend on, as JSON text.
    pub fn save(&self) -> Result<String, Error> {
        saved::save("router", self)
    }

    /// The router of a saved text. It goes on where the saved one stood.
    pub fn load(text: &str) -> Result<Self, Error> {
        saved::load("router", text)
    }

    /// A cost in units of the list price. What is free by the list has no other price.
    fn in_units(&self, advisor: usize, cost: f64) -> f64 {
        let list = self.offers[advisor].list_price;
        if list > 0.0 { cost / list } else { 1.0 }
    }

    /// A reservation that turned out to be too small is raised.
    fn note_worst(&mut self, advisor: usize, cost: f64) {
        let offer = &mut self.offers[advisor];
        offer.worst = offer.worst.max(cost);
    }

    fn hope(&self, advisor: usize, phi: &Sparse) -> f64 {
        match self.spec.optimism {
            Optimism::Record(errors) => errors * self.book.record_error(advisor),
            Optimism::Posterior(errors) => errors * self.book.reward_variance(advisor, phi).max(0.0).sqrt(),
        }
    }

    /// The first of the advisors with the lowest list price.
    fn cheapest(&self) -> usize {
        let offers = self.offers.iter().enumerate();
        offers.reduce(|best, next| if next.1.list_price < best.1.list_price { next } else { best }).map_or(0, |b| b.0)
    }

    fn allowed(&self) -> Vec<bool> {
        let cheapest = self.cheapest();
        let later = self.offers[cheapest].list_price * self.book.cost_level(cheapest);
        let fits = |offer: &Offer| self.ledger.as_ref().is_none_or(|ledger| ledger.allows(offer.worst, later));
        self.offers.iter().enumerate().map(|(advisor, offer)| advisor == cheapest || fits(offer)).collect()
    }

    /// What exploring may still cost.
    fn account(&self) -> Option<f64> {
        let share = self.ledger.as_ref()?.share();
        Some(self.spec.account * self.released + self.spec.account * HEAD_START * share - self.explored)
    }

    /// The probability of every advisor.
    fn probabilities(
        &self,
        greedy: usize,
        optimist: usize,
        account: Option<f64>,
        costs: &[f64],
        allowed: &[bool],
    ) -> Vec<f64> {
        let coin = if greedy == optimist || account.is_some_and(|left| left < 0.0) { 0.0 } else { self.spec.coin };
        let mut probabilities = vec![0.0; costs.len()];
        for (leader, share) in [(greedy, 1.0 - coin), (optimist, coin)] {
            let mut rest = 1.0;
            for advisor in (0..costs.len()).filter(|advisor| *advisor != leader && allowed[*advisor]) {
                let least = self.least(costs[advisor], costs.len());
                rest -= least;
                probabilities[advisor] += share * least;
            }
            probabilities[leader] += share * rest;
        }
        probabilities
    }

    /// The least probability of an advisor: the floor, or less where it would cost too much.
    fn least(&self, cost: f64, advisors: usize) -> f64 {
        let Some(ledger) = &self.ledger else { return self.spec.floor };
        let affordable = self.spec.account * ledger.share() / (cost.max(1e-12) * (advisors.max(2) - 1) as f64);
        self.spec.floor.min(affordable)
    }
}

/// The first of the allowed advisors with the highest value less the price of its cost.
fn best_allowed(values: &[f64], costs: &[f64], price: f64, allowed: &[bool]) -> usize {
    let mut best: Option<(usize, f64)> = None;
    for advisor in (0..values.len()).filter(|advisor| allowed[*advisor]) {
        let value = values[advisor] - price * costs[advisor];
        if best.is_none_or(|(_, most)| value > most) {
            best = Some((advisor, value));
        }
    }
    best.map_or(0, |(advisor, _)| advisor)
}

/// The advisor whose part of the unit interval holds this number.
fn drawn(probabilities: &[f64], uniform: f64) -> usize {
    let mut sum = 0.0;
    for (advisor, probability) in probabilities.iter().enumerate() {
        sum += probability;
        if uniform < sum {
            return advisor;
        }
    }
    // Rounding: the last one that can be drawn.
    probabilities.iter().rposition(|probability| *probability > 0.0).unwrap_or(0)
}
