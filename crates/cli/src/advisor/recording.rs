//! A recording: the questions of an advisor that have no answer yet, and how they get one.
//!
//! Invariant: an answer is in the journal before the next turn of questions begins, so nothing is paid for twice.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use counsel_advisor::{AdvisorName, Identity, LanguageModel, Outage, Request, Utterance};
use counsel_transcript::{
    Answers, Error, Journal, Prompts, RecordedAdvisor, Shelf, Transcript, journal_name, packed_name,
};
use indicatif::{ProgressBar, ProgressStyle};

use super::consent::Estimate;
use super::model::Voice;
use super::record::{phrasing, requests};
use super::today::today;
use super::turns::Turns;
use crate::interrupt;

/// Who is asked, and where the answers go.
pub(crate) struct Recorder<'a> {
    pub(crate) voice: &'a Voice,
    pub(crate) turns: &'a Turns,
    /// The model's file, if it is not a known model.
    pub(crate) file: Option<&'a str>,
    /// The folder of transcripts.
    pub(crate) out: &'a Path,
    pub(crate) prompts: Prompts,
}

/// The questions of one advisor.
pub(crate) struct Recording<'a> {
    recorder: &'a Recorder<'a>,
    name: &'a AdvisorName,
    /// The model as it is asked for.
    asked: &'a str,
    requests: Vec<Request>,
    unanswered: Vec<Request>,
    answers: Answers,
    transcript: Transcript,
    packed: PathBuf,
    journal: PathBuf,
}

impl<'a> Recorder<'a> {
    /// Opens the model and finds out what it has not answered yet. Nothing is asked.
    pub(crate) fn open(&'a self, name: &'a AdvisorName, tasks: &[&str]) -> Result<Recording<'a>> {
        let edition = phrasing(name, tasks[0])?.edition();
        let shelf = Shelf::at(self.out);
        let requests = requests(name, tasks, Some(&shelf))?;
        let decoding = &requests.first().ok_or_else(|| anyhow!("{name} has no prompts"))?.decoding;
        let asked = self.file.unwrap_or(&name.model);
        let model = Named::new(self.voice.open_for(asked, self.turns.at_once.get())?, &name.model);
        let advisor = RecordedAdvisor::new(model.identity().clone(), (&edition).into(), decoding);
        let packed = self.out.join(packed_name(name));
        let base = match shelf.open(name) {
            // Nothing is lost of a file that holds nothing.
            Err(Error::Unrecorded { .. } | Error::Empty { .. }) => Answers::of(advisor.clone()),
            found => found?,
        };
        let journal_file = self.out.join(journal_name(&advisor));
        let journal = Journal::open(&journal_file, &advisor, self.prompts)?;
        let mut answers = base.clone();
        let transcript = Transcript::record_beside(base, journal, Box::new(model), today())
            .with_context(|| format!("{} holds the answers of another model; move it away", packed.display()))?;
        if let Some(journal) = transcript.journal() {
            answers.merge(journal.answers())?;
        }
        let unanswered = requests.iter().filter(|request| answers.get(request).is_none()).cloned().collect();
        let (recorder, journal) = (self, journal_file);
        Ok(Recording { recorder, name, asked, requests, unanswered, answers, transcript, packed, journal })
    }
}

impl Recording<'_> {
    /// How many questions have no answer.
    pub(crate) fn unanswered(&self) -> usize {
        self.unanswered.len()
    }

    /// Gets agreement to the cost, asks, and packs what was answered. Fails if a question is left without an answer.
    pub(crate) fn make(self) -> Result<()> {
        let Self { recorder, name, asked, requests, unanswered, answers: mut all, mut transcript, packed, journal } =
            self;
        let Recorder { voice, turns, prompts, .. } = recorder;
        voice.remote.consent(&[Estimate::of(asked, &unanswered)])?;
        let bar = ProgressBar::new(requests.len() as u64);
        if let Ok(style) = ProgressStyle::with_template("{msg} {bar:30} {pos}/{len} prompts, about {eta} left") {
            bar.set_style(style);
        }
        bar.set_message(name.to_string());
        bar.set_position((requests.len() - unanswered.len()) as u64);
        let mut first = None;
        let stopped = turns.take(voice, &unanswered, |some| {
            let _kept = interrupt::hold_off();
            let told = transcript.told(some).into_iter().map(Result::err).collect::<Vec<_>>();
            bar.inc(some.len() as u64);
            first = first.take().or_else(|| told.iter().flatten().next().cloned());
            told
        });
        bar.finish_and_clear();
        // What other processes recorded meanwhile is packed, too.
        all.merge(&Journal::read(&journal)?.0)?;
        let lacking = requests.iter().filter(|request| all.get(request).is_none()).count();
        let all = if *prompts == Prompts::Digested { all.digested() } else { all };
        // A transcript without answers would only stand in the way of the next recording.
        if !all.is_empty() {
            all.save(&packed)?;
        }
        let mut out = std::io::stdout().lock();
        writeln!(out, "{name}: {} prompts, {} answers in {}", requests.len(), all.len(), packed.display())?;
        voice.remote.tell_paid(asked)?;
        let Some(why) = stopped.or_else(|| first.map(|outage| format!("the first because: {outage}"))) else {
            return Ok(());
        };
        bail!("{lacking} of {} prompts of {name} have no answer: {why}; running again asks only those", requests.len())
    }
}

/// A model under the name that its advisor has: a file is known by its own name otherwise.
struct Named {
    model: Box<dyn LanguageModel + Send>,
    identity: Identity,
}

impl Named {
    fn new(model: Box<dyn LanguageModel + Send>, name: &str) -> Self {
        let identity = Identity { model: name.to_owned(), ..model.identity().clone() };
        Self { model, identity }
    }
}

impl LanguageModel for Named {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn answer(&mut self, requests: &[Request]) -> Vec<Result<Utterance, Outage>> {
        self.model.answer(requests)
    }
}
