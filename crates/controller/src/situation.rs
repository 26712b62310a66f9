//! What a caller knows before a decision, and what came of it afterwards.

use std::fmt::Debug;

use counsel_advisor::Context;
use counsel_decision::{Action, AdviceModel, ContextKey, Monitored, ResponseLaw, ValueBounds, ValueSamples};
use sha2::{Digest, Sha256};

use crate::spec::States;

/// Anything that can be the key of a context: equal contexts have equal keys, and different ones practically never do.
///
/// Implemented for [`ContextKey`] itself, text, bytes, integers and lists of integers. Numbers with a fraction are not keys:
/// round them to what tells situations apart.
pub trait Keyed {
    /// The key.
    fn key(&self) -> ContextKey;
}

impl Keyed for ContextKey {
    fn key(&self) -> ContextKey {
        *self
    }
}

impl Keyed for u64 {
    fn key(&self) -> ContextKey {
        ContextKey(*self)
    }
}

impl Keyed for [u8] {
    fn key(&self) -> ContextKey {
        let digest = Sha256::digest(self);
        let mut first = [0; 8];
        first.copy_from_slice(&digest[..8]);
        ContextKey(u64::from_le_bytes(first))
    }
}

impl Keyed for str {
    fn key(&self) -> ContextKey {
        self.as_bytes().key()
    }
}

impl Keyed for String {
    fn key(&self) -> ContextKey {
        self.as_str().key()
    }
}

impl Keyed for [i64] {
    fn key(&self) -> ContextKey {
        self.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>().key()
    }
}

impl<T: Keyed + ?Sized> Keyed for &T {
    fn key(&self) -> ContextKey {
        (**self).key()
    }
}

impl<const N: usize> Keyed for [i64; N] {
    fn key(&self) -> ContextKey {
        self.as_slice().key()
    }
}

impl Keyed for Vec<i64> {
    fn key(&self) -> ContextKey {
        self.as_slice().key()
    }
}

impl Keyed for Vec<u8> {
    fn key(&self) -> ContextKey {
        self.as_slice().key()
    }
}

/// How an answer would bear on the decision, as far as the caller says it.
#[derive(Debug, Clone)]
pub(crate) enum Handed {
    /// Parts of candidate-only advice; what is missing comes from the books.
    Parts { samples: Option<ValueSamples>, bounds: Option<ValueBounds>, law: Option<ResponseLaw> },
    /// All of it.
    Whole(Box<AdviceModel>),
}

/// What is known before one decision. A context and a proposal are enough.
///
/// ```
/// use counsel_controller::{Action, Situation};
///
/// let situation = Situation::of("a key is ahead, the door is to the left").proposing(Action(2)).described_by(vec![1.0, 0.0]);
/// ```
#[derive(Debug, Clone)]
pub struct Situation {
    pub(crate) context: Context,
    pub(crate) likeness: Option<ContextKey>,
    pub(crate) proposal: Option<Action>,
    /// The number of actions here, where it is not that of the controller.
    pub(crate) actions: Option<usize>,
    /// Whether the proposal stands, whatever the books would propose.
    pub(crate) insists: bool,
    pub(crate) fallback_law: Vec<f64>,
    pub(crate) handed: Handed,
    pub(crate) monitored: Monitored,
    pub(crate) visits: Option<u64>,
    pub(crate) stalled: Option<bool>,
    pub(crate) expected_uses: Option<f64>,
    pub(crate) credited_gain: Option<f64>,
}

impl Situation {
    /// A situation in this context: what the advisor would be shown, or anything that tells such situations apart.
    pub fn of(context: impl Keyed) -> Self {
        Self::in_context(Context::new(context.key(), Vec::new()))
    }

    /// A situation in a context with features.
    pub fn in_context(context: Context) -> Self {
        Self {
            context,
            likeness: None,
            proposal: None,
            actions: None,
            insists: false,
            fallback_law: Vec::new(),
            handed: Handed::Parts { samples: None, bounds: None, law: None },
            monitored: Monitored::Supported,
            visits: None,
            stalled: None,
            expected_uses: None,
            credited_gain: None,
        }
    }

    /// A situation whose advice is known as a whole, as in a study with a model of the task.
    pub fn with_advice(context: Context, advice: AdviceModel) -> Self {
        let proposal = Some(advice.none().base());
        Self { proposal, handed: Handed::Whole(Box::new(advice)), ..Self::in_context(context) }
    }

    /// The number of actions here, for a controller whose actions vary ([`Controller::with_varying_actions`]).
    ///
    /// [`Controller::with_varying_actions`]: crate::Controller::with_varying_actions
    #[must_use]
    pub fn among(self, actions: usize) -> Self {
        Self { actions: Some(actions), ..self }
    }

    /// What the agent would do by itself.
    #[must_use]
    pub fn proposing(self, action: Action) -> Self {
        Self { proposal: Some(action), ..self }
    }

    /// What the agent does by itself, for sure: the controller's own values propose nothing in its place.
    #[must_use]
    pub fn insisting_on(self, action: Action) -> Self {
        Self { proposal: Some(action), insists: true, ..self }
    }

    /// The probability of every proposal of the agent here, where it is known: an agent that explores proposes one of them.
    #[must_use]
    pub fn with_fallback_law(self, law: Vec<f64>) -> Self {
        Self { fallback_law: law, ..self }
    }

    /// Numbers that describe the situation, for a predictor that generalises over contexts, and for books that tell situations
    /// apart by them ([`States::Features`]).
    #[must_use]
    pub fn described_by(mut self, features: Vec<f64>) -> Self {
        self.context.features = features;
        self
    }

    /// What tells situations apart for books that go by features, where those are not the ones that describe it.
    #[must_use]
    pub fn resembling(self, likeness: impl Keyed) -> Self {
        Self { likeness: Some(likeness.key()), ..self }
    }

    /// The state that the books know it by.
    pub(crate) fn state(&self, states: States) -> ContextKey {
        let like = || self.likeness.or_else(|| likeness(&self.context.features));
        match states {
            States::Contexts => self.context.key,
            States::Features => like().unwrap_or(self.context.key),
        }
    }

    /// Takes the caller's own value samples out of it.
    pub(crate) fn take_samples(&mut self) -> Option<ValueSamples> {
        if let Handed::Parts { samples, .. } = &mut self.handed { samples.take() } else { None }
    }

    /// The caller's own value samples, and bounds where there are any.
    #[must_use]
    pub fn valued(mut self, values: ValueSamples, value_bounds: Option<ValueBounds>) -> Self {
        if let Handed::Parts { samples, bounds, .. } = &mut self.handed {
            (*samples, *bounds) = (Some(values), value_bounds);
        }
        self
    }

    /// The bounds that were handed in, where some were.
    pub fn bounds(&self) -> Option<&ValueBounds> {
        match &self.handed {
            Handed::Parts { bounds, .. } => bounds.as_ref(),
            Handed::Whole(_) => None,
        }
    }

    /// The same with other bounds in the place of those.
    #[must_use]
    pub fn bounded(mut self, value_bounds: ValueBounds) -> Self {
        if let Handed::Parts { bounds, .. } = &mut self.handed {
            *bounds = Some(value_bounds);
        }
        self
    }

    /// The caller's own prediction of the answer.
    #[must_use]
    pub fn expecting(mut self, response_law: ResponseLaw) -> Self {
        if let Handed::Parts { law, .. } = &mut self.handed {
            *law = Some(response_law);
        }
        self
    }

    /// What the caller's monitors say.
    #[must_use]
    pub fn monitored(self, monitored: Monitored) -> Self {
        Self { monitored, ..self }
    }

    /// The caller's own count of visits, in the place of the controller's.
    #[must_use]
    pub fn with_visits(self, visits: u64) -> Self {
        Self { visits: Some(visits), ..self }
    }

    /// The caller's own word that advice leads nowhere here.
    #[must_use]
    pub fn with_stalled(self, stalled: bool) -> Self {
        Self { stalled: Some(stalled), ..self }
    }

    /// The caller's own expectation of uses, in the place of the controller's.
    #[must_use]
    pub fn with_expected_uses(self, uses: f64) -> Self {
        Self { expected_uses: Some(uses), ..self }
    }

    /// The caller's own reckoning of what advice gained since the decision before.
    #[must_use]
    pub fn with_credited_gain(self, gain: f64) -> Self {
        Self { credited_gain: Some(gain), ..self }
    }

    /// The caller's own prediction of the answer, where there is one.
    pub(crate) fn own_law(&self) -> Option<&ResponseLaw> {
        match &self.handed {
            Handed::Parts { law, .. } => law.as_ref(),
            Handed::Whole(_) => None,
        }
    }

    /// The context.
    pub fn context(&self) -> &Context {
        &self.context
    }
}

/// The key of all situations with these features; none where there are none.
pub fn likeness(features: &[f64]) -> Option<ContextKey> {
    // Adding zero makes the two zeros one.
    let bits: Vec<u8> = features.iter().flat_map(|feature| (feature + 0.0).to_bits().to_le_bytes()).collect();
    (!bits.is_empty()).then(|| bits.key())
}

/// What came of an action.
///
/// ```
/// use counsel_controller::Outcome;
///
/// let step = Outcome::reward(0.0);
/// let goal = Outcome::reward(1.0).terminated(true);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    pub(crate) reward: f64,
    pub(crate) changed: bool,
    pub(crate) ended: Option<Ended>,
}

/// Why an episode is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(crate) enum Ended {
    /// The task reached a final state: no value follows.
    Terminated,
    /// Time ran out: value may have followed.
    Truncated,
}

impl Outcome {
    /// A reward, in the middle of an episode.
    pub fn reward(reward: f64) -> Self {
        Self { reward, changed: true, ended: None }
    }

    /// Whether the task reached a final state.
    #[must_use]
    pub fn terminated(self, terminated: bool) -> Self {
        Self { ended: if terminated { Some(Ended::Terminated) } else { self.ended }, ..self }
    }

    /// Whether time ran out.
    #[must_use]
    pub fn truncated(self, truncated: bool) -> Self {
        let ended = self.ended.or(if truncated { Some(Ended::Truncated) } else { None });
        Self { ended, ..self }
    }

    /// Whether the action changed anything that the agent sees. Advice that changes nothing gives way at the next decision.
    #[must_use]
    pub fn changed(self, changed: bool) -> Self {
        Self { changed, ..self }
    }

    /// The reward.
    pub fn value(&self) -> f64 {
        self.reward
    }

    /// Whether the episode is over.
    pub fn is_last(&self) -> bool {
        self.ended.is_some()
    }
}
