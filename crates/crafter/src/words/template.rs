//! The templates of Crafter.

use std::sync::LazyLock;

use counsel_advisor::{Facts, Templates};

use crate::Act;

/// The built-in templates.
pub static TEMPLATES: LazyLock<Templates<Facts>> =
    LazyLock::new(|| Facts::templates([include_str!("survival.toml")], &Act::NAMES));
