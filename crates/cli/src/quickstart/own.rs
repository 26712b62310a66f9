//! A first look at a model of one's own: what it takes, its answers, and an agent that learns five tasks with and without it.

use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};
use counsel_advisor::AdvisorName;
use counsel_experiment::{Catalogue, Plan, PlannedCell, Wanted, narrator_of};
use counsel_file::Printable;
use counsel_log::Run;
use counsel_transcript::{Prompts, Shelf};

use super::worth::{ARMS, Look};
use super::{Quickstart, STUDY, counted, folder};
use crate::advisor::{Recorder, requests};
use crate::{interrupt, look};

/// About how long a seed takes on two cores with all tasks: before the first episode, and for each.
const SECONDS_BEFORE: f64 = 4.0;
const SECONDS_PER_EPISODE: f64 = 0.31;
/// The template of an advisor that does not name one: few prompts, so that all its answers can be had in minutes.
const TEMPLATE: &str = "abstract";

/// A task, and the block of the study in which it is learned.
pub(super) struct Place {
    pub(super) task: String,
    pub(super) block: String,
}

pub(super) fn run(quickstart: &Quickstart, named: &str) -> Result<()> {
    let name = advisor(named, quickstart.voice.remote.base_url.is_some())?;
    let (cells, places) = planned(quickstart, &name)?;
    interrupt::explain("what was answered and what was run is kept; the same command goes on from there");
    let out = quickstart.out.clone().unwrap_or_else(|| default_folder(&name));
    // A folder that cannot take the run is refused before anything is paid.
    let run = Run::at(out);
    run.lacking_sheets(cells.first().map(|cell| &*cell.sheet))?;
    let answers = answered(quickstart, &run, &name, &cells, &places)?;
    quickstart.play(cells, answers.clone(), &run)?;
    Look { quickstart, run: &run, name: &name, answers: &answers, places: &places }.show()
}

/// The advisor of this name, or the model of this name with the template and the decoding of a first look.
fn advisor(named: &str, is_remote: bool) -> Result<AdvisorName> {
    let parsed = named.parse::<AdvisorName>();
    // Two parts behind the model, the first a template, are meant as an advisor, be the second misspelt.
    let template = named.rsplit('/').nth(1);
    if parsed.is_ok() || template.is_some_and(|name| narrator_of(name).is_ok()) {
        return Ok(parsed?);
    }
    let decoding = if is_remote { "generate" } else { "scored" };
    Ok(AdvisorName { model: named.to_owned(), template: TEMPLATE.to_owned(), decoding: decoding.to_owned() })
}

/// The cells of the arms that are shown, in the first block of each task, and these blocks.
fn planned(quickstart: &Quickstart, name: &AdvisorName) -> Result<(Vec<PlannedCell>, Vec<Place>)> {
    let changes = quickstart.episodes.map(|count| format!("episodes={count}").parse()).transpose()?;
    let wanted = Wanted {
        seeds: Some(quickstart.seeds()),
        changes: changes.into_iter().collect(),
        advisor: Some(name.clone()),
        ..Wanted::default()
    };
    let mut cells = Vec::new();
    for study in Catalogue::embedded()?.select(&[STUDY.into()])? {
        cells.extend(Plan::of(&study, &wanted)?.into_cells());
    }
    let mut places: Vec<Place> = Vec::new();
    for cell in &cells {
        let task = cell.scenario.spec()["task"].as_str().unwrap_or_default();
        let (block, _) = cell.sheet.account.split(&cell.key.arm);
        if places.iter().all(|place| place.task != task) {
            places.push(Place { task: task.to_owned(), block: block.to_owned() });
        }
    }
    let is_shown = |cell: &PlannedCell| {
        places.iter().any(|place| ARMS.iter().any(|arm| cell.key.arm == folder(&place.block, arm)))
    };
    cells.retain(is_shown);
    Ok((cells, places))
}

/// Says what all of it takes, and gets the answers that are not recorded yet. Cells that are there were run on answers; where some are
/// lacking, those were others.
fn answered(
    quickstart: &Quickstart,
    run: &Run,
    name: &AdvisorName,
    cells: &[PlannedCell],
    places: &[Place],
) -> Result<Shelf> {
    let Quickstart { transcripts, turns, voice, .. } = quickstart;
    let tasks: Vec<&str> = places.iter().map(|place| place.task.as_str()).collect();
    let (own, remote) = (Shelf::at(transcripts), &voice.remote);
    let questions = requests(name, &tasks, Some(&own))?;
    let say = |asking: String| eprintln!("{}", look::lines(&introduction(quickstart, name, cells, &tasks, &asking)));
    if remote.base_url.is_none() {
        let is_whole = |shelf: &Shelf| shelf.open(name).is_ok_and(|answers| answers.missing(&questions).is_empty());
        if let Some(shelf) = [own.clone(), Shelf::embedded()].into_iter().find(is_whole) {
            say(format!("All {} questions have recorded answers: nothing is asked or paid", questions.len()));
            return Ok(shelf);
        }
    }
    remote.keep_ledger_in(transcripts);
    let mut voice = voice.clone();
    voice.remote = remote.budgeted_for(questions.len() as u64)?;
    let recorder = Recorder { voice: &voice, turns, file: None, out: transcripts, prompts: Prompts::Kept };
    let recording = recorder.open(name, &tasks).map_err(|error| match remote.base_url {
        Some(_) => error,
        None => anyhow!("{error:#}; a model behind an endpoint is asked with --base-url URL"),
    })?;
    let (left, each) = (recording.unanswered(), voice.seconds_per_question(&name.model)?);
    if left > 0 && cells.iter().any(|cell| run.cell(&cell.key).is_ok_and(|cell| cell.is_some())) {
        bail!("{} holds a run on other answers of {name}; pass another --out", run.root().display());
    }
    let (at_once, supposing) = match remote.base_url {
        Some(_) => (turns.at_once.get(), format!("if it answers in {each} s")),
        None => (1, "by the size of its file".to_owned()),
    };
    let unpriced = remote.base_url.is_some() && remote.price(&name.model)?.is_none();
    let money = if unpriced { "; --prices FILE tells what they cost in money" } else { "" };
    let takes = duration(each * left.div_ceil(at_once) as f64);
    say(format!("First, {left} of {} questions are put to it: {takes}, {supposing}{money}", questions.len()));
    recording.make()?;
    Ok(own)
}

/// What is about to be done, and how long it takes.
fn introduction(
    quickstart: &Quickstart,
    name: &AdvisorName,
    cells: &[PlannedCell],
    tasks: &[&str],
    asking: &str,
) -> String {
    let episodes = cells.first().and_then(|cell| cell.scenario.spec()["episodes"].as_u64()).unwrap_or_default();
    let seeds = quickstart.seeds().0.count();
    let seconds = (SECONDS_BEFORE + SECONDS_PER_EPISODE * episodes as f64) * seeds as f64;
    format!(
        "{} on {}: {}. {asking}. Then an agent learns each task with it and without it, on {} of {episodes} episodes: {} on two cores.",
        Printable(name),
        counted(tasks.len(), "BabyAI task"),
        tasks.join(", "),
        counted(seeds, "seed"),
        duration(seconds)
    )
}

/// Where the run goes if nobody says: beside that of the recorded model.
fn default_folder(name: &AdvisorName) -> PathBuf {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
    let name: String = name.to_string().chars().map(|letter| if is_plain(letter) { letter } else { '-' }).collect();
    format!("runs/quickstart-{name}").into()
}

/// A duration in words.
fn duration(seconds: f64) -> String {
    let (count, unit) = if seconds < 100.0 { (seconds, "second") } else { (seconds / 60.0, "minute") };
    format!("about {:.0} {unit}s", count.ceil().max(2.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_alone_gets_template_and_decoding_and_a_misspelt_advisor_is_no_model() {
        let named = |text: &str, is_remote| advisor(text, is_remote).map(|name| name.to_string()).map_err(drop);
        for (text, is_remote, name) in [
            ("m", true, "m/abstract/generate"),
            ("m", false, "m/abstract/scored"),
            ("owner/m", true, "owner/m/abstract/generate"),
            ("models/m.gguf", false, "models/m.gguf/abstract/scored"),
            ("a/b/c", true, "a/b/c/abstract/generate"),
            ("m/plain/scored", true, "m/plain/scored"),
        ] {
            assert_eq!(named(text, is_remote).as_deref(), Ok(name));
        }
        assert_eq!(named("m/abstract/scroed", false), Err(()));
    }

    #[test]
    fn the_folder_of_a_run_has_the_name_of_its_advisor() {
        let folder = default_folder(&"../owner/m/abstract/generate".parse().unwrap());
        assert_eq!(folder, PathBuf::from("runs/quickstart-..-owner-m-abstract-generate"));
    }

    #[test]
    fn durations_are_rounded_up() {
        for (seconds, words) in [(0.2, "about 2 seconds"), (73.5, "about 74 seconds"), (130.0, "about 3 minutes")] {
            assert_eq!(duration(seconds), words);
        }
    }
}
