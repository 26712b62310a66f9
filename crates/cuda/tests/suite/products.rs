//! Products on the GPU are those of the processor, to the last bit. Where there is a GPU, run `cargo test -p counsel-cuda -- --ignored`.

use counsel_cuda::{Error, Gpu};
use sha2::{Digest, Sha256};

const PANEL: usize = counsel_cuda::PANEL as usize;

fn numbers(count: usize, salt: u32) -> Vec<f32> {
    let mut state = salt;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        // Of all sizes, down to where a float has fewer digits.
        ((state >> 8) as f32 / 16_777_216.0 - 0.5) * (-f32::from((state >> 3 & 0x7F) as u8)).exp2()
    };
    (0..count).map(|_| next()).collect()
}

#[test]
#[ignore = "needs an NVIDIA GPU"]
fn every_element_is_the_fused_sum_in_order() {
    let gpu = Gpu::open().unwrap();
    for (outputs, columns) in [(1_usize, 1), (31, 127), (32, 128), (33, 129), (200, 896), (1000, 37)] {
        let panels = numbers(outputs.div_ceil(PANEL) * PANEL * columns, 1);
        let held = gpu.panels(&panels, outputs, columns).unwrap();
        for rows in [1, 2, 15, 16, 17, 70] {
            let input = numbers(rows * columns, 2);
            let weight =
                |output: usize, column: usize| panels[(output / PANEL * columns + column) * PANEL + output % PANEL];
            let expected = (0..rows * outputs).map(|at| {
                let (row, output) = (at / outputs, at % outputs);
                (0..columns)
                    .fold(0.0_f32, |sum, at| input[row * columns + at].mul_add(weight(output, at), sum))
                    .to_bits()
            });
            let found = held.times(&input).unwrap().into_iter().map(f32::to_bits);
            assert!(found.eq(expected), "{rows} rows, {outputs} outputs, {columns} columns");
        }
    }
    assert!(matches!(gpu.panels(&[0.0; 31], 1, 1), Err(Error::Shape { .. })));
    assert!(matches!(gpu.panels(&[0.0; 32], 1, 1).unwrap().times(&[]).as_deref(), Ok([])));
}

#[test]
fn where_no_driver_is_the_message_says_what_to_do() {
    if let Err(error) = Gpu::open() {
        let message = error.to_string();
        assert!(message.contains("compute without a GPU"), "{message}");
    }
}

#[test]
fn the_compiled_kernel_is_made_of_the_present_source() {
    let digest = Sha256::digest(include_str!("../../src/times.cu"));
    let made_of = "// Made of times.cu, SHA-256 ".to_owned();
    let expected = digest.iter().fold(made_of, |text, byte| text + &format!("{byte:02x}"));
    let first = include_str!("../../src/times.ptx").lines().next();
    assert_eq!(first, Some(expected.as_str()), "run fixtures/cuda/ptx.py");
}
