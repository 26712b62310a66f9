//! Where the answers of a run come from: recorded ones, or live models. Every live answer is in the run's folder, under
//! `answers`, before the next question is asked, so that a run that stops pays for nothing twice, and an audit can play its
//! cells again.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use counsel_advisor::{AdvisorName, Identity, LanguageModel, Outage, Request, Utterance};
use counsel_experiment::{Library, LiveModel, PlannedCell};
use counsel_log::AnswersFrom;
use counsel_transcript::{Answers, Journal, Prompts, RecordedAdvisor, Shelf, Transcript, journal_name};

use crate::advisor::{Estimate, Recorded, Voice, phrasing, requests, tasks, today};
use crate::{coverage, interrupt, relay};

/// Where the answers of a run come from.
#[derive(Debug, Args)]
pub(crate) struct AnswerSource {
    #[command(flatten)]
    recorded: Recorded,
    /// Also ask the model itself each distinct question, and use its answer if it differs from the recorded one
    #[arg(long)]
    live: bool,
    /// Leave the asking to another program: questions go to standard output, a line each, and answers come from standard input
    #[arg(long, requires = "live", conflicts_with = "dry_run")]
    relay: bool,
    #[command(flatten)]
    voice: Voice,
}

impl AnswerSource {
    /// The same as a manifest says it. What only live models need is refused without them.
    pub(crate) fn answers(&self) -> Result<AnswersFrom> {
        let remote = &self.voice.remote;
        match (&remote.base_url, self.live) {
            (Some(url), true) => {
                // Who asks has the budget.
                if !self.relay {
                    remote.require_budget("--live answers from")?;
                }
                Ok(AnswersFrom::Live(url.clone()))
            }
            (None, true) => Ok(AnswersFrom::Live("models in this process".into())),
            (Some(_), false) => bail!("--base-url is for live answers; add --live, or leave it out"),
            (None, false) => Ok(AnswersFrom::Recorded),
        }
    }

    /// The advisors of a run in this folder.
    pub(crate) fn library(&self, run: &Path) -> Library {
        let recorded = self.recorded.open();
        match (self.live, self.relay) {
            (false, _) => Library::recorded(recorded),
            (true, false) => {
                self.voice.remote.keep_ledger_in(run);
                library(&self.voice, recorded, run)
            }
            (true, true) => relay::library(&self.voice.remote, recorded),
        }
    }

    /// Refuses cells whose questions have no recorded answer, where recorded answers are all that they get.
    pub(crate) fn require<'a>(&self, due: impl Iterator<Item = &'a PlannedCell>) -> Result<()> {
        if self.live { Ok(()) } else { coverage::require(&self.recorded.open(), due) }
    }

    /// Gets agreement to what these cells may cost in this folder, where this process pays.
    pub(crate) fn consent<'a>(&self, due: impl Iterator<Item = &'a PlannedCell>, run: &Path) -> Result<()> {
        match self.voice.remote.budget {
            Some(budget) if self.live && !self.relay => self.voice.remote.consent(&estimates(due, run, budget)?),
            _ => Ok(()),
        }
    }

    /// Whether models are asked now.
    pub(crate) fn is_live(&self) -> bool {
        self.live
    }

    /// Whether another program asks them.
    pub(crate) fn is_relayed(&self) -> bool {
        self.relay
    }
}

/// Where the answers of a run in this folder lie.
fn folder(run: &Path) -> PathBuf {
    run.join("answers")
}

/// The advisors of a run in this folder, asked through this voice. The words of recorded answers are cited where they agree.
fn library(voice: &Voice, recorded: Shelf, run: &Path) -> Library {
    let (voice, run, stop_after) = (voice.clone(), run.to_owned(), voice.remote.patience());
    let open = move |name: &AdvisorName| model(&voice, name, &run).map_err(|error| format!("{error:#}"));
    Library::live(recorded, Box::new(open), stop_after)
}

/// The same advisors again, as they answered in this folder.
pub(crate) fn library_again(recorded: Shelf, run: &Path) -> Library {
    let answers = folder(run);
    let open = move |name: &AdvisorName| -> Result<LiveModel, String> {
        let heard = heard(name, &answers).map_err(|error| format!("{error:#}"))?;
        Ok(Box::new(Transcript::replay(heard)))
    };
    Library::live(recorded, Box::new(open), None)
}

/// What these cells may ask of each model at most: every question of their tasks that has no answer in the folder. Where a
/// template's questions cannot be listed, at most this many calls.
fn estimates<'a>(due: impl Iterator<Item = &'a PlannedCell>, run: &Path, most_calls: u64) -> Result<Vec<Estimate>> {
    let heard = counsel_transcript::journals(&folder(run))?;
    let mut estimates = Vec::new();
    for (name, task) in coverage::asked(due)? {
        let Ok(mut open) = requests(&name, &[task], None) else {
            estimates.push(Estimate::unlisted(&name.model, most_calls));
            continue;
        };
        let answers = heard.iter().filter(|heard| heard.advisor().name() == name);
        answers.for_each(|answers| open.retain(|request| answers.get(request).is_none()));
        estimates.push(Estimate::of(&name.model, &open));
    }
    Ok(estimates)
}

/// The model of an advisor, with a journal of its answers in the run's folder.
pub(crate) fn model(voice: &Voice, name: &AdvisorName, run: &Path) -> Result<LiveModel> {
    let model = voice.open(&name.model)?;
    let phrasing = phrasing(name, tasks(name, &[])?[0])?;
    let decoding = phrasing.decoding(&name.decoding)?;
    let advisor = RecordedAdvisor::new(model.identity().clone(), (&phrasing.edition()).into(), &decoding);
    let journal = Journal::open(folder(run).join(journal_name(&advisor)), &advisor, Prompts::Kept)?;
    Ok(Box::new(Held(Transcript::record(journal, model, today())?)))
}

/// A model whose answers are kept before the command may be interrupted: they are paid for.
struct Held(Transcript);

impl LanguageModel for Held {
    fn identity(&self) -> &Identity {
        self.0.identity()
    }

    fn answer(&mut self, requests: &[Request]) -> Vec<Result<Utterance, Outage>> {
        let _kept = interrupt::hold_off();
        self.0.answer(requests)
    }
}

/// What an advisor answered in this folder.
fn heard(name: &AdvisorName, answers: &Path) -> Result<Answers> {
    let journals = counsel_transcript::journals(answers)?;
    let of_advisor = journals.into_iter().find(|heard| heard.advisor().name() == *name);
    of_advisor.with_context(|| {
        format!(
            "{} has no answers of {name}; audit the folder that asked for them, or run the study again",
            answers.display()
        )
    })
}
