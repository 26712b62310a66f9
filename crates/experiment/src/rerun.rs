//! A finished cell again, from its manifest alone: the specification is played again and the outcome compared, to the byte.

use counsel_log::{Manifest, Totals, digest, encode};
use counsel_session::{Played, Shared};

use crate::{Error, Library, Scenario, WarmStarts};

/// Plays a cell again and says in words where the outcome is not what the manifest and its log say.
pub fn rerun(manifest: &Manifest, library: &Library, warm_starts: &WarmStarts) -> Result<Option<String>, Error> {
    let unreadable = |reason: String| counsel_session::Error::Derivation { reason };
    let scenario = Scenario::from_spec(&manifest.spec).map_err(unreadable)?;
    let Played { deployed, decisions } = scenario.run(&manifest.key, Shared { library, warm_starts, fork: None })?;
    let bytes = encode(&manifest.key, &decisions).map_err(unreadable)?;
    let checks = [
        ("settings", deployed.settings == manifest.settings),
        ("advisor", deployed.advisor == manifest.advisor),
        ("words", deployed.words == manifest.words),
        ("form", deployed.form == manifest.form),
        ("engine_seed", deployed.engine_seed == manifest.engine_seed),
        ("calibration", deployed.calibration == manifest.calibration),
        ("totals", Totals::of(&decisions, deployed.before) == manifest.totals),
        ("log", digest(&bytes) == manifest.log.sha256),
    ];
    let different = checks.iter().find(|(_, same)| !same).map(|(name, _)| *name);
    Ok(different.map(|name| format!("run again from its specification, its {name} comes out differently")))
}
