//! Values: samples, bounds and mean belong together, alone and in a crowd, and a frozen critic stays frozen.

use counsel_decision::{Action, Seed};
use counsel_deep::{Deep, DeepSpec, DropoutSpec, Experience, LastLayerSpec, Spread};
use proptest::prelude::*;
use rand::RngExt;

const INPUTS: usize = 60;
const ACTIONS: usize = 7;

fn observation(number: u64) -> Vec<usize> {
    let mut rng = Seed::root(number).rng();
    (0..INPUTS).filter(|_| rng.random::<f64>() < 0.3).collect()
}

fn learner(posterior: Spread, bound_scale: f64, steps: u64) -> Deep {
    let spec = DeepSpec { hidden: 40, feature: 20, batch: 16, bound_scale, posterior, ..DeepSpec::paper() };
    let mut deep = Deep::new(spec, INPUTS, ACTIONS, Seed::root(1)).unwrap();
    (0..steps).for_each(|i| show(&mut deep, i));
    deep
}

fn show(deep: &mut Deep, i: u64) {
    let (state, next) = (observation(i), observation(i + 1));
    let action = Action::new(usize::try_from(i).unwrap() % ACTIONS);
    deep.observe(Experience { state: &state, action, reward: 0.3, next: &next, end: None }).unwrap();
    deep.learn().unwrap();
}

fn posteriors() -> [Spread; 3] {
    let layer = LastLayerSpec { refit_every: 20, samples: 5, ..LastLayerSpec::default() };
    [Spread::Heads, Spread::LastLayer(layer), Spread::Dropout(DropoutSpec::default())]
}

#[test]
fn a_state_has_the_same_values_alone_and_in_a_crowd() {
    let states: Vec<Vec<usize>> = (0..150).map(|i| observation(1_000 + i)).collect();
    for posterior in posteriors() {
        let deep = learner(posterior, 1.0, 60);
        let (crowd, greedy) = (deep.values_of(&states).unwrap(), deep.critic().greedy_of(&states).unwrap());
        for ((state, valued), action) in states.iter().zip(&crowd).zip(greedy) {
            assert_eq!(deep.values(state).unwrap(), *valued);
            assert_eq!(valued.greedy(), action);
            assert_eq!(deep.greedy(state).unwrap(), action);
        }
    }
}

#[test]
fn the_numbers_of_samples_are_those_of_the_spec() {
    for (posterior, samples) in posteriors().into_iter().zip([8, 5, 8]) {
        let valued = learner(posterior, 1.0, 0).values(&[1, 2]).unwrap();
        assert_eq!((valued.samples.count(), valued.samples.actions()), (samples, ACTIONS));
    }
}

#[test]
fn a_clone_of_the_critic_stays_as_it_was() {
    for posterior in posteriors() {
        let mut deep = learner(posterior, 1.0, 60);
        let (frozen, state) = (deep.critic().clone(), observation(7));
        let before = frozen.values(&state).unwrap();
        let bytes = deep.snapshot();
        assert!(deep.values(&state).unwrap() == before && deep.snapshot() == bytes);
        (60..100).for_each(|i| show(&mut deep, i));
        assert_eq!(frozen.values(&state).unwrap(), before);
        assert_ne!(deep.values(&state).unwrap(), before);
    }
}

#[test]
fn an_untrained_last_layer_says_what_its_prior_says() {
    let valued = learner(posteriors()[1], 1.0, 0).values(&observation(3)).unwrap();
    assert!(valued.mean.iter().all(|&mean| mean == 0.0));
    let widths: Vec<f64> = (0..ACTIONS).map(|action| valued.bounds.width(Action::new(action))).collect();
    assert!(widths[0] > 0.0 && widths.iter().all(|&width| (width - widths[0]).abs() < 1e-12));
}

/// So the paper's overconfident and underconfident models (variance times 0.5 and 2) are settings of the last layer.
#[test]
fn prior_and_noise_scale_the_variance_and_leave_the_mean() {
    let layer = LastLayerSpec { refit_every: 20, samples: 5, ..LastLayerSpec::default() };
    let valued = |scale: f64| {
        let scaled = LastLayerSpec {
            prior_precision: layer.prior_precision / scale,
            noise: layer.noise * scale.sqrt(),
            ..layer
        };
        learner(Spread::LastLayer(scaled), 1.0, 60).values(&observation(3)).unwrap()
    };
    let plain = valued(1.0);
    for scale in [0.5, 2.0] {
        let scaled = valued(scale);
        for action in 0..ACTIONS {
            assert!((scaled.mean[action] - plain.mean[action]).abs() < 1e-9);
            let [wide, width] = [&scaled, &plain].map(|valued| valued.bounds.width(Action::new(action)));
            assert!((wide - scale.sqrt() * width).abs() < 1e-9 && width > 1e-3, "{wide} {width}");
        }
    }
}

proptest! {
    #[test]
    fn bounds_are_mean_plus_and_minus_c_standard_deviations_of_the_samples(number: u64, scale in 0.0..3.0_f64) {
        for posterior in [Spread::Heads, Spread::Dropout(DropoutSpec::default())] {
            let valued = learner(posterior, scale, 20).values(&observation(number)).unwrap();
            let means = valued.samples.means(None);
            let variances = valued.samples.variances(None, &means);
            for action in 0..ACTIONS {
                let (mean, spread) = (means[action], scale * variances[action].sqrt());
                prop_assert!((valued.mean[action] - mean).abs() < 1e-12);
                prop_assert!((valued.bounds.lower()[action] - (mean - spread)).abs() < 1e-12);
                prop_assert!((valued.bounds.upper()[action] - (mean + spread)).abs() < 1e-12);
            }
        }
    }
}
