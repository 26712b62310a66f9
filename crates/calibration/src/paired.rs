//! Paired continuations with common random numbers, Eq. `main:proxy`:
//! Δ̃ = (1/JR) Σ_j Σ_r (G^query_jr - G⁰_jr).
//!
//! Invariant: the two branches of a replicate start from the same copy of the state, receive the same random numbers of
//! the environment and the same draw of the policy at every step. Where they take the same actions their returns are
//! the same, bit for bit, and the difference is exactly 0.

use counsel_decision::refusal::at_least;
use counsel_decision::{Action, Seed};
use counsel_world::Environment;
use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::Error;

/// How many continuations are run, how long they are, and how they are summed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PairedRollouts {
    /// J: independent response blocks.
    pub blocks: usize,
    /// R: paired continuations of each response.
    pub replicates: usize,
    /// ℓ: steps of a continuation at most, the first action included.
    pub window: usize,
    /// What a reward is worth one step later; 1 in the paper's proxy.
    pub discount: f64,
}

/// A label by simulation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Proxy {
    /// Δ̃: the mean over blocks.
    pub value: f64,
    /// The mean difference of each response block, for the Monte-Carlo term.
    pub block_means: Vec<f64>,
    /// How many steps of the environment were simulated.
    pub steps: u64,
}

impl PairedRollouts {
    /// The proxy at the state of `env`, which is copied and left as it is.
    ///
    /// `respond` draws the response of a block and gives it with d(y), the first action of the query branch. After the
    /// first action `with_query` continues that branch and `without` the branch that began with `no_query`; both receive
    /// the environment, the step (from 1) and a uniform draw that the branches share.
    pub fn proxy<E: Environment + Clone, Y>(
        self,
        env: &E,
        no_query: Action,
        seed: Seed,
        mut respond: impl FnMut(Seed) -> (Y, Action),
        mut with_query: impl FnMut(&Y, &E, usize, f64) -> Action,
        mut without: impl FnMut(&E, usize, f64) -> Action,
    ) -> Result<Proxy, Error> {
        at_least("the number of response blocks", self.blocks, 1, "draw at least one response")?;
        at_least("the number of replicates", self.replicates, 1, "run at least one pair")?;
        at_least("the window", self.window, 1, "let the first action be taken")?;
        let (mut block_means, mut steps) = (Vec::with_capacity(self.blocks), 0);
        for block in 0..self.blocks as u64 {
            let (response, first) = respond(seed.stream("response").index(block));
            let mut sum = 0.0;
            for replicate in 0..self.replicates as u64 {
                let randomness = seed.stream("continuation").index(block).index(replicate);
                let with_query = |env: &E, step, draw| with_query(&response, env, step, draw);
                let (query, with) = self.rollout(env, randomness, first, with_query);
                let (silent, alone) = self.rollout(env, randomness, no_query, &mut without);
                sum += query - silent;
                steps += with + alone;
            }
            block_means.push(sum / self.replicates as f64);
        }
        Ok(Proxy { value: block_means.iter().sum::<f64>() / self.blocks as f64, block_means, steps })
    }

    /// The return of one branch within the window, and its steps.
    fn rollout<E: Environment + Clone>(
        self,
        env: &E,
        randomness: Seed,
        first: Action,
        mut policy: impl FnMut(&E, usize, f64) -> Action,
    ) -> (f64, u64) {
        let mut env = env.clone();
        env.reseed(randomness.stream("environment"));
        let mut draws = randomness.stream("policy").rng();
        let (mut total, mut weight, mut steps) = (0.0, 1.0, 0);
        for step in 0..self.window {
            // One draw per step, used or not, keeps the branches on the same numbers.
            let draw = draws.random::<f64>();
            let action = if step == 0 { first } else { policy(&env, step, draw) };
            let transition = env.step(action);
            total += weight * transition.reward;
            weight *= self.discount;
            steps += 1;
            if transition.end.is_some() {
                break;
            }
        }
        (total, steps)
    }
}
