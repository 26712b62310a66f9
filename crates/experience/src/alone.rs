//! What the agent would be worth without advice: the choices of an empirical model, judged by another one.
//!
//! A model flatters what it chose itself, since it chose what looked best. So the steps that the agent took without advice are
//! divided between two models, episode by episode, and each judges the choices of the other.

use std::collections::BTreeMap;

use counsel_decision::ContextKey;

use crate::model::{Experience, ExperienceTable, Kept, Lived};

/// The steps that an agent took without advice, in two halves.
#[derive(Debug, Clone)]
pub struct Alone {
    halves: [Experience; 2],
    episodes: usize,
    worth: BTreeMap<ContextKey, f64>,
}

impl Alone {
    /// Before any step.
    pub fn new(table: ExperienceTable, actions: usize) -> Self {
        let half = || Experience::new(table, actions);
        Self { halves: [half(), half()], episodes: 0, worth: BTreeMap::new() }
    }

    /// Takes note of the steps of an episode that did not follow the advisor, and values acting alone anew.
    pub fn learn(&mut self, episode: &[Lived], terminated: bool) {
        let half = &mut self.halves[self.episodes % 2];
        half.learn(episode, terminated, |lived| !lived.followed);
        half.plan(&Kept::new(), None);
        self.episodes += 1;
        let [one, other] = &self.halves;
        self.worth = one.worth_of(other);
        for (context, second) in other.worth_of(one) {
            self.worth.entry(context).and_modify(|first| *first = f64::midpoint(*first, second)).or_insert(second);
        }
    }

    /// What the agent is expected to return from a context on, without advice; nothing where it was never met.
    pub fn worth(&self, context: ContextKey) -> Option<f64> {
        self.worth.get(&context).copied()
    }
}

#[cfg(test)]
mod tests {
    use counsel_decision::Action;

    use super::*;

    #[test]
    fn luck_of_one_half_is_not_believed_by_the_other() {
        let mut alone = Alone::new(ExperienceTable::default(), 2);
        let once = |action, reward| {
            [Lived { context: ContextKey(0), action: Action(action), reward, law: vec![0.5, 0.5], followed: false }]
        };
        // Action 1 pays off every time in every other episode, and never in the rest.
        for episode in 0..200 {
            alone.learn(&once(u16::from(episode % 4 > 1), if episode % 4 == 2 { 1.0 } else { 0.0 }), true);
        }
        let flattered = alone.halves[0].worth_of(&alone.halves[0])[&ContextKey(0)];
        let worth = alone.worth(ContextKey(0)).unwrap();
        assert!(flattered > 0.95 && worth < 0.6, "{flattered} {worth}");
        assert_eq!(alone.worth(ContextKey(1)), None);
    }

    #[test]
    fn steps_that_followed_the_advisor_do_not_count() {
        let mut alone = Alone::new(ExperienceTable::default(), 2);
        let lived =
            Lived { context: ContextKey(0), action: Action(1), reward: 1.0, law: vec![1.0, 0.0], followed: true };
        alone.learn(&[lived], true);
        assert_eq!(alone.worth(ContextKey(0)), None);
    }
}
