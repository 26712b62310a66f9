//! Two kinds of advice, kept apart by type.
//!
//! [`CandidateOnly`] advice proposes an action; the belief stays as it is, so one set of value samples serves every
//! response. [`Informative`] advice is an observation about the task; its branches are conditioned on the response here,
//! from a belief and a likelihood. There is no way to hand value samples to an informative branch, so samples that
//! ignore the response cannot be reused for it.

use serde::{Deserialize, Serialize};

use crate::refusal::{in_range, shape};
use crate::{Action, Belief, Branch, Error, Foretold, Likelihood, Response, ResponseLaw, ValueBounds, ValueSamples};

/// What the fallback proposes after an informative response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FallbackAfter {
    /// The same action as before the response.
    Unchanged,
    /// The best action under the conditioned belief.
    Greedy,
}

/// Advice that proposes an action and says nothing about the task.
///
/// ```
/// use counsel_decision::{Action, CandidateOnly, ResponseLaw, ValueBounds, ValueSamples};
///
/// let samples = ValueSamples::new(2, vec![0.4, 0.3])?;
/// let bounds = ValueBounds::new(vec![0.0; 2], vec![1.0; 2])?;
/// let advice = CandidateOnly::new(ResponseLaw::uniform(2), samples, bounds, Action(0))?;
/// // If the advisor names the second action, its word adds 0.2 to the value.
/// let advice = advice.vouched_for(&[0.0, 0.2])?;
/// assert_eq!(advice.credits().collect::<Vec<f64>>(), [0.0, 0.2]);
/// # Ok::<(), counsel_decision::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct CandidateOnly {
    pub(crate) law: ResponseLaw,
    pub(crate) samples: ValueSamples,
    pub(crate) branch: Branch,
    pub(crate) vouched: Vec<Vouched>,
}

/// An action that the advisor has named, and what its word is worth.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Vouched {
    credit: f64,
    branch: Branch,
}

impl CandidateOnly {
    /// Advice predicted by `law`, valued by `samples`, bounded by `bounds`, against the fallback's `base`.
    pub fn new(law: ResponseLaw, samples: ValueSamples, bounds: ValueBounds, base: Action) -> Result<Self, Error> {
        shape("the response law", law.actions(), samples.actions(), "action, beside the unusable reply")?;
        let branch = Branch::new(&samples, None, bounds, Some(base))?;
        Ok(Self { law, samples, branch, vouched: Vec::new() })
    }

    /// The same with bounds that follow from the mean and the variance of every action, which are computed once.
    pub fn spread(
        law: ResponseLaw,
        samples: ValueSamples,
        base: Action,
        bounds: impl FnOnce(&[f64], &[f64]) -> Result<ValueBounds, Error>,
    ) -> Result<Self, Error> {
        shape("the response law", law.actions(), samples.actions(), "action, beside the unusable reply")?;
        let means = samples.means(None);
        let variances = samples.variances(None, &means);
        let bounds = bounds(&means, &variances)?;
        let branch = Branch::of(means, variances, bounds, Some(base))?;
        Ok(Self { law, samples, branch, vouched: Vec::new() })
    }

    /// The same advice from an advisor whose word for an action adds that action's credit to its value and its bounds.
    pub fn vouched_for(mut self, credits: &[f64]) -> Result<Self, Error> {
        shape("the list of credits", credits.len(), self.samples.actions(), "action")?;
        let vouched = |(action, &credit): (usize, &f64)| {
            in_range(credit.is_finite(), "a credit", credit, "the finite numbers", "pass finite values")?;
            Ok(Vouched { credit, branch: self.branch.credited(action, credit)? })
        };
        self.vouched = credits.iter().enumerate().map(vouched).collect::<Result<_, Error>>()?;
        Ok(self)
    }

    /// The mean value of every action.
    pub fn means(&self) -> &[f64] {
        self.branch.means()
    }

    /// What the advisor's word for each action adds to its value; empty where it adds nothing.
    pub fn credits(&self) -> impl Iterator<Item = f64> {
        self.vouched.iter().map(|vouched| vouched.credit)
    }

    /// The branch after the advisor has named this action.
    fn named(&self, action: Action) -> &Branch {
        self.vouched.get(action.index()).map_or(&self.branch, |vouched| &vouched.branch)
    }
}

/// Advice that is evidence about which model of the task is true.
#[derive(Debug, Clone, PartialEq)]
pub struct Informative {
    pub(crate) values: ValueSamples,
    pub(crate) belief: Belief,
    pub(crate) likelihood: Likelihood,
    pub(crate) fallback_after: FallbackAfter,
    pub(crate) law: ResponseLaw,
    pub(crate) none: Branch,
    pub(crate) given: Vec<Option<Branch>>,
}

impl Informative {
    /// Advice about models with action values `values` (one row per model), believed by `belief`, answered by
    /// `likelihood`. `bounds` hold under every model.
    pub fn new(
        values: ValueSamples,
        belief: Belief,
        likelihood: Likelihood,
        bounds: ValueBounds,
        base: Action,
        fallback_after: FallbackAfter,
    ) -> Result<Self, Error> {
        shape("the table of model values", values.count(), belief.weights().len(), "model of the belief")?;
        let law = belief.predict(&likelihood)?;
        shape("the likelihood", law.actions(), values.actions(), "action, beside the unusable reply")?;
        let base_after = match fallback_after {
            FallbackAfter::Unchanged => Some(base),
            FallbackAfter::Greedy => None,
        };
        let given = Response::all(values.actions())
            .map(|response| {
                belief
                    .given(&likelihood, response)
                    .map(|post| Branch::new(&values, Some(post.belief().weights()), bounds.clone(), base_after))
                    .transpose()
            })
            .collect::<Result<_, _>>()?;
        let none = Branch::new(&values, Some(belief.weights()), bounds, Some(base))?;
        Ok(Self { values, belief, likelihood, fallback_after, law, none, given })
    }

    /// The belief before the response.
    pub fn belief(&self) -> &Belief {
        &self.belief
    }

    /// The likelihood of each response under each model.
    pub fn likelihood(&self) -> &Likelihood {
        &self.likelihood
    }

    /// What the fallback does after a response.
    pub fn fallback_after(&self) -> FallbackAfter {
        self.fallback_after
    }
}

/// How an answer bears on the decision.
#[derive(Debug, Clone, PartialEq)]
pub enum AdviceModel {
    /// The answer proposes an action.
    CandidateOnly(CandidateOnly),
    /// The answer is evidence about the task.
    Informative(Box<Informative>),
}

impl AdviceModel {
    /// The predicted response law.
    pub fn law(&self) -> &ResponseLaw {
        match self {
            Self::CandidateOnly(advice) => &advice.law,
            Self::Informative(advice) => &advice.law,
        }
    }

    /// The value samples, or the value of each model.
    pub fn samples(&self) -> &ValueSamples {
        match self {
            Self::CandidateOnly(advice) => &advice.samples,
            Self::Informative(advice) => &advice.values,
        }
    }

    /// The value samples with their weights: equal ones, or those of the belief.
    pub fn weighted_rows(&self) -> impl Iterator<Item = (f64, &[f64])> {
        let samples = self.samples();
        let equal = 1.0 / samples.count() as f64;
        let weights = match self {
            Self::CandidateOnly(_) => None,
            Self::Informative(advice) => Some(advice.belief.weights()),
        };
        samples.rows().enumerate().map(move |(k, row)| (weights.map_or(equal, |weights| weights[k]), row))
    }

    /// Whether the advisor's word adds anything to the value of an action.
    pub fn has_credits(&self) -> bool {
        matches!(self, Self::CandidateOnly(advice) if !advice.vouched.is_empty())
    }

    /// The branch without a query.
    pub fn none(&self) -> &Branch {
        match self {
            Self::CandidateOnly(advice) => &advice.branch,
            Self::Informative(advice) => &advice.none,
        }
    }

    /// The branch in which a kept answer that names this action is judged. What an informative answer said is in the belief
    /// already.
    pub fn kept(&self, action: Action) -> &Branch {
        match self {
            Self::CandidateOnly(advice) => advice.named(action),
            Self::Informative(advice) => &advice.none,
        }
    }

    /// The branch in which a foretold answer is judged: the advisor's word counts as far as it can be relied on that it would
    /// say so.
    pub(crate) fn foretold(&self, foretold: Foretold) -> Branch {
        let (action, reliability) = (foretold.action(), foretold.reliability());
        match self {
            Self::CandidateOnly(advice) => {
                let credit = advice.vouched.get(action.index()).map_or(0.0, |vouched| reliability * vouched.credit);
                advice.branch.credited(action.index(), credit).unwrap_or_else(|_| advice.branch.clone())
            }
            Self::Informative(advice) => advice.none.clone(),
        }
    }

    /// The branch after a response; nothing if the response was impossible under the belief.
    pub fn given(&self, response: Response) -> Option<&Branch> {
        match self {
            Self::CandidateOnly(advice) => Some(match response {
                Response::Recommends(action) => advice.named(action),
                Response::Unusable => &advice.branch,
            }),
            Self::Informative(advice) => advice.given[response.index(advice.law.actions())].as_ref(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_that_follow_from_the_samples_make_the_same_advice() {
        let samples = ValueSamples::new(2, vec![0.25, 1.0, 0.75, 0.5]).unwrap();
        let (lower, upper) = (vec![0.0, 0.25], vec![1.0, 1.25]);
        let bounds = ValueBounds::new(lower, upper).unwrap();
        let law = ResponseLaw::uniform(2);
        let given = CandidateOnly::new(law.clone(), samples.clone(), bounds.clone(), Action(1)).unwrap();
        let spread = CandidateOnly::spread(law.clone(), samples.clone(), Action(1), |means, variances| {
            assert_eq!((means, variances), (&[0.5, 0.75][..], &[0.0625, 0.0625][..]));
            Ok(bounds)
        });
        assert_eq!(spread, Ok(given));
        let past = |_: &[f64], _: &[f64]| ValueBounds::new(vec![0.0; 3], vec![1.0; 3]);
        assert!(CandidateOnly::spread(law, samples, Action(0), past).is_err(), "one bound too many");
    }
}
