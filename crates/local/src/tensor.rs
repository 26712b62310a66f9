//! The number formats of tensors, and their way back to 32-bit floats.

use std::borrow::Cow;

use candle_core::Device;
use candle_core::quantized::{GgmlDType, QStorage, QTensor};

/// A number format. Numbers of the quantised ones come in blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TensorKind(GgmlDType);

/// The formats by their code in a file.
const KINDS: [(u32, GgmlDType); 13] = [
    (0, GgmlDType::F32),
    (1, GgmlDType::F16),
    (2, GgmlDType::Q4_0),
    (3, GgmlDType::Q4_1),
    (6, GgmlDType::Q5_0),
    (7, GgmlDType::Q5_1),
    (8, GgmlDType::Q8_0),
    (10, GgmlDType::Q2K),
    (11, GgmlDType::Q3K),
    (12, GgmlDType::Q4K),
    (13, GgmlDType::Q5K),
    (14, GgmlDType::Q6K),
    (30, GgmlDType::BF16),
];

impl TensorKind {
    /// The format of this code, if it is known.
    pub(crate) fn from_code(code: u32) -> Option<Self> {
        KINDS.iter().find(|(known, _)| *known == code).map(|(_, kind)| Self(*kind))
    }

    /// All formats that are known, for an error.
    pub(crate) fn known() -> String {
        KINDS.map(|(code, kind)| format!("{code} ({kind:?})")).join(", ")
    }

    /// Numbers in a block.
    pub(crate) fn block(self) -> usize {
        self.0.block_size()
    }

    /// Bytes of a block.
    pub(crate) fn block_bytes(self) -> usize {
        self.0.type_size()
    }

    /// The numbers of these whole blocks as 32-bit floats.
    pub(crate) fn floats(self, bytes: &[u8]) -> candle_core::Result<Vec<f32>> {
        if self.0 == GgmlDType::F32 {
            let (floats, _) = bytes.as_chunks::<4>();
            return Ok(floats.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect());
        }
        let count = bytes.len() / self.block_bytes() * self.block();
        let storage = QStorage::from_data(Cow::Borrowed(bytes), &Device::Cpu, self.0)?;
        QTensor::new(storage, count)?.dequantize(&Device::Cpu)?.to_vec1()
    }
}
