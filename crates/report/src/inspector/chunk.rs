//! Episodes as data of the page. A few episodes make a chunk, which is unpacked when one of them is looked at.

use counsel_decision::Settings;
use counsel_log::{Decision, Manifest, matters};
use counsel_world::Sight;
use serde::Serialize;

use super::phrases::Phrases;
use super::step::{PLACES, Step, outcome};

/// One cell, as far as it is shown.
#[derive(Debug)]
pub struct Inspected {
    /// Its manifest.
    pub manifest: Manifest,
    /// The episodes that are shown, in order.
    pub episodes: Vec<InspectedEpisode>,
    /// How many decisions of the whole cell come out as logged when they are computed again.
    pub agreeing: usize,
    /// How many decisions the cell has.
    pub decisions: usize,
}

/// One episode, and what was to be seen in it.
#[derive(Debug)]
pub struct InspectedEpisode {
    /// Its decisions; at least one.
    pub decisions: Vec<Decision>,
    /// What there was to see at each, or why nothing can be shown.
    pub sights: Result<Vec<Sight>, String>,
}

impl InspectedEpisode {
    fn number(&self) -> u64 {
        self.decisions.first().map_or(0, |decision| decision.record.episode)
    }
}

/// Episodes that are unpacked together.
#[derive(Debug, Serialize)]
pub(super) struct Chunk {
    /// The patterns of all lines.
    t: Vec<String>,
    e: Vec<EpisodeData>,
}

#[derive(Debug, Serialize)]
struct EpisodeData {
    n: u64,
    /// Why there is no picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    s: Vec<Step>,
}

impl Chunk {
    pub(super) fn of(manifest: &Manifest, episodes: &[InspectedEpisode]) -> Self {
        let mut phrases = Phrases::default();
        // Where a world has other actions at each step, they are called by its names.
        let mut spoken = manifest.clone();
        let mut episode = |episode: &InspectedEpisode| {
            let sight = |at: usize| episode.sights.as_ref().ok().and_then(|sights| sights.get(at));
            let step = |(at, decision): (usize, &Decision)| {
                let names = sight(at).map_or(&[][..], |sight| &sight.actions);
                spoken.words.clear();
                spoken.words.extend_from_slice(if names.is_empty() { &manifest.words } else { names });
                Step::of(&spoken, decision, (sight(at), at.checked_sub(1).and_then(sight)), &mut phrases)
            };
            let s = episode.decisions.iter().enumerate().map(step).collect();
            EpisodeData { n: episode.number(), why: episode.sights.as_ref().err().cloned(), s }
        };
        let e = episodes.iter().map(&mut episode).collect();
        Self { t: phrases.patterns().to_vec(), e }
    }
}

/// What matters in a decision, a bit each, as one letter.
fn mark(decision: &Decision) -> char {
    let bits =
        matters(decision).map_or(0, |found| found.matters.iter().map(|matter| 1 << matter.place()).sum::<usize>());
    char::from(PLACES[bits])
}

/// About how many decisions a chunk has.
const DECISIONS: usize = 256;

/// The episodes of a cell, chunk by chunk.
pub(super) fn chunks(cell: &Inspected) -> impl Iterator<Item = &[InspectedEpisode]> {
    let mut left = &cell.episodes[..];
    std::iter::from_fn(move || {
        let mut decisions = 0;
        let full = left.iter().position(|episode| {
            decisions += episode.decisions.len();
            decisions >= DECISIONS
        });
        let (chunk, rest) = left.split_at(full.map_or(left.len(), |last| last + 1));
        left = rest;
        (!chunk.is_empty()).then_some(chunk)
    })
}

/// Number, chunk, first step, outcomes as letters, executed actions, return, and what matters of an episode: a place for every
/// decision, whose bits are the matters.
type EpisodeOutline = (u64, usize, u64, String, Vec<usize>, f64, String);

/// What the page knows of a cell before an episode is looked at.
#[derive(Debug, Serialize)]
pub(super) struct Outline {
    key: String,
    study: String,
    arm: String,
    seed: u64,
    words: Vec<String>,
    gate: String,
    advisor: String,
    seal: String,
    agreeing: usize,
    decisions: usize,
    calls: u64,
    settings: Settings,
    /// Why there is no what-if.
    #[serde(skip_serializing_if = "Option::is_none")]
    no_book: Option<String>,
    episodes: Vec<EpisodeOutline>,
}

impl Outline {
    pub(super) fn key(&self) -> &str {
        &self.key
    }

    /// Says why the page has no what-if of this cell.
    pub(super) fn without_book(&mut self, reason: Option<&String>) {
        self.no_book = reason.cloned();
    }

    /// The chunks of this cell are numbered from `chunk`.
    pub(super) fn of(cell: &Inspected, mut chunk: usize) -> Self {
        let manifest = &cell.manifest;
        let mut episodes = Vec::new();
        for part in chunks(cell) {
            for episode in part {
                let Some(first) = episode.decisions.first() else { continue };
                let outcomes = episode.decisions.iter().map(|decision| outcome(&decision.record)).collect();
                let executed = episode.decisions.iter().map(|decision| decision.record.executed.index()).collect();
                let reward = episode.decisions.iter().map(|decision| decision.hindsight.reward).sum();
                let marks = episode.decisions.iter().map(mark).collect();
                episodes.push((episode.number(), chunk, first.record.step, outcomes, executed, reward, marks));
            }
            chunk += 1;
        }
        Self {
            key: manifest.key.to_string(),
            study: manifest.key.study.clone(),
            arm: manifest.key.arm.clone(),
            seed: manifest.key.seed,
            words: manifest.words.clone(),
            gate: manifest.settings.gate.name().to_owned(),
            advisor: manifest.advisor.clone(),
            seal: manifest.seal.clone(),
            agreeing: cell.agreeing,
            decisions: cell.decisions,
            calls: manifest.totals.calls,
            settings: manifest.settings.clone(),
            no_book: None,
            episodes,
        }
    }
}
