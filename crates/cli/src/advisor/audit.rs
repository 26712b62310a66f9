//! `counsel advisor audit`: recorded answers against the optimal actions.

use std::io::Write;
use std::num::NonZeroUsize;

use anyhow::{Result, bail};
use clap::Args;
use counsel_advisor::appraisal::{Appraisal, Panel, Sample, Share, appraise};
use counsel_advisor::{AdvisorName, Narrator, Phrasing, Variant};
use counsel_decision::Seed;
use counsel_report::{Column, Entry, Rank, Table, Traces};
use counsel_stats::clopper_pearson;
use counsel_transcript::{Shelf, Transcript};

use super::record::{phrasing, requests, tasks};
use super::recorded::Recorded;
use crate::look::TableOptions;

/// Compare recorded answers with the optimal actions: a table per advisor and task.
///
/// One moment of each of many episodes (64 steps, a random walk of left, right and forward) is shown to the advisor; its
/// answer is right if it is one of the optimal actions. After a wrong answer the question is put again in the same words, in
/// other words and with the answer that did not help, where those were recorded. Success is that of episodes in which every
/// answer is obeyed. No model is needed.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel advisor audit
  counsel advisor audit qwen2.5-coder-0.5b/abstract/scored --task GoToObj --format markdown")]
pub(crate) struct Audit {
    /// The advisors: model/template/decoding [default: all that are recorded]
    #[arg(value_name = "ADVISOR")]
    advisors: Vec<AdvisorName>,
    /// A task; may be given several times [default: those that were recorded completely]
    #[arg(long = "task", value_name = "TASK")]
    tasks: Vec<String>,
    /// Moments, and as many episodes
    #[arg(long, value_name = "N", default_value_t = MOMENTS, value_parser = crate::amount::many)]
    moments: NonZeroUsize,
    /// The seed of moments and episodes
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    shelf: Recorded,
    #[command(flatten)]
    look: TableOptions,
}

impl Audit {
    pub(crate) fn run(&self) -> Result<()> {
        let shelf = self.shelf.open();
        let advisors = if self.advisors.is_empty() { self.recorded(&shelf) } else { self.advisors.clone() };
        if advisors.is_empty() {
            bail!("there are no transcripts; record some with `counsel advisor record`");
        }
        // A name that no world knows is refused before anything is appraised.
        advisors.iter().try_for_each(|name| counsel_experiment::narrator_of(&name.template).map(drop))?;
        let mut tables = Vec::new();
        for world in counsel_experiment::narrators() {
            let names = || world.templates().into_iter().map(|edition| edition.name);
            let here: Vec<&AdvisorName> =
                advisors.iter().filter(|advisor| names().any(|name| name == advisor.template)).collect();
            if !here.is_empty() {
                tables.push(self.table(&shelf, world, &here)?);
            }
        }
        write!(std::io::stdout().lock(), "{}", self.look.view(Traces::Hidden).render(&tables)?)?;
        Ok(())
    }

    /// The recorded advisors, of the worlds that have the tasks; all of them where no world has, so that a message says so.
    fn recorded(&self, shelf: &Shelf) -> Vec<AdvisorName> {
        let all = first_questions(shelf);
        let told: Vec<AdvisorName> = all.iter().filter(|name| tasks(name, &self.tasks).is_ok()).cloned().collect();
        if told.is_empty() { all } else { told }
    }

    /// The advisors of one world.
    fn table(&self, shelf: &Shelf, world: &dyn Narrator, advisors: &[&AdvisorName]) -> Result<Table> {
        let mut table = blank(world, self.moments.get());
        for &name in advisors {
            for task in tasks(name, &self.tasks)? {
                if let Some(appraisal) = self.appraise(shelf, name, task)? {
                    table.push(row(name, task, &appraisal)?)?;
                }
            }
        }
        Ok(table)
    }

    /// The appraisal, or none if the task was not recorded completely and need not be.
    fn appraise(&self, shelf: &Shelf, name: &AdvisorName, task: &str) -> Result<Option<Appraisal>> {
        let missing = shelf.open(name)?.missing(&requests(name, &[task], Some(shelf))?).len();
        let is_wanted = missing == 0 || !self.tasks.is_empty();
        is_wanted.then(|| appraised(shelf, name, task, self.moments, self.seed)).transpose()
    }
}

/// Moments, and as many episodes, unless another number is asked for.
pub(crate) const MOMENTS: NonZeroUsize = NonZeroUsize::new(1000).unwrap();

/// How good the recorded answers of an advisor are on a task, of which all must be recorded.
pub(crate) fn appraised(
    shelf: &Shelf,
    name: &AdvisorName,
    task: &str,
    moments: NonZeroUsize,
    seed: u64,
) -> Result<Appraisal> {
    let answers = shelf.open(name)?;
    answers.require(&requests(name, &[task], Some(shelf))?)?;
    let mut first = Transcript::replay(answers);
    let again = |variant: &str| asking_again(shelf, name, task, variant);
    let (mut paraphrase, mut repair) = (again("paraphrase"), again("repair"));
    let mut panel = Panel::new(phrasing(name, task)?.as_ref(), &name.decoding, &mut first)?;
    let mut paraphrase = paraphrase
        .as_mut()
        .map(|(phrasing, model)| Panel::new(phrasing.as_ref(), &name.decoding, model))
        .transpose()?;
    let mut repair =
        repair.as_mut().map(|(phrasing, model)| Panel::new(phrasing.as_ref(), &name.decoding, model)).transpose()?;
    let world = counsel_experiment::narrator_of(&name.template)?;
    let seed = Seed::root(seed).stream("advisor audit").stream(task);
    let sample = Sample { world, task, count: moments.get(), seed };
    Ok(appraise(sample, &mut panel, paraphrase.as_mut(), repair.as_mut())?)
}

/// The advisor that puts the question again, where it was recorded for all of the task's prompts.
fn asking_again(
    shelf: &Shelf,
    name: &AdvisorName,
    task: &str,
    variant: &str,
) -> Option<(Box<dyn Phrasing>, Transcript)> {
    let name = AdvisorName { template: format!("{}-{variant}", name.template), ..name.clone() };
    let phrasing = phrasing(&name, task).ok()?;
    let answers = shelf.open(&name).ok()?;
    let requests = requests(&name, &[task], Some(shelf)).ok()?;
    answers.missing(&requests).is_empty().then(|| (phrasing, Transcript::replay(answers)))
}

/// The recorded advisors whose templates do not ask again.
fn first_questions(shelf: &Shelf) -> Vec<AdvisorName> {
    let asks_first = |name: &AdvisorName| {
        let asked = tasks(name, &[]).and_then(|tasks| phrasing(name, tasks[0]));
        asked.is_ok_and(|phrasing| phrasing.variant() == Variant::Identical)
    };
    shelf.names().into_iter().filter(asks_first).collect()
}

fn blank(world: &dyn Narrator, moments: usize) -> Table {
    let columns = [
        Column::left("advisor"),
        Column::left("task"),
        Column::right("right").ranked(Rank::Main),
        Column::right("right, in view"),
        Column::right("right, not in view"),
        Column::right("unusable").ranked(Rank::Next),
        Column::right("success").ranked(Rank::Main),
        Column::right("again: same"),
        Column::right("again: paraphrase"),
        Column::right("again: repair"),
        Column::left("answers").ranked(Rank::Detail),
        Column::right("tokens"),
        Column::right("ms"),
    ];
    let title = format!("Recorded advisors against the optimal actions of {}", world.world());
    let mut table = Table::new("advisors", title, columns);
    table.notes = vec![
        format!(
            "{moments} moments and {moments} episodes of {} steps per row; shares in %, [95 % Clopper-Pearson interval].",
            world.horizon()
        ),
        "again: wrong answers that are followed by another wrong one when the question is put again.".into(),
        "tokens: sent + received, mean; ms: mean latency when recorded.".into(),
    ];
    table
}

fn row(name: &AdvisorName, task: &str, appraisal: &Appraisal) -> Result<Vec<Entry>> {
    let cost = appraisal.cost;
    let tokens = match (cost.request_tokens, cost.response_tokens) {
        (Some(sent), Some(received)) => Entry::text(format!("{sent:.0} + {received:.1}")),
        _ => Entry::not_logged(),
    };
    let repeats = appraisal.repeats;
    let again = |share: Option<Share>| share.map_or_else(Entry::not_logged, percent);
    Ok(vec![
        Entry::text(name.to_string()),
        Entry::text(task),
        interval(appraisal.visible.and(appraisal.hidden))?,
        interval(appraisal.visible)?,
        percent(appraisal.hidden),
        percent(appraisal.unusable),
        interval(appraisal.success)?,
        percent(repeats.identical),
        again(repeats.paraphrase),
        again(repeats.repair),
        Entry::text(distribution(&appraisal.answers, phrasing(name, task)?.parser().words())),
        tokens,
        cost.latency_ms.map_or_else(Entry::not_logged, |ms| Entry::number(ms, 0)),
    ])
}

/// A share in percent.
fn percent(share: Share) -> Entry {
    share.rate().map_or_else(Entry::not_applicable, |rate| Entry::number(100.0 * rate, 1))
}

/// A share in percent, with its interval.
pub(crate) fn interval(share: Share) -> Result<Entry> {
    let Some(rate) = share.rate() else { return Ok(Entry::not_applicable()) };
    let interval = clopper_pearson(share.hits, share.total, 0.95)?;
    Ok(Entry::text(format!("{:.1} [{:.0}, {:.0}]", 100.0 * rate, 100.0 * interval.low, 100.0 * interval.high)))
}

/// The responses from the most frequent to the least, those that came.
fn distribution(answers: &[usize], words: &[String]) -> String {
    let words = words.iter().map(String::as_str).chain(["unusable"]);
    let total: usize = answers.iter().sum();
    let mut counted: Vec<(usize, &str)> = answers.iter().copied().zip(words).filter(|(count, _)| *count > 0).collect();
    counted.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
    let shares = counted.iter().map(|(count, word)| format!("{word} {:.0}", 100.0 * *count as f64 / total as f64));
    shares.collect::<Vec<_>>().join(", ")
}
