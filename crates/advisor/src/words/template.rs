//! Templates: files of data that turn what a world may tell into prompts.
//!
//! A file has a heading (name, version and a line about it) and the words of its world, which are read as the type `W`. A
//! template is known by its name and version, and its digest is that of its file: another wording is another template.

use counsel_decision::Parser;
use counsel_decision::refusal::find_named;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::Edition;
use crate::{Digest, Error};

/// What all templates have, whatever their world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// What the template is known by.
    pub edition: Edition,
    /// What reads the answers, however they were taken: one word per action, by number.
    pub parser: Parser,
    /// How many tokens an answer has at most that is written freely.
    pub max_tokens: u32,
}

/// A template of a world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template<W> {
    /// What it has in common with all templates.
    pub heading: Heading,
    /// What it says.
    pub words: W,
}

/// The keys of a heading.
#[derive(Deserialize)]
struct Written {
    name: String,
    version: u32,
    about: String,
}

impl<W> Template<W> {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.heading.edition.name
    }
}

impl<W: DeserializeOwned> Template<W> {
    /// The template in a file. Of the world's words, `check` says what reads the answers and how many tokens these have at most,
    /// or what is wrong and the remedy.
    pub fn read(file: &str, check: impl FnOnce(&W) -> Result<(Parser, u32), String>) -> Result<Self, Error> {
        let refused = |name: &str, reason: &str| Error::Template { name: name.to_owned(), reason: reason.to_owned() };
        let unreadable = |error: toml::de::Error| refused("", error.message());
        let mut rest: toml::Table = toml::from_str(file).map_err(unreadable)?;
        let heading: toml::Table =
            ["name", "version", "about"].into_iter().filter_map(|key| rest.remove_entry(key)).collect();
        let Written { name, version, about } = heading.try_into().map_err(unreadable)?;
        let words = rest.try_into().map_err(unreadable)?;
        let refused = |reason: &str| refused(&format!("`{name}` "), reason);
        let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        if name.is_empty() || !name.bytes().all(plain) {
            return Err(refused("the name must be of small letters, digits and hyphens"));
        }
        let (parser, max_tokens) = check(&words).map_err(|reason| refused(&reason))?;
        if max_tokens == 0 {
            return Err(refused("max_tokens is 0, but an answer has at least one; give 1 or more"));
        }
        let edition = Edition { name, version, digest: Digest::of(file.as_bytes()), about };
        Ok(Self { heading: Heading { edition, parser, max_tokens }, words })
    }
}

/// The templates of a world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Templates<W>(Vec<Template<W>>);

impl<W: DeserializeOwned> Templates<W> {
    /// Those in files that are part of the program. A test of each world reads them.
    pub fn built_in<const N: usize>(files: [&str; N], check: impl Fn(&W) -> Result<(Parser, u32), String>) -> Self {
        let read = |file| Template::read(file, &check).expect("the built-in templates are valid");
        Self(files.map(read).into())
    }

    /// All of them.
    pub fn all(&self) -> &[Template<W>] {
        &self.0
    }

    /// The one with this name.
    pub fn find(&self, name: &str) -> Result<&Template<W>, Error> {
        let named = self.0.iter().map(|template| (template.name(), template));
        find_named(name, named).map_err(Error::UnknownTemplate)
    }

    /// What they are known by.
    pub fn editions(&self) -> Vec<Edition> {
        self.0.iter().map(|template| template.heading.edition.clone()).collect()
    }
}
