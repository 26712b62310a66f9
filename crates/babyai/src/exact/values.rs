//! Backward induction over a layout.

use std::borrow::Borrow;

use super::{Layout, Next};
use crate::reward::success_reward;
use crate::{Act, Error, State};

/// How far the sum of seven probabilities may be from 1.
const SLACK: f64 = 1e-9;

/// What states and actions are worth under a policy, with the layout or a reference to it.
#[derive(Debug, Clone)]
pub struct Values<L> {
    layout: L,
    discount: f64,
    /// The values of the states that can be reached by each step, first step first.
    by_step: Vec<Vec<f64>>,
}

impl Layout {
    /// What every state and action is worth at every step, under a policy that gives each state the probabilities of the
    /// seven actions. The policy is asked once per state, at the first step at which that can be reached, and may depend
    /// on anything the agent sees, but not on the clock.
    pub fn values(&self, policy: impl FnMut(&State) -> [f64; 7], discount: f64) -> Result<Values<&Self>, Error> {
        Ok(Values { layout: self, discount, by_step: self.induce(policy, discount)? })
    }

    /// The same, with the layout itself.
    pub fn solve(self, policy: impl FnMut(&State) -> [f64; 7], discount: f64) -> Result<Values<Self>, Error> {
        let by_step = self.induce(policy, discount)?;
        Ok(Values { layout: self, discount, by_step })
    }

    /// What every state and action is worth at every step when the best action is always taken.
    pub fn best(self, discount: f64) -> Result<Values<Self>, Error> {
        let by_step = self.backwards(discount, |_, worth| worth.into_iter().fold(0.0, f64::max))?;
        Ok(Values { layout: self, discount, by_step })
    }

    fn induce(&self, mut policy: impl FnMut(&State) -> [f64; 7], discount: f64) -> Result<Vec<Vec<f64>>, Error> {
        let mut chances = Vec::with_capacity(self.states());
        if let Some(mut state) = self.state(0) {
            while self.restore(chances.len(), &mut state) {
                let given = policy(&state);
                let sum: f64 = given.iter().sum();
                if given.iter().any(|chance| !(0.0..=1.0).contains(chance)) || (sum - 1.0).abs() > SLACK {
                    return Err(Error::ImproperPolicy { probabilities: format!("{given:?}") });
                }
                chances.push(given);
            }
        }
        self.backwards(discount, |index, worth| {
            chances[index].iter().zip(worth).map(|(chance, worth)| chance * worth).sum()
        })
    }

    /// From the last step back to the present: what a state is worth by what its actions are worth.
    fn backwards(&self, discount: f64, value: impl Fn(usize, [f64; 7]) -> f64) -> Result<Vec<Vec<f64>>, Error> {
        if !(0.0..=1.0).contains(&discount) {
            return Err(Error::ImproperDiscount { discount: discount.to_string() });
        }
        let (start, max_steps) = self.clock();
        let mut by_step: Vec<Vec<f64>> = Vec::with_capacity((max_steps - start) as usize);
        for step in (start..max_steps).rev() {
            let after = by_step.last().map_or(&[][..], Vec::as_slice);
            let now = (0..self.by_step(step)).map(|index| value(index, self.worth(index, step, discount, after)));
            let now = now.collect();
            by_step.push(now);
        }
        by_step.reverse();
        Ok(by_step)
    }

    /// What the seven actions are worth, given the values of the next step.
    fn worth(&self, index: usize, step: u32, discount: f64, after: &[f64]) -> [f64; 7] {
        let (_, max_steps) = self.clock();
        let reward = success_reward(step + 1, max_steps);
        Act::ALL.map(|act| match self.next(index, act) {
            Some(Next::Succeeds) => reward,
            Some(Next::State(next)) => after.get(next).map_or(0.0, |value| discount * value),
            Some(Next::Fails | Next::Expires) | None => 0.0,
        })
    }
}

impl<L: Borrow<Layout>> Values<L> {
    /// The states that the values are of.
    pub fn layout(&self) -> &Layout {
        self.layout.borrow()
    }

    /// What the state of this number is worth when so many steps have been made; nothing if it cannot be reached then.
    pub fn v(&self, index: usize, step: u32) -> Option<f64> {
        let (start, _) = self.layout().clock();
        let made = step.checked_sub(start)? as usize;
        self.by_step.get(made)?.get(index).copied()
    }

    /// What the seven actions are worth in the state of this number when so many steps have been made; nothing if it
    /// cannot be reached then.
    pub fn q(&self, index: usize, step: u32) -> Option<[f64; 7]> {
        self.v(index, step)?;
        let (start, _) = self.layout().clock();
        let after = self.by_step.get((step - start) as usize + 1).map_or(&[][..], Vec::as_slice);
        Some(self.layout().worth(index, step, self.discount, after))
    }

    /// What the seven actions are worth in a state, by its own clock.
    pub fn q_of(&self, state: &State) -> Option<[f64; 7]> {
        self.q(self.layout().index(state)?, state.steps())
    }
}
