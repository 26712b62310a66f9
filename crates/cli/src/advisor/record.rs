//! `counsel advisor record`: the answers to every prompt of a template.

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use counsel_advisor::{AdvisorName, Decoding, Enumeration, Phrasing, Prompt, Request, Variant};
use counsel_decision::{Reply, Response};
use counsel_transcript::{Prompts, Shelf};

use super::model::Voice;
use super::recording::Recorder;
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
        let recorder = Recorder {
            voice: &self.voice,
            turns: &self.turns,
            file: self.file.as_deref(),
            out: &self.out,
            prompts: if self.digests_only { Prompts::Digested } else { Prompts::Kept },
        };
        self.advisors.iter().try_for_each(|name| recorder.open(name, &tasks(name, &self.tasks)?)?.make())
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
