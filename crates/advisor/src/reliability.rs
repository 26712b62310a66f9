//! How often an advisor is right, given that it can be understood.

use counsel_decision::ContextKey;
use counsel_decision::refusal::probability;
use serde::{Deserialize, Serialize};

use crate::Error;

/// The probability that an understandable answer is right.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Reliability {
    /// The same everywhere.
    Constant(f64),
    /// Declared for each context.
    PerContext {
        /// Pairs of a context and its reliability.
        known: Vec<(ContextKey, f64)>,
        /// The reliability in every other context.
        otherwise: f64,
    },
}

impl Reliability {
    /// Refuses what is no probability, and a context that is declared twice. Declared contexts come out in order.
    pub(crate) fn checked(mut self) -> Result<Self, Error> {
        match &mut self {
            Self::Constant(reliability) => probability("the reliability", *reliability)?,
            Self::PerContext { known, otherwise } => {
                probability("the reliability", *otherwise)?;
                for &(_, reliability) in known.iter() {
                    probability("the reliability", reliability)?;
                }
                known.sort_by_key(|&(key, _)| key);
                if let Some(pair) = known.windows(2).find(|pair| pair[0].0 == pair[1].0) {
                    return Err(Error::RepeatedContext { key: pair[0].0.0 });
                }
            }
        }
        Ok(self)
    }

    /// The reliability in one context; declared contexts are in order.
    pub(crate) fn at(&self, context: ContextKey) -> f64 {
        match self {
            Self::Constant(reliability) => *reliability,
            Self::PerContext { known, otherwise } => {
                known.binary_search_by_key(&context, |&(key, _)| key).map_or(*otherwise, |place| known[place].1)
            }
        }
    }
}
