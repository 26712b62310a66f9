//! Live models for a study. Every answer is in the run's folder, under `answers`, before the next question is asked, so that a run
//! that stops pays for nothing twice, and an audit can play its cells again.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use counsel_advisor::AdvisorName;
use counsel_experiment::{Library, LiveModel, PlannedCell};
use counsel_transcript::{Advisor, Answers, Journal, Prompts, Shelf, Transcript, journal_name};

use crate::advisor::{Estimate, Voice, phrasing, requests, tasks, today};

/// Where the answers of a run in this folder lie.
fn folder(run: &Path) -> PathBuf {
    run.join("answers")
}

/// The advisors of a run in this folder, asked through this voice. The words of recorded answers are cited where they agree.
pub(crate) fn library(voice: &Voice, recorded: Shelf, run: &Path) -> Library {
    let (answers, stop_after) = (folder(run), voice.remote.base_url.as_ref().map(|_| voice.remote.stop_after));
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
    Library::live(recorded, Box::new(open), None)
}

/// What these cells may ask of each model at most: every question of their tasks that has no answer in the folder. Where a
/// template's questions cannot be listed, no more than so many calls.
pub(crate) fn estimates<'a>(
    due: impl Iterator<Item = &'a PlannedCell>,
    run: &Path,
    most_calls: u64,
) -> Result<Vec<Estimate>> {
    let mut asked: BTreeSet<(AdvisorName, Option<String>)> = BTreeSet::new();
    for cell in due {
        let task = cell.spec.get("task").and_then(|task| task.as_str()).map(str::to_owned);
        asked.extend(cell.scenario.models().into_iter().map(|advisor| (advisor, task.clone())));
    }
    let heard = counsel_transcript::journals(&folder(run))?;
    let mut estimates = Vec::new();
    for (name, task) in asked {
        let tasks = tasks(&name, task.as_slice())?;
        let Ok(mut open) = requests(&name, &tasks, None) else {
            estimates.push(Estimate::unlisted(&name.model, most_calls));
            continue;
        };
        let answers = heard.iter().filter(|heard| heard.advisor().name() == name);
        answers.for_each(|answers| open.retain(|request| answers.get(request).is_none()));
        estimates.push(Estimate::of(&name.model, &open));
    }
    Ok(estimates)
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
