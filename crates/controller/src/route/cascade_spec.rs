//! What is declared of a cascade before the first request, and what follows from it: how much it can lose against never asking.

use counsel_decision::refusal::{Refusal, in_range, probability};
use serde::{Deserialize, Serialize};

use super::book_spec::{BookSpec, Expert};

/// How the bankroll reckons what the answer in hand would have brought where it was replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reckoning {
    /// As the book expects it, plus one standard error of its record. Little noise; the book may be wrong.
    #[default]
    Booked,
    /// By the control group, weighted so that it is right on average whatever the stream does. More noise.
    Unbiased,
}

/// What the bankroll reckons for a replaced answer whose reward never comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Missing {
    /// It brought nothing. The bound holds whatever is missing.
    #[default]
    Worst,
    /// What was expected of it, less one standard error. For feedback that is missing by chance.
    Expected,
}

/// How often it asks where only hope speaks for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exploring {
    /// With the probability `coin`, wherever hope covers the price.
    #[default]
    Coin,
    /// With a probability that falls as the square of what hope leaves above the price: from `coin`, where the expected gain is the price,
    /// to 0, where hope just covers it. With `optimism` 2 that is within 0.04 of the probability that asking pays, by the book. Hope
    /// that hardly pays is hardly followed, so more of the bankroll is left for where it pays.
    Ramp,
}

impl Exploring {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands it over by reference")]
    fn is_coin(&self) -> bool {
        *self == Self::Coin
    }
}

/// The settings of a cascade. Rewards lie in [0, 1]; prices are in the same units.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `book` | reward 0.5, variance 0.2 | see [`BookSpec`] |
/// | `silence` | 20 | requests before the first question: what never asking returns is learned first |
/// | `optimism` | 2 | posterior standard deviations in favour of asking, at least 0 |
/// | `coin` | 0.5 | the probability of asking where only hope speaks for it, and the largest control group |
/// | `exploring` | `coin` | or `ramp` |
/// | `control` | 0.02 | the share of the control group in the long run, above 0 |
/// | `control_record` | 5 | it is this over the number of known rewards of the answer in hand, as long as that is more |
/// | `start`, `most` | 2, 6 | the bankroll at first and at most, in units of reward |
/// | `inflow` | 0.005 | the share of every net reward that is added to it |
/// | `reckoning` | `booked` | or `unbiased` |
/// | `missing` | `worst` | or `expected` |
/// | `one_right` | false | whether a request has one right answer, so that agreement is evidence |
/// | `budget` | none | 0 or more; no limit beside the bankroll where none is given |
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CascadeSpec {
    /// The book.
    pub book: BookSpec,
    /// Requests before the first question.
    pub silence: u64,
    /// In favour of asking.
    pub optimism: f64,
    /// The optimist's coin.
    pub coin: f64,
    /// How the coin falls.
    #[serde(skip_serializing_if = "Exploring::is_coin")]
    pub exploring: Exploring,
    /// The control group in the long run.
    pub control: f64,
    /// How long it is larger.
    pub control_record: f64,
    /// The bankroll at first.
    pub start: f64,
    /// The bankroll at most.
    pub most: f64,
    /// What is added to it.
    pub inflow: f64,
    /// How it reckons what was replaced.
    pub reckoning: Reckoning,
    /// How it reckons what never comes.
    pub missing: Missing,
    /// Whether agreement is evidence.
    pub one_right: bool,
    /// The most questions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget: Option<u64>,
}

impl Default for CascadeSpec {
    fn default() -> Self {
        Self {
            book: BookSpec { reward: 0.5, variance: 0.2, ..BookSpec::default() },
            silence: 20,
            optimism: 2.0,
            coin: 0.5,
            exploring: Exploring::Coin,
            control: 0.02,
            control_record: 5.0,
            start: 2.0,
            most: 6.0,
            inflow: 0.005,
            reckoning: Reckoning::Booked,
            missing: Missing::Worst,
            one_right: false,
            budget: None,
        }
    }
}

impl CascadeSpec {
    /// What a cascade outside the studies begins with. The default is what the studies ran, and stays as it is.
    ///
    /// Two things differ. The coin is a ramp. And the book predicts by the simplest model that foretells best, since the strong
    /// advisor is often as good everywhere, and what is the same everywhere is learned soonest by one number.
    pub fn recommended() -> Self {
        let standard = Self::default();
        let book = BookSpec { expert: Expert::Evidence, ..standard.book };
        Self { book, exploring: Exploring::Ramp, ..standard }
    }

    /// Refuses settings without a bound.
    pub fn check(&self) -> Result<(), Refusal> {
        self.book.check()?;
        let Self { optimism, coin, control, control_record, start, most, inflow, .. } = *self;
        let remedy = "the default is 2";
        in_range(optimism >= 0.0 && optimism.is_finite(), "optimism", optimism, "[0, infinity)", remedy)?;
        probability("coin", coin)?;
        in_range(control > 0.0 && control <= coin, "control", control, "(0, coin]", "the default is 0.02")?;
        let remedy = "the default is 5";
        in_range(
            control_record >= 0.0 && control_record.is_finite(),
            "control_record",
            control_record,
            "[0, infinity)",
            remedy,
        )?;
        let remedy = "pass what asking may lose before it is given up";
        in_range(start >= 0.0 && start.is_finite(), "start", start, "[0, infinity)", remedy)?;
        in_range(most >= start && most.is_finite(), "most", most, "[start, infinity)", remedy)?;
        in_range((0.0..=1.0).contains(&inflow), "inflow", inflow, "[0, 1]", "the default is 0.005")
    }

    /// What asking can lose against never asking over this number of requests, in units of reward.
    ///
    /// A question is asked only while the bankroll, less all that is at stake in open questions, covers its price. So the bankroll
    /// falls below zero by one question's stake at most, and all that was ever in it is `start` and the inflow:
    ///
    /// loss <= start + inflow × requests + stake
    ///
    /// | reckoning | the loss that is bounded | stake |
    /// |---|---|---|
    /// | `booked` | by the book, on every path: Σ (expected + error + price - reward) over the questions. The true loss is more by what the book and its error fall short of the replaced answers, Σ (replaced - expected - error) | 2 |
    /// | `unbiased` | the true one, in expectation over the coins, whatever the stream, even one that answers to the past | the larger of 1 and 1 / control - 1 |
    pub fn loss_bound(&self, requests: u64) -> f64 {
        let stake = match self.reckoning {
            Reckoning::Booked => 2.0,
            Reckoning::Unbiased => (1.0 / self.control - 1.0).max(1.0),
        };
        self.start + self.inflow * requests as f64 + stake
    }
}
