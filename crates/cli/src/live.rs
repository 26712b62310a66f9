//! Live models for a study. Every answer is in the run's folder, under `live`, before the next question is asked, so that a run
//! that stops pays for nothing twice, and an audit can play its cells again.

use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use counsel_advisor::AdvisorName;
use counsel_experiment::{Library, LiveModel};
use counsel_transcript::{Advisor, Answers, Journal, Prompts, Shelf, Transcript, journal_name};

use crate::advisor::{Voice, phrasing, tasks, today};

/// Where the answers of a run in this folder lie.
fn folder(run: &Path) -> PathBuf {
    run.join("live")
}

/// The advisors of a run in this folder, asked through this voice. The words of recorded answers are cited where they agree.
pub(crate) fn library(voice: &Voice, recorded: Shelf, run: &Path) -> Library {
    let (answers, stop_after) = (folder(run), voice.remote.stop_after);
    let voice = voice.clone();
    let open = move |name: &AdvisorName| model(&voice, name, &answers).map_err(|error| format!("{error:#}"));
    Library::live(recorded, Box::new(open), stop_after)
}

/// The same advisors again, as they answered in this folder.
pub(crate) fn library_again(recorded: Shelf, run: &Path) -> Library {
    let answers = folder(run);
    let open = move |name: &AdvisorName| -> Result<LiveModel, String> {
        let heard = heard(name, &answers).map_err(|error| format!("{error:#}"))?;
        Ok(Box::new(Transcript::replay(heard)))
    };
    Library::live(recorded, Box::new(open), NonZeroU64::MAX)
}

/// The model of an advisor, with a journal of its answers.
fn model(voice: &Voice, name: &AdvisorName, answers: &Path) -> Result<LiveModel> {
    let model = voice.open(&name.model)?;
    let phrasing = phrasing(name, tasks(name, &[])?[0])?;
    let decoding = phrasing.decoding(&name.decoding)?;
    let advisor = Advisor::new(model.identity().clone(), (&phrasing.edition()).into(), &decoding);
    let journal = Journal::open(answers.join(journal_name(&advisor)), &advisor, Prompts::Kept)?;
    Ok(Box::new(Transcript::record(journal, model, today())?))
}

/// What an advisor answered in this folder.
fn heard(name: &AdvisorName, answers: &Path) -> Result<Answers> {
    let journals = counsel_transcript::journals(answers)?;
    let of_advisor = journals.into_iter().find(|heard| heard.advisor().name() == *name);
    of_advisor.with_context(|| format!("{} has no answers of {name}; run the study again", answers.display()))
}
