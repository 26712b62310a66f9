//! What each episode of a cell brought, paid and expected.

use counsel_decision::refusal::UnknownName;
use counsel_log::{CellKey, Run};

use super::collect::{Watch, each_log, studies};
use super::measure::CellLog;
use crate::Error;

/// The episodes of one cell.
#[derive(Debug, Clone, PartialEq)]
pub struct CellEpisodes {
    /// Which cell.
    pub key: CellKey,
    /// Its episodes, in order. One without a decision is left out.
    pub episodes: Vec<EpisodeSums>,
}

/// One episode.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EpisodeSums {
    /// Its number, from 0.
    pub number: u64,
    /// The sum of its rewards.
    pub gained: f64,
    /// The calls that were made in it.
    pub calls: u64,
    /// The mean price of a call over its decisions.
    pub mean_price: f64,
    /// The mean estimate of what a call is worth, over its decisions.
    pub mean_estimate: f64,
}

/// The episodes of the cells of these studies, or of all, and of these arms, or of all.
pub fn cell_episodes(
    run: &Run,
    wanted: Option<&[String]>,
    arms: &[String],
    watch: Watch<'_>,
) -> Result<Vec<CellEpisodes>, Error> {
    let mut studies = studies(run, wanted)?;
    let known = || studies.iter().flat_map(|study| study.keys.iter().map(|key| key.arm.as_str()));
    if let Some(missing) = arms.iter().find(|arm| known().all(|known| known != **arm)) {
        return Err(Error::NoArm(UnknownName::among(missing, known())));
    }
    let mut cells = Vec::new();
    for study in &mut studies {
        study.keys.retain(|key| arms.is_empty() || arms.contains(&key.arm));
        let read = each_log(run, study, watch, episodes)?.into_iter();
        cells.extend(read.map(|(manifest, episodes)| CellEpisodes { key: manifest.key, episodes }));
    }
    Ok(cells)
}

fn episodes(log: &CellLog<'_>) -> Vec<EpisodeSums> {
    let (number, asked) = (log.counts("episode"), log.asked());
    let [reward, price, estimate] = ["reward", "paced_price", "estimate"].map(|column| log.full(column));
    let mut from = 0;
    let mut episodes = Vec::new();
    for numbers in number.chunk_by(|one, next| one == next) {
        let here = from..from + numbers.len();
        from = here.end;
        let mean = |column: &[f64]| column[here.clone()].iter().sum::<f64>() / numbers.len() as f64;
        episodes.push(EpisodeSums {
            number: numbers[0],
            gained: reward[here.clone()].iter().sum(),
            calls: asked[here.clone()].iter().filter(|asked| **asked).count() as u64,
            mean_price: mean(&price),
            mean_estimate: mean(&estimate),
        });
    }
    episodes
}
