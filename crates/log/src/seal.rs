//! Files that seal themselves: the last field is a digest of all the others, and the file must be spelled exactly as it was
//! written. So a changed byte is noticed, wherever it is.

use std::path::Path;

use counsel_file::{read, write_whole};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::file::MANIFEST;
use crate::{Error, Manifest, digest};

/// What is kept in a sealed file.
pub(crate) trait Sealed: Serialize + DeserializeOwned {
    /// The version of the format in which it was written.
    fn format(&self) -> u32;

    /// The place of the seal.
    fn seal(&mut self) -> &mut String;

    /// Writes it with its seal.
    fn write_sealed(self, path: &Path) -> Result<(), Error> {
        let damaged = |error: serde_json::Error| Error::Manifest { path: path.into(), reason: error.to_string() };
        Ok(write_whole(path, self.sealed().map_err(damaged)?.as_bytes())?)
    }

    /// Its text with its seal.
    fn sealed(mut self) -> Result<String, serde_json::Error> {
        self.seal().clear();
        *self.seal() = digest(&serde_json::to_vec(&self)?);
        spelled(&self)
    }

    /// Reads it and checks its format, its seal and its spelling.
    fn read_sealed(path: &Path) -> Result<Self, Error> {
        Self::unsealed(&read(path, MANIFEST)?, path)
    }

    /// Reads it from the bytes of a file; the path is for messages.
    fn unsealed(bytes: &[u8], path: &Path) -> Result<Self, Error> {
        let damaged = |reason: String| Error::Manifest { path: path.into(), reason };
        let unreadable = |error: serde_json::Error| damaged(error.to_string());
        let mut content: Self = serde_json::from_slice(bytes).map_err(unreadable)?;
        let (found, expected) = (content.format(), Manifest::FORMAT);
        if found != expected {
            return Err(Error::Format { path: path.into(), found, expected });
        }
        let seal = std::mem::take(content.seal());
        let computed = digest(&serde_json::to_vec(&content).map_err(unreadable)?);
        if seal != computed {
            return Err(damaged(format!("its seal is {seal}, its content has {computed}")));
        }
        *content.seal() = seal;
        // The seal covers what the file says; this covers how it says it.
        if spelled(&content).map_err(unreadable)?.as_bytes() != bytes {
            return Err(damaged("it is not spelled as it was written".into()));
        }
        Ok(content)
    }
}

/// The text as a person reads it.
fn spelled(content: &impl Serialize) -> Result<String, serde_json::Error> {
    serde_json::to_string_pretty(content).map(|text| text + "\n")
}
