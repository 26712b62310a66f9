//! One kit of checks for every world, whichever crate it lives in.
//!
//! Random episodes test what the `Environment` trait promises: rewards are finite and in range; an episode ends within
//! its horizon; the same seed gives the same episode; `restore(snapshot())` changes nothing, bit for bit; copies that
//! are reseeded alike meet the same randomness; after the end, steps pay 0 and repeat the end.

use std::ops::RangeInclusive;

use counsel_decision::{Action, Seed};
use rand::RngExt;

use crate::{Environment, Nonconforming, Transition};

/// What an environment says of itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Promise {
    /// The most steps an episode may have.
    pub horizon: usize,
    /// Where rewards lie.
    pub rewards: RangeInclusive<f64>,
}

/// Plays random episodes and reports the first broken promise.
pub fn check_environment<E: Environment>(
    env: &mut E,
    promise: &Promise,
    episodes: usize,
    seed: Seed,
) -> Result<(), Nonconforming> {
    for episode in 0..episodes {
        let seed = seed.index(episode as u64);
        let actions = random_actions(env.actions(), promise.horizon + 2, seed.stream("actions"));
        check_episode(env, promise, episode, &actions, seed)?;
        check_copies(env, episode, &actions, seed)?;
    }
    Ok(())
}

fn random_actions(count: usize, length: usize, seed: Seed) -> Vec<Action> {
    let mut rng = seed.rng();
    (0..length).map(|_| Action::new(rng.random_range(0..count))).collect()
}

/// The transitions of a list of actions.
fn play<E: Environment>(env: &mut E, actions: &[Action]) -> Vec<Transition> {
    actions.iter().map(|&action| env.step(action)).collect()
}

/// One episode: rewards, its end, and what follows it.
fn check_episode<E: Environment>(
    env: &mut E,
    promise: &Promise,
    episode: usize,
    actions: &[Action],
    seed: Seed,
) -> Result<(), Nonconforming> {
    let broken = |step, promise, saw: String| Err(Nonconforming { episode, step, promise, saw });
    env.reset(seed.stream("luck"));
    let transitions = play(env, actions);
    let mut end = None;
    for (step, transition) in transitions.iter().enumerate() {
        if !transition.reward.is_finite() || !promise.rewards.contains(&transition.reward) {
            return broken(step, "rewards are finite and in the promised range", format!("{}", transition.reward));
        }
        if end.is_some() && (transition.reward != 0.0 || transition.end != end) {
            return broken(
                step,
                "steps after the end pay 0 and repeat the end",
                format!("{transition:?} after {end:?}"),
            );
        }
        end = transition.end;
        if step + 1 == promise.horizon && end.is_none() {
            return broken(step, "an episode ends within its horizon", "no end".to_owned());
        }
    }
    Ok(())
}

/// Copies: the same seed, the same snapshot or the same reseeding give the same transitions.
fn check_copies<E: Environment>(
    env: &mut E,
    episode: usize,
    actions: &[Action],
    seed: Seed,
) -> Result<(), Nonconforming> {
    env.reset(seed.stream("luck"));
    let whole = play(env, actions);
    env.reset(seed.stream("luck"));
    for (step, &action) in actions.iter().enumerate() {
        let broken = |promise, saw: String| Err(Nonconforming { episode, step, promise, saw });
        let copy = env.snapshot();
        let rest = play(env, &actions[step..]);
        if rest != whole[step..] {
            return broken("the same seed and actions give the same transitions", format!("{rest:?}"));
        }
        env.restore(&copy);
        if env.snapshot() != copy {
            return broken("a restored copy equals its snapshot", format!("{:?}", env.snapshot()));
        }
        let again = play(env, &actions[step..]);
        if again != rest {
            return broken("a restored copy continues bit for bit", format!("{again:?} instead of {rest:?}"));
        }
        let randomness = seed.stream("other luck").index(step as u64);
        let mut runs = [(); 2].map(|()| {
            env.restore(&copy);
            env.reseed(randomness);
            play(env, &actions[step..])
        });
        if runs[0] != runs[1] {
            let saw = format!("{:?}", std::mem::take(&mut runs[1]));
            return broken("copies reseeded alike meet the same luck", saw);
        }
        env.restore(&copy);
        env.step(action);
    }
    Ok(())
}
