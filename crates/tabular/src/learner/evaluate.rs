//! What a learner's present plan is really worth, by exact evaluation in the true world. For labels and reports only.

use crate::{StageValues, TabularMdp, of_policy};

use crate::Fallback;

/// The expected return of an episode in which the learner follows its plan without advice.
pub fn expected_return(mdp: &TabularMdp, learner: &impl Fallback) -> f64 {
    of_policy(mdp, learner.policy()).v(0, mdp.initial())
}

/// The mean optimal Bellman gap of the learner's policy at one stage and state: Σ_a π(a) Gap_h(s, a).
pub fn gap(best: &StageValues, learner: &impl Fallback, stage: usize, state: usize) -> f64 {
    let probabilities = learner.policy().probabilities(stage, state).iter().enumerate();
    probabilities
        .map(|(action, probability)| probability * best.gap(stage, state, counsel_decision::Action::new(action)))
        .sum()
}
