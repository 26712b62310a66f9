//! What the agent remembers of its contexts, beside what its learner has learned: labels or experience, the advisor's track
//! record, and what advice has gained.

use std::collections::BTreeSet;

use counsel_advisor::predictor::Paid;
use counsel_decision::{Action, CacheStatus, ContextKey, Engine, Record, Response, ValueBounds, ValueSamples, Verdict};
use counsel_experience::{Alone, Experience, Kept, LabelTable, Labels, Lived, TrackRecord, TrackRecordSpec};

use super::values::{Fallback, ValuesFrom};
use crate::Error;

/// The memory of one run.
#[derive(Debug, Clone)]
pub(super) struct Memory {
    values: ValuesFrom,
    spec: Option<TrackRecordSpec>,
    actions: usize,
    labels: Labels,
    /// Every step, and what they say of acting without advice.
    experience: Option<Experience>,
    alone: Option<Alone>,
    record: Option<TrackRecord>,
    unusable: BTreeSet<ContextKey>,
    /// The episode so far; the last step with its fallback's law, before its reward is known.
    lived: Vec<Lived>,
    /// What advice gained in the last episode, until the engine is told.
    credited: f64,
    /// Whether the last step followed the advisor, and whether it then changed nothing.
    followed: bool,
    stalled: bool,
}

impl Memory {
    pub(super) fn new(values: ValuesFrom, spec: Option<TrackRecordSpec>, actions: usize) -> Self {
        let table = match values {
            ValuesFrom::Experience(table) => Some(table),
            ValuesFrom::Learner | ValuesFrom::Labels(_) => None,
        };
        Self {
            values,
            spec,
            actions,
            labels: Labels::default(),
            experience: table.map(|table| Experience::new(table, actions)),
            alone: table.map(|table| Alone::new(table, actions)),
            record: spec.map(TrackRecord::new),
            unusable: BTreeSet::new(),
            lived: Vec::new(),
            credited: 0.0,
            followed: false,
            stalled: false,
        }
    }

    /// Whether steps are remembered.
    pub(super) fn lives(&self) -> bool {
        self.experience.is_some()
    }

    /// The values of a context; nothing where the learner's count.
    pub(super) fn values(&self, context: ContextKey) -> Result<Option<(ValueSamples, ValueBounds)>, Error> {
        Ok(match (self.values, &self.experience) {
            (ValuesFrom::Labels(table), _) => Some(self.labels.values(table, context, self.actions)?),
            (_, Some(experience)) => Some(experience.values(context)?),
            _ => None,
        })
    }

    /// What the values alone would do in a context; nothing where they do not tell actions apart.
    pub(super) fn choice(&self, context: ContextKey) -> Option<Action> {
        match (self.values, &self.experience) {
            (ValuesFrom::Labels(_), _) => self.labels.choice(context),
            (_, Some(experience)) => experience.choice(context),
            _ => None,
        }
    }

    /// Whether the values propose what is done, and not the learner.
    pub(super) fn proposes(&self, fallback: Fallback, engine: &Engine, context: ContextKey) -> bool {
        match fallback {
            Fallback::Values => true,
            Fallback::ValuesUnadvised => {
                engine.calls_made() == 0 || self.unusable.contains(&context) || self.given_up(engine)
            }
            Fallback::Learner | Fallback::Rule | Fallback::RandomMoves => false,
        }
    }

    /// Whether advice has lost more than it may.
    fn given_up(&self, engine: &Engine) -> bool {
        engine.bankroll().is_some_and(|bankroll| bankroll.credited(self.credited).is_empty())
    }

    /// What the advisor's word for each action adds to its value in a context; nothing where its record is not kept.
    pub(super) fn credits(&self, context: ContextKey) -> Option<Vec<f64>> {
        let record = self.record?;
        let tries = match (self.values, &self.experience) {
            (ValuesFrom::Labels(_), _) => (0..self.actions).map(|action| self.labels.count(context, action)).collect(),
            (_, Some(experience)) => experience.tries(context),
            _ => vec![0.0; self.actions],
        };
        Some(tries.into_iter().map(|tries| record.credit(tries)).collect())
    }

    /// What advice gained since the engine was last told.
    pub(super) fn take_credited(&mut self) -> f64 {
        std::mem::take(&mut self.credited)
    }

    /// Whether the last step followed the advisor and changed nothing.
    pub(super) fn stalled(&self) -> bool {
        self.stalled
    }

    /// Takes a paid answer.
    pub(super) fn hear(&mut self, paid: &Paid) {
        if paid.response.response() == Response::Unusable {
            self.unusable.insert(paid.context.key);
        }
    }

    /// Takes note of a decision before it is done.
    pub(super) fn decided(&mut self, record: &Record) {
        let reused = record.cache_status == CacheStatus::Reused && !record.asked();
        self.followed = reused || record.answer().is_some_and(|answer| answer.verdict == Verdict::Executed);
    }

    /// Takes note of what a step brought.
    pub(super) fn live(&mut self, context: ContextKey, action: Action, law: Vec<f64>, reward: f64, changed: bool) {
        self.stalled = self.followed && !changed;
        if self.lives() {
            self.lived.push(Lived { context, action, reward, law, followed: self.followed });
        }
    }

    /// Takes note of what the actions are worth in a state of this context, by copies of the world.
    pub(super) fn learn(&mut self, table: LabelTable, context: ContextKey, worth: &[f64], law: &[f64]) {
        self.labels.learn(table, context, worth, law);
    }

    pub(super) fn begin_episode(&mut self) {
        self.lived.clear();
        (self.followed, self.stalled) = (false, false);
    }

    /// Learns from the episode that was just played.
    pub(super) fn end_episode(&mut self, engine: &Engine, terminated: bool) {
        let lived = std::mem::take(&mut self.lived);
        if let (Some(experience), Some(alone)) = (&mut self.experience, &mut self.alone) {
            let expected = lived.first().and_then(|first| alone.worth(first.context));
            // Advice is answerable for an episode in which it could be followed.
            let followed = engine.calls_made() > 0 && engine.bankroll().is_some_and(|bankroll| !bankroll.is_empty());
            if let (true, Some(expected)) = (followed, expected) {
                self.credited = experience.discounted(&lived) - expected;
            }
            experience.learn(&lived, terminated, |_| true);
            // Nobody asks what acting alone is worth where nothing depends on it.
            if engine.bankroll().is_some() {
                alone.learn(&lived, terminated);
            }
        }
        let kept = if self.given_up(engine) { Kept::new() } else { kept(engine) };
        if let Some(experience) = &mut self.experience {
            experience.plan(&kept, self.record.as_ref());
        }
        if let Some(spec) = self.spec {
            self.record = Some(match &self.experience {
                Some(experience) => experience.record(spec, &kept, self.unusable.len()),
                None => self.labels.record(spec, &kept, self.unusable.len()),
            });
        }
    }
}

/// The kept answers, by context.
fn kept(engine: &Engine) -> Kept {
    engine.cache().entries().map(|entry| (entry.context, entry.action)).collect()
}
