//! The update against a tensor library of this language, for 10 steps.

use candle_core::{Device, Tensor};

use super::{POOL, SHAPE, TOLERANCE, deviation, memory, network, units};
use crate::DeepSpec;
use crate::autograd::{Autograd, Batch, products};
use crate::dropout::Thinning;
use crate::network::Network;
use crate::replay::Memory;
use crate::sample::Numbers;
use crate::update::Trainer;

/// The numbers of a layer without the filling zeros, and how many a row has.
fn trimmed(network: &Network, layer: usize) -> (Vec<f32>, usize) {
    let rows = network.layers[layer].chunks_exact(SHAPE.widths()[layer]);
    let inputs = [SHAPE.inputs, SHAPE.hidden, SHAPE.feature][layer];
    let rows = rows.take(inputs + 1).flat_map(|row| &row[..units(layer)]);
    (rows.copied().collect(), units(layer))
}

fn tensors(batch: &[&Memory], discount: f32) -> candle_core::Result<Batch> {
    let rows = batch.len();
    let dense = |list: &dyn Fn(&Memory) -> std::sync::Arc<[u16]>| {
        let mut table = vec![0.0_f32; rows * SHAPE.inputs];
        for (row, memory) in table.chunks_exact_mut(SHAPE.inputs).zip(batch) {
            list(memory).iter().for_each(|&place| row[usize::from(place)] = 1.0);
        }
        Tensor::from_vec(table, (rows, SHAPE.inputs), &Device::Cpu)
    };
    let column = |number: &dyn Fn(&Memory) -> f32| {
        Tensor::from_vec(batch.iter().map(|memory| number(memory)).collect(), (rows, 1), &Device::Cpu)
    };
    let heads = 0..SHAPE.heads;
    let actions: Vec<u32> = batch.iter().flat_map(|memory| [u32::from(memory.action); 8]).collect();
    let mask = |memory: &Memory, head: usize| if memory.mask >> head & 1 == 1 { 1.0 } else { 0.0 };
    let masks: Vec<f32> = batch.iter().flat_map(|memory| heads.clone().map(|head| mask(memory, head))).collect();
    Ok(Batch {
        states: dense(&|memory| memory.state.clone())?,
        next: dense(&|memory| memory.next.clone())?,
        actions: Tensor::from_vec(actions, (rows, SHAPE.heads, 1), &Device::Cpu)?,
        rewards: column(&|memory| memory.reward)?,
        discounts: column(&|memory| if memory.terminated { 0.0 } else { discount })?,
        masks: Tensor::from_vec(masks, (rows, SHAPE.heads), &Device::Cpu)?,
    })
}

#[test]
fn ten_updates_are_those_of_a_tensor_library() -> candle_core::Result<()> {
    let mut numbers = Numbers::new(11);
    let mut online = network(&mut numbers);
    let mut library = Autograd::new(&[trimmed(&online, 0), trimmed(&online, 1), trimmed(&online, 2)])?;
    let pool: Vec<Memory> = (0..POOL).map(|_| memory(&mut numbers)).collect();
    let mut trainer = Trainer::new(&online);
    for _ in 0..10 {
        let batch: Vec<&Memory> = (0..64).map(|_| &pool[numbers.below(POOL)]).collect();
        let none = None::<Thinning<rand_chacha::ChaCha8Rng>>;
        let loss = trainer.update(&mut online, None, &DeepSpec::paper(), &batch, none);
        let theirs = f64::from(library.update(&tensors(&batch, 0.97)?, 0.01)?);
        assert!((loss / theirs - 1.0).abs() < TOLERANCE, "{loss} against {theirs}");
    }
    products(&tensors(&[&pool[0]], 0.97)?, &library.online)?;
    let theirs = library.online.iter().map(candle_core::Var::as_tensor).zip(&library.target);
    for (i, (fast, slow)) in theirs.enumerate() {
        for (ours, theirs) in [(&online, fast), (&trainer.target, slow)] {
            let (table, units) = trimmed(ours, i / 2);
            let (weights, bias) = table.split_at(table.len() - units);
            let double = |numbers: &[f32]| numbers.iter().map(|&x| f64::from(x)).collect::<Vec<f64>>();
            let off =
                deviation(&double(if i % 2 == 0 { weights } else { bias }), &double(&theirs.flatten_all()?.to_vec1()?));
            // Where a gradient cancels but for rounding, Adam makes a step of rounding.
            assert!(off < 10.0 * TOLERANCE, "tensor {i} deviates by {off:e}");
        }
    }
    Ok(())
}
