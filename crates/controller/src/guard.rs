//! Who leads, episode by episode: the controller, or the user's agent alone.
//!
//! A controller's values can be worse than the agent it acts for, where its states do not tell situations apart, and no check
//! of those values finds it out: what they promise is what they deliver. So the one that does not lead, the challenger, is
//! tried now and then, and what episodes returned decides. R is the range of all returns so far.
//!
//! - Trials begin at the episodes f, 2 f, 4 f, ... (f is `first`). The one at episode t has max(m, `share` t) episodes at most (m
//!   is `episodes`), and opens with max(1, `opening` t): a learner that did not lead for long needs some practice.
//! - From the end of its opening on, a trial is over at the first episode after which its mean is not above that of the leader's
//!   last episodes less `tolerance` R. If a single episode opens it, and lasts half as long again as those while it is that far
//!   behind, it is lost at once: the leader finishes it.
//! - Over the last half of the longest trial, and m episodes at least, the challenger must return more than the leader. Then it
//!   leads, and the deposed leader is tried at the episodes that follow in the same order.
//!
//! **Bound.** n episodes hold K = 1 + log2(n / f) trials at most, none where n < f. A trial returns less than the leader's mean by R
//! at most in each episode of its opening and in its last one, and by `tolerance` R on average up to there. So over n episodes
//! trials cost at most R (K (2 + m `tolerance`) / n + 2 `opening` + 2 `share` `tolerance`) of the mean return, and R (K / n + 2
//! `opening`) where the challenger returns the least in every episode. Who wins a trial by chance leads until it loses one.

use std::collections::VecDeque;
use std::fmt::{self, Display, Formatter};

use counsel_decision::Lead;
use counsel_decision::refusal::{Refusal, at_least, in_range};
use serde::{Deserialize, Serialize};

/// How the agent is guarded against its controller.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `first` | 64 | the episode of the first trial; the later ones are at 2, 4, 8, ... times that; 2 or more |
/// | `episodes` | 4 | the episodes over which a challenger must return more to lead, at the least; 1 or more |
/// | `share` | 0.125 | the longest trial, as a share of the episodes so far, 0 to 0.5 |
/// | `opening` | 0.015625 | the episodes of a trial before it is judged, as a share of the episodes so far, 0 to `share` |
/// | `tolerance` | 0.1 | how far behind a trial may be and go on, as a share of the range of returns, 0 to 1 |
/// | `recent` | 10 | the last episodes of the leader that it is held against, 1 or more |
///
/// ```
/// use counsel_controller::{BooksSpec, GuardSpec};
///
/// let rarer = GuardSpec { first: 128, ..GuardSpec::default() };
/// assert!(BooksSpec { guard: Some(rarer), ..BooksSpec::recommended() }.check().is_ok());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GuardSpec {
    /// The episode of the first trial.
    pub first: u64,
    /// The episodes over which a challenger must return more, at the least.
    pub episodes: usize,
    /// The longest trial, as a share of the episodes so far.
    pub share: f64,
    /// The episodes of a trial before it is judged, as a share of the episodes so far.
    pub opening: f64,
    /// How far behind a trial may be and go on, as a share of the range of returns.
    pub tolerance: f64,
    /// The last episodes of the leader that it is held against.
    pub recent: usize,
}

impl Default for GuardSpec {
    fn default() -> Self {
        Self { first: 64, episodes: 4, share: 0.125, opening: 0.015_625, tolerance: 0.1, recent: 10 }
    }
}

impl GuardSpec {
    /// Refuses trials that cannot be held.
    pub fn check(&self) -> Result<(), Refusal> {
        let Self { share, opening, tolerance, .. } = *self;
        let remedy = "the defaults are 64, 4, 0.125, 0.015625, 0.1 and 10";
        in_range((0.0..=0.5).contains(&share), "guard.share", share, "[0, 0.5]", remedy)?;
        in_range((0.0..=share).contains(&opening), "guard.opening", opening, "[0, guard.share]", remedy)?;
        in_range((0.0..=1.0).contains(&tolerance), "guard.tolerance", tolerance, "[0, 1]", remedy)?;
        at_least("guard.first", usize::try_from(self.first).unwrap_or(usize::MAX), 2, remedy)?;
        at_least("guard.episodes", self.episodes, 1, remedy)?;
        at_least("guard.recent", self.recent, 1, remedy)
    }

    /// The most trials among the first n episodes.
    pub fn most_trials(&self, episodes: u64) -> u64 {
        if episodes < self.first { 0 } else { u64::from((episodes / self.first).ilog2()) + 1 }
    }

    /// The most that trials can cost over n episodes, in shares of the range of returns and of the mean return.
    pub fn most_cost(&self, episodes: u64) -> f64 {
        let trials = self.most_trials(episodes) as f64;
        let each = trials * (2.0 + self.episodes as f64 * self.tolerance) / episodes as f64;
        if trials > 0.0 { each + 2.0 * self.opening + 2.0 * self.share * self.tolerance } else { 0.0 }
    }

    /// The opening of a trial that begins at this episode, and its most episodes.
    fn lengths(&self, episode: u64) -> (usize, usize) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count")]
        let [opening, longest] = [self.opening, self.share].map(|share| (share * episode as f64) as usize);
        (opening.max(1), longest.max(self.episodes))
    }
}

/// How many times as long as the leader's an episode of a trial may last before it is lost.
const PATIENCE: f64 = 1.5;

/// What came of an episode.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Finished {
    pub(crate) returned: f64,
    pub(crate) steps: u64,
}

/// A trial of the challenger.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Trial {
    /// What the leader's last episodes returned on average when it began, and how long they were.
    to_beat: f64,
    steps: f64,
    opening: usize,
    longest: usize,
    /// Its episodes that are over.
    episodes: Vec<Finished>,
}

/// Who leads, and what speaks for that.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Guard {
    spec: GuardSpec,
    /// Whether the agent leads, trials apart.
    agent_leads: bool,
    /// The leader's last episodes, the latest at the end.
    recent: VecDeque<Finished>,
    /// The present trial.
    trial: Option<Trial>,
    /// The least and the most that an episode returned.
    range: Option<(f64, f64)>,
    /// Whether an episode of it runs.
    running: bool,
    begun: u64,
    /// The episode from which on the next trial may begin.
    next: u64,
    trials: u64,
    trial_episodes: u64,
    changes: u64,
}

impl Guard {
    /// The controller leads.
    pub fn new(spec: GuardSpec) -> Self {
        Self {
            spec,
            agent_leads: false,
            recent: VecDeque::new(),
            trial: None,
            range: None,
            running: false,
            begun: 0,
            next: spec.first,
            trials: 0,
            trial_episodes: 0,
            changes: 0,
        }
    }

    /// Who leads, trials apart.
    pub fn leader(&self) -> Lead {
        if self.agent_leads { Lead::Agent } else { Lead::Controller }
    }

    /// The trials so far, and their episodes.
    pub fn trials(&self) -> (u64, u64) {
        (self.trials, self.trial_episodes)
    }

    /// How often the lead changed.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// The episode from which on the next trial begins.
    pub fn next_trial(&self) -> u64 {
        self.next
    }

    /// Who leads in the episode that begins. Of episodes that run side by side one is a trial.
    pub(crate) fn begin(&mut self) -> Lead {
        self.begun += 1;
        if self.trial.is_none() && self.begun >= self.next && !self.recent.is_empty() {
            let steps = self.recent.iter().map(|episode| episode.steps as f64).sum::<f64>() / self.recent.len() as f64;
            let (to_beat, (opening, longest)) = (mean(self.recent.iter()), self.spec.lengths(self.begun));
            self.trial = Some(Trial { to_beat, steps, opening, longest, episodes: Vec::new() });
            self.trials += 1;
            while self.next <= self.begun {
                self.next = self.next.saturating_mul(2);
            }
        }
        if self.trial.is_none() || self.running {
            return self.leader();
        }
        self.running = true;
        self.trial_episodes += 1;
        if self.agent_leads { Lead::ControllerTried } else { Lead::AgentTried }
    }

    /// The mean at which a trial is over.
    fn least(&self, trial: &Trial) -> f64 {
        let range = self.range.map_or(0.0, |(least, most)| most - least);
        trial.to_beat - self.spec.tolerance * range
    }

    /// Whether an episode of a trial is lost that has come to this.
    pub(crate) fn is_lost(&self, so_far: Finished) -> bool {
        let long = |trial: &Trial| so_far.steps as f64 >= PATIENCE * trial.steps;
        let opens = |trial: &&Trial| trial.opening == 1 && trial.episodes.is_empty();
        self.trial.as_ref().filter(opens).is_some_and(|trial| long(trial) && so_far.returned <= self.least(trial))
    }

    /// Takes note of an episode that began under this lead; `lost` says that the leader finished a trial.
    pub(crate) fn end(&mut self, began: Lead, finished: Finished, lost: bool) {
        if finished.steps > 0 {
            let (least, most) = self.range.unwrap_or((finished.returned, finished.returned));
            self.range = Some((least.min(finished.returned), most.max(finished.returned)));
        }
        match (began.is_trial(), finished.steps) {
            (false, 0) => {}
            // One that began before the lead changed says nothing of the present leader.
            (false, _) if began == self.leader() => self.remember(finished),
            (false, _) => {}
            (true, 0) => {
                self.running = false;
                self.trial_episodes -= 1;
            }
            (true, _) => {
                self.running = false;
                if let Some(trial) = self.trial.take() {
                    self.judge(trial, finished, lost);
                }
            }
        }
    }

    /// Ends a trial with this episode, or lets it go on.
    fn judge(&mut self, mut trial: Trial, finished: Finished, lost: bool) {
        trial.episodes.push(finished);
        let judged = trial.episodes.len() >= trial.opening;
        if lost || judged && mean(trial.episodes.iter()) <= self.least(&trial) {
            return;
        }
        let wanted = self.spec.episodes.max(trial.longest / 2);
        let last = trial.episodes.len().checked_sub(wanted).map(|earlier| &trial.episodes[earlier..]);
        if last.is_some_and(|last| mean(last.iter()) > trial.to_beat) {
            self.agent_leads = !self.agent_leads;
            self.changes += 1;
            self.recent.clear();
            trial.episodes.into_iter().for_each(|episode| self.remember(episode));
        } else if trial.episodes.len() < trial.longest {
            self.trial = Some(trial);
        }
    }

    fn remember(&mut self, finished: Finished) {
        self.recent.push_back(finished);
        while self.recent.len() > self.spec.recent {
            self.recent.pop_front();
        }
    }
}

impl Display for Guard {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (leader, challenger) = if self.agent_leads { ("agent", "controller") } else { ("controller", "agent") };
        let (trials, episodes) = self.trials();
        write!(
            f,
            "the {leader} leads; {trials} trials of {episodes} episodes, the lead changed {} times; the {challenger} is tried next \
             from episode {} on",
            self.changes, self.next
        )
    }
}

/// The mean return of episodes.
fn mean<'a>(episodes: impl ExactSizeIterator<Item = &'a Finished>) -> f64 {
    let count = episodes.len() as f64;
    episodes.map(|episode| episode.returned).sum::<f64>() / count
}
