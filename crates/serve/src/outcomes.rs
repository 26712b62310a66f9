//! What came of decisions, and the ends of episodes. Outcomes may come late, twice, and corrected: the last word counts.
//!
//! The controller learns from an outcome while its episode runs. A decision whose outcome is not known when the next one of its
//! episode is made counts as rewarded with 0 until it is told otherwise. Afterwards an outcome is only logged.

use counsel_controller::Outcome;
use serde_json::json;

use crate::body::{EndBody, OutcomeBody};
use crate::budget::NodeId;
use crate::decision::{Answer, EpisodeId};
use crate::event::{End, Event, Told};
use crate::problem::{Kind, Problem};
use crate::state::{LogChange, State};

impl State {
    /// Checks an outcome; none where the decision is not known.
    pub(crate) fn check_outcome(&self, number: u64, body: &OutcomeBody) -> Result<Option<Event>, Problem> {
        let OutcomeBody { reward, success, last, truncated, changed } = *body;
        let reward = match (reward, success) {
            (Some(reward), None) if reward.is_finite() => reward,
            (None, Some(success)) => f64::from(u8::from(success)),
            _ => {
                return Err(Problem::value(
                    "an outcome is a reward or a success; send {\"reward\": 0.3} or {\"success\": true}",
                ));
            }
        };
        let Some(decision) = self.decisions.get(&number) else { return Ok(None) };
        if let Some(open) = &decision.question {
            let detail =
                format!("p{} waits for its reply; resume it first, with {{\"lost\": true}} if none came", open.permit);
            return Err(Problem::new(Kind::Open, detail));
        }
        Ok(Some(Event::Outcome(Told { decision: number, reward, last, truncated, changed })))
    }

    pub(crate) fn outcome(&mut self, told: &Told) -> Answer {
        let Told { decision: number, reward, last, truncated, changed } = *told;
        let Some(decision) = self.decisions.get_mut(&number) else { return accepted(false) };
        let before = decision.reward.replace(reward).unwrap_or(0.0);
        decision.revisions += 1;
        let (id, arm, step, learned_at) =
            (decision.episode.clone(), decision.arm.clone(), decision.step, decision.learned);
        if let Some(step) = step {
            self.changes.push(LogChange::Reward { arm: arm.clone(), step, reward });
        }
        let (Some(episode), Some(deployment)) = (self.episodes.get_mut(&id), self.deployments.get_mut(&arm)) else {
            return accepted(false);
        };
        let place = episode.place;
        let mut ends = last || truncated || episode.alone;
        let learned = if episode.waiting == Some(number) {
            let outcome =
                Outcome::reward(reward).terminated(last || (episode.alone && !truncated)).truncated(truncated);
            let taken = deployment.outcome(place, outcome.changed(changed.unwrap_or(true))).is_ok();
            episode.waiting = None;
            if taken {
                decision.learned = Some(episode.learned);
                episode.learned += 1;
                episode.returned += reward;
            }
            taken
        } else if let Some(at) = learned_at {
            episode.returned += reward - before;
            deployment.correct(place, at, reward - before)
        } else {
            false
        };
        ends &= episode.open.is_empty();
        if ends {
            self.end_episode(&id, None, truncated);
        }
        accepted(learned)
    }

    /// Before the next decision at a place, the one before counts as rewarded with 0 if nobody said more.
    pub(crate) fn step_ends(&mut self, id: &EpisodeId) {
        self.take_in(id, 0.0, Outcome::reward(0.0));
    }

    /// Hands the last decision of an episode to the controller with this outcome, if it waits for one.
    fn take_in(&mut self, id: &EpisodeId, reward: f64, outcome: Outcome) {
        let Some(episode) = self.episodes.get_mut(id) else { return };
        let Some(number) = episode.waiting.take() else { return };
        let Some(deployment) = self.deployments.get_mut(&episode.arm) else { return };
        if deployment.outcome(episode.place, outcome).is_ok() {
            if let Some(decision) = self.decisions.get_mut(&number) {
                decision.learned = Some(episode.learned);
            }
            episode.learned += 1;
            episode.returned += reward;
        }
    }

    /// Checks that an episode is there to be ended.
    pub(crate) fn check_end(&self, episode: &str, body: EndBody) -> Result<Event, Problem> {
        let EndBody { policy, run, returned, truncated } = body;
        if returned.is_some_and(|returned| !returned.is_finite()) {
            return Err(Problem::value("`return` is no finite number"));
        }
        let end = End { episode: episode.to_owned(), policy, run, returned, truncated };
        if self.meant(&end).is_empty() {
            return Err(Problem::new(Kind::Unknown, "no such episode runs; it ended, or no decision named it"));
        }
        Ok(Event::End(end))
    }

    /// The episodes that an end speaks of, children after their episode.
    fn meant(&self, end: &End) -> Vec<EpisodeId> {
        let fits = |said: &Option<String>, is: &String| said.as_ref().is_none_or(|said| said == is);
        let meant =
            |id: &&EpisodeId| id.episode == end.episode && fits(&end.policy, &id.policy) && fits(&end.run, &id.run);
        self.episodes.keys().filter(meant).cloned().collect()
    }

    pub(crate) fn end(&mut self, end: &End) -> Answer {
        let meant = self.meant(end);
        for id in &meant {
            // What an episode returned is its own; a child has no return but its rewards.
            let returned = end.returned.filter(|_| id.child.is_none());
            self.end_episode(id, returned, end.truncated);
        }
        Answer { status: 200, body: json!({ "ended": meant.len() }).to_string().into() }
    }

    /// Ends an episode: open questions are lost, what is missing of its return goes to its last step, and the controller learns.
    pub(crate) fn end_episode(&mut self, id: &EpisodeId, returned: Option<f64>, truncated: bool) {
        let open: Vec<u64> =
            self.episodes.get(id).map_or_else(Vec::new, |episode| episode.open.iter().copied().collect());
        for number in open {
            self.lose(number);
        }
        let Some(episode) = self.episodes.get(id) else { return };
        let missing = returned.map_or(0.0, |returned| returned - episode.returned);
        let (arm, place, learned, waiting, ends_at) =
            (episode.arm.clone(), episode.place, episode.learned, episode.waiting, episode.ends_at);
        match waiting {
            Some(number) => {
                let step = self.decisions.get_mut(&number).and_then(|decision| {
                    decision.reward.get_or_insert(missing);
                    decision.step
                });
                if let Some(step) = step.filter(|_| returned.is_some()) {
                    self.changes.push(LogChange::Reward { arm: arm.clone(), step, reward: missing });
                }
                let outcome = Outcome::reward(missing).terminated(!truncated).truncated(truncated);
                self.take_in(id, missing, outcome);
            }
            None if missing != 0.0 && learned > 0 => {
                if let Some(deployment) = self.deployments.get_mut(&arm) {
                    deployment.correct(place, learned - 1, missing);
                }
            }
            None => {}
        }
        self.episodes.remove(id);
        self.episodes_due.remove(&(ends_at, id.clone()));
        if let Some(deployment) = self.deployments.get_mut(&arm) {
            // Learning fails only where nothing was learned from, and the episode is over all the same.
            let _ = deployment.end(place);
        }
        self.forget_episode(id);
    }

    /// Forgets the budget of an episode that ended. One that begins under the same name again has a new one.
    fn forget_episode(&mut self, id: &EpisodeId) {
        let EpisodeId { policy, run, episode, child } = id.clone();
        if let Some(child) = child {
            self.budgets.forget(&NodeId::Child(policy.clone(), run.clone(), episode.clone(), child));
        }
        // The episode itself stands before its children.
        let first = EpisodeId { policy, run, episode, child: None };
        let next = self.episodes.range(&first..).next().map(|(other, _)| other);
        let same = |other: &EpisodeId| {
            (&other.policy, &other.run, &other.episode) == (&first.policy, &first.run, &first.episode)
        };
        if !next.is_some_and(same) {
            let EpisodeId { policy, run, episode, .. } = first;
            self.budgets.forget(&NodeId::Episode(policy, run, episode));
        }
    }
}

fn accepted(learned: bool) -> Answer {
    Answer { status: 200, body: json!({ "accepted": true, "learned": learned }).to_string().into() }
}
