//! Several advisors at one decision: whom to ask, in which order, and when to stop.
//!
//! Each advisor that was not turned away is weighed by itself: its own law, credits, expected uses and price. An answer in hand,
//! held or foretold, stands as the fallback's proposal for all others, and its advisor's word counts for it. So asking somebody
//! else is worth what it is expected to gain over the answer in hand, and where that does not reach the price, nobody is asked.
//! One question is asked at a decision at most; where its answer is not followed, the next decision there may ask the next
//! advisor.

use counsel_decision::{
    Action, AdviceModel, CacheStatus, CandidateOnly, ContextKey, Evidence, Panel, Preview, ResponseLaw, ValueBounds,
    ValueSamples,
};
use serde::{Deserialize, Serialize};

use crate::situation::Handed;
use crate::{Controller, Error, Situation};

/// In which order several advisors are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// The one whose answer is worth the most after its price.
    #[default]
    ByWorth,
    /// As they are listed: the next one only where the answer of the one before is not followed. A control for studies.
    AsListed,
}

/// What a decision is about, and what the fallback would have proposed where an answer in hand stands in for it.
pub(crate) struct Considered {
    pub(crate) evidence: Evidence,
    pub(crate) fallback_law: Option<Vec<f64>>,
}

/// An answer that would act without a question.
#[derive(Clone, Copy)]
struct InHand {
    advisor: usize,
    action: Action,
    /// What its advisor's word adds to the value of the action, and both together.
    credit: f64,
    worth: f64,
}

impl InHand {
    fn of(advisor: usize, evidence: &Evidence, preview: &Preview) -> Option<Self> {
        let action = preview.no_query.action;
        let status = preview.no_query.status;
        // The word of an advisor that was not asked counts as far as it can be relied on that it would say so.
        let reliability = match (status, evidence.foretold()) {
            (CacheStatus::Foretold, Some(foretold)) => foretold.reliability(),
            _ => 1.0,
        };
        let own = evidence.advice().none().mean(action);
        let credit = reliability * (evidence.advice().kept(action).mean(action) - own);
        status.acts().then_some(Self { advisor, action, credit, worth: own + credit })
    }
}

impl Controller {
    /// What is known in a situation, about the one of several advisors whom the decision is about.
    pub(crate) fn considered(&self, situation: &Situation, state: ContextKey) -> Result<Considered, Error> {
        let own = (0..self.prices.len())
            .map(|advisor| {
                let evidence =
                    self.weighable(self.evidence_of(advisor, situation, state, None)?, advisor, situation, state)?;
                let preview = self.engine.preview(&evidence);
                Ok((evidence, preview))
            })
            .collect::<Result<Vec<_>, Error>>()?;
        let in_hand = match self.order {
            Order::ByWorth => {
                let acting = own.iter().enumerate().filter_map(|(place, (own, seen))| InHand::of(place, own, seen));
                acting.reduce(|best, other| if other.worth > best.worth { other } else { best })
            }
            Order::AsListed => None,
        };
        let lapsed = self.lapsed(&own);
        let reached = self.reached(&own);
        let (mut nets, mut evidences) = (Vec::with_capacity(own.len()), Vec::with_capacity(own.len()));
        for (advisor, (evidence, preview)) in own.iter().enumerate() {
            let (evidence, preview) = match in_hand.filter(|held| held.advisor != advisor) {
                // Where an answer lapses for this episode only, another one would serve this once.
                None if lapsed.is_some_and(|place| place != advisor) => {
                    let uses = evidence.expected_uses().min(1.0);
                    (evidence.clone().with_expected_uses(uses)?, preview.clone())
                }
                None => (evidence.clone(), preview.clone()),
                Some(held) => {
                    let evidence = over(evidence, held)?;
                    let preview = self.engine.preview(&evidence);
                    (evidence, preview)
                }
            };
            let considered = match self.order {
                Order::ByWorth => !self.is_silenced(advisor),
                Order::AsListed => advisor == reached,
            };
            nets.push(if considered { self.net(&evidence, &preview) } else { f64::NEG_INFINITY });
            evidences.push(evidence);
        }
        let panel = Panel::new(nets, in_hand.map(|held| held.advisor)).map_err(counsel_decision::Error::from)?;
        let fallback_law = panel.stands_in().is_some().then(|| law_of(&own[0].0));
        let evidence = evidences.swap_remove(panel.advisor()).with_panel(Some(panel));
        Ok(Considered { evidence, fallback_law })
    }

    /// The evidence about an advisor with all that its worth depends on.
    fn weighable(
        &self,
        evidence: Evidence,
        advisor: usize,
        situation: &Situation,
        state: ContextKey,
    ) -> Result<Evidence, Error> {
        let uses = situation
            .expected_uses
            .unwrap_or_else(|| self.uses(advisor, situation.context.key, state, evidence.foretold()));
        let credited = self.books.credited() + situation.credited_gain.unwrap_or(0.0);
        // The cache is asked for the answer of this advisor, whoever else is considered.
        let evidence = evidence.with_panel(Some(alone(advisor, self.prices.len())?));
        Ok(evidence.with_expected_uses(uses)?.with_credited_gain(credited)?)
    }

    /// What asking is worth on this evidence, less what is needed.
    fn net(&self, evidence: &Evidence, preview: &Preview) -> f64 {
        let evidence = evidence.clone().with_radius(self.radius.at(evidence, preview.estimate));
        let standing = self.engine.standing(&evidence, preview);
        standing.score - standing.threshold
    }

    /// An advisor whose answer is held or foretold and leads nowhere in this episode.
    fn lapsed(&self, own: &[(Evidence, Preview)]) -> Option<usize> {
        let lapses = |(place, (_, preview)): (usize, &(Evidence, Preview))| {
            let followed = !self.is_silenced(place);
            (followed && preview.no_query.status == CacheStatus::NoEffect).then_some(place)
        };
        own.iter().enumerate().find_map(lapses).filter(|_| self.order == Order::ByWorth)
    }

    /// The first advisor in the list that is not turned away and whose answer acts or can still be bought.
    fn reached(&self, own: &[(Evidence, Preview)]) -> usize {
        let stops = |(place, (evidence, preview)): (usize, &(Evidence, Preview))| {
            let serves = preview.no_query.status.acts() || evidence.expected_uses() > 0.0;
            (serves && !self.is_silenced(place)).then_some(place)
        };
        own.iter().enumerate().find_map(stops).unwrap_or(0)
    }
}

/// A panel that names this advisor alone.
fn alone(advisor: usize, of: usize) -> Result<Panel, Error> {
    let mut nets = vec![f64::NEG_INFINITY; of];
    nets[advisor] = 0.0;
    Ok(Panel::new(nets, None).map_err(counsel_decision::Error::from)?)
}

/// The law of the fallback's proposals; where it is not known, the present one stands for it.
fn law_of(evidence: &Evidence) -> Vec<f64> {
    match evidence.fallback_law() {
        [] => certain(evidence.advice().none().base(), evidence.actions()),
        law => law.to_vec(),
    }
}

/// A law by which this action is proposed for sure.
fn certain(action: Action, actions: usize) -> Vec<f64> {
    let mut law = vec![0.0; actions];
    law[action.index()] = 1.0;
    law
}

/// The same evidence where another advisor's answer is in hand: it stands as the fallback's proposal, with what its advisor's word
/// adds to its value. Hearing the same again adds nothing.
fn over(evidence: &Evidence, held: InHand) -> Result<Evidence, Error> {
    let AdviceModel::CandidateOnly(advice) = evidence.advice() else { return Ok(evidence.clone()) };
    let (actions, place) = (evidence.actions(), held.action.index());
    let mut samples = evidence.advice().samples().as_slice().to_vec();
    samples.iter_mut().skip(place).step_by(actions).for_each(|value| *value += held.credit);
    let raised = |bounds: &[f64]| {
        let mut bounds = bounds.to_vec();
        bounds[place] += held.credit;
        bounds
    };
    let bounds = evidence.advice().none().bounds();
    let bounds = ValueBounds::new(raised(bounds.lower()), raised(bounds.upper()))?;
    let law: ResponseLaw = evidence.advice().law().clone();
    let mut credits: Vec<f64> = advice.credits().collect();
    let mut over = CandidateOnly::new(law, ValueSamples::new(actions, samples)?, bounds, held.action)?;
    if !credits.is_empty() {
        credits[place] = 0.0;
        over = over.vouched_for(&credits)?;
    }
    let evidence = evidence.clone().with_fallback_law(certain(held.action, actions))?;
    Ok(evidence.with_advice(AdviceModel::CandidateOnly(over))?)
}

/// Whether several advisors can be told apart in a situation: advice that is handed in whole is the first one's.
pub(crate) fn is_in_parts(situation: &Situation) -> bool {
    matches!(situation.handed, Handed::Parts { .. })
}
