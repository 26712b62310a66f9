//! Answers that are known before they are bought: where the advisor was heard in states that look alike and agreed with
//! itself, its answer is foretold and acts as a kept one would.
//!
//! How reliable that is, is learned from paid answers alone: each one that was foretold and bought all the same is a trial. So
//! an answer is bought again as long as the doubt is worth it, and hardly ever once foretelling has proved right.

use std::collections::BTreeMap;

use counsel_decision::refusal::{Refusal, at_least, in_range};
use counsel_decision::{Action, ContextKey, Error, Foretold, Response, ResponseLaw, argmax};
use serde::{Deserialize, Serialize};

/// When an answer counts as foretold.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `agreement` | 0.8 | share of the answers in like states that must name one action, above 0, at most 1 |
/// | `answers` | 1 | answers that must name it, 1 or more |
/// | `probability` | none | reliability from which on a predicted answer counts as well, above 0, at most 1 |
/// | `heard` | 20 | answers of the advisor before predictions count: by then one that is no good has been found out |
/// | `prior_reliability` | 0.5 | reliability of agreement before any trial, 0 to 1 |
/// | `prior_trials` | 2 | trials that a prior counts for, above 0 |
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ForetellingSpec {
    /// The share of the answers in like states that must name one action.
    pub agreement: f64,
    /// Answers that must name it.
    pub answers: u64,
    /// The reliability from which on a predicted answer counts as foretold; where none is given, predictions do not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// The answers of the advisor before predictions count.
    pub heard: u64,
    /// The reliability before any trial.
    pub prior_reliability: f64,
    /// Trials that the prior counts for.
    pub prior_trials: f64,
}

impl Default for ForetellingSpec {
    fn default() -> Self {
        Self { agreement: 0.8, answers: 1, probability: None, heard: 20, prior_reliability: 0.5, prior_trials: 2.0 }
    }
}

impl ForetellingSpec {
    /// Refuses settings by which nothing can be foretold.
    pub fn check(&self) -> Result<(), Refusal> {
        let remedy = "the defaults are 0.8, 1, none, 20, 0.5 and 2";
        let share = |value: f64| value > 0.0 && value <= 1.0;
        in_range(share(self.agreement), "foretelling.agreement", self.agreement, "(0, 1]", remedy)?;
        at_least("foretelling.answers", usize::try_from(self.answers).unwrap_or(usize::MAX), 1, remedy)?;
        if let Some(probability) = self.probability {
            in_range(share(probability), "foretelling.probability", probability, "(0, 1]", remedy)?;
        }
        let (prior, trials) = (self.prior_reliability, self.prior_trials);
        in_range((0.0..=1.0).contains(&prior), "foretelling.prior_reliability", prior, "[0, 1]", remedy)?;
        in_range(trials > 0.0 && trials.is_finite(), "foretelling.prior_trials", trials, "(0, infinity)", remedy)
    }
}

/// The number of times that each action was named.
pub(crate) type Counts = BTreeMap<Action, u64>;

/// The action that was named most often, the first of several, and how often.
pub(crate) fn most_frequent(counts: &Counts) -> Option<(Action, u64)> {
    counts.iter().rev().max_by_key(|(_, count)| **count).map(|(action, count)| (*action, *count))
}

/// What the advisor said, by state, and how reliably that foretells what it says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Foretelling {
    spec: ForetellingSpec,
    /// The number of times each action was named, by state.
    heard: BTreeMap<ContextKey, Counts>,
    answers: u64,
    /// Trials of answers on which all agreed.
    agreed: Trials,
    /// Trials of predicted answers, by tenths of the predicted probability.
    predicted: [Trials; 10],
}

/// Foretold answers that were bought all the same, and how many came as foretold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
struct Trials {
    made: u64,
    hits: u64,
}

impl Trials {
    fn note(&mut self, hit: bool) {
        self.made += 1;
        self.hits += u64::from(hit);
    }

    /// The share of hits, with a prior that is worth this many trials.
    fn share(self, prior: f64, worth: f64) -> f64 {
        (self.hits as f64 + worth * prior) / (self.made as f64 + worth)
    }
}

/// The tenth in which a probability lies.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share is within [0, 1]")]
fn tenth(probability: f64) -> usize {
    ((probability * 10.0) as usize).min(9)
}

/// The likeliest action of a law and its probability.
fn likeliest(law: &ResponseLaw) -> (Action, f64) {
    let action = argmax(&law.as_slice()[..law.actions()]);
    (action, law.probability(Response::Recommends(action)).min(1.0))
}

impl Foretelling {
    /// Before any answer.
    pub fn new(spec: ForetellingSpec) -> Self {
        Self { spec, heard: BTreeMap::new(), answers: 0, agreed: Trials::default(), predicted: [Trials::default(); 10] }
    }

    /// What the advisor would say in a state in which its answer is predicted by this law, if by any; none where nobody can tell. The
    /// law is computed only where predictions count.
    pub fn foretold(
        &self,
        state: ContextKey,
        law: Option<impl FnOnce() -> ResponseLaw>,
    ) -> Result<Option<Foretold>, Error> {
        if let Some((action, sources)) = self.agreed(state) {
            return Foretold::new(action, self.reliability(), sources).map(Some);
        }
        let (Some(least), Some(law)) = (self.spec.probability, law) else { return Ok(None) };
        let (action, probability) = likeliest(&law());
        let reliability = self.predicted[tenth(probability)].share(probability, self.spec.prior_trials);
        if self.answers < self.spec.heard.max(1) || reliability < least {
            return Ok(None);
        }
        Foretold::new(action, reliability, self.answers).map(Some)
    }

    /// The action on which the answers in a state agree, and how many name it.
    fn agreed(&self, state: ContextKey) -> Option<(Action, u64)> {
        let heard = self.heard.get(&state)?;
        let all: u64 = heard.values().sum();
        let (action, like) = most_frequent(heard)?;
        let agreed = like >= self.spec.answers && like as f64 >= self.spec.agreement * all as f64;
        agreed.then_some((action, like))
    }

    /// The share of answers on which all had agreed that came as foretold.
    pub fn reliability(&self) -> f64 {
        self.agreed.share(self.spec.prior_reliability, self.spec.prior_trials)
    }

    /// Learns from a paid answer in a state in which it was predicted by this law. One that was foretold is a trial.
    pub(crate) fn hear(&mut self, state: ContextKey, response: Response, law: impl FnOnce() -> ResponseLaw) {
        match self.agreed(state) {
            Some((foretold, _)) => self.agreed.note(response == Response::Recommends(foretold)),
            None if self.spec.probability.is_some() => {
                let (action, probability) = likeliest(&law());
                self.predicted[tenth(probability)].note(response == Response::Recommends(action));
            }
            None => {}
        }
        if let Response::Recommends(action) = response {
            *self.heard.entry(state).or_default().entry(action).or_default() += 1;
            self.answers += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATE: ContextKey = ContextKey(7);
    const SAYS: [Response; 2] = [Response::Recommends(Action(0)), Response::Recommends(Action(1))];

    fn foretold(foretelling: &Foretelling, state: ContextKey) -> Option<Action> {
        foretelling.foretold(state, Some(|| ResponseLaw::uniform(2))).unwrap().map(Foretold::action)
    }

    fn hear(foretelling: &mut Foretelling, response: Response) {
        foretelling.hear(STATE, response, || ResponseLaw::uniform(2));
    }

    #[test]
    fn agreement_foretells_and_contradiction_ends_it() {
        let mut foretelling = Foretelling::new(ForetellingSpec::default());
        assert_eq!(foretold(&foretelling, STATE), None);
        hear(&mut foretelling, SAYS[1]);
        assert_eq!((foretold(&foretelling, STATE), foretold(&foretelling, ContextKey(8))), (Some(Action(1)), None));
        hear(&mut foretelling, SAYS[0]);
        assert_eq!(foretold(&foretelling, STATE), None, "one against one");
        (0..3).for_each(|_| hear(&mut foretelling, SAYS[1]));
        assert_eq!(foretold(&foretelling, STATE), Some(Action(1)), "four of five");
    }

    #[test]
    fn reliability_is_the_share_of_hits_among_answers_that_were_foretold_and_bought() {
        let mut foretelling = Foretelling::new(ForetellingSpec::default());
        hear(&mut foretelling, SAYS[1]);
        assert_eq!(foretelling.reliability(), 0.5, "the first was no trial");
        (0..2).for_each(|_| hear(&mut foretelling, SAYS[1]));
        assert_eq!(foretelling.reliability(), 3.0 / 4.0);
        hear(&mut foretelling, Response::Unusable);
        assert_eq!(foretelling.reliability(), 3.0 / 5.0, "it did not say what was foretold");
    }

    #[test]
    fn the_reliability_of_a_prediction_is_that_of_like_predictions_that_were_bought() {
        let law = || ResponseLaw::new(2, vec![0.1, 0.75, 0.15]).unwrap();
        let spec = ForetellingSpec { probability: Some(0.5), answers: 100, heard: 8, ..ForetellingSpec::default() };
        let mut foretelling = Foretelling::new(spec);
        (0..7).for_each(|_| foretelling.hear(STATE, SAYS[1], law));
        assert_eq!(foretelling.foretold(STATE, Some(law)).unwrap(), None, "too little was heard");
        (0..1).for_each(|_| foretelling.hear(STATE, SAYS[1], law));
        let foretold = foretelling.foretold(STATE, Some(law)).unwrap().unwrap();
        assert_eq!((foretold.action(), foretold.reliability()), (Action(1), (8.0 + 2.0 * 0.75) / 10.0));
        (0..12).for_each(|_| foretelling.hear(STATE, SAYS[0], law));
        assert_eq!(foretelling.foretold(STATE, Some(law)).unwrap(), None, "8 of 20 is too few");
    }

    #[test]
    fn a_sure_prediction_counts_where_it_may() {
        let law = ResponseLaw::new(2, vec![0.1, 0.75, 0.15]).unwrap();
        let with = |probability| {
            let mut foretelling =
                Foretelling::new(ForetellingSpec { probability, heard: 1, ..ForetellingSpec::default() });
            foretelling.hear(ContextKey(8), SAYS[0], || ResponseLaw::uniform(2));
            foretelling
        };
        assert_eq!(with(None).foretold(STATE, Some(|| law.clone())).unwrap(), None);
        assert_eq!(with(Some(0.8)).foretold(STATE, Some(|| law.clone())).unwrap(), None);
        let foretold = with(Some(0.7)).foretold(STATE, Some(|| law.clone())).unwrap().unwrap();
        assert_eq!((foretold.action(), foretold.reliability()), (Action(1), 0.75));
    }
}
