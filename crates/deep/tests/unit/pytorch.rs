//! The update against PyTorch: the same weights and batches for 100 steps, `fixtures/deep/pytorch.json`.

use serde_json::Value;

use crate::dropout::Thinning;
use crate::last_layer::{LastLayer, Point};
use crate::network::{Activity, Network, Shape};
use crate::replay::{Memory, narrow};
use crate::sample::Numbers;
use crate::update::{Prior, Trainer, add_prior};
use crate::{DeepSpec, LastLayerSpec, Loss};

#[cfg(feature = "long-tests")]
mod library;

const SHAPE: Shape = Shape { inputs: 992, hidden: 128, feature: 64, heads: 8, actions: 7 };
const POOL: usize = 300;
const PROBES: usize = 5;

/// The largest deviation of a loss, value or weight after 100 steps, as a share of the largest in its table. Rounding alone
/// makes 7e-7 of it.
const TOLERANCE: f64 = 1e-5;

fn read(name: &str) -> Value {
    let path = format!("{}/../../fixtures/deep/{name}", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn list(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

/// How many numbers a row holds before the filling zeros.
fn units(layer: usize) -> usize {
    [SHAPE.hidden, SHAPE.feature, SHAPE.heads * SHAPE.actions][layer]
}

#[expect(clippy::cast_possible_truncation, reason = "the script rounds the same way")]
fn network(numbers: &mut Numbers) -> Network {
    let mut network = Network::zeros(SHAPE);
    let inputs = [SHAPE.inputs, SHAPE.hidden, SHAPE.feature];
    for (i, layer) in network.layers.iter_mut().enumerate() {
        let bound = (1.0 / (inputs[i] as f64).sqrt()) as f32;
        let drawn = numbers.take((inputs[i] + 1) * units(i), bound);
        for (row, line) in layer.chunks_exact_mut(SHAPE.widths()[i]).zip(drawn.chunks_exact(units(i))) {
            row[..units(i)].copy_from_slice(line);
        }
    }
    network
}

fn observation(numbers: &mut Numbers) -> std::sync::Arc<[u16]> {
    (0..SHAPE.inputs / 8).map(|group| narrow(8 * group + numbers.below(1 + group % 8))).collect()
}

fn memory(numbers: &mut Numbers) -> Memory {
    let (state, next) = (observation(numbers), observation(numbers));
    let action = narrow(numbers.below(SHAPE.actions));
    let rewarded = numbers.below(10) == 0;
    let reward = if rewarded { numbers.below(1000) as f32 / 1000.0 } else { 0.0 };
    let terminated = numbers.below(10) == 0;
    Memory { state, action, reward, next, terminated, mask: numbers.below(256) as u64 }
}

/// The largest difference, as a share of the largest number.
fn deviation(got: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(got.len(), expected.len());
    let size = expected.iter().fold(0.0, |most, x| f64::max(most, x.abs()));
    got.iter().zip(expected).fold(0.0, |most, (x, y)| f64::max(most, (x - y).abs())) / size
}

fn values(network: &Network, prior: Option<&Prior>, pool: &[Memory]) -> Vec<f64> {
    let mut activity = Activity::default();
    let states = || pool[..PROBES].iter().map(|memory| &*memory.state);
    network.value(states(), &mut activity);
    add_prior(prior, states(), &mut Activity::default(), &mut activity);
    let lines = activity.value.chunks_exact(SHAPE.widths()[2]);
    lines.flat_map(|line| line[..units(2)].iter().map(|&value| f64::from(value))).collect()
}

fn weights(network: &Network, layer: usize, places: &Value) -> Vec<f64> {
    let width = SHAPE.widths()[layer];
    let places = places.as_array().unwrap().iter().map(|place| usize::try_from(place.as_u64().unwrap()).unwrap());
    places.map(|at| f64::from(network.layers[layer][at / units(layer) * width + at % units(layer)])).collect()
}

#[test]
#[expect(clippy::cast_possible_truncation, reason = "a scale of 3")]
fn a_hundred_updates_are_those_of_pytorch() {
    for (name, variant) in read("pytorch.json")["variants"].as_object().unwrap() {
        let seed = u32::try_from(variant["seed"].as_u64().unwrap()).unwrap();
        let mut numbers = Numbers::new(seed);
        let mut online = network(&mut numbers);
        let scale = variant["prior_scale"].as_f64().unwrap() as f32;
        let prior = (scale > 0.0).then(|| (network(&mut numbers), scale));
        let pool: Vec<Memory> = (0..POOL).map(|_| memory(&mut numbers)).collect();
        let spec = DeepSpec {
            loss: if variant["loss"] == "squared" { Loss::Squared } else { Loss::Huber },
            discount: variant["discount"].as_f64().unwrap(),
            polyak: variant["polyak"].as_f64().unwrap(),
            ..DeepSpec::paper()
        };
        let mut trainer = Trainer::new(&online);
        let losses: Vec<f64> = (0..100)
            .map(|_| {
                let batch: Vec<&Memory> = (0..spec.batch).map(|_| &pool[numbers.below(POOL)]).collect();
                trainer.update(&mut online, prior.as_ref(), &spec, &batch, None::<Thinning<rand_chacha::ChaCha8Rng>>)
            })
            .collect();
        for precision in ["single", "double"] {
            let expected = &variant[precision];
            let mut worst = deviation(&losses, &list(&expected["losses"]));
            for (which, network) in [("online", &online), ("target", &trainer.target)] {
                let off = deviation(&values(network, prior.as_ref(), &pool), &list(&expected["probes"][which]));
                worst = worst.max(off);
                for layer in 0..3 {
                    let expected = &expected["layers"][which][layer];
                    let off = deviation(&weights(network, layer, &expected["places"]), &list(&expected["numbers"]));
                    let size: f64 = network.layers[layer].iter().map(|&weight| f64::from(weight.abs())).sum();
                    let size = size / (network.layers[layer].len() / SHAPE.widths()[layer] * units(layer)) as f64;
                    let size = deviation(&[size], &[expected["mean_size"].as_f64().unwrap()]);
                    worst = worst.max(off).max(size);
                }
            }
            println!("{name}, {precision} precision: the largest deviation is {worst:.1e}");
            assert!(worst < TOLERANCE, "{name}, {precision} precision: the largest deviation is {worst:e}");
        }
    }
}

#[test]
fn the_last_layer_is_the_closed_form() {
    let expected = read("last_layer.json");
    let count = usize::try_from(expected["count"].as_u64().unwrap()).unwrap();
    let spec = LastLayerSpec {
        prior_precision: expected["prior_precision"].as_f64().unwrap(),
        noise: expected["noise"].as_f64().unwrap(),
        ..LastLayerSpec::default()
    };
    let mut numbers = Numbers::new(9);
    let features: Vec<f32> = numbers.take(count * 64, 1.0).iter().map(|x| x.max(0.0)).collect();
    let taken: Vec<usize> = (0..count).map(|_| numbers.below(7)).collect();
    let targets = numbers.take(count, 1.0);
    let probes: Vec<f32> = numbers.take(PROBES * 64, 1.0).iter().map(|x| x.max(0.0)).collect();
    let points = features.chunks_exact(64).zip(&taken).zip(&targets);
    let points = points.map(|((features, &action), &y)| Point { features, action, target: f64::from(y) });
    let layer = LastLayer::fit(&spec, 64, 7, points, counsel_decision::Seed::root(0)).unwrap();
    for (at, probe) in probes.chunks_exact(64).enumerate() {
        let (mean, sd, _) = layer.value(probe);
        for action in 0..7 {
            let close = |got: f64, expected: &Value| (got / expected.as_f64().unwrap() - 1.0).abs() < 1e-9;
            assert!(close(mean[action], &expected["mean"][action][at]), "mean of action {action} at probe {at}");
            assert!(
                close(sd[action], &expected["deviation"][action][at]),
                "deviation of action {action} at probe {at}"
            );
        }
    }
}

#[test]
fn weights_of_the_last_layer_are_drawn_with_its_mean_and_deviation() {
    let spec = LastLayerSpec { samples: 1000, ..LastLayerSpec::default() };
    let mut numbers = Numbers::new(5);
    let features = numbers.take(40 * 6, 1.0);
    let points = features.chunks_exact(6).enumerate();
    let points = points.map(|(i, features)| Point { features, action: i % 2, target: f64::from(features[0]) });
    let layer = LastLayer::fit(&spec, 6, 2, points, counsel_decision::Seed::root(3)).unwrap();
    let (mean, sd, drawn) = layer.value(&[0.3, -0.2, 0.9, 0.0, 0.4, -0.7]);
    for action in 0..2 {
        let drawn: Vec<f64> = drawn.iter().skip(action).step_by(2).copied().collect();
        let average = drawn.iter().sum::<f64>() / 1000.0;
        let variance = drawn.iter().map(|x| (x - average) * (x - average)).sum::<f64>() / 1000.0;
        // Five standard errors of a mean and of a variance over 1,000 draws.
        assert!((average - mean[action]).abs() < 5.0 * sd[action] / 1000_f64.sqrt());
        assert!((variance / (sd[action] * sd[action]) - 1.0).abs() < 5.0 * (2.0 / 1000_f64).sqrt());
    }
}
