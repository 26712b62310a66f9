//! What is declared of a router before the first request.

use counsel_decision::refusal::{Refusal, at_least, in_range, probability};
use serde::{Deserialize, Serialize};

use super::book_spec::BookSpec;

/// One advisor, as it is offered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Offer {
    /// What it is called.
    pub name: String,
    /// What an answer is expected to cost by the price list; 0 for one's own.
    pub list_price: f64,
    /// What an answer can cost at worst: the price times the most tokens. It is reserved before the question is sent.
    pub worst: f64,
}

impl Offer {
    /// An advisor whose answers all cost the same.
    pub fn at(name: &str, price: f64) -> Self {
        Self { name: name.into(), list_price: price, worst: price }
    }
}

/// What limits the spending.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Spending {
    /// A unit of cost is worth this much reward, and there is no limit.
    Price(f64),
    /// A period with a hard budget.
    Budget {
        /// What a request may cost on average.
        per_request: f64,
        /// Requests of the period.
        requests: u64,
    },
}

/// In favour of what is hardly known.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Optimism {
    /// This many standard errors of the advisor's record, σ / sqrt(n + 1).
    Record(f64),
    /// This many posterior standard deviations at the request, as in LinUCB.
    Posterior(f64),
}

impl Optimism {
    fn errors(self) -> f64 {
        match self {
            Self::Record(errors) | Self::Posterior(errors) => errors,
        }
    }
}

/// The settings of a router.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `book` | see [`BookSpec`] | |
/// | `spending` | a price of 1 | a price of at least 0, or a budget |
/// | `optimism` | 2 errors of the record | at least 0 |
/// | `coin` | 0.5 | the probability of the optimist's choice where it is not the greedy one |
/// | `account` | 0.1 | the share of the released budget that such choices may cost, at least 0 |
/// | `floor` | 0 | the least probability of every allowed advisor, less where it would cost more than `account` of a request's budget |
/// | `window`, `every` | 256, 16 | see [`Pacer`](super::Pacer) |
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RouterSpec {
    /// The book.
    pub book: BookSpec,
    /// What limits the spending.
    pub spending: Spending,
    /// In favour of what is hardly known.
    pub optimism: Optimism,
    /// The probability of the optimist's choice.
    pub coin: f64,
    /// What exploring may cost.
    pub account: f64,
    /// The least probability of an allowed advisor.
    pub floor: f64,
    /// The requests that the price is solved on.
    pub window: usize,
    /// The requests between two solutions.
    pub every: u64,
}

impl Default for RouterSpec {
    fn default() -> Self {
        Self {
            book: BookSpec::default(),
            spending: Spending::Price(1.0),
            optimism: Optimism::Record(2.0),
            coin: 0.5,
            account: 0.1,
            floor: 0.0,
            window: 256,
            every: 16,
        }
    }
}

impl RouterSpec {
    /// Refuses settings or offers by which nothing can be routed.
    pub fn check(&self, offers: &[Offer]) -> Result<(), Refusal> {
        self.book.check()?;
        at_least("offers", offers.len(), 1, "name the advisors that can be asked")?;
        for offer in offers {
            let (list, worst) = (offer.list_price, offer.worst);
            in_range(
                list >= 0.0 && list.is_finite(),
                "list_price",
                list,
                "[0, infinity)",
                "pass what an answer costs",
            )?;
            let remedy = "pass the price times the most tokens of an answer";
            in_range(worst >= list && worst.is_finite(), "worst", worst, "[list_price, infinity)", remedy)?;
        }
        if let Spending::Price(price) = self.spending {
            let remedy = "say how much reward a unit of cost is worth";
            in_range(price >= 0.0 && price.is_finite(), "price", price, "[0, infinity)", remedy)?;
        }
        let (errors, account) = (self.optimism.errors(), self.account);
        in_range(errors >= 0.0 && errors.is_finite(), "optimism", errors, "[0, infinity)", "the default is 2")?;
        in_range(account >= 0.0 && account.is_finite(), "account", account, "[0, infinity)", "the default is 0.1")?;
        probability("coin", self.coin)?;
        let remedy = "0.01 is enough for estimates of other policies";
        let most = 1.0 / offers.len() as f64;
        in_range((0.0..=most).contains(&self.floor), "floor", self.floor, "[0, 1 / advisors]", remedy)
    }
}
