//! `counsel advisor ask`: one question to one model.

use std::io::Write;

use anyhow::{Result, bail};
use clap::Args;
use counsel_advisor::{Decoding, Message, Prompt, Request, Role};
use counsel_decision::{Parser, Reply, Response};
use counsel_file::Printable;
use serde_json::{Map, Value, json};

use super::model::Voice;

/// Ask one question.
///
/// With `--words` the model does not write: every word's probability is computed, normalised over the words, and the
/// likeliest is the answer. The action is what the parser reads: one of the words, or of BabyAI's seven actions.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel advisor ask --model smollm2-135m --prompt 'Name a colour.'
  counsel advisor ask --model qwen2.5-coder-0.5b --prompt 'The exit is on your left.' --words left,right,forward --json
  counsel advisor ask --base-url http://127.0.0.1:8080 --model my-model --prompt 'Left or right?'")]
pub(crate) struct Ask {
    /// A known model, the path of a GGUF file, or the model's name at an endpoint
    #[arg(long)]
    model: String,
    /// The question
    #[arg(long, value_name = "TEXT")]
    prompt: String,
    /// What sets the scene, as the system's message
    #[arg(long, value_name = "TEXT")]
    system: Option<String>,
    /// Score these words instead of writing
    #[arg(long, value_name = "WORD,..", value_delimiter = ',')]
    words: Option<Vec<String>>,
    /// Most tokens to write
    #[arg(long, value_name = "N", default_value_t = 64, conflicts_with = "words", allow_negative_numbers = true)]
    max_tokens: u32,
    /// 0 takes the likeliest token at every step
    #[arg(long, value_name = "T", default_value_t = 0.0, conflicts_with = "words", allow_negative_numbers = true)]
    temperature: f64,
    /// The seed of the draws at temperatures above 0
    #[arg(long, default_value_t = 0, conflicts_with = "words")]
    seed: u64,
    #[command(flatten)]
    voice: Voice,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

impl Ask {
    pub(crate) fn run(&self) -> Result<()> {
        if !(0.0..=100.0).contains(&self.temperature) {
            bail!("--temperature is {}; pass a number between 0 and 100", self.temperature);
        }
        if self.max_tokens == 0 {
            bail!("--max-tokens is 0; pass 1 or more");
        }
        let parser = match &self.words {
            Some(words) => Parser::new(words.iter().map(|word| word.trim()))?,
            None => counsel_experiment::narrator_of("plain")?.phrasing("GoToObj", "plain")?.parser(),
        };
        let decoding = match &self.words {
            Some(words) => Decoding::scored(words.iter().map(|word| word.trim())),
            None => Decoding::Generate { max_tokens: self.max_tokens, temperature: self.temperature, seed: self.seed },
        };
        let mut messages = Vec::new();
        if let Some(system) = &self.system {
            messages.push(Message::new(Role::System, system.as_str()));
        }
        messages.push(Message::new(Role::User, self.prompt.as_str()));
        let mut model = self.voice.open(&self.model)?;
        let utterance = model.answer_one(&Request { prompt: Prompt::new(messages, 0), decoding })?;
        let action = match parser.parse(&Reply::simulated(utterance.text.as_str())) {
            Response::Recommends(action) => Some(parser.words()[action.index()].clone()),
            Response::Unusable => None,
        };
        let mut out = std::io::stdout().lock();
        if self.json {
            let scores = utterance.scores.map(|scores| {
                scores.into_iter().map(|score| (score.word, json!(score.probability))).collect::<Map<String, Value>>()
            });
            let tokens = json!({ "request": utterance.request_tokens, "response": utterance.response_tokens });
            let answer = json!({ "text": utterance.text, "action": action, "scores": scores, "tokens": tokens,
                "latency_ms": utterance.latency_ms, "model": model.identity() });
            writeln!(out, "{answer}")?;
            return Ok(());
        }
        writeln!(out, "{}", Printable(&utterance.text))?;
        for score in utterance.scores.iter().flatten() {
            writeln!(out, "  {:<12} {:.4}", Printable(&score.word).to_string(), score.probability)?;
        }
        Ok(())
    }
}
