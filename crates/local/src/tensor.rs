//! The number formats of tensors, and their way back to 32-bit floats.
//!
//! Quantised numbers come in blocks: whole numbers of a few bits, and a scale (and an offset) that they share. The
//! formats with a `K` have blocks of 256 numbers in groups whose scales are themselves whole numbers of a few bits.

/// A number format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TensorKind {
    F32,
    F16,
    Bf16,
    Q4_0,
    Q4_1,
    Q5_0,
    Q5_1,
    Q8_0,
    Q2K,
    Q3K,
    Q4K,
    Q5K,
    Q6K,
}

/// The formats by their code in a file, with the numbers and the bytes of a block.
const KINDS: [(u32, TensorKind, usize, usize); 13] = [
    (0, TensorKind::F32, 1, 4),
    (1, TensorKind::F16, 1, 2),
    (2, TensorKind::Q4_0, 32, 18),
    (3, TensorKind::Q4_1, 32, 20),
    (6, TensorKind::Q5_0, 32, 22),
    (7, TensorKind::Q5_1, 32, 24),
    (8, TensorKind::Q8_0, 32, 34),
    (10, TensorKind::Q2K, 256, 84),
    (11, TensorKind::Q3K, 256, 110),
    (12, TensorKind::Q4K, 256, 144),
    (13, TensorKind::Q5K, 256, 176),
    (14, TensorKind::Q6K, 256, 210),
    (30, TensorKind::Bf16, 1, 2),
];

impl TensorKind {
    /// The format of this code, if it is known.
    pub(crate) fn from_code(code: u32) -> Option<Self> {
        KINDS.iter().find(|known| known.0 == code).map(|known| known.1)
    }

    /// All formats that are known, for an error.
    pub(crate) fn known() -> String {
        KINDS.map(|(code, kind, ..)| format!("{code} ({kind:?})")).join(", ")
    }

    /// Numbers in a block.
    pub(crate) fn block(self) -> usize {
        KINDS.iter().find(|known| known.1 == self).map_or(1, |known| known.2)
    }

    /// Bytes of a block.
    pub(crate) fn block_bytes(self) -> usize {
        KINDS.iter().find(|known| known.1 == self).map_or(1, |known| known.3)
    }

    /// The numbers of whole blocks as 32-bit floats.
    pub(crate) fn floats(self, bytes: &[u8]) -> Vec<f32> {
        let mut floats = Vec::with_capacity(bytes.len() / self.block_bytes() * self.block());
        for block in bytes.chunks_exact(self.block_bytes()) {
            match self {
                Self::F32 => floats.push(f32::from_le_bytes([block[0], block[1], block[2], block[3]])),
                Self::F16 => floats.push(half(block, 0)),
                Self::Bf16 => floats.push(f32::from_bits(u32::from(u16::from_le_bytes([block[0], block[1]])) << 16)),
                Self::Q4_0 => nibbles(half(block, 0), -8.0 * half(block, 0), &[0; 4], &block[2..], &mut floats),
                Self::Q4_1 => nibbles(half(block, 0), half(block, 2), &[0; 4], &block[4..], &mut floats),
                Self::Q5_0 => nibbles(half(block, 0), -16.0 * half(block, 0), &block[2..6], &block[6..], &mut floats),
                Self::Q5_1 => nibbles(half(block, 0), half(block, 2), &block[4..8], &block[8..], &mut floats),
                Self::Q8_0 => floats.extend(block[2..].iter().map(|byte| half(block, 0) * signed(*byte))),
                Self::Q2K => two_bits(block, &mut floats),
                Self::Q3K => three_bits(block, &mut floats),
                Self::Q4K => four_or_five_bits(block, None, &block[16..], &mut floats),
                Self::Q5K => four_or_five_bits(block, Some(&block[16..48]), &block[48..], &mut floats),
                Self::Q6K => six_bits(block, &mut floats),
            }
        }
        floats
    }
}

/// A byte as a whole number of either sign.
fn signed(byte: u8) -> f32 {
    f32::from(byte.cast_signed())
}

/// The 16-bit float at this byte.
fn half(bytes: &[u8], at: usize) -> f32 {
    let bits = u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    let (exponent, fraction) = (u32::from(bits >> 10 & 0x1F), u32::from(bits & 0x3FF));
    let sign = u32::from(bits >> 15) << 31;
    match exponent {
        // Below the smallest normal number there are but multiples of 2^-24.
        0 => f32::from_bits(sign | (fraction as f32 / 16_777_216.0).to_bits()),
        31 => f32::from_bits(sign | 0x7F80_0000 | fraction << 13),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | fraction << 13),
    }
}

/// 32 numbers of four bits, the first sixteen in the low halves of the bytes, with a fifth bit each from `high`.
fn nibbles(scale: f32, offset: f32, high: &[u8], low: &[u8], floats: &mut Vec<f32>) {
    let high = u32::from_le_bytes([high[0], high[1], high[2], high[3]]);
    let number = |at: usize| {
        let byte = low[at % 16];
        let four = if at < 16 { byte & 15 } else { byte >> 4 };
        u32::from(four) | (high >> at & 1) << 4
    };
    floats.extend((0..32).map(|at| scale * number(at) as f32 + offset));
}

/// Scale and offset of one of the eight groups of `Q4K` and `Q5K`, six bits each.
fn group(packed: &[u8], group: usize) -> (f32, f32) {
    let (scale, offset) = if group < 4 {
        (packed[group] & 63, packed[group + 4] & 63)
    } else {
        let (low, top) = (packed[group + 4], 6);
        (low & 15 | packed[group - 4] >> top << 4, low >> 4 | packed[group] >> top << 4)
    };
    (f32::from(scale), f32::from(offset))
}

fn four_or_five_bits(block: &[u8], fifth: Option<&[u8]>, low: &[u8], floats: &mut Vec<f32>) {
    let (scale, offset) = (half(block, 0), half(block, 2));
    for at in 0..8 {
        let (group_scale, group_offset) = group(&block[4..16], at);
        let (scale, offset) = (scale * group_scale, offset * group_offset);
        floats.extend((0..32).map(|number| {
            let byte = low[at / 2 * 32 + number];
            let four = if at % 2 == 0 { byte & 15 } else { byte >> 4 };
            let more = fifth.map_or(0, |fifth| (fifth[number] >> at & 1) << 4);
            scale * f32::from(four | more) - offset
        }));
    }
}

fn two_bits(block: &[u8], floats: &mut Vec<f32>) {
    let (scales, numbers) = (&block[..16], &block[16..80]);
    let (scale, offset) = (half(block, 80), half(block, 82));
    for (at, packed) in scales.iter().enumerate() {
        let (scale, offset) = (scale * f32::from(packed & 15), offset * f32::from(packed >> 4));
        let (half, shift, side) = (at / 8, at % 8 / 2 * 2, at % 2);
        let bytes = &numbers[half * 32 + side * 16..][..16];
        floats.extend(bytes.iter().map(|byte| scale * f32::from(byte >> shift & 3) - offset));
    }
}

fn three_bits(block: &[u8], floats: &mut Vec<f32>) {
    let (high, low, packed, scale) = (&block[..32], &block[32..96], &block[96..108], half(block, 108));
    for at in 0..16 {
        let four = if at < 8 { packed[at] & 15 } else { packed[at - 8] >> 4 };
        let two = packed[8 + at % 4] >> (at / 4 * 2) & 3;
        let scale = scale * (f32::from(four | two << 4) - 32.0);
        let (half, shift, side) = (at / 8, at % 8 / 2 * 2, at % 2);
        floats.extend((0..16).map(|number| {
            let two = low[half * 32 + side * 16 + number] >> shift & 3;
            let third = high[side * 16 + number] >> (at / 2) & 1;
            scale * (f32::from(two | third << 2) - 4.0)
        }));
    }
}

fn six_bits(block: &[u8], floats: &mut Vec<f32>) {
    let (low, high, scales, scale) = (&block[..128], &block[128..192], &block[192..208], half(block, 208));
    for (at, factor) in scales.iter().enumerate() {
        let scale = scale * signed(*factor);
        let (half, quarter, side) = (at / 8, at % 8 / 2, at % 2);
        floats.extend((0..16).map(|number| {
            let within = side * 16 + number;
            let byte = low[half * 64 + quarter % 2 * 32 + within];
            let four = if quarter < 2 { byte & 15 } else { byte >> 4 };
            let two = high[half * 32 + within] >> (quarter * 2) & 3;
            scale * (f32::from(four | two << 4) - 32.0)
        }));
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    struct Blocks {
        code: u32,
        bytes: Vec<u8>,
        floats: Vec<f32>,
    }

    #[test]
    fn blocks_become_the_floats_that_the_gguf_package_makes_of_them() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/local/blocks.json");
        let all: Vec<Blocks> = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        assert_eq!(all.len(), KINDS.len());
        for Blocks { code, bytes, floats } in all {
            let kind = TensorKind::from_code(code).unwrap();
            let ours = kind.floats(&bytes);
            assert_eq!(ours.len(), floats.len(), "{kind:?}");
            for (at, (ours, theirs)) in ours.iter().zip(&floats).enumerate() {
                assert!((ours - theirs).abs() <= 1e-6 * theirs.abs().max(1e-3), "{kind:?} {at}: {ours} or {theirs}");
            }
        }
    }
}
