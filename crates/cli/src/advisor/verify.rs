//! `counsel advisor verify`: a live model against its transcript.

use std::io::Write;

use anyhow::{Result, bail};
use clap::Args;
use counsel_advisor::{AdvisorName, LanguageModel, Request, Utterance, WordScore};
use counsel_endpoint::Tokens;
use counsel_file::Printable;
use counsel_transcript::{Answers, Difference, compare};

use super::consent::Estimate;
use super::model::Voice;
use super::recorded::Recorded;
use super::turns::Turns;

/// So many differences are shown.
const SHOWN: usize = 5;

/// Ask a sample of recorded questions again and compare, to the bit.
///
/// Text and scores must be equal; latency and date do not count. Fails if an answer differs, or does not come. An endpoint
/// needs a budget and your agreement to the cost.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel advisor verify qwen2.5-coder-0.5b/abstract/scored --sample 200")]
pub(crate) struct Verify {
    /// The advisor: model/template/decoding
    advisor: AdvisorName,
    /// How many questions
    #[arg(long, value_name = "N", default_value_t = 200, allow_negative_numbers = true)]
    sample: usize,
    #[command(flatten)]
    turns: Turns,
    #[command(flatten)]
    shelf: Recorded,
    #[command(flatten)]
    voice: Voice,
}

/// What was compared so far.
#[derive(Default)]
struct Tally {
    equal: usize,
    different: Vec<Difference>,
    unanswered: usize,
}

impl Verify {
    pub(crate) fn run(&self) -> Result<()> {
        if self.sample == 0 {
            bail!("--sample is 0; pass 1 or more");
        }
        self.voice.remote.require_budget("verifying with")?;
        let answers = self.shelf.open().open(&self.advisor)?;
        let sample = answers.sample(self.sample);
        if sample.is_empty() {
            bail!("{} keeps digests instead of prompts, so none can be asked again", self.advisor);
        }
        let mut model = self.voice.open_for(&self.advisor.model, self.turns.at_once.get())?;
        self.voice.remote.consent(&[estimate(&self.advisor.model, &answers, &sample)])?;
        let mut tally = Tally::default();
        let stopped = self.turns.take(&self.voice, &sample, |some| {
            let comparison = compare(model.as_mut(), &answers, some);
            tally.equal += comparison.equal;
            let mut heard = vec![None; some.len() - comparison.differences.len()];
            for difference in comparison.differences {
                heard.push(difference.live.as_ref().err().cloned());
                tally.take(difference);
            }
            heard
        });
        self.tell(model.as_ref(), &answers, &tally, sample.len())?;
        self.voice.remote.tell_paid(&self.advisor.model)?;
        if let Some(why) = stopped {
            bail!("verifying stopped with {} of {} questions answered: {why}", tally.answered(), sample.len());
        }
        match (tally.different.len(), tally.unanswered) {
            (0, 0) => Ok(()),
            (different, 0) => bail!("{different} answers differ"),
            (different, unanswered) => bail!("{different} answers differ, {unanswered} did not come"),
        }
    }

    fn tell(&self, model: &dyn LanguageModel, answers: &Answers, tally: &Tally, sample: usize) -> Result<()> {
        let mut out = std::io::stdout().lock();
        let (recorded, live) = (&answers.advisor().identity, model.identity());
        if recorded != live {
            for (when, identity) in [("recorded with", recorded), ("asked now", live)] {
                writeln!(out, "{when} {} ({})", Printable(&identity.engine), Printable(&identity.version))?;
            }
        }
        let answered = tally.answered();
        writeln!(
            out,
            "{}: {} of {answered} answers equal, {sample} in the sample",
            Printable(&self.advisor),
            tally.equal
        )?;
        for difference in tally.different.iter().take(SHOWN) {
            if let Ok(live) = &difference.live {
                let prompt = difference.prompt.to_string();
                writeln!(out, "  prompt {}: {}", &prompt[..12], differing(&difference.recorded, live))?;
            }
        }
        Ok(())
    }
}

impl Tally {
    fn take(&mut self, difference: Difference) {
        match difference.live {
            Ok(_) => self.different.push(difference),
            Err(_) => self.unanswered += 1,
        }
    }

    fn answered(&self) -> usize {
        self.equal + self.different.len()
    }
}

/// What the sample takes, by the recorded counts of tokens where all of them are known.
fn estimate(model: &str, answers: &Answers, sample: &[Request]) -> Estimate {
    let guess = Estimate::of(model, sample);
    let counts = sample.iter().map(|request| answers.get(request)?.utterance.request_tokens.map(u64::from));
    let counted: Option<u64> = counts.sum();
    let recorded = |tokens: Tokens| Tokens { request: counted.unwrap_or(tokens.request), ..tokens };
    Estimate { tokens: guess.tokens.map(recorded), ..guess }
}

/// In which words two answers differ, or in which scores.
fn differing(recorded: &Utterance, live: &Utterance) -> String {
    // What a model wrote may hold anything, and is shown in one line.
    let quoted = |utterance: &Utterance| format!("`{}`", utterance.text.escape_debug());
    if recorded.text != live.text {
        return format!("recorded {}, now {}", quoted(recorded), quoted(live));
    }
    let scores = |utterance: &Utterance| match &utterance.scores {
        None => "no scores".to_owned(),
        Some(scores) => {
            let shown = |score: &WordScore| format!("{} {}", score.word.escape_debug(), score.probability);
            scores.iter().map(shown).collect::<Vec<_>>().join(", ")
        }
    };
    format!("{} both times; scores recorded {}; now {}", quoted(live), scores(recorded), scores(live))
}
