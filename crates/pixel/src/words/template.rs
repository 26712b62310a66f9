//! The templates of the pixel world.

use std::sync::LazyLock;

use counsel_advisor::FactTemplate;

use crate::Move;

static ALL: LazyLock<[FactTemplate; 1]> = LazyLock::new(|| {
    // The files are part of the program, and a test reads each of them.
    [include_str!("facts.toml")]
        .map(|file| FactTemplate::read(file, &Move::ALL.map(Move::name)).expect("the built-in templates are valid"))
});

/// The built-in templates.
pub fn templates() -> &'static [FactTemplate] {
    &*ALL
}
