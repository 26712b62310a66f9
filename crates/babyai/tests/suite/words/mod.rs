//! What a language model is told of BabyAI, and how good its answers are.

mod appraisal;
mod briefing;
mod enumeration;
mod errors;
mod prompts;
mod situation;
