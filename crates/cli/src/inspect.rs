//! What the decision inspector shows of a cell: its decisions, checked and computed again, and its world, played again.

use std::ops::RangeInclusive;

use anyhow::{Result, bail};
use counsel_experiment::Replay;
use counsel_log::{Cell, Decision, Manifest, recompute};
use counsel_report::{Inspected, InspectedEpisode};

/// These episodes of a cell, or all of them.
pub(crate) fn inspect(cell: &Cell, wanted: Option<&RangeInclusive<u64>>) -> Result<Inspected> {
    let decisions = cell.decisions()?;
    let disagreeing = recompute(&cell.manifest, &decisions)?.len();
    let count = decisions.len();
    let is_wanted = |decision: &Decision| wanted.is_none_or(|range| range.contains(&decision.record.episode));
    let last = decisions.last().map_or(0, |decision| decision.record.episode);
    let shown: Vec<Decision> = decisions.into_iter().filter(is_wanted).collect();
    if let (true, Some(range)) = (shown.is_empty(), wanted) {
        bail!("cell {} has no episodes {range:?}; its episodes are 0 to {last}", cell.manifest.key);
    }
    let mut replay = Replay::of(&cell.manifest);
    let mut episodes: Vec<InspectedEpisode> = Vec::new();
    for decisions in shown.chunk_by(|one, next| one.record.episode == next.record.episode) {
        let sights = match &mut replay {
            Ok(replay) => replay.episode(decisions),
            Err(reason) => Err(reason.clone()),
        };
        episodes.push(InspectedEpisode { decisions: decisions.to_vec(), sights });
    }
    Ok(Inspected { manifest: cell.manifest.clone(), episodes, agreeing: count - disagreeing, decisions: count })
}

/// The manifest in whose words one decision is explained: where a world has other actions at each moment, they have its names. A
/// world that cannot be played again leaves the words of the log.
pub(crate) fn spoken(manifest: &Manifest, decisions: &[Decision], explained: &Decision) -> Manifest {
    let at = |decision: &Decision| (decision.record.place, decision.record.episode);
    let episode: Vec<Decision> = decisions.iter().filter(|decision| at(decision) == at(explained)).cloned().collect();
    let place = episode.iter().position(|decision| decision.record.step == explained.record.step);
    let sights = Replay::of(manifest).and_then(|mut replay| replay.episode(&episode)).unwrap_or_default();
    let names = place.and_then(|place| sights.into_iter().nth(place)).map(|sight| sight.actions).unwrap_or_default();
    let words = if names.is_empty() { manifest.words.clone() } else { names };
    Manifest { words, ..manifest.clone() }
}
