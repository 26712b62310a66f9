//! Answers requests on standard input, one JSON object per line, on standard output. Other implementations are compared
//! with ours through it: `answer MODEL.gguf [THREADS] [f32|quantised|cuda]`.
//!
//! A request has a `text` (tokens are wanted), a `logits` prompt (all logits are wanted), or a list of `requests` in the
//! form of `counsel_advisor::Request`, each with an optional `stem`.

use std::io::{BufRead as _, Write as _};
use std::path::Path;

use counsel_advisor::{Decoding, LanguageModel as _, Message, Prompt, Request};
use counsel_local::{Local, Options, Precision, Processor};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Ask {
    messages: Vec<Message>,
    #[serde(default)]
    stem: usize,
    decoding: Decoding,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line {
    Text(String),
    Logits(Vec<Message>),
    Requests(Vec<Ask>),
    Forget,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let path = arguments.get(1).ok_or("usage: answer MODEL.gguf [THREADS] [f32|quantised|cuda]")?;
    let mut options = Options::new("local");
    if let Some(threads) = arguments.get(2) {
        options = options.threads(threads.parse()?);
    }
    options = match arguments.get(3).map(String::as_str) {
        Some("quantised") => options.precision(Precision::Quantised),
        Some("cuda") => options.processor(Processor::Cuda),
        Some("f32") => options.precision(Precision::F32),
        _ => options,
    };
    let mut model = Local::open(Path::new(path), options)?;
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let answer: Value = match serde_json::from_str(&line?)? {
            Line::Text(text) => {
                let tokens = model.tokens(&text);
                json!({ "tokens": tokens, "text": model.text(&tokens) })
            }
            Line::Logits(messages) => {
                let prompt = Prompt::new(messages, 0);
                let tokens = model.prompt_tokens(&prompt)?;
                json!({ "rendering": model.rendering(&prompt)?, "tokens": tokens, "logits": model.logits(&tokens)? })
            }
            Line::Forget => {
                model.forget();
                json!({})
            }
            Line::Requests(asked) => {
                let requests: Vec<Request> = asked
                    .into_iter()
                    .map(|ask| Request { prompt: Prompt::new(ask.messages, ask.stem), decoding: ask.decoding })
                    .collect();
                let answers = model.answer(&requests).into_iter().map(|answer| match answer {
                    Ok(utterance) => json!(utterance),
                    Err(outage) => json!({ "outage": outage.reason }),
                });
                json!({ "answers": answers.collect::<Vec<_>>() })
            }
        };
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}
