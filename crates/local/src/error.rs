//! What can be wrong with a model file or with what is asked of it. Every message names the offending value and the
//! remedy.

use std::path::PathBuf;

/// A model that cannot be opened, or a request that it cannot answer.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be read.
    #[error("cannot read the model file {}: {cause}; check the path or pull the model again", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
    /// The file is none, or far too large.
    #[error(transparent)]
    File(counsel_file::Error),
    /// The file is no GGUF file.
    #[error("{} is no GGUF file: it begins with {found:02x?}; pass a .gguf model file", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// Its first bytes.
        found: Vec<u8>,
    },
    /// The file says something that cannot be.
    #[error("the model file {} is damaged: {what}; pull it again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: String,
    },
    /// The file is sound but asks for something this engine lacks.
    #[error("the {what} `{found}` is unknown here; known are {known}; pass another model")]
    Unknown {
        /// Which property of the model.
        what: &'static str,
        /// Its value.
        found: String,
        /// The values that are known.
        known: String,
    },
    /// The file lacks something.
    #[error("the model file lacks {what}; pass a chat model of the llama or qwen2 family")]
    Lacking {
        /// The key or the tensor.
        what: String,
    },
    /// The model does not fit into memory.
    #[error(
        "the model needs {} MiB of memory and {} MiB are free; pass a smaller model or free some memory", need >> 20, free >> 20
    )]
    Memory {
        /// Bytes that the model needs in its most frugal form.
        need: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// No GPU can compute.
    #[error("cannot compute on a GPU: {why}")]
    Gpu {
        /// Why, and the remedy.
        why: String,
    },
    /// The chat template cannot be rendered.
    #[error("the model's chat template cannot be used: {why}; pass another model")]
    Template {
        /// Why.
        why: String,
    },
    /// The prompt is empty or longer than the context.
    #[error("the prompt takes {tokens} tokens and the context holds 1 to {context}; change the prompt or the context")]
    Length {
        /// Tokens of the prompt and, where words are scored, of the words.
        tokens: usize,
        /// Tokens that the context holds.
        context: usize,
    },
    /// The words cannot be scored.
    #[error("the words cannot be scored: {why}")]
    Words {
        /// Why, and the remedy.
        why: String,
    },
    /// The temperature is no temperature.
    #[error("the temperature {temperature} is no temperature; pass a finite number of at least 0")]
    Temperature {
        /// The number.
        temperature: f64,
    },
    /// No token has this number.
    #[error("there is no token {token}; the vocabulary has {known}")]
    Token {
        /// The number.
        token: u32,
        /// How many tokens there are.
        known: usize,
    },
    /// The weights are such that no numbers come out.
    #[error("the model computes no finite numbers; its weights are damaged; pull it again")]
    Numbers,
    /// No threads can be started.
    #[error("cannot start {threads} threads: {why}; ask for fewer")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// Why they cannot be started.
        why: String,
    },
}

impl Error {
    /// The GPU, or what speaks with it, refuses.
    pub(crate) fn gpu(why: impl std::fmt::Display) -> Self {
        Self::Gpu { why: why.to_string() }
    }
}
