//! What each advisor's answer brings and costs, learned from the answers that were executed.
//!
//! Per advisor there are up to four nested models: the level alone, the level and the group, these and the numbers as lines, all
//! features. Each learns every answer, and the predictive evidence says which of them foretold best. A gain is the difference of two predicted rewards.

use counsel_decision::refusal::{below, fits};
use serde::{Deserialize, Serialize};

use super::book_spec::{BookSpec, Expert};
use super::features::{Request, Sparse};
use super::ridge::Ridge;
use crate::Error;
use crate::error::is_sane;

/// What is expected of an advisor's answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prediction {
    /// The reward.
    pub reward: f64,
    /// The cost, in units of the list price.
    pub cost: f64,
}

/// The least cost that is predicted, in units of the list price: no answer is free because a few were cheap.
const LEAST_COST: f64 = 0.1;

/// What was learned from one answer; kept by whoever may have to correct it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Lesson {
    /// The advisor.
    pub advisor: usize,
    /// What was known of the request.
    pub phi: Sparse,
    /// The reward.
    pub reward: f64,
}

/// The models of one advisor, from the simplest to the richest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Advisor {
    models: Vec<(Expert, Ridge)>,
}

/// What each advisor's answer brings and costs.
///
/// ```
/// use counsel_controller::route::{BookSpec, GainBook, Layout, Request};
///
/// let layout = Layout { groups: 2, ..Layout::default() };
/// let mut book = GainBook::new(BookSpec { layout, ..BookSpec::default() }, 2)?;
/// for _ in 0..50 {
///     let phi = book.encode(&Request::default().in_group(1))?;
///     book.learn(0, &phi, 0.2, Some(1.0))?;
///     book.learn(1, &phi, 0.9, Some(1.0))?;
/// }
/// let phi = book.encode(&Request::default().in_group(1))?;
/// assert!(book.predict(1, &phi).reward - book.predict(0, &phi).reward > 0.6);
/// # Ok::<(), counsel_controller::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GainBook {
    spec: BookSpec,
    advisors: Vec<Advisor>,
}

impl GainBook {
    /// A book about this number of advisors.
    pub fn new(spec: BookSpec, advisors: usize) -> Result<Self, Error> {
        spec.check()?;
        let layout = spec.layout;
        fits(
            "a gain book",
            &[advisors, layout.size(), layout.size()],
            "take 512 buckets or fewer; a batch can have more",
        )?;
        let prior = spec.shrinkage.prior(&layout);
        let mut sizes = vec![(Expert::Level, 1)];
        if layout.groups > 0 {
            sizes.push((Expert::Group, 1 + layout.groups));
        }
        if layout.numbers * layout.knots > 0 {
            sizes.push((Expert::Numbers, layout.lines()));
        }
        if layout.numbers + layout.buckets > 0 {
            sizes.push((Expert::All, layout.size()));
        }
        let ridge = |size: usize| Ridge::new(&prior[..size], spec.reward, 1.0, spec.variance);
        let models = sizes.into_iter().map(|(expert, size)| (expert, ridge(size))).collect();
        Ok(Self { spec, advisors: vec![Advisor { models }; advisors] })
    }

    /// Its settings.
    pub fn spec(&self) -> &BookSpec {
        &self.spec
    }

    /// The number of advisors.
    pub fn advisors(&self) -> usize {
        self.advisors.len()
    }

    /// The vector of a request.
    pub fn encode(&self, request: &Request) -> Result<Sparse, Error> {
        self.spec.layout.encode(request)
    }

    /// What is expected of an advisor.
    pub fn predict(&self, advisor: usize, phi: &Sparse) -> Prediction {
        let (reward, cost) = self.model(advisor).1.predict(phi);
        Prediction { reward, cost: cost.max(LEAST_COST) }
    }

    /// The cost of an advisor over all requests, in units of its list price.
    pub fn cost_level(&self, advisor: usize) -> f64 {
        self.model(advisor).1.cost_level().max(LEAST_COST)
    }

    /// The model that predicts for an advisor.
    pub fn expert(&self, advisor: usize) -> Expert {
        self.model(advisor).0
    }

    /// How well each model of an advisor foretold its rewards: the log density, the latest answers with the most weight.
    pub fn evidence(&self, advisor: usize) -> Vec<(Expert, f64)> {
        self.advisors[advisor].models.iter().map(|(expert, ridge)| (*expert, ridge.evidence)).collect()
    }

    /// The number of answers of an advisor that were learned.
    pub fn count(&self, advisor: usize) -> f64 {
        self.model(advisor).1.count
    }

    /// The standard error of an advisor's record: σ / sqrt(n + 1). It knows nothing of this request's features.
    pub fn record_error(&self, advisor: usize) -> f64 {
        let model = &self.model(advisor).1;
        (model.variance / (model.count + 1.0)).sqrt()
    }

    /// The posterior variance of the expected reward at this request.
    pub fn reward_variance(&self, advisor: usize, phi: &Sparse) -> f64 {
        let model = &self.model(advisor).1;
        model.variance * model.spread(phi)
    }

    /// Learns what an executed answer brought, and what it cost in units of the list price where that is known.
    pub fn learn(&mut self, advisor: usize, phi: &Sparse, reward: f64, cost: Option<f64>) -> Result<Lesson, Error> {
        below("advisor", advisor, self.advisors.len())?;
        if !is_sane(reward) {
            return Err(Error::Reward { reward });
        }
        let drift = self.spec.drift;
        self.advisors[advisor].models.iter_mut().for_each(|(_, ridge)| ridge.learn(phi, reward, cost, drift));
        Ok(Lesson { advisor, phi: phi.clone(), reward })
    }

    /// Learns what an answer cost whose reward is missing.
    pub fn learn_cost(&mut self, advisor: usize, phi: &Sparse, cost: f64) -> Result<(), Error> {
        below("advisor", advisor, self.advisors.len())?;
        self.advisors[advisor].models.iter_mut().for_each(|(_, ridge)| ridge.learn_cost(phi, cost));
        Ok(())
    }

    /// Replaces the reward of a lesson. Without drift the book is then as if it had never seen the old one.
    pub fn correct(&mut self, lesson: Lesson, reward: f64) -> Result<Lesson, Error> {
        below("advisor", lesson.advisor, self.advisors.len())?;
        if !is_sane(reward) {
            return Err(Error::Reward { reward });
        }
        let change = reward - lesson.reward;
        self.advisors[lesson.advisor].models.iter_mut().for_each(|(_, ridge)| ridge.correct(&lesson.phi, change));
        Ok(Lesson { reward, ..lesson })
    }

    /// The model that predicts for an advisor: the one that is declared, or the richest below it.
    fn model(&self, advisor: usize) -> &(Expert, Ridge) {
        let models = &self.advisors[advisor].models;
        let richest = models.len() - 1;
        let place = match self.spec.expert {
            // Among equals the simplest.
            Expert::Evidence => (0..models.len())
                .rev()
                .reduce(|best, place| if models[place].1.evidence >= models[best].1.evidence { place } else { best })
                .unwrap_or(richest),
            declared => models.iter().rposition(|(expert, _)| *expert <= declared).unwrap_or(richest),
        };
        &models[place]
    }
}
