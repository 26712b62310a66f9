//! What the agent would be worth without advice: half-way between what it has returned alone and what its choices promise.
//!
//! What it has returned is a lower limit, since it learns. What its choices promise is told by an empirical model, and a model
//! flatters what it chose itself, since it chose what looked best. So the steps that the agent took without advice are divided
//! between two models, episode by episode, and each judges the choices of the other. After few episodes that is a rough
//! estimate; half of it, and half of a mean, is a better one.

use std::collections::BTreeMap;

use counsel_decision::ContextKey;
use serde::{Deserialize, Serialize};

use crate::empirical_mdp::{EmpiricalMdp, ExperienceSpec, HeldAnswers, Step};

/// The steps that an agent took without advice, in two halves.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Unadvised {
    halves: [EmpiricalMdp; 2],
    episodes: usize,
    /// What each context promises.
    promised: BTreeMap<ContextKey, f64>,
    /// Total return of the episodes without advice, and their number.
    returned: f64,
    unaided_episodes: f64,
}

/// Episodes that count as seen before the first one, each of which returned the deviation that a single outcome is thought to
/// have. Where returns lie between 0 and 1, that is Laplace's rule.
const BEFORE: f64 = 2.0;

impl Unadvised {
    /// Before any step.
    pub fn new(table: ExperienceSpec, actions: usize) -> Self {
        let half = || EmpiricalMdp::new(table, actions);
        Self {
            halves: [half(), half()],
            episodes: 0,
            promised: BTreeMap::new(),
            returned: BEFORE * table.prior_deviation,
            unaided_episodes: BEFORE,
        }
    }

    /// Takes note of the steps of an episode that followed neither the advisor nor an override, and values acting alone again.
    pub fn learn(&mut self, episode: &[Step], terminated: bool) {
        let half = &mut self.halves[self.episodes % 2];
        if episode.iter().all(Step::is_own) {
            self.returned += half.discounted(episode);
            self.unaided_episodes += 1.0;
        }
        half.learn(episode, terminated, Step::is_own);
        half.evaluate(&HeldAnswers::new(), None);
        self.episodes += 1;
        let [one, other] = &self.halves;
        self.promised = one.value_of_choices(other);
        for (context, second) in other.value_of_choices(one) {
            self.promised.entry(context).and_modify(|first| *first = f64::midpoint(*first, second)).or_insert(second);
        }
    }

    /// What the agent is expected to return from a first context on, without advice.
    pub fn value(&self, context: ContextKey) -> f64 {
        let mean = self.returned / self.unaided_episodes;
        self.promised.get(&context).map_or(mean, |promised| f64::midpoint(mean, *promised))
    }
}

#[cfg(test)]
mod tests {
    use counsel_decision::Action;

    use super::*;

    #[test]
    fn luck_of_one_half_is_not_believed_by_the_other() {
        let mut alone = Unadvised::new(ExperienceSpec::default(), 2);
        let once = |action, reward| {
            [Step {
                context: ContextKey(0),
                action: Action(action),
                reward,
                fallback_law: vec![0.5, 0.5],
                followed: false,
                overridden: false,
            }]
        };
        // Action 1 pays off every time in every other episode, and never in the rest.
        for episode in 0..200 {
            alone.learn(&once(u16::from(episode % 4 > 1), if episode % 4 == 2 { 1.0 } else { 0.0 }), true);
        }
        let flattered = alone.halves[0].value_of_choices(&alone.halves[0])[&ContextKey(0)];
        let promised = alone.promised[&ContextKey(0)];
        assert!(flattered > 0.95 && promised < 0.6, "{flattered} {promised}");
        // A quarter of the episodes returned 1, and two more are thought to have returned a half.
        let mean = 51.0 / 202.0;
        assert!((alone.value(ContextKey(0)) - f64::midpoint(mean, promised)).abs() < 1e-12);
        assert!((alone.value(ContextKey(1)) - mean).abs() < 1e-12, "nothing is promised where nothing was met");
    }

    #[test]
    fn steps_that_followed_the_advisor_or_an_override_do_not_count() {
        for (followed, overridden) in [(true, false), (false, true)] {
            let mut alone = Unadvised::new(ExperienceSpec::default(), 2);
            let step = Step {
                context: ContextKey(0),
                action: Action(1),
                reward: 1.0,
                fallback_law: vec![1.0, 0.0],
                followed,
                overridden,
            };
            alone.learn(&[step], true);
            assert!((alone.value(ContextKey(0)) - 0.5).abs() < 1e-12);
        }
    }
}
