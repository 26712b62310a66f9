//! A cell as a what-if needs it.

use counsel_whatif::{Book, Given};

use crate::{Decision, Manifest};

/// The book of a cell, from all its decisions; an error says in words why there is none.
pub fn book(manifest: &Manifest, decisions: &[Decision]) -> Result<Book, String> {
    if decisions.iter().any(|decision| decision.route.is_some()) {
        return Err("a router answered here, and a what-if changes what the gate of a controller weighs".into());
    }
    if decisions.iter().any(|decision| decision.hindsight.heard_at.is_some()) {
        return Err("questions overlap here, and a what-if hears each answer before the next decision".into());
    }
    let given: Option<Vec<Given>> = decisions.iter().map(|decision| Given::of(&decision.record)).collect();
    let given =
        given.ok_or("several advisors were weighed here, and what the others were worth elsewhere is in no log")?;
    let Manifest { settings, words, form, engine_seed: seed, .. } = manifest.clone();
    Ok(Book { settings, words, form, seed, given })
}
