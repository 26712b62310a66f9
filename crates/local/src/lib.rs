//! A language model in this process: GGUF files of the llama and qwen2 families, with exact scoring of words.
//!
//! [`Local::open`] reads a file (chat template, vocabulary and weights come from it) and refuses at once what cannot run:
//! a truncated or foreign file, an unknown architecture, a model that does not fit into memory. [`Local`] is a
//! [`LanguageModel`](counsel_advisor::LanguageModel) and answers requests in packs.
//!
//! # Generation and scoring
//! [`Decoding::Generate`](counsel_advisor::Decoding::Generate) takes the likeliest token at temperature 0, the first of
//! equals, and else draws from the softmax; the draws follow from the seed and the prompt. It stops at a token that ends
//! the turn, after `max_tokens`, or where the context is full. Control tokens are no part of the text.
//!
//! [`Decoding::Scored`](counsel_advisor::Decoding::Scored) gives the exact law of the answer's beginning over a set of
//! words: the product of the conditional probabilities of a word's tokens right after the prompt, normalised over the
//! set. The token that would end the turn is not included. Words must exclude each other, so empty and repeated ones are
//! refused, and so is a word whose tokens begin another word. All words are read in one pass as a tree of tokens, and the
//! normaliser of the first token, which all words share, is never computed.
//!
//! # The same bits
//! An answer depends on the file, the prompt and the decoding, and on nothing else, to the last bit:
//! - not on the run, the number of threads, or the requests asked before it or along with it;
//! - not on the [stem](counsel_advisor::Prompt::stem), which is read once and kept for the next prompt;
//! - not on the [`Processor`]: a GPU (feature `cuda`) computes the products in the same order, the rest stays on the processor;
//! - not on how weights are kept ([`Precision`]): as 32-bit floats or as in the file, the products are the same;
//! - not on the processor's vector width or on the C library: sums run in one fixed order of fused multiply-adds, and
//!   exponentials, logarithms and angles are our own or those of the `libm` crate. Tests compare the widths of this
//!   machine with each other; another kind of processor has not been tried.
//!
//! What may differ is another version of this crate, which is why the [identity](counsel_advisor::Identity) names it.
//! Only latencies differ from run to run; that of a request answered in a pack is its share of the pack's time.
//!
//! # Agreement with others
//! `fixtures/local` has tiny models with the logits that `transformers` computes from them, and scripts that compare the
//! real files with `transformers` in 32-bit floats (`compare.py`) and the cost with plain llama.cpp (`bench.py`).
//! `DIFFERENCE:` llama.cpp rounds activations to 8 bits, this crate does not; llama.cpp does not bring Qwen's text into
//! the composed normal form (NFC), this crate does, as the model's own tokenizer.
//!
//! # Tokens
//! Control tokens are found in all of the rendered prompt, also where a message contains their text: messages come from
//! templates, not from strangers. A byte that the vocabulary lacks is left out.

mod arithmetic;
mod chat;
mod choice;
mod decoder;
mod error;
mod free_memory;
mod geometry;
mod gguf;
mod gpu;
mod job;
mod local;
mod matrix;
mod memory;
mod options;
mod product;
mod split;
mod stems;
mod tensor;
mod value;
mod vocabulary;
mod words;

pub use error::Error;
pub use local::Local;
pub use options::{Options, Precision, Processor};
