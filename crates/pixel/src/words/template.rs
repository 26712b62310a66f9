//! The templates of the pixel world.

use std::sync::LazyLock;

use counsel_advisor::{Facts, Templates};

use crate::Move;

/// The built-in templates.
pub static TEMPLATES: LazyLock<Templates<Facts>> =
    LazyLock::new(|| Facts::templates([include_str!("facts.toml")], &Move::ALL.map(Move::name)));
