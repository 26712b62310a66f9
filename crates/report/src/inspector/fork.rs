//! An episode as it goes on under another setting, beside what it came to: what a page of a server draws next to the real one.

use counsel_log::{Decision, Manifest};
use serde::Serialize;

use super::chunk::{Chunk, InspectedEpisode};
use super::pack::packed;

/// What an episode or a run came to.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct CameTo {
    /// Its return; of a run, the mean over its episodes.
    pub gained: f64,
    /// How often it asked.
    pub calls: u64,
    /// What that cost, in units of return.
    pub cost: f64,
}

impl CameTo {
    /// The sum over these decisions of one episode.
    pub fn of<'a>(decisions: impl IntoIterator<Item = &'a Decision>) -> Self {
        let mut sum = Self::default();
        for Decision { record, hindsight, .. } in decisions {
            sum.gained += hindsight.reward;
            if record.asked() {
                (sum.calls, sum.cost) = (sum.calls + 1, sum.cost + record.evidence.price());
            }
        }
        sum
    }

    /// The same of a run.
    pub fn of_run(decisions: &[Decision]) -> Self {
        let at = |decision: &Decision| (decision.record.place, decision.record.episode);
        let episodes = decisions.chunk_by(|one, next| at(one) == at(next)).count();
        let sum = Self::of(decisions);
        Self { gained: sum.gained / episodes.max(1) as f64, ..sum }
    }
}

#[derive(Debug, Serialize)]
struct ForkData {
    #[serde(flatten)]
    chunk: Chunk,
    /// The episode, as it was and as it goes on.
    episode: [CameTo; 2],
    /// The whole run, in the same way.
    run: [CameTo; 2],
}

/// The episode in which a run goes another way, as the page of a server asks for it.
pub fn served_fork(
    manifest: &Manifest,
    logged: &[Decision],
    forked: &[Decision],
    episode: &InspectedEpisode,
) -> String {
    let number = episode.decisions.first().map_or(0, |first| first.record.episode);
    let real = CameTo::of(logged.iter().filter(|decision| decision.record.episode == number));
    packed(&ForkData {
        chunk: Chunk::of(manifest, std::slice::from_ref(episode)),
        episode: [real, CameTo::of(&episode.decisions)],
        run: [CameTo::of_run(logged), CameTo::of_run(forked)],
    })
}
