//! What is proposed where no advice is followed.

use counsel_controller::{Controller, Situation};
use counsel_decision::{Action, Seed, argmax};
use counsel_deep::{Valued, epsilon_greedy, epsilon_soft, explored};
use rand::RngExt;

use super::agent::DeepAgent;
use super::agents::{Agent, Fallback};
use super::consultant::NO_RULE;
use super::world::DeepWorld;
use crate::Error;

/// The fallback's proposal in one state, before its randomness is drawn.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Proposal {
    /// This action for sure.
    Certain(Action),
    /// One of these, each as likely as any other.
    AnyOf(Vec<Action>),
    /// What the learner thinks best, or any action for the sake of exploration.
    Learner { values: Vec<f64>, epsilon: f64 },
}

impl Proposal {
    /// What is proposed, its randomness drawn from `seed`.
    pub(super) fn drawn(&self, seed: Seed) -> Action {
        match self {
            Self::Certain(action) => *action,
            Self::AnyOf(moves) => moves[seed.rng().random_range(0..moves.len())],
            Self::Learner { values, epsilon } => epsilon_greedy(values, *epsilon, seed),
        }
    }

    /// What is proposed, by one uniform draw, so that branches which share their draws stay on the same randomness.
    pub(super) fn at(&self, draw: f64) -> Action {
        match self {
            Self::Certain(action) => *action,
            Self::Learner { values, epsilon } => {
                explored(values.len(), *epsilon, draw).unwrap_or_else(|| argmax(values))
            }
            Self::AnyOf(moves) => {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count")]
                let place = (draw * moves.len() as f64) as usize;
                moves[place.min(moves.len() - 1)]
            }
        }
    }

    /// The probability of every proposal.
    pub(super) fn law(&self, actions: usize) -> Vec<f64> {
        let mut law = vec![0.0; actions];
        match self {
            Self::Certain(action) => law[action.index()] = 1.0,
            Self::AnyOf(moves) => moves.iter().for_each(|action| law[action.index()] = 1.0 / moves.len() as f64),
            Self::Learner { values, epsilon } => return epsilon_soft(values, *epsilon),
        }
        law
    }
}

impl<W: DeepWorld> DeepAgent<'_, W> {
    /// What is proposed in a situation of which the books know this, and in which the learner thinks that.
    pub(super) fn proposal(
        &self,
        controller: &Controller,
        known: &Situation,
        (world, situation): (&W::World, &W::Situation),
        learned: &Valued,
    ) -> Result<Proposal, Error> {
        Ok(match self.spec.fallback {
            Fallback::Rule => Proposal::Certain(W::rule(situation).ok_or(NO_RULE)?),
            Fallback::RandomMoves => Proposal::AnyOf(self.consultant.nameable()),
            Fallback::Learner => match controller.proposal(known)? {
                Some(action) => Proposal::Certain(action),
                None => {
                    let values = match self.spec.books.agent {
                        Agent::Regressed(spec) if spec.acts && self.regression.is_settled() => {
                            let outlook = self.outlook(world, situation, learned);
                            self.regression.values(spec, &outlook)?.0.means(None)
                        }
                        _ => learned.mean.clone(),
                    };
                    Proposal::Learner { values, epsilon: self.deep.epsilon() }
                }
            },
        })
    }
}
