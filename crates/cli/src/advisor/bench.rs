//! `counsel advisor bench`: what a question costs in time.

use std::io::Write;
use std::num::NonZeroUsize;
use std::time::Instant;

use anyhow::Result;
use clap::Args;
use counsel_advisor::{LanguageModel, Request};
use counsel_local::Local;
use serde_json::{Value, json};

use super::model::Voice;

/// Measure what a question costs: with and without reuse of the prompt's stem, or at an endpoint.
///
/// The questions are those of the template `abstract` on GoToObj, one at a time. A model from a file scores words; without
/// reuse it reads the stem again for every question. An endpoint writes its answers, every question is a call, and what is
/// measured is the time from question to answer.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel advisor bench --model qwen2.5-coder-0.5b --threads 1 --json
  counsel advisor bench --base-url http://127.0.0.1:8080 --model my-model --questions 5 --budget 10")]
pub(crate) struct Bench {
    /// A known model, the path of a GGUF file, or the model's name at an endpoint
    #[arg(long)]
    model: String,
    /// How many questions
    #[arg(long, value_name = "N", default_value = "20", value_parser = crate::amount::many)]
    questions: NonZeroUsize,
    #[command(flatten)]
    voice: Voice,
    /// Write one JSON object
    #[arg(long)]
    json: bool,
}

impl Bench {
    pub(crate) fn run(&self) -> Result<()> {
        self.voice.remote.require_budget("measuring")?;
        let (shown, words) = if self.voice.remote.base_url.is_some() { self.endpoint()? } else { self.file()? };
        writeln!(std::io::stdout().lock(), "{}", if self.json { shown.to_string() } else { words })?;
        Ok(())
    }

    fn file(&self) -> Result<(Value, String)> {
        let requests = self.requests("scored")?;
        let mut model = self.voice.open_file(&self.model)?;
        model.answer(&requests[..1]);
        let reused = milliseconds(&mut model, &requests, |_| ())?;
        let anew = milliseconds(&mut model, &requests, Local::forget)?;
        let shown = json!({ "model": self.model, "questions": requests.len(), "ms_per_question": reused,
            "ms_per_question_without_reuse": anew, "reuse_pays": anew / reused });
        let words = format!(
            "{}: {reused:.0} ms per scored question, {anew:.0} ms without reuse of the stem ({:.1} times)",
            self.model,
            anew / reused
        );
        Ok((shown, words))
    }

    fn endpoint(&self) -> Result<(Value, String)> {
        let requests = self.requests("generate")?;
        let mut model = self.voice.open(&self.model)?;
        let took = milliseconds(model.as_mut(), &requests, |_| ())?;
        let at = &model.identity().version;
        let shown =
            json!({ "model": self.model, "base_url": at, "questions": requests.len(), "ms_per_question": took });
        Ok((shown, format!("{} at {at}: {took:.0} ms per question", self.model)))
    }

    fn requests(&self, decoding: &str) -> Result<Vec<Request>> {
        let phrasing = counsel_experiment::narrator_of("abstract")?.phrasing("GoToObj", "abstract")?;
        let decoding = phrasing.decoding(decoding)?;
        let prompts = phrasing.enumerate().prompts().unwrap_or_default();
        let prompts = prompts.into_iter().cycle().take(self.questions.get());
        Ok(prompts.map(|prompt| Request { prompt, decoding: decoding.clone() }).collect())
    }
}

/// The mean time of a question.
fn milliseconds<M: LanguageModel + ?Sized>(model: &mut M, requests: &[Request], before: fn(&mut M)) -> Result<f64> {
    let start = Instant::now();
    for request in requests {
        before(model);
        model.answer_one(request)?;
    }
    Ok(start.elapsed().as_secs_f64() * 1e3 / requests.len() as f64)
}
