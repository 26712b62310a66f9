//! A language model in this process: GGUF files of the llama and qwen2 families, with exact scoring of words.

mod arithmetic;
mod chat;
mod choice;
mod decoder;
mod error;
mod geometry;
mod gguf;
mod local;
mod matrix;
mod memory;
mod options;
mod product;
mod room;
mod split;
mod stems;
mod task;
mod tensor;
mod value;
mod vocabulary;
mod words;

pub use error::Error;
pub use local::Local;
pub use options::{Options, Precision};
