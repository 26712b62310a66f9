//! `counsel advisor bench`: what a scored question costs.

use std::io::Write;
use std::num::NonZeroUsize;
use std::time::Instant;

use anyhow::{Result, anyhow};
use clap::Args;
use counsel_advisor::{LanguageModel, Request};
use counsel_local::Local;
use serde_json::json;

use super::model::Voice;

/// Measure what a scored question costs, with and without reuse of the prompt's stem.
///
/// The questions are those of the template `abstract` on GoToObj, one at a time. Without reuse the stem is read anew
/// for every question.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel advisor bench --model qwen2.5-coder-0.5b --threads 1 --json")]
pub(crate) struct Bench {
    /// A known model, or the path of a GGUF file
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
        let phrasing = counsel_experiment::narrator_of("abstract")?.phrasing("GoToObj", "abstract")?;
        let decoding = phrasing.decoding("scored")?;
        let prompts = phrasing.enumerate().prompts().unwrap_or_default();
        let requests: Vec<Request> = prompts
            .into_iter()
            .cycle()
            .take(self.questions.get())
            .map(|prompt| Request { prompt, decoding: decoding.clone() })
            .collect();
        let mut model = self.voice.open_file(&self.model)?;
        model.answer(&requests[..1]);
        let reused = milliseconds(&mut model, &requests, |_| ())?;
        let anew = milliseconds(&mut model, &requests, Local::forget)?;
        let mut out = std::io::stdout().lock();
        if self.json {
            let line = json!({ "model": self.model, "questions": requests.len(), "ms_per_question": reused,
                "ms_per_question_without_reuse": anew, "reuse_pays": anew / reused });
            writeln!(out, "{line}")?;
        } else {
            writeln!(
                out,
                "{}: {reused:.0} ms per scored question, {anew:.0} ms without reuse of the stem ({:.1} times)",
                self.model,
                anew / reused
            )?;
        }
        Ok(())
    }
}

/// The mean time of a question.
fn milliseconds(model: &mut Local, requests: &[Request], before: fn(&mut Local)) -> Result<f64> {
    let start = Instant::now();
    for request in requests {
        before(model);
        let answers = model.answer(std::slice::from_ref(request));
        answers.into_iter().next().ok_or_else(|| anyhow!("the model gave no answer"))??;
    }
    Ok(start.elapsed().as_secs_f64() * 1e3 / requests.len() as f64)
}
