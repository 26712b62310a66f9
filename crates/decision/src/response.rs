//! What an advisor says: raw [`Reply`], parsed [`Response`], and the predicted [`ResponseLaw`].

use serde::{Deserialize, Serialize};

use crate::refusal::{in_range, shape};
use crate::{Action, Error};

/// Where a reply came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReplySource {
    /// A simulated advisor.
    Simulated,
    /// A language model that was run for this request.
    Live,
    /// A recorded answer of a language model.
    Replayed,
    /// No answer came: the request was lost, timed out or was refused. It was paid for all the same.
    Lost,
}

/// An advisor's raw answer, with what it cost. A bad reply is data, not an error.
///
/// ```
/// use counsel_decision::{Reply, ReplySource};
///
/// let heard = Reply { request_tokens: Some(40), response_tokens: Some(1), ..Reply::live("left") };
/// assert_eq!((heard.source, Reply::lost().source), (ReplySource::Live, ReplySource::Lost));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reply {
    /// The text, as it came.
    pub text: String,
    /// Who answered.
    pub source: ReplySource,
    /// Tokens sent, where the advisor counts them.
    pub request_tokens: Option<u32>,
    /// Tokens received, where the advisor counts them.
    pub response_tokens: Option<u32>,
    /// Time from request to answer, where it was measured.
    pub latency_ms: Option<f64>,
}

impl Reply {
    /// The answer of a language model that was run for this request.
    pub fn live(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            source: ReplySource::Live,
            request_tokens: None,
            response_tokens: None,
            latency_ms: None,
        }
    }

    /// The answer of a simulated advisor.
    pub fn simulated(text: impl Into<String>) -> Self {
        Self { source: ReplySource::Simulated, ..Self::live(text) }
    }

    /// The answer that never came.
    pub fn lost() -> Self {
        Self { source: ReplySource::Lost, ..Self::simulated("") }
    }
}

/// A parsed answer: an action, or the paper's bottom.
///
/// ```
/// use counsel_decision::{Action, Response};
///
/// // A law over responses has one entry per action, then one for `Unusable`.
/// assert_eq!(Response::all(2).last(), Some(Response::Unusable));
/// assert_eq!(Response::Recommends(Action(1)).index(2), 1);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Response {
    /// The advisor recommends this action.
    Recommends(Action),
    /// Nothing could be understood.
    Unusable,
}

impl Response {
    /// Every response over this many actions, in the order of the tables: the actions, then `Unusable`.
    pub fn all(actions: usize) -> impl Iterator<Item = Self> {
        (0..actions).map(|a| Self::Recommends(Action::new(a))).chain(std::iter::once(Self::Unusable))
    }

    /// The place of this response in tables with one entry per response.
    pub fn index(self, actions: usize) -> usize {
        match self {
            Self::Recommends(action) => action.index(),
            Self::Unusable => actions,
        }
    }
}

/// The predicted probability of every response: one entry per action, then one for `Unusable`. Adds up to 1.
///
/// ```
/// use counsel_decision::{Action, Response, ResponseLaw};
///
/// let law = ResponseLaw::new(2, vec![0.7, 0.2, 0.1])?;
/// assert_eq!(law.mode(), Response::Recommends(Action(0)));
/// assert_eq!(law.probability(Response::Unusable), 0.1);
/// assert!(ResponseLaw::new(2, vec![0.7, 0.7, 0.1]).is_err());
/// # Ok::<(), counsel_decision::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResponseLaw(Vec<f64>);

impl ResponseLaw {
    /// The mean absolute difference of the probabilities of two laws over the same responses.
    pub fn mean_absolute_error(&self, other: &Self) -> f64 {
        let pairs = self.as_slice().iter().zip(other.as_slice());
        pairs.map(|(p, q)| (p - q).abs()).sum::<f64>() / other.as_slice().len() as f64
    }

    /// How far from 1 a sum of probabilities may be through rounding.
    pub const TOLERANCE: f64 = 1e-9;

    /// A law over `actions + 1` responses.
    pub fn new(actions: usize, probabilities: Vec<f64>) -> Result<Self, Error> {
        shape("the response law", probabilities.len(), actions + 1, "action and one for an unusable reply")?;
        check_distribution("the response law", &probabilities)?;
        Ok(Self(probabilities))
    }

    /// Every response equally likely.
    pub fn uniform(actions: usize) -> Self {
        Self(vec![1.0 / (actions + 1) as f64; actions + 1])
    }

    /// The law proportional to these non-negative weights; uniform if they are all zero.
    pub fn proportional_to(weights: &[f64]) -> Self {
        let sum: f64 = weights.iter().sum();
        if sum > 0.0 && sum.is_finite() {
            Self(weights.iter().map(|weight| weight / sum).collect())
        } else {
            Self::uniform(weights.len().saturating_sub(1))
        }
    }

    /// How many actions can be recommended.
    pub fn actions(&self) -> usize {
        self.0.len() - 1
    }

    /// The probabilities, in the order of [`Response::all`].
    pub fn as_slice(&self) -> &[f64] {
        &self.0
    }

    /// The probability of one response.
    pub fn probability(&self, response: Response) -> f64 {
        self.0[response.index(self.actions())]
    }

    /// The first response with the largest probability.
    pub fn mode(&self) -> Response {
        let best = crate::argmax(&self.0);
        if best.index() == self.actions() { Response::Unusable } else { Response::Recommends(best) }
    }

    /// The entropy in nats: how unsure the prediction is.
    pub fn entropy(&self) -> f64 {
        self.0.iter().filter(|&&p| p > 0.0).map(|p| -p * p.ln()).sum()
    }
}

/// Refuses anything but non-negative numbers that add up to 1.
pub(crate) fn check_distribution(what: &'static str, probabilities: &[f64]) -> Result<(), Error> {
    for &p in probabilities {
        in_range(
            (0.0..=1.0 + ResponseLaw::TOLERANCE).contains(&p),
            "a probability",
            p,
            "[0, 1]",
            "pass probabilities",
        )?;
    }
    let sum: f64 = probabilities.iter().sum();
    if (sum - 1.0).abs() > ResponseLaw::TOLERANCE {
        return Err(Error::NotADistribution { what, sum });
    }
    Ok(())
}
