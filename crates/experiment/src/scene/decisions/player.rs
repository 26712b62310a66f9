//! A policy at work: it chooses, and learns from what it chose.

use counsel_controller::route::{
    Batch, BookSpec, Cascade, CascadeSpec, Expert, Fitted, GainBook, Heard, Offer, Recall, RecallSpec, Request, Router,
    RouterSpec, Shrinkage, Spending, hull,
};
use counsel_decision::Seed;
use counsel_log::Routed;
use counsel_session::{Error, refuse};
use rand::RngExt;

use super::isotonic::Isotonic;
use super::table::Row;
use super::turn::{InTurn, Order, Taken, agreement_of_two};
use super::{Deck, Policy, Protocol, RoutedSpec, frontier};

/// One request, as a policy meets it. Only the hull and the oracle look at what the answers bring.
pub(super) struct Asked {
    pub(super) request: Request,
    pub(super) counted: bool,
    pub(super) rewards: Vec<f64>,
    pub(super) costs: Vec<f64>,
    /// Which answers are the same; empty where they are not known.
    pub(super) answers: Vec<i64>,
}

/// What a choice is a choice by.
enum Mind {
    Alone(usize),
    /// A mixture; it is solved when the requests are known.
    Hull(Vec<f64>),
    Oracle(f64),
    Router(Box<Router>),
    Isotonic(Box<Router>, Fitted, Isotonic, Vec<f64>),
    Gain(Fitted),
    Error(Fitted),
    Random,
    Number(usize),
    Cascade(Box<Cascade>),
    InTurn(Box<InTurn>),
    AgreementOfTwo,
}

/// A policy at work.
pub(super) struct Player {
    mind: Mind,
    advisors: usize,
    /// The price of the strong advisor in units of reward, where it has one.
    price: f64,
    /// What a request may cost, where there is a budget.
    per_request: Option<f64>,
    seed: Seed,
    /// Requests of the period that counts.
    counted: u64,
    counting: bool,
}

impl Player {
    /// The policy of a deck, with what it was taught. The seed is that of the cell.
    pub(super) fn new(deck: &Deck<'_>, seed: Seed) -> Result<Self, Error> {
        let seed = seed.stream("engine").stream("route");
        let offers: Vec<Offer> = deck.advisors.iter().map(|place| deck.table.offers[*place].clone()).collect();
        let layout = deck.settings.features.layout(deck.table);
        let (price, per_request) = match deck.settings.protocol {
            Protocol::Period { per_request, .. } => (0.0, Some(per_request)),
            Protocol::Labels { price, .. } | Protocol::Stream { price, .. } => (price, None),
        };
        let learning = deck.asked.iter().filter(|(_, counted)| !counted).count() as u64;
        let counted = deck.asked.len() as u64 - learning;
        let spending = match per_request {
            Some(per_request) => {
                Spending::Budget { per_request, requests: if learning > 0 { learning } else { counted } }
            }
            None => Spending::Price(price),
        };
        let router = |spec: RoutedSpec| -> Result<Router, Error> {
            let RoutedSpec { optimism, coin, account, floor, drift, shrinkage, expert, .. } = spec;
            let book = BookSpec { layout, shrinkage, drift, expert, ..BookSpec::default() };
            let spec = RouterSpec { book, spending, optimism, coin, account, floor, ..RouterSpec::default() };
            let mut router = Router::new(spec, &offers, seed)?;
            for row in &deck.taught {
                let request = row.request(deck.settings.features);
                for (advisor, place) in deck.advisors.iter().enumerate() {
                    router.teach(&request, advisor, row.rewards[*place], row.costs[*place])?;
                }
            }
            Ok(router)
        };
        let fitted = |shrinkage: Shrinkage| -> Result<Fitted, Error> {
            refuse(
                deck.taught.is_empty(),
                "this policy is fitted on labels, and the protocol has none; choose labels or period",
            )?;
            let mut batch = Batch::new(BookSpec { layout, shrinkage, ..BookSpec::default() })?;
            for row in &deck.taught {
                batch.add(&row.request(deck.settings.features), &rewards(row, &deck.advisors))?;
            }
            Ok(batch.fit()?)
        };
        let budgeted = "this policy needs a budget; choose the protocol `period`";
        let mind = match &deck.settings.policy {
            Policy::Alone(name) => {
                Mind::Alone(offers.iter().position(|offer| offer.name == *name).ok_or_else(|| Error::Model {
                    advisor: name.clone(),
                    reason: "it is none of the advisors of this arm; name one of them".into(),
                })?)
            }
            Policy::Hull => {
                refuse(per_request.is_none(), budgeted)?;
                Mind::Hull(Vec::new())
            }
            // In a stream the cost of an answer is in units of reward already.
            Policy::Oracle if matches!(deck.settings.protocol, Protocol::Stream { .. }) => Mind::Oracle(1.0),
            Policy::Oracle => Mind::Oracle(price),
            Policy::Router(spec) => Mind::Router(Box::new(router(*spec)?)),
            Policy::Isotonic => {
                refuse(per_request.is_none(), budgeted)?;
                let fitted = fitted(Shrinkage::default())?;
                let score = |row: &&Row| -> Result<(f64, f64), Error> {
                    let score = fitted.predict(&row.request(deck.settings.features))?[0];
                    Ok((score, row.rewards[deck.advisors[0]]))
                };
                let calibrated = Isotonic::fit(deck.taught.iter().map(score).collect::<Result<_, Error>>()?);
                let mean = |place: &usize| {
                    deck.taught.iter().map(|row| row.rewards[*place]).sum::<f64>() / deck.taught.len() as f64
                };
                let means = deck.advisors.iter().map(mean).collect();
                Mind::Isotonic(Box::new(router(RoutedSpec::default())?), fitted, calibrated, means)
            }
            Policy::Gain(shrinkage) => Mind::Gain(fitted(*shrinkage)?),
            Policy::Error(shrinkage) => Mind::Error(fitted(*shrinkage)?),
            Policy::Random => Mind::Random,
            Policy::Number(place) => {
                refuse(
                    *place >= layout.numbers,
                    "the policy `number` names a number that is not read; count from 0, and set features.numbers",
                )?;
                Mind::Number(*place)
            }
            Policy::Recall(spec) => in_turn(deck, *spec, Order::Learned, seed)?,
            Policy::FixedOrder(spec) => in_turn(deck, *spec, Order::Given, seed)?,
            Policy::AgreementOfTwo => {
                refuse_unknown_answers(deck)?;
                Mind::AgreementOfTwo
            }
            Policy::Cascade(spec) => {
                refuse(deck.advisors.len() != 2, "a cascade has two advisors; name a weak and a strong one")?;
                let spec = CascadeSpec { book: BookSpec { layout, ..spec.book }, ..*spec };
                Mind::Cascade(Box::new(Cascade::new(spec, seed)?))
            }
        };
        Ok(Self { mind, advisors: offers.len(), price, per_request, seed, counted, counting: learning == 0 })
    }

    /// Looks at all requests that count, for those who know the future.
    pub(super) fn foresee(&mut self, asked: &[Asked]) {
        let Some(per_request) = self.per_request else { return };
        let rows: Vec<(Vec<f64>, Vec<f64>)> = asked
            .iter()
            .filter(|asked| asked.counted)
            .map(|asked| (asked.rewards.clone(), asked.costs.clone()))
            .collect();
        match &mut self.mind {
            Mind::Hull(weights) => {
                let count = rows.len() as f64;
                let reward = |advisor: usize| rows.iter().map(|(rewards, _)| rewards[advisor]).sum::<f64>() / count;
                let cost = |advisor: usize| rows.iter().map(|(_, costs)| costs[advisor]).sum::<f64>() / count;
                let rewards: Vec<f64> = (0..self.advisors).map(reward).collect();
                let costs: Vec<f64> = (0..self.advisors).map(cost).collect();
                *weights = hull(&rewards, &costs, per_request);
            }
            Mind::Oracle(price) => *price = frontier::oracle_price(&rows, per_request),
            _ => {}
        }
    }

    /// Chooses who answers, and says by what.
    pub(super) fn decide(&mut self, step: u64, asked: &Asked) -> Result<Routed, Error> {
        if asked.counted && !self.counting {
            self.counting = true;
            if let (Mind::Router(router), Some(per_request)) = (&mut self.mind, self.per_request) {
                router.begin_period(per_request, self.counted)?;
            }
        }
        let (advisors, price) = (self.advisors, self.price);
        let certain = |chosen: usize| certain(advisors, chosen);
        Ok(match &mut self.mind {
            Mind::Alone(advisor) => certain(*advisor),
            Mind::Hull(weights) => {
                let uniform: f64 = self.seed.index(step).rng().random();
                let likeliest = |best: usize, next: usize| if weights[next] > weights[best] { next } else { best };
                let chosen = (0..advisors).reduce(likeliest).unwrap_or(0);
                Routed { probabilities: weights.clone(), uniform, ..certain(chosen) }
            }
            Mind::Oracle(money) => {
                let chosen = frontier::best(&asked.rewards, &asked.costs, *money);
                let (rewards, costs) = (asked.rewards.clone(), asked.costs.clone());
                Routed { hopes: rewards.clone(), rewards, costs, money: *money, ..certain(chosen) }
            }
            Mind::Router(router) => {
                let route = router.decide(&asked.request)?;
                routed(route, experts(router.book()))
            }
            Mind::Isotonic(router, fitted, calibrated, means) => {
                let mut expected = means.clone();
                expected[0] = calibrated.reward(fitted.predict(&asked.request)?[0]);
                routed(router.decide_expecting(&asked.request, Some(&expected))?, Vec::new())
            }
            Mind::Gain(fitted) => scored(fitted.predict(&asked.request)?, price),
            Mind::Error(fitted) => scored(vec![fitted.predict(&asked.request)?[0], 1.0], price),
            Mind::Number(place) => scored(vec![0.0, asked.request.numbers[*place]], price),
            Mind::InTurn(rule) => taken(rule.decide(step, asked), &asked.costs),
            Mind::AgreementOfTwo => taken(agreement_of_two(&asked.answers), &asked.costs),
            Mind::Random => scored(vec![0.0, self.seed.index(step).rng().random()], price),
            Mind::Cascade(cascade) => {
                let models = experts(cascade.book());
                let consultation = cascade.decide(&asked.request, price)?;
                let chosen = usize::from(consultation.asked);
                Routed {
                    rewards: consultation.rewards.to_vec(),
                    costs: vec![0.0, consultation.price],
                    hopes: vec![consultation.rewards[0], consultation.rewards[1] + consultation.doubt],
                    experts: models,
                    money: 1.0,
                    probabilities: vec![1.0 - consultation.probability, consultation.probability],
                    account: Some(consultation.bank - consultation.held),
                    uniform: consultation.uniform,
                    ..certain(chosen)
                }
            }
        })
    }

    /// Whether it learns from the answers that it chose.
    pub(super) fn learns(&self) -> bool {
        matches!(self.mind, Mind::Router(_) | Mind::Isotonic(..) | Mind::Cascade(_) | Mind::InTurn(_))
    }

    /// The answer cost this.
    pub(super) fn settle(&mut self, step: u64, cost: f64) -> Result<(), Error> {
        match &mut self.mind {
            Mind::Router(router) | Mind::Isotonic(router, ..) => Ok(router.settle(step, cost)?),
            _ => Ok(()),
        }
    }

    /// The answer brought this, or nobody will ever say.
    pub(super) fn learn(&mut self, step: u64, reward: Option<f64>) -> Result<(), Error> {
        match &mut self.mind {
            Mind::Router(router) | Mind::Isotonic(router, ..) => router.learn(step, reward).map(|_| ())?,
            Mind::Cascade(cascade) => cascade.learn(step, reward.map(Heard::reward)).map(|_| ())?,
            Mind::InTurn(rule) => reward.iter().for_each(|reward| rule.learn(step, *reward >= 0.5)),
            _ => {}
        }
        Ok(())
    }

    /// The reward and the cost of a row: of the advisor that answered, or of the mixture.
    pub(super) fn brought(&self, route: &Routed, asked: &Asked) -> (f64, f64) {
        let chosen = usize::try_from(route.chosen).unwrap_or(0);
        if let Mind::Hull(weights) = &self.mind {
            let sum = |values: &[f64]| weights.iter().zip(values).map(|(weight, value)| weight * value).sum();
            return (sum(&asked.rewards), sum(&asked.costs));
        }
        let several = route.asked.iter().filter_map(|advisor| asked.costs.get(usize::try_from(*advisor).ok()?));
        let cost = if route.asked.is_empty() { asked.costs[chosen] } else { several.sum() };
        (asked.rewards[chosen], cost)
    }
}

/// A rule of asking with recall, at the prices of a stream.
fn in_turn(deck: &Deck<'_>, spec: RecallSpec, order: Order, seed: Seed) -> Result<Mind, Error> {
    refuse_unknown_answers(deck)?;
    let charges = deck.charges();
    refuse(charges.is_empty(), "asking one after the other needs prices; choose the protocol `stream`")?;
    Ok(Mind::InTurn(Box::new(InTurn::new(Recall::new(spec, &charges, seed)?, order))))
}

/// Refuses a table that does not say which answers are the same.
fn refuse_unknown_answers(deck: &Deck<'_>) -> Result<(), Error> {
    refuse(
        deck.asked.iter().any(|(place, _)| deck.table.rows[*place].answers.is_empty()),
        "this policy sees which answers agree, and the table does not say it; take a table of your own with columns answer_X",
    )
}

/// Several advisors were asked, one after the other.
fn taken(taken: Taken, costs: &[f64]) -> Routed {
    let Taken { asked, executed, reservations } = taken;
    Routed {
        rewards: reservations.clone(),
        hopes: reservations,
        costs: costs.to_vec(),
        money: 1.0,
        asked: asked.into_iter().map(|advisor| i64::try_from(advisor).unwrap_or(i64::MAX)).collect(),
        ..certain(costs.len(), executed)
    }
}

fn rewards(row: &Row, advisors: &[usize]) -> Vec<f64> {
    advisors.iter().map(|place| row.rewards[*place]).collect()
}

/// A choice that nothing was computed for.
fn certain(advisors: usize, chosen: usize) -> Routed {
    let mut probabilities = vec![0.0; advisors];
    probabilities[chosen] = 1.0;
    let nothing = vec![0.0; advisors];
    Routed {
        rewards: nothing.clone(),
        costs: nothing.clone(),
        hopes: nothing,
        allowed: vec![1; advisors],
        probabilities,
        chosen: chosen as u64,
        ..Routed::default()
    }
}

/// The strong advisor answers where its gain is above the price.
fn scored(rewards: Vec<f64>, price: f64) -> Routed {
    let chosen = usize::from(rewards[1] - rewards[0] > price);
    Routed { hopes: rewards.clone(), rewards, money: price, costs: vec![0.0, 1.0], ..certain(2, chosen) }
}

fn routed(route: counsel_controller::route::Route, experts: Vec<String>) -> Routed {
    Routed {
        rewards: route.rewards,
        costs: route.costs,
        hopes: route.hopes,
        experts,
        money: route.price,
        allowed: route.allowed.into_iter().map(i64::from).collect(),
        probabilities: route.probabilities,
        account: route.account,
        uniform: route.uniform,
        chosen: route.chosen as u64,
        ..Routed::default()
    }
}

fn experts(book: &GainBook) -> Vec<String> {
    let name = |advisor: usize| match book.expert(advisor) {
        Expert::Level => "level",
        Expert::Group => "group",
        Expert::Numbers | Expert::All | Expert::Evidence => "all",
    };
    (0..book.advisors()).map(|advisor| name(advisor).to_owned()).collect()
}
