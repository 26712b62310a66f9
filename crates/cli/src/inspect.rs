//! What the decision inspector shows of a cell: its decisions, checked and computed again, and its world, played again.

use std::ops::RangeInclusive;

use anyhow::{Result, bail};
use counsel_experiment::Replay;
use counsel_log::{Cell, Decision, recompute};
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
