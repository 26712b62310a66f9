//! Which template it is: another wording is another edition, and answers to different editions are never mixed.

use crate::Digest;

/// What a template is known by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edition {
    /// Its name, as `abstract`. No two templates of any worlds share one: an advisor is named by it.
    pub name: String,
    /// Its version.
    pub version: u32,
    /// The digest of its text.
    pub digest: Digest,
    /// What it is, in one line.
    pub about: String,
}
