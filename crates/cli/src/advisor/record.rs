//! `counsel advisor record`: the answers to every prompt of a template.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use counsel_advisor::{AdvisorName, Decoding, Enumeration, LanguageModel, Phrasing, Prompt, Request, Variant};
use counsel_decision::{Reply, Response};
use counsel_transcript::{
    Answers, Error, Journal, Prompts, RecordedAdvisor, Shelf, Transcript, journal_name, packed_name,
};
use indicatif::{ProgressBar, ProgressStyle};

use super::consent::Estimate;
use super::model::Voice;
use super::today::today;
use super::turns::Turns;
use crate::interrupt;

/// Record the answers to every prompt of a template; running again resumes.
///
/// Every prompt that an episode of the tasks can ever produce is asked once. An answer is in the journal before the next
/// question is asked, and at the end in one packed file per advisor, from which studies replay without any model. An
/// endpoint needs a budget and your agreement to the cost; what no further question could mend stops the recording at once. A template that asks again after an
/// answer (`plain-repair`) needs the transcript of the template it repairs (`plain`).
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel advisor record qwen2.5-coder-0.5b/abstract/scored
  counsel advisor record smollm2-135m/plain/generate --task GoToObj --out my-transcripts")]
pub(crate) struct Record {
    /// The advisors: model/template/decoding
    #[arg(required = true, value_name = "ADVISOR")]
    advisors: Vec<AdvisorName>,
    /// A task whose prompts to record; may be given several times [default: all five]
    #[arg(long = "task", value_name = "TASK")]
    tasks: Vec<String>,
    /// The folder of transcripts
    #[arg(long, value_name = "FOLDER", default_value = "transcripts")]
    out: PathBuf,
    /// The model's file, if it is not a known model
    #[arg(long, value_name = "FILE")]
    file: Option<String>,
    /// Store the digests of prompts instead of their texts
    #[arg(long)]
    digests_only: bool,
    #[command(flatten)]
    turns: Turns,
    #[command(flatten)]
    voice: Voice,
}

impl Record {
    pub(crate) fn run(&self) -> Result<()> {
        self.voice.remote.require_budget("recording from")?;
        self.voice.remote.keep_ledger_in(&self.out);
        interrupt::explain("what was answered is kept; the same command goes on from there");
        // What is asked is settled for all advisors before the first model is opened.
        for name in &self.advisors {
            requests(name, &tasks(name, &self.tasks)?, None)?;
        }
        self.advisors.iter().try_for_each(|name| self.record(name))
    }

    fn record(&self, name: &AdvisorName) -> Result<()> {
        let tasks = tasks(name, &self.tasks)?;
        let edition = phrasing(name, tasks[0])?.edition();
        let shelf = Shelf::at(&self.out);
        let requests = requests(name, &tasks, Some(&shelf))?;
        let decoding = &requests.first().ok_or_else(|| anyhow!("{name} has no prompts"))?.decoding;
        let asked = self.file.as_deref().unwrap_or(&name.model);
        let model = self.voice.open_for(asked, self.turns.at_once.get())?;
        let model = Named::new(model, &name.model);
        let advisor = RecordedAdvisor::new(model.identity().clone(), (&edition).into(), decoding);
        let packed = self.out.join(packed_name(name));
        let base = match shelf.open(name) {
            // Nothing is lost of a file that holds nothing.
            Err(Error::Unrecorded { .. } | Error::Empty { .. }) => Answers::of(advisor.clone()),
            found => found?,
        };
        let prompts = if self.digests_only { Prompts::Digested } else { Prompts::Kept };
        let journal_file = self.out.join(journal_name(&advisor));
        let journal = Journal::open(&journal_file, &advisor, prompts)?;
        let mut all = base.clone();
        let mut transcript = Transcript::record_beside(base, journal, Box::new(model), today())
            .with_context(|| format!("{} holds the answers of another model; move it away", packed.display()))?;
        if let Some(journal) = transcript.journal() {
            all.merge(journal.answers())?;
        }
        let unanswered: Vec<Request> = requests.iter().filter(|request| all.get(request).is_none()).cloned().collect();
        self.voice.remote.consent(&[Estimate::of(asked, &unanswered)])?;
        let bar = ProgressBar::new(requests.len() as u64);
        if let Ok(style) = ProgressStyle::with_template("{msg} {bar:30} {pos}/{len} prompts, about {eta} left") {
            bar.set_style(style);
        }
        bar.set_message(name.to_string());
        bar.set_position((requests.len() - unanswered.len()) as u64);
        let mut first = None;
        let stopped = self.turns.take(&self.voice, &unanswered, |some| {
            let _kept = interrupt::hold_off();
            let told = transcript.told(some).into_iter().map(Result::err).collect::<Vec<_>>();
            bar.inc(some.len() as u64);
            first = first.take().or_else(|| told.iter().flatten().next().cloned());
            told
        });
        bar.finish_and_clear();
        // What other processes recorded meanwhile is packed, too.
        all.merge(&Journal::read(&journal_file)?.0)?;
        let lacking = requests.iter().filter(|request| all.get(request).is_none()).count();
        let all = if self.digests_only { all.digested() } else { all };
        // A transcript without answers would only stand in the way of the next recording.
        if !all.is_empty() {
            all.save(&packed)?;
        }
        let mut out = std::io::stdout().lock();
        writeln!(out, "{name}: {} prompts, {} answers in {}", requests.len(), all.len(), packed.display())?;
        self.voice.remote.tell_paid(asked)?;
        let Some(why) = stopped.or_else(|| first.map(|outage| format!("the first because: {outage}"))) else {
            return Ok(());
        };
        bail!("{lacking} of {} prompts of {name} have no answer: {why}; running again asks only those", requests.len())
    }
}

/// The tasks of these names in the advisor's world; all of them if there are none. There is at least one.
pub(crate) fn tasks(name: &AdvisorName, names: &[String]) -> Result<Vec<&'static str>> {
    let world = counsel_experiment::narrator_of(&name.template)?;
    match names {
        [] => Ok(world.tasks()),
        names => Ok(names.iter().map(|name| world.task(name)).collect::<Result<_, _>>()?),
    }
}

/// The advisor's template, bound to a task of its world.
pub(crate) fn phrasing(name: &AdvisorName, task: &str) -> Result<Box<dyn Phrasing>> {
    Ok(counsel_experiment::narrator_of(&name.template)?.phrasing(task, &name.template)?)
}

/// Every distinct request of an advisor in these tasks. Without transcripts, only whether they can be listed.
pub(crate) fn requests(name: &AdvisorName, tasks: &[&str], transcripts: Option<&Shelf>) -> Result<Vec<Request>> {
    let mut seen = BTreeSet::new();
    let mut requests = Vec::new();
    for &task in tasks {
        let phrasing = phrasing(name, task)?;
        let decoding = phrasing.decoding(&name.decoding)?;
        let listed = match (phrasing.variant(), transcripts) {
            (Variant::Repair, Some(shelf)) => after_answers(phrasing.as_ref(), name, task, &decoding, shelf)?,
            _ => phrasing.enumerate(),
        };
        let Enumeration::Closed(prompts) = listed else {
            bail!(
                "the prompts of `{}` tell of everything in view and cannot be listed; record another template",
                name.template
            );
        };
        let taken = serde_json::to_string(&decoding)?;
        for prompt in prompts {
            if seen.insert((prompt.digest(), taken.clone())) {
                requests.push(Request { prompt, decoding: decoding.clone() });
            }
        }
    }
    Ok(requests)
}

/// The prompts that follow upon the recorded answers of the template that is repaired.
fn after_answers(
    phrasing: &dyn Phrasing,
    name: &AdvisorName,
    task: &str,
    decoding: &Decoding,
    shelf: &Shelf,
) -> Result<Enumeration> {
    let repaired = name.template.trim_end_matches("-repair").to_owned();
    let repaired = AdvisorName { template: repaired, ..name.clone() };
    let answers = shelf.open(&repaired)?;
    let parser = phrasing.parser();
    let mut absent = 0;
    let listed = phrasing.enumerate_after(&mut |prompt: &Prompt| {
        let request = Request { prompt: prompt.clone(), decoding: decoding.clone() };
        match answers.get(&request) {
            Some(entry) => parser.parse(&Reply::simulated(entry.utterance.text.as_str())),
            None => {
                absent += 1;
                Response::Unusable
            }
        }
    });
    if absent > 0 {
        bail!("{repaired} has no answer to {absent} prompts of {task}; record it for this task first");
    }
    Ok(listed)
}

/// A model under the name that its advisor has: a file is known by its own name otherwise.
struct Named {
    model: Box<dyn LanguageModel + Send>,
    identity: counsel_advisor::Identity,
}

impl Named {
    fn new(model: Box<dyn LanguageModel + Send>, name: &str) -> Self {
        let identity = counsel_advisor::Identity { model: name.to_owned(), ..model.identity().clone() };
        Self { model, identity }
    }
}

impl LanguageModel for Named {
    fn identity(&self) -> &counsel_advisor::Identity {
        &self.identity
    }

    fn answer(&mut self, requests: &[Request]) -> Vec<Result<counsel_advisor::Utterance, counsel_advisor::Outage>> {
        self.model.answer(requests)
    }
}
