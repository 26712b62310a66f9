//! One update: this crate against the same update with candle, and against the bare matrix products.
//!
//! `RAYON_NUM_THREADS=1 cargo bench -p counsel-deep` prints the tenth percentile of many short rounds, so that other work on
//! the machine does not count. It fails if the hand-written update pays less than twice.

mod autograd;

use autograd::{Autograd, Batch, products};
use candle_core::{Device, Tensor};
use counsel_decision::{Action, Seed};
use counsel_deep::{Deep, DeepSpec, Experience};
use rand::RngExt;

const INPUTS: usize = 992;
const ACTIONS: usize = 7;
const HEADS: usize = 8;
const ROWS: usize = 64;
/// Of so many groups of inputs one is 1, as in BabyAI.
const GROUPS: usize = 153;

#[expect(clippy::disallowed_types, reason = "a benchmark is about the clock")]
fn microseconds(mut call: impl FnMut()) -> f64 {
    let mut times: Vec<f64> = (0..400)
        .map(|_| {
            let start = std::time::Instant::now();
            call();
            start.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 10]
}

fn observation(rng: &mut impl rand::Rng) -> Vec<usize> {
    (0..GROUPS).map(|group| group * 6 + rng.random_range(0..6)).collect()
}

fn dense(lists: &[Vec<usize>]) -> candle_core::Result<Tensor> {
    let mut rows = vec![0.0_f32; lists.len() * INPUTS];
    for (row, list) in rows.chunks_exact_mut(INPUTS).zip(lists) {
        list.iter().for_each(|&place| row[place] = 1.0);
    }
    Tensor::from_vec(rows, (lists.len(), INPUTS), &Device::Cpu)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut rng = Seed::root(0).rng();
    let mut deep = Deep::new(DeepSpec::paper(), INPUTS, ACTIONS, Seed::root(1))?;
    for _ in 0..5_000 {
        let (state, next) = (observation(&mut rng), observation(&mut rng));
        let action = Action::new(rng.random_range(0..ACTIONS));
        deep.observe(Experience { state: &state, action, reward: rng.random(), next: &next, end: None })?;
    }
    for _ in 0..200 {
        deep.learn()?;
    }
    let ours = microseconds(|| assert!(deep.learn().is_ok()));

    let mut draw = |count: usize, bound: f32| -> Vec<f32> {
        (0..count).map(|_| bound * (2.0 * rng.random::<f32>() - 1.0)).collect()
    };
    let tables =
        [(draw(993 * 128, 0.03), 128), (draw(129 * 64, 0.09), 64), (draw(65 * HEADS * ACTIONS, 0.12), HEADS * ACTIONS)];
    let mut tensors = Autograd::new(&tables)?;
    let actions: Vec<u32> = (0..ROWS).flat_map(|_| [rng.random_range(0..7); HEADS]).collect();
    let states: Vec<Vec<usize>> = (0..2 * ROWS).map(|_| observation(&mut rng)).collect();
    let batch = Batch {
        states: dense(&states[..ROWS])?,
        next: dense(&states[ROWS..])?,
        actions: Tensor::from_vec(actions, (ROWS, HEADS, 1), &Device::Cpu)?,
        rewards: Tensor::rand(0_f32, 1.0, (ROWS, 1), &Device::Cpu)?,
        discounts: Tensor::full(0.97_f32, (ROWS, 1), &Device::Cpu)?,
        masks: Tensor::ones((ROWS, HEADS), candle_core::DType::F32, &Device::Cpu)?,
    };
    let theirs = microseconds(|| assert!(tensors.update(&batch, 0.01).is_ok()));
    let bare = microseconds(|| assert!(products(&batch, &tensors.online).is_ok()));
    println!("update       {ours:8.1} us  {} of {INPUTS} inputs in use", 6 * GROUPS);
    println!("candle       {theirs:8.1} us  {:.2} times as long", theirs / ours);
    println!("products     {bare:8.1} us  dense, by the gemm crate; the update takes {:.2} times as long", ours / bare);
    if theirs < 2.0 * ours {
        return Err("the hand-written update pays less than twice; use the library".into());
    }
    Ok(())
}
