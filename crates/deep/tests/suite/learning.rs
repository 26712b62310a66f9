//! The learner learns: a chain whose optimum is known, and the difference between an end and a cut.

use counsel_decision::{Action, Seed};
use counsel_deep::{Deep, DeepSpec, DropoutSpec, Episode, Experience, Exploration, LastLayerSpec, Spread};
use counsel_world::End;

const STATES: usize = 5;
const RIGHT: Action = Action(1);

/// Left or right on five states; right from the last one ends with reward 1, left anywhere starts again.
fn step(state: usize, action: Action) -> (usize, f64, Option<End>) {
    match (state, action) {
        (4, RIGHT) => (4, 1.0, Some(End::Terminated)),
        (_, RIGHT) => (state + 1, 0.0, None),
        _ => (0, 0.0, None),
    }
}

fn small(posterior: Spread) -> DeepSpec {
    DeepSpec {
        hidden: 32,
        feature: 16,
        heads: 4,
        batch: 32,
        learning_rate: 3e-3,
        discount: 0.9,
        polyak: 0.05,
        exploration: Exploration { warm_up_episodes: 5, ..Exploration::default() },
        posterior,
        ..DeepSpec::paper()
    }
}

fn play(mut deep: Deep, seed: Seed) -> Deep {
    let warm_up = deep.spec().exploration.warm_up_episodes;
    let mut steps = 0;
    for number in 0..warm_up + 60 {
        let episode = if number < warm_up { Episode::WarmUp } else { Episode::Run { index: number - warm_up, of: 60 } };
        deep.begin_episode(episode).unwrap();
        let mut state = 0;
        for clock in 0..20 {
            let valued = deep.values(&[state]).unwrap();
            let action = deep.base_action(&valued, seed.index(steps));
            let (next, reward, end) = step(state, action);
            let end = end.or((clock == 19).then_some(End::Truncated));
            deep.observe(Experience { state: &[state], action, reward, next: &[next], end }).unwrap();
            deep.learn().unwrap();
            steps += 1;
            state = next;
            if end.is_some() {
                break;
            }
        }
    }
    deep
}

#[test]
fn every_posterior_finds_the_optimum_of_a_chain() {
    let last_layer = LastLayerSpec { refit_every: 50, ..LastLayerSpec::default() };
    let dropout = DropoutSpec { probability: 0.05, passes: 16 };
    let posteriors = [Spread::Heads, Spread::LastLayer(last_layer), Spread::Dropout(dropout)];
    for posterior in posteriors {
        for seed in 0..3 {
            let seed = Seed::root(seed);
            let deep = play(Deep::new(small(posterior), STATES, 2, seed).unwrap(), seed.stream("exploration"));
            for state in 0..STATES {
                let valued = deep.values(&[state]).unwrap();
                assert_eq!(valued.greedy(), RIGHT, "{posterior:?}, {seed:?}, state {state}: {:?}", valued.mean);
            }
            // The exact value of going right from state s is 0.9^(4 - s).
            let valued = deep.values(&[4]).unwrap();
            assert!((valued.mean[1] - 1.0).abs() < 0.15, "{posterior:?}: {:?}", valued.mean);
        }
    }
}

#[test]
fn random_priors_do_not_keep_the_learner_from_the_optimum() {
    let spec = DeepSpec { prior_scale: 1.0, mask_probability: 1.0, ..small(Spread::Heads) };
    let seed = Seed::root(1);
    let deep = play(Deep::new(spec, STATES, 2, seed).unwrap(), seed.stream("exploration"));
    assert!((0..STATES).all(|state| deep.greedy(&[state]).unwrap() == RIGHT));
}

/// One state with reward 1 that is left by `end`: its value is 1 if nothing follows, and 1 / (1 - γ) if the clock cut it.
fn value_after(end: End) -> f64 {
    let spec = DeepSpec { discount: 0.5, polyak: 0.1, mask_probability: 1.0, ..small(Spread::Heads) };
    let mut deep = Deep::new(spec, 1, 1, Seed::root(2)).unwrap();
    for _ in 0..1500 {
        deep.observe(Experience { state: &[0], action: Action(0), reward: 1.0, next: &[0], end: Some(end) }).unwrap();
        deep.learn().unwrap();
    }
    deep.values(&[0]).unwrap().mean[0]
}

#[test]
fn a_cut_is_followed_by_value_and_a_final_state_is_not() {
    assert!((value_after(End::Terminated) - 1.0).abs() < 0.02);
    assert!((value_after(End::Truncated) - 2.0).abs() < 0.04);
}

#[test]
fn heads_differ_where_little_was_seen_and_agree_where_much_was() {
    let seed = Seed::root(4);
    let deep = play(Deep::new(small(Spread::Heads), STATES + 1, 2, seed).unwrap(), seed.stream("exploration"));
    let width = |state: usize| deep.values(&[state]).unwrap().bounds.width(RIGHT);
    let seen = (0..STATES).map(width).fold(0.0, f64::max);
    assert!(width(STATES) > 2.0 * seen, "{} against {seen}", width(STATES));
}
