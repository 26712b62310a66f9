//! The templates of Crafter.

use std::sync::LazyLock;

use counsel_advisor::FactTemplate;

use crate::Act;

static ALL: LazyLock<[FactTemplate; 1]> = LazyLock::new(|| {
    // The files are part of the program, and a test reads each of them.
    [include_str!("survival.toml")]
        .map(|file| FactTemplate::read(file, &Act::NAMES).expect("the built-in templates are valid"))
});

/// The built-in templates.
pub fn templates() -> &'static [FactTemplate] {
    &*ALL
}
