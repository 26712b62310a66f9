//! From what a person writes to a model's file: a known name, or the path of any GGUF file.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use counsel_file::io;

use crate::{Error, Model, Models};

/// A model's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// The name under which its answers are kept: the known name, or the file's name without `.gguf`.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// What is known of it, where it is a known model; its digest has been checked.
    pub model: Option<Model>,
}

impl Models {
    /// The file of a known model, or of a path. Known names come first; `./name` means a path. A known model with another
    /// digest than the known one is refused.
    pub fn locate(&self, name_or_path: &str) -> Result<Located, Error> {
        if let Some(model) = self.catalogue.find(name_or_path) {
            return self.known(model);
        }
        let path = Path::new(name_or_path);
        let gguf = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gguf"));
        if !gguf && !name_or_path.contains(['/', '\\']) && !path.is_file() {
            return Err(self.catalogue.unknown(name_or_path));
        }
        if !path.is_file() {
            let known: Vec<&str> = self.catalogue.models().iter().map(|model| model.name.as_str()).collect();
            return Err(Error::NoFile { path: path.to_path_buf(), known: known.join(", ") });
        }
        begins_as_gguf(path)?;
        let name = if gguf { path.file_stem() } else { path.file_name() };
        let name = name.unwrap_or_default().to_string_lossy().into_owned();
        Ok(Located { name, path: path.to_path_buf(), model: None })
    }

    fn known(&self, model: &Model) -> Result<Located, Error> {
        let (name, path) = (model.name.clone(), self.folder.join(&model.file));
        let found = match path.metadata() {
            Ok(found) if found.is_file() => found.len(),
            _ => return Err(Error::Absent { name, folder: self.folder.clone() }),
        };
        if found != model.bytes {
            let found = format!("has {found} bytes");
            return Err(Error::Altered { name, path, found, expected: model.bytes.to_string() });
        }
        begins_as_gguf(&path)?;
        model.check(&self.folder)?;
        Ok(Located { name, path, model: Some(model.clone()) })
    }
}

fn begins_as_gguf(path: &Path) -> Result<(), Error> {
    let mut beginning = Vec::new();
    let file = File::open(path).map_err(io("open", path))?;
    file.take(4).read_to_end(&mut beginning).map_err(io("read", path))?;
    if beginning == b"GGUF" { Ok(()) } else { Err(Error::Foreign(path.to_path_buf())) }
}
