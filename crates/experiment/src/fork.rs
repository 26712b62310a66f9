//! A finished cell again, which from one decision on is played under another setting: with the same world, the same learner and the same
//! advisor. So a call can be set against what would have come of not making it.

use counsel_log::{Decision, Manifest};
use counsel_session::{Error, Fork, Shared};

use crate::{Library, Scenario, WarmStarts};

/// All decisions of the run that goes another way; those before the fork are the run's own. `logged` are the decisions of the cell. A
/// run that does not come out as it was logged up to the fork is an error, and so is one that nobody can play on.
pub fn forked(
    manifest: &Manifest,
    logged: &[Decision],
    library: &Library,
    warm_starts: &WarmStarts,
    fork: Fork,
) -> Result<Vec<Decision>, Error> {
    let said = |reason: String| Error::Derivation { reason };
    let scenario = Scenario::from_spec(&manifest.spec).map_err(said)?;
    if !scenario.playable.forks() {
        return Err(said(
            "a cell of this kind has no gate of its own, so it is not played on under another setting".into(),
        ));
    }
    let before = usize::try_from(fork.step).ok().filter(|step| *step < logged.len());
    let Some(before) = before else {
        return Err(said(format!(
            "the cell has no step {}; its steps are 0 to {}",
            fork.step,
            logged.len().saturating_sub(1)
        )));
    };
    let played = scenario.run(&manifest.key, Shared { library, warm_starts, fork: Some(fork) })?;
    let same = played.decisions.iter().zip(logged).take_while(|(one, other)| one.record == other.record).count();
    if same < before {
        return Err(said(format!(
            "played again, the run differs from its log at step {same}; `counsel audit --replay` says why"
        )));
    }
    Ok(played.decisions)
}
