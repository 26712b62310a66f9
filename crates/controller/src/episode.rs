//! What a controller notes of the episode that runs at one place.

use std::collections::{BTreeMap, BTreeSet};

use counsel_decision::{Action, ContextKey, Lead, Record, Seed, Verdict};
use serde::{Deserialize, Serialize};

use crate::empirical_mdp::Step;
use crate::guard::Finished;
use crate::situation::{Ended, Outcome};

/// The notes of one episode.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct EpisodeNotes {
    /// Whether an episode runs, or has ended and was not learned from yet.
    pub(crate) running: bool,
    /// The number of the episode among all of the deployment, from 1.
    pub(crate) number: u64,
    pub(crate) seed: Option<Seed>,
    /// Who leads now, and who led when it began: a trial that is lost is finished by the other one.
    pub(crate) lead: Lead,
    pub(crate) began: Lead,
    /// What it has returned, and its steps.
    pub(crate) so_far: Finished,
    pub(crate) steps: Vec<Step>,
    /// The context of the last decision and the decision itself, until its outcome is known.
    waiting: Option<(ContextKey, Step)>,
    /// The number of that decision in the run, and the action that was set in the place of another.
    #[serde(default)]
    pub(crate) number_of_last: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    instead_of: Option<Action>,
    /// How often somebody overrode the controller in this episode.
    #[serde(default)]
    pub(crate) overrides: u64,
    /// Whether the last decision followed the advisor, and whether the last step changed nothing.
    followed: bool,
    pub(crate) idle: bool,
    /// The number of times the episode was in each state.
    visits: BTreeMap<ContextKey, u64>,
    /// Where the episode has been, by context and state.
    places: BTreeSet<(ContextKey, ContextKey)>,
    /// The number of steps since the last reward that followed advice where the episode had been before.
    pub(crate) circles: u64,
    pub(crate) ended: Option<Ended>,
}

impl EpisodeNotes {
    /// The notes of an episode that begins.
    pub(crate) fn begun(number: u64, seed: Seed, lead: Lead) -> Self {
        Self { running: true, number, seed: Some(seed), lead, began: lead, ..Self::default() }
    }

    /// Whether advice leads nowhere: the last step followed it and changed nothing, or the episode comes back to a context
    /// again and again.
    pub(crate) fn is_stalled(&self, state: ContextKey, patience: Option<u64>) -> bool {
        (self.followed && self.idle) || self.rounds(state, patience) > 0
    }

    /// How often patience ran out in a state of this episode.
    pub(crate) fn rounds(&self, state: ContextKey, patience: Option<u64>) -> u64 {
        let visits = self.visits.get(&state).copied().unwrap_or(0);
        patience.map_or(0, |patience| visits / patience)
    }

    /// Notes a complete decision in a state. Where the law of the fallback is not known, its present proposal stands for it; where
    /// another advisor's answer stood in for the fallback, its law is handed in.
    pub(crate) fn decided(&mut self, record: &Record, state: ContextKey, law: Option<Vec<f64>>) {
        let reused = record.cache_status.acts() && !record.asked();
        let stands_in = record.evidence.panel().is_some_and(|panel| panel.stands_in().is_some());
        self.followed =
            reused || stands_in || record.answer().is_some_and(|answer| answer.verdict == Verdict::Executed);
        let evidence = &record.evidence;
        let mut fallback_law = law.unwrap_or_else(|| evidence.fallback_law().to_vec());
        if fallback_law.is_empty() {
            fallback_law = vec![0.0; evidence.actions()];
            fallback_law[evidence.advice().none().base().index()] = 1.0;
        }
        let action = record.executed;
        let step =
            Step { context: state, action, reward: 0.0, fallback_law, followed: self.followed, overridden: false };
        self.waiting = Some((evidence.context(), step));
        (self.number_of_last, self.instead_of) = (record.step, None);
    }

    /// The last decision, while it waits for its outcome.
    pub(crate) fn waiting(&self) -> Option<&Step> {
        self.waiting.as_ref().map(|(_, step)| step)
    }

    /// Notes that another action is executed than the last decision's, which waits for its outcome; says which one that was. An action
    /// that was set is nobody's advice.
    pub(crate) fn set(&mut self, action: Action) -> Option<Action> {
        let (_, step) = self.waiting.as_mut()?;
        let decided = *self.instead_of.get_or_insert(step.action);
        (step.action, step.followed, step.overridden) = (action, false, true);
        self.followed = false;
        self.overrides += 1;
        Some(decided)
    }

    /// Notes what came of the last decision; says whether one was waiting. Steps are kept only where they are `wanted`.
    pub(crate) fn came_of_it(&mut self, outcome: Outcome, learns: bool, wanted: bool) -> bool {
        let Some((context, step)) = self.waiting.take() else { return false };
        self.ended = outcome.ended;
        self.so_far.returned += outcome.reward;
        self.so_far.steps += 1;
        if learns {
            self.idle = !outcome.changed;
            *self.visits.entry(step.context).or_default() += 1;
            let is_new = self.places.insert((context, step.context));
            self.circles = if outcome.reward > 0.0 { 0 } else { self.circles + u64::from(step.followed && !is_new) };
            if wanted {
                self.steps.push(Step { reward: outcome.reward, ..step });
            }
        }
        true
    }

    /// Adds to the reward of a step, where the episode runs still and its steps are kept.
    pub(crate) fn correct(&mut self, step: usize, by: f64) -> bool {
        let found = self.steps.get_mut(step).filter(|_| self.running);
        let Some(step) = found else { return false };
        step.reward += by;
        self.so_far.returned += by;
        true
    }
}
