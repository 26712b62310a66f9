//! The posterior against its closed-form moments.

use counsel_decision::{Action, Seed};
use counsel_tabular::Dynamics;
use counsel_tabular::{Counts, ModelPosterior, Outline};

const DRAWS: u64 = 20_000;

fn data() -> (Outline, Counts) {
    let task = Outline::new(3, 1, 2, &[], 0.5).unwrap();
    let mut counts = Counts::new(&task);
    for (reward, next) in [(0.5, 0), (0.0, 0), (0.25, 1), (0.5, 0)] {
        counts.observe(0, Action(0), reward, next).unwrap();
    }
    (task, counts)
}

fn mean_and_variance(draw: impl Fn(u64) -> f64) -> (f64, f64) {
    let (mut sum, mut squares) = (0.0, 0.0);
    for index in 0..DRAWS {
        let value = draw(index);
        sum += value;
        squares += value * value;
    }
    let mean = sum / DRAWS as f64;
    (mean, squares / DRAWS as f64 - mean * mean)
}

#[test]
fn moments_are_those_of_dirichlet_and_beta() {
    let (task, counts) = data();
    let posterior = ModelPosterior { weight: 1.5 };
    let close = |got: (f64, f64), a: f64, b: f64, unit: f64| {
        let mean = a / (a + b);
        let variance = mean * (1.0 - mean) / (a + b + 1.0);
        assert!((got.0 - unit * mean).abs() < 5.0 * unit * (variance / DRAWS as f64).sqrt(), "{got:?} {mean}");
        assert!((got.1 / (unit * unit * variance) - 1.0).abs() < 0.06, "{got:?} {variance}");
    };
    let model = |index| posterior.model(&task, &counts, Seed::root(1).index(index));
    for (next, seen) in [(0, 3.0), (1, 1.0), (2, 0.0)] {
        let got = mean_and_variance(|index| model(index).next_states(0, Action(0))[next]);
        close(got, 0.5 + seen, 5.5 - 0.5 - seen, 1.0);
    }
    // Rewards 0.5, 0, 0.25, 0.5 out of 0.5 are 2.5 successes in 4 tries.
    close(mean_and_variance(|index| model(index).reward(0, Action(0))), 3.5, 2.5, 0.5);
    close(mean_and_variance(|index| model(index).reward(2, Action(0))), 1.0, 1.0, 0.5);
}

#[test]
fn every_drawn_row_is_a_distribution_even_under_a_tiny_prior() {
    let (task, counts) = data();
    for weight in [1e-12, 1e-3, 1.0, 1e6] {
        for index in 0..200 {
            let model = ModelPosterior { weight }.model(&task, &counts, Seed::root(2).index(index));
            for state in 0..3 {
                let sum: f64 = model.next_states(state, Action(0)).iter().sum();
                assert!((sum - 1.0).abs() < 1e-12, "weight {weight}, sum {sum}");
            }
        }
    }
}
