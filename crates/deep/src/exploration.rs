//! How the learner explores: ε-greedy, ε falling with the episode.
//!
//! ε_t = end + (start - end) max(0, 1 - t / (share H)), H being the number of episodes of the run and t = 0 its first one;
//! warm-up episodes come before and are uniformly random. Invariant: the base action depends on the values, on ε and on
//! the seed handed in, and on nothing else, so arms that share a seed share the randomness of exploration.

use counsel_decision::{Action, Seed, argmax};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::spec::{positive_to, share, within};

/// Which episode begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Episode {
    /// A uniformly random one before the run.
    WarmUp,
    /// One of the run's own.
    Run {
        /// Its number, from 0.
        index: usize,
        /// How many there are.
        of: usize,
    },
}

/// The schedule of ε.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `warm_up_episodes` | 20 | 0 to 1,000,000 |
/// | `start` | 1.0 | [0, 1] |
/// | `end` | 0.05 | [0, 1] |
/// | `share` | 0.7 | (0, 1] |
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Exploration {
    /// How many uniformly random episodes precede the run.
    pub warm_up_episodes: usize,
    /// ε of the first episode.
    pub start: f64,
    /// ε from the end of the fall on.
    pub end: f64,
    /// The share of the run's episodes over which ε falls.
    pub share: f64,
}

impl Default for Exploration {
    fn default() -> Self {
        Self { warm_up_episodes: 20, start: 1.0, end: 0.05, share: 0.7 }
    }
}

impl Exploration {
    pub(crate) fn check(&self) -> Result<(), Error> {
        within("warm_up_episodes", self.warm_up_episodes, 0, 1_000_000, "0 to 1,000,000")?;
        share("start", self.start)?;
        share("end", self.end)?;
        positive_to("share", self.share, 1.0, "(0, 1]", "use the paper's 0.7")
    }

    /// ε of an episode.
    pub fn epsilon(&self, episode: Episode) -> Result<f64, Error> {
        match episode {
            Episode::WarmUp => Ok(1.0),
            Episode::Run { index, of } if index >= of => Err(Error::Episode { index, of }),
            Episode::Run { index, of } => {
                let left = (1.0 - index as f64 / (self.share * of as f64)).max(0.0);
                Ok(self.end + (self.start - self.end) * left)
            }
        }
    }
}

/// The ε-greedy action: with probability ε a uniformly random one, else the first of the largest value. Without any value
/// it is action 0.
pub fn epsilon_greedy(values: &[f64], epsilon: f64, seed: Seed) -> Action {
    let mut rng = seed.rng();
    let explores = rng.random::<f64>() < epsilon;
    if explores && !values.is_empty() { Action::new(rng.random_range(0..values.len())) } else { argmax(values) }
}

/// The uniformly random action that a draw below ε stands for; nothing where the draw means the greedy one. One number serves
/// both choices, so that branches which share their draws stay on the same randomness.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a small count")]
pub fn explored(actions: usize, epsilon: f64, draw: f64) -> Option<Action> {
    (draw < epsilon).then(|| Action::new(((draw / epsilon * actions as f64) as usize).min(actions - 1)))
}

/// The probability of every action under that policy.
pub fn epsilon_soft(values: &[f64], epsilon: f64) -> Vec<f64> {
    let mut law = vec![epsilon / values.len() as f64; values.len()];
    if let Some(greedy) = law.get_mut(argmax(values).index()) {
        *greedy += 1.0 - epsilon;
    }
    law
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schedule_is_the_papers() {
        let schedule = Exploration::default();
        let at = |index| schedule.epsilon(Episode::Run { index, of: 60 }).unwrap();
        assert_eq!(at(0), 1.0);
        assert!((at(21) - 0.525).abs() < 1e-12);
        assert_eq!((at(42), at(59)), (0.05, 0.05));
        // "at episode 60 of a 500-episode run it is still about 0.84"
        assert!((schedule.epsilon(Episode::Run { index: 60, of: 500 }).unwrap() - 0.84).abs() < 0.005);
        assert_eq!(schedule.epsilon(Episode::WarmUp), Ok(1.0));
        assert_eq!(
            schedule.epsilon(Episode::Run { index: 60, of: 60 }).unwrap_err().to_string(),
            "episode 60 of a run of 60 was begun; episodes are numbered from 0, and a run has at least one"
        );
    }

    #[test]
    fn the_draws_have_the_declared_law() {
        let (values, epsilon, draws) = ([0.1, 0.7, 0.7], 0.3, 30_000_u32);
        let mut counts = [0.0; 3];
        (0..draws).for_each(|i| counts[epsilon_greedy(&values, epsilon, Seed::root(u64::from(i))).index()] += 1.0);
        for (count, probability) in counts.into_iter().zip(epsilon_soft(&values, epsilon)) {
            let got: f64 = count / f64::from(draws);
            // Five standard deviations.
            assert!((got - probability).abs() < 5.0 * (probability / f64::from(draws)).sqrt(), "{got} {probability}");
        }
    }
}
