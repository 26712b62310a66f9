//! How a model is opened.

use counsel_advisor::Digest;

/// How weights are kept in memory. It decides about speed and memory and changes no bit of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Precision {
    /// As 32-bit floats if they fit, else as in the file.
    #[default]
    Auto,
    /// As 32-bit floats: fast, 4 bytes per weight.
    F32,
    /// As in the file: frugal, slower.
    Quantised,
}

/// What computes the products of matrices. It changes no bit of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Processor {
    /// The processor that runs this program.
    #[default]
    Cpu,
    /// The first NVIDIA GPU, with the weights as 32-bit floats in its memory. Needs the feature `cuda`.
    Cuda,
}

/// How a model is opened.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `name` | none | any |
/// | `threads` | all cores | at least 1 |
/// | `precision` | `Auto` | |
/// | `processor` | `Cpu` | `Cuda` with `precision` `Auto` or `F32` |
/// | `context` | 4096 tokens, or the model's if that is shorter | at least 1 |
/// | `memory` | what the system has left | bytes |
/// | `digest` | computed from the file | what the caller has verified |
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The name by which people know the model.
    pub name: String,
    /// How many threads compute. It changes no bit of an answer.
    pub threads: usize,
    /// How weights are kept.
    pub precision: Precision,
    /// What computes.
    pub processor: Processor,
    /// At most so many tokens of prompt and answer.
    pub context: usize,
    /// The bytes of memory that the model may take; what the system has left if absent.
    pub memory: Option<u64>,
    /// The file's SHA-256 digest, if the caller has verified it; computed if absent.
    pub digest: Option<Digest>,
}

impl Options {
    /// A model known by this name, opened with the defaults.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            threads: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            precision: Precision::Auto,
            processor: Processor::Cpu,
            context: 4096,
            memory: None,
            digest: None,
        }
    }

    /// The same with so many threads.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// The same with weights kept in this way.
    #[must_use]
    pub fn precision(self, precision: Precision) -> Self {
        Self { precision, ..self }
    }

    /// The same, of a file whose digest the caller has verified.
    #[must_use]
    pub fn digest(self, digest: Option<Digest>) -> Self {
        Self { digest, ..self }
    }

    /// The same, computed by this processor.
    #[must_use]
    pub fn processor(self, processor: Processor) -> Self {
        Self { processor, ..self }
    }
}
