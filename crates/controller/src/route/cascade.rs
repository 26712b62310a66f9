//! An answer is in hand; is a stronger advisor worth its price? With a loss against never asking that the settings bound.
//!
//! | step | formula |
//! |---|---|
//! | gain | g = m₁ - m₀, s = its posterior standard deviation |
//! | silence | p = 0 for the first requests, while the bankroll does not cover the price, or once the budget of questions is spent |
//! | control group | p = 1 - control where g > c |
//! | the optimist's coin | p = coin where g + α s > c, or on the ramp coin × ((g + α s - c) / (α s))²; otherwise 0 |
//! | bankroll | + inflow × net reward; where it asked, + y₁ - c - (m₀ + error); capped |
//!
//! Invariant: see [`CascadeSpec::loss_bound`]. What is at stake in questions whose reward has not come is held back, so delay cannot
//! break it.

use std::collections::BTreeMap;

use counsel_decision::Seed;
use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::cascade_spec::{CascadeSpec, Exploring, Missing, Reckoning};
use super::features::{Request, Sparse};
use super::gain_book::{GainBook, Lesson};
use super::saved;
use crate::Error;

/// The answer in hand, and the one that can be bought.
const HAND: usize = 0;
const STRONG: usize = 1;

/// One decision of a cascade, with all that it was computed from.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Consultation {
    /// Its number, from 0: the reward is reported under it.
    pub step: u64,
    /// The expected reward of the answer in hand and of the strong one.
    pub rewards: [f64; 2],
    /// The posterior standard deviation of their difference.
    pub doubt: f64,
    /// The price of the strong answer.
    pub price: f64,
    /// The bankroll before the decision.
    pub bank: f64,
    /// What of it is at stake in open questions.
    pub held: f64,
    /// The share of the control group.
    pub control: f64,
    /// The probability of asking.
    pub probability: f64,
    /// The number in [0, 1) that decided.
    pub uniform: f64,
    /// Whether the strong advisor is asked.
    pub asked: bool,
}

/// What became known of a decision.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Heard {
    /// The reward of the executed answer, in [0, 1].
    pub reward: f64,
    /// Whether both answers were the same, where both were seen.
    pub agreed: Option<bool>,
}

impl Heard {
    /// The executed answer brought this.
    pub fn reward(reward: f64) -> Self {
        Self { reward, agreed: None }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Open {
    phi: Sparse,
    price: f64,
    /// What the bankroll reckons for the answer in hand.
    replaced: f64,
    /// What is expected of the strong answer, less one error.
    modest: f64,
    probability: f64,
    asked: bool,
    stake: f64,
}

/// Decides, request by request, whether a strong advisor replaces the answer in hand.
///
/// ```
/// use counsel_controller::Seed;
/// use counsel_controller::route::{Cascade, CascadeSpec, Heard, Request};
///
/// let mut cascade = Cascade::new(CascadeSpec::default(), Seed::root(1))?;
/// let consultation = cascade.decide(&Request::text("What is 2 + 2?"), 0.05)?;
/// assert!(!consultation.asked, "silence comes first");
/// cascade.learn(consultation.step, Some(Heard::reward(1.0)))?;
/// # Ok::<(), counsel_controller::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Cascade {
    spec: CascadeSpec,
    book: GainBook,
    seed: Seed,
    steps: u64,
    /// The questions so far.
    #[serde(default)]
    asked: u64,
    bank: f64,
    open: BTreeMap<u64, Open>,
}

impl Cascade {
    /// A cascade that knows nothing.
    pub fn new(spec: CascadeSpec, seed: Seed) -> Result<Self, Error> {
        spec.check()?;
        let book = GainBook::new(spec.book, 2)?;
        Ok(Self { spec, book, seed, steps: 0, asked: 0, bank: spec.start, open: BTreeMap::new() })
    }

    /// Its settings.
    pub fn spec(&self) -> &CascadeSpec {
        &self.spec
    }

    /// The book.
    pub fn book(&self) -> &GainBook {
        &self.book
    }

    /// The bankroll.
    pub fn bank(&self) -> f64 {
        self.bank
    }

    /// The decisions so far.
    pub fn decisions(&self) -> u64 {
        self.steps
    }

    /// The questions so far.
    pub fn calls(&self) -> u64 {
        self.asked
    }

    /// Decides whether the strong advisor is asked at this price.
    pub fn decide(&mut self, request: &Request, price: f64) -> Result<Consultation, Error> {
        if !(price >= 0.0 && price.is_finite()) {
            return Err(Error::Cost { cost: price });
        }
        let phi = self.book.encode(request)?;
        let rewards = [HAND, STRONG].map(|advisor| self.book.predict(advisor, &phi).reward);
        let variance = [HAND, STRONG].map(|advisor| self.book.reward_variance(advisor, &phi));
        let (gain, doubt) = (rewards[STRONG] - rewards[HAND], (variance[HAND] + variance[STRONG]).max(0.0).sqrt());
        let control = self.control();
        let held: f64 = self.open.values().map(|open| open.stake).sum();
        let is_spent = self.spec.budget.is_some_and(|most| self.asked >= most);
        let probability = if self.steps < self.spec.silence || self.bank - held < price || is_spent {
            0.0
        } else if gain > price {
            1.0 - control
        } else {
            self.hopeful(gain, self.spec.optimism * doubt, price)
        };
        let uniform: f64 = self.seed.index(self.steps).rng().random();
        let asked = uniform < probability;
        let step = self.steps;
        let mut open = Open {
            phi,
            price,
            replaced: self.replaced(rewards[HAND]),
            modest: (rewards[STRONG] - self.book.record_error(STRONG)).clamp(0.0, 1.0),
            probability,
            asked,
            stake: 0.0,
        };
        open.stake = (-self.reckoned(&open, if asked { 0.0 } else { 1.0 })).max(0.0);
        let bank = self.bank;
        self.open.insert(step, open);
        self.steps += 1;
        self.asked += u64::from(asked);
        Ok(Consultation { step, rewards, doubt, price, bank, held, control, probability, uniform, asked })
    }

    /// What became known of a decision; `None` if nobody will ever say. The lesson is for [`Cascade::correct`].
    pub fn learn(&mut self, step: u64, heard: Option<Heard>) -> Result<Option<Lesson>, Error> {
        if let Some(Heard { reward, .. }) = heard.filter(|heard| !(0.0..=1.0).contains(&heard.reward)) {
            return Err(Error::RewardRange { reward });
        }
        let open = self.open.remove(&step).ok_or(Error::NotOpen { serial: step })?;
        let Some(Heard { reward, agreed }) = heard else {
            self.reckon_missing(&open);
            return Ok(None);
        };
        let net = if open.asked { reward - open.price } else { reward };
        self.bank += self.spec.inflow * net.max(0.0);
        self.bank += self.reckoned(&open, reward);
        self.bank = self.bank.min(self.spec.most);
        if !open.asked {
            return self.book.learn(HAND, &open.phi, reward, None).map(Some);
        }
        match agreed.filter(|_| self.spec.one_right) {
            Some(true) => self.book.learn(HAND, &open.phi, reward, None).map(|_| ())?,
            // There is one right answer, and this was it: the other one was wrong.
            Some(false) if reward == 1.0 => self.book.learn(HAND, &open.phi, 0.0, None).map(|_| ())?,
            _ => {}
        }
        self.book.learn(STRONG, &open.phi, reward, None).map(Some)
    }

    /// A reward that was learned turns out to be another one. The bankroll is corrected where it was reckoned with.
    pub fn correct(&mut self, lesson: Lesson, reward: f64) -> Result<Lesson, Error> {
        if !(0.0..=1.0).contains(&reward) {
            return Err(Error::RewardRange { reward });
        }
        if lesson.advisor == STRONG {
            self.bank = (self.bank + reward - lesson.reward).min(self.spec.most);
        }
        self.book.correct(lesson, reward)
    }

    /// Everything that later decisions depend on, as JSON text.
    pub fn save(&self) -> Result<String, Error> {
        saved::save("cascade", self)
    }

    /// The cascade of a saved text. It goes on where the saved one stood.
    pub fn load(text: &str) -> Result<Self, Error> {
        saved::load("cascade", text)
    }

    /// The probability of asking where the expected gain does not cover the price, and this much more may.
    fn hopeful(&self, gain: f64, hope: f64, price: f64) -> f64 {
        if gain + hope <= price {
            return 0.0;
        }
        match self.spec.exploring {
            Exploring::Coin => self.spec.coin,
            Exploring::Ramp => {
                let share = 1.0 - (price - gain) / hope;
                self.spec.coin * share * share
            }
        }
    }

    /// The control group: large until the record of the answer in hand is known.
    fn control(&self) -> f64 {
        let known = self.spec.control_record / (self.book.count(HAND) + 1.0);
        known.max(self.spec.control).min(self.spec.coin)
    }

    /// What the bankroll reckons for the answer in hand.
    fn replaced(&self, expected: f64) -> f64 {
        match self.spec.reckoning {
            Reckoning::Booked => expected.clamp(0.0, 1.0) + self.book.record_error(HAND).min(1.0),
            Reckoning::Unbiased => expected.clamp(0.0, 1.0),
        }
    }

    /// What asking has gained at a decision, if the executed answer brought this.
    fn reckoned(&self, open: &Open, reward: f64) -> f64 {
        match (open.asked, self.spec.reckoning) {
            (true, _) => reward - open.price - open.replaced,
            (false, Reckoning::Booked) => 0.0,
            // The control group stands for all that were asked with the same probability.
            (false, Reckoning::Unbiased) => -open.probability / (1.0 - open.probability) * (reward - open.replaced),
        }
    }

    fn reckon_missing(&mut self, open: &Open) {
        self.bank -= match (self.spec.missing, open.asked) {
            (Missing::Worst, _) => open.stake,
            (Missing::Expected, true) => -self.reckoned(open, open.modest),
            (Missing::Expected, false) => 0.0,
        };
        self.bank = self.bank.min(self.spec.most);
    }
}
