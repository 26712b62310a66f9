//! The state of the server: a fold of events, without a clock, a file or a socket.
//!
//! Invariants: [`State::apply`] is a function of the state, the time and the event, and never fails; what was answered is kept for
//! its idempotency key; time never runs backwards, and deadlines pass in their order before anything else happens at that time.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use counsel_log::Decision as Row;

use crate::budget::Budgets;
use crate::decision::{Answer, Decision, Episode, EpisodeId};
use crate::deployment::Deployment;
use crate::event::{Event, KeyUse};
use crate::policy::PolicySpec;

/// How many decisions are remembered by their number at least, once they are settled.
pub(crate) const MOST_DECISIONS: usize = 100_000;
/// How many keys are remembered that belong to no decision.
const MOST_OTHER_KEYS: usize = 100_000;

/// A policy, by the arms of its present version.
#[derive(Debug)]
pub(crate) struct Policy {
    pub(crate) spec: PolicySpec,
    pub(crate) digest: String,
    /// How many versions there were.
    pub(crate) version: u64,
    /// The deployments that hand out permits, and that only observe.
    pub(crate) applied: String,
    pub(crate) observed: String,
}

/// An answer that is kept for a key.
#[derive(Debug, Clone)]
pub(crate) struct Kept {
    pub(crate) request: String,
    pub(crate) answer: Answer,
}

/// A change of the log.
#[derive(Debug)]
pub(crate) enum LogChange {
    /// A decision is complete.
    Row { arm: String, row: Box<Row> },
    /// What followed a decision.
    Reward { arm: String, step: u64, reward: f64 },
}

/// What is known of an advisor, over all policies that name it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct AdvisorRecord {
    pub(crate) asked: u64,
    pub(crate) answered: u64,
    pub(crate) lost: u64,
    pub(crate) followed: u64,
    pub(crate) spent: crate::amount::Amount,
}

/// The state.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) now: u64,
    /// The number of the latest decision and of the latest permit.
    pub(crate) latest_decision: u64,
    pub(crate) latest_permit: u64,
    pub(crate) policies: BTreeMap<String, Policy>,
    pub(crate) deployments: BTreeMap<String, Deployment>,
    pub(crate) budgets: Budgets,
    pub(crate) decisions: BTreeMap<u64, Decision>,
    pub(crate) episodes: BTreeMap<EpisodeId, Episode>,
    /// When permits run out, and when episodes end that nobody touches.
    pub(crate) permits_due: BTreeSet<(u64, u64)>,
    pub(crate) episodes_due: BTreeSet<(u64, EpisodeId)>,
    pub(crate) keys: BTreeMap<String, Kept>,
    other_keys: VecDeque<String>,
    pub(crate) advisors: BTreeMap<String, AdvisorRecord>,
    /// How many decisions and resumes ended how: policy, verdict, reason.
    pub(crate) counts: BTreeMap<(String, &'static str, String), u64>,
    /// What the log has to follow.
    pub(crate) changes: Vec<LogChange>,
}

impl State {
    /// Lets time pass up to now: what runs out by then has run out, in its order.
    pub(crate) fn pass(&mut self, now: u64) {
        loop {
            let permit = self.permits_due.first().filter(|(at, _)| *at <= now).copied();
            let episode =
                self.episodes_due.first().filter(|(at, _)| *at <= now && permit.is_none_or(|(first, _)| *at < first));
            if let Some((at, id)) = episode.cloned() {
                self.now = self.now.max(at);
                self.end_episode(&id, None, true);
                self.episodes_due.remove(&(at, id));
            } else if let Some((at, decision)) = permit {
                self.now = self.now.max(at);
                self.permits_due.remove(&(at, decision));
                self.lose(decision);
            } else {
                break;
            }
        }
        self.now = self.now.max(now);
    }

    /// Whether something runs out by this time.
    pub(crate) fn is_due(&self, now: u64) -> bool {
        self.permits_due.first().is_some_and(|(at, _)| *at <= now)
            || self.episodes_due.first().is_some_and(|(at, _)| *at <= now)
    }

    /// Makes a change at this time, and says what is answered.
    pub(crate) fn apply(&mut self, at: u64, key: Option<&KeyUse>, event: &Event) -> Answer {
        self.pass(at);
        let (answer, of) = match event {
            Event::Policy { name, spec } => (self.declare_policy(name, spec), None),
            Event::Budget { name, spec } => {
                self.budgets.declare(name, spec, false);
                (self.told_budget(name), None)
            }
            Event::Decide(decide) => {
                let number = self.latest_decision + 1;
                (self.decide(decide), Some(number))
            }
            Event::Resume(resume) => (self.resume(resume), Some(resume.decision)),
            Event::Outcome(told) => (self.outcome(told), Some(told.decision)),
            Event::End(end) => (self.end(end), None),
            Event::Passed => (Answer { status: 200, body: "".into() }, None),
        };
        if let Some(KeyUse { key, request }) = key {
            self.keys.insert(key.clone(), Kept { request: request.clone(), answer: answer.clone() });
            match of.and_then(|number| self.decisions.get_mut(&number)) {
                Some(decision) => decision.keys.push(key.clone()),
                None => self.other_keys.push_back(key.clone()),
            }
        }
        self.forget();
        answer
    }

    /// Forgets the oldest settled decisions and keys beyond what is remembered.
    fn forget(&mut self) {
        while self.other_keys.len() > MOST_OTHER_KEYS {
            if let Some(key) = self.other_keys.pop_front() {
                self.keys.remove(&key);
            }
        }
        if self.decisions.len() <= MOST_DECISIONS {
            return;
        }
        let settled =
            self.decisions.iter().find(|(_, decision)| decision.question.is_none()).map(|(number, _)| *number);
        if let Some(decision) = settled.and_then(|number| self.decisions.remove(&number)) {
            for key in decision.keys {
                self.keys.remove(&key);
            }
        }
    }

    pub(crate) fn count(&mut self, policy: &str, verdict: &'static str, reason: &str) {
        *self.counts.entry((policy.to_owned(), verdict, reason.to_owned())).or_default() += 1;
    }

    /// All that later answers depend on, as text: two states with the same one answer alike.
    pub(crate) fn snapshot(&self) -> String {
        use std::fmt::Write as _;
        let mut text = format!(
            "{} {} {} {:?} {:?} {:?} {:?} {:?}\n",
            self.now,
            self.latest_decision,
            self.latest_permit,
            self.budgets,
            self.permits_due,
            self.episodes_due,
            self.episodes,
            self.keys
        );
        for (number, decision) in &self.decisions {
            let Decision { action, verdict, path, settled, asked, step, learned, reward, made, .. } = decision;
            let open =
                decision.question.as_ref().map(|open| (open.permit, open.asked_at, open.reserved, open.expires_at));
            let _ = writeln!(
                text,
                "{number} {action:?} {verdict} {path:?} {open:?} {settled:?} {asked} {step:?} {learned:?} {reward:?} {made:?}"
            );
        }
        for (arm, deployment) in &self.deployments {
            let _ = writeln!(text, "{arm} {}", deployment.controller.save().unwrap_or_default());
        }
        text
    }
}
