//! Who chooses, by name.

use counsel_controller::route::{BookSpec, CascadeSpec, Expert, Optimism, RecallSpec, Shrinkage};
use serde::{Deserialize, Serialize};

/// A router of a study. What is not here follows from table, features and protocol.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `warm` | false | whether all labels of the requests to learn from are known beforehand |
/// | `optimism` | 2 errors of the record | see [`Optimism`] |
/// | `coin`, `account`, `floor` | 0.5, 0.1, 0 | as in a router |
/// | `drift`, `shrinkage`, `expert` | as in a gain book | |
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RoutedSpec {
    /// Whether labels are known beforehand.
    pub warm: bool,
    /// In favour of what is hardly known.
    pub optimism: Optimism,
    /// The optimist's coin.
    pub coin: f64,
    /// What exploring may cost.
    pub account: f64,
    /// The least probability.
    pub floor: f64,
    /// How fast the level may move.
    pub drift: f64,
    /// How strongly weights are held at zero.
    pub shrinkage: Shrinkage,
    /// Which model predicts.
    pub expert: Expert,
}

impl Default for RoutedSpec {
    fn default() -> Self {
        let BookSpec { drift, shrinkage, expert, .. } = BookSpec::default();
        let optimism = Optimism::Record(2.0);
        Self { warm: false, optimism, coin: 0.5, account: 0.1, floor: 0.0, drift, shrinkage, expert }
    }
}

/// Who chooses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Policy {
    /// One advisor answers everything; the first one is never asking.
    Alone(String),
    /// The best mixture of advisors that looks at no request, in hindsight, with the whole budget. Its rows have the expected
    /// reward and cost of the mixture.
    Hull,
    /// Knows every reward and keeps the budget on average.
    Oracle,
    /// The router of this program.
    Router(RoutedSpec),
    /// The first advisor's reward, fitted on labels and made monotone, against the mean rewards of the others, in the same pacer and
    /// ledger.
    Isotonic,
    /// The gain of the strong advisor, fitted on labels.
    Gain(Shrinkage),
    /// The error of the weak advisor, fitted on labels.
    Error(Shrinkage),
    /// A number at random.
    Random,
    /// The number with this place among those that are read, from 0: the strong advisor answers where it is high.
    Number(usize),
    /// The cascade of this program.
    Cascade(CascadeSpec),
    /// One advisor after the other by reservation value, until none is worth its price; answers that agree are evidence.
    Recall(RecallSpec),
    /// The same, but in the order of the advisors.
    FixedOrder(RecallSpec),
    /// The first two advisors; where they agree their answer, otherwise that of the last.
    AgreementOfTwo,
}

impl Policy {
    /// Whether labels of requests are known to it beforehand.
    pub(super) fn is_taught(&self) -> bool {
        match self {
            Self::Router(spec) => spec.warm,
            Self::Isotonic | Self::Gain(_) | Self::Error(_) => true,
            _ => false,
        }
    }

    /// Whether it learns from requests that do not count.
    pub(super) fn learns(&self) -> bool {
        matches!(self, Self::Router(_))
    }

    /// Whether it is about a weak advisor and a strong one in a stream.
    pub(super) fn needs_two(&self) -> bool {
        !matches!(self, Self::Alone(_) | Self::Oracle | Self::Recall(_) | Self::FixedOrder(_) | Self::AgreementOfTwo)
    }
}
