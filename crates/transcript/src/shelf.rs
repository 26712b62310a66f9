//! Packed transcripts, one per advisor: `MODEL/TEMPLATE.DECODING.transcript`, in a folder or in the program itself.
//!
//! Names may hold what a file's name may not, as the slash of `owner/model`; they are escaped, and read back as they were.

use std::fs;
use std::path::{Path, PathBuf};

use counsel_advisor::AdvisorName;
use counsel_decision::refusal::nearest;

use crate::escape::{escaped, unescaped};
use crate::{Answers, Error, RecordedAdvisor};

const PACKED: &str = "transcript";

/// Where an advisor's packed file lies, below the folder of transcripts.
pub fn packed_name(advisor: &AdvisorName) -> PathBuf {
    let AdvisorName { model, template, decoding } = advisor;
    Path::new(&escaped(model)).join(format!("{}.{}.{PACKED}", escaped(template), escaped(decoding)))
}

/// Where an advisor's journal lies, below a folder of journals. Advisors of one name that differ in weights, engine or
/// template version have journals of their own.
pub fn journal_name(advisor: &RecordedAdvisor) -> PathBuf {
    let AdvisorName { model, template, decoding } = advisor.name();
    let digest = advisor.digest().to_string();
    Path::new(&escaped(&model)).join(format!("{}.{}.{}.jsonl", escaped(&template), escaped(&decoding), &digest[..12]))
}

/// A packed transcript that is part of the program: its path below the folder of transcripts, and its bytes.
pub type Embedded = (&'static str, &'static [u8]);

/// What the build script found.
const TRANSCRIPTS: &[Embedded] = include!(concat!(env!("OUT_DIR"), "/transcripts.rs"));

/// Packed transcripts, one per advisor.
#[derive(Debug, Clone)]
pub struct Shelf {
    place: ShelfPlace,
}

#[derive(Debug, Clone)]
enum ShelfPlace {
    Folder(PathBuf),
    Program(&'static [Embedded]),
}

impl Shelf {
    /// The transcripts in this folder.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { place: ShelfPlace::Folder(folder.into()) }
    }

    /// The transcripts that come with the program: `transcripts/` of the repository. Whoever replays them needs neither the
    /// repository nor a model.
    pub fn embedded() -> Self {
        Self::of_program(TRANSCRIPTS)
    }

    /// Transcripts that are part of a program.
    pub fn of_program(transcripts: &'static [Embedded]) -> Self {
        Self { place: ShelfPlace::Program(transcripts) }
    }

    /// The folder, where it is one.
    pub fn folder(&self) -> Option<&Path> {
        match &self.place {
            ShelfPlace::Folder(folder) => Some(folder),
            ShelfPlace::Program(_) => None,
        }
    }

    /// The answers of an advisor, whoever recorded them; their identity is in the file.
    pub fn open(&self, asked: &AdvisorName) -> Result<Answers, Error> {
        let name = packed_name(asked);
        let found = match &self.place {
            ShelfPlace::Folder(folder) => {
                let path = folder.join(&name);
                path.exists().then(|| Answers::load(&path).map(|answers| (path, answers))).transpose()?
            }
            ShelfPlace::Program(transcripts) => {
                let held = transcripts.iter().find(|(path, _)| Path::new(path) == name);
                let unpack = |bytes: &[u8]| {
                    Answers::unpack(bytes).map_err(|reason| Error::Damaged { path: name.clone(), reason })
                };
                held.map(|(_, bytes)| unpack(bytes).map(|answers| (name.clone(), answers))).transpose()?
            }
        };
        let Some((path, answers)) = found else {
            let place = self.folder().map_or_else(|| "the program".to_owned(), |folder| folder.display().to_string());
            return Err(Error::Unrecorded { asked: Box::new(asked.clone()), place, nearest: self.nearest(asked) });
        };
        let found = answers.advisor().name();
        if found != *asked {
            return Err(Error::Misplaced { path, found: Box::new(found), asked: Box::new(asked.clone()) });
        }
        if answers.is_empty() { Err(Error::Empty { path }) } else { Ok(answers) }
    }

    /// The advisors of all transcripts here, by name and in order. Files that are named otherwise are left out.
    pub fn names(&self) -> Vec<AdvisorName> {
        let paths: Vec<PathBuf> = match &self.place {
            ShelfPlace::Folder(folder) => entries(folder).iter().flat_map(|model| entries(model)).collect(),
            ShelfPlace::Program(transcripts) => transcripts.iter().map(|(path, _)| PathBuf::from(path)).collect(),
        };
        let mut names: Vec<AdvisorName> = paths.iter().filter_map(|path| name_of(path)).collect();
        names.sort_by_key(ToString::to_string);
        names
    }

    /// A hint with the nearest name, or nothing.
    fn nearest(&self, asked: &AdvisorName) -> String {
        let names: Vec<String> = self.names().iter().map(ToString::to_string).collect();
        nearest(&asked.to_string(), names.iter().map(String::as_str))
    }
}

/// What lies in a folder; nothing in one that is not there.
fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

/// The advisor that a packed file is named after.
fn name_of(path: &Path) -> Option<AdvisorName> {
    let stem = path.file_name()?.to_str()?.strip_suffix(PACKED)?.strip_suffix('.')?;
    let (template, decoding) = stem.rsplit_once('.')?;
    let model = path.parent()?.file_name()?.to_str()?;
    Some(AdvisorName { model: unescaped(model)?, template: unescaped(template)?, decoding: unescaped(decoding)? })
}
