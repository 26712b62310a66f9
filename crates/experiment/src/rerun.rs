//! A finished cell again, from its manifest alone: the specification is played anew and the outcome compared, to the byte.

use counsel_log::{Manifest, digest, encode};

use crate::{Error, Library, Scenario, WarmStarts};

/// Plays a cell again and says in words where the outcome is not what the manifest and its log say.
pub fn rerun(manifest: &Manifest, library: &Library, warm_starts: &WarmStarts) -> Result<Option<String>, Error> {
    let unreadable = |reason: String| counsel_session::Error::Derivation { reason };
    let scenario: Scenario =
        serde_json::from_value(manifest.spec.clone()).map_err(|error| unreadable(error.to_string()))?;
    let played = scenario.play(&manifest.key, library, warm_starts)?;
    let bytes = encode(&manifest.key, &played.decisions).map_err(unreadable)?;
    let checks = [
        ("controller", played.controller == manifest.controller),
        ("advisor", played.advisor == manifest.advisor),
        ("words", played.words == manifest.words),
        ("form", played.form == manifest.form),
        ("engine_seed", played.engine_seed == manifest.engine_seed),
        ("calibration", played.calibration == manifest.calibration),
        ("totals", played.totals == manifest.totals),
        ("log", digest(&bytes) == manifest.log.sha256),
    ];
    let different = checks.iter().find(|(_, same)| !same).map(|(name, _)| *name);
    Ok(different.map(|name| format!("run again from its specification, its {name} comes out differently")))
}
