//! A folder of transcripts, one packed file per advisor: `MODEL/TEMPLATE.DECODING.transcript`.

use std::fs;
use std::path::{Path, PathBuf};

use counsel_language::AdvisorName;

use crate::{Advisor, Answers, Error};

const PACKED: &str = "transcript";

/// A name as a part of a path: everything but letters, digits, `.`, `_` and `-` becomes `_`.
fn plain(name: &str) -> String {
    let keep = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
    let name: String = name.chars().map(|letter| if keep(letter) { letter } else { '_' }).collect();
    // A name of dots alone means another folder.
    if name.bytes().all(|byte| byte == b'.') { name.replace('.', "_") } else { name }
}

/// Where an advisor's packed file lies, below the folder of transcripts.
pub fn packed_name(advisor: &AdvisorName) -> PathBuf {
    let AdvisorName { model, template, decoding } = advisor;
    Path::new(&plain(model)).join(format!("{}.{}.{PACKED}", plain(template), plain(decoding)))
}

/// Where an advisor's journal lies, below a folder of journals. Advisors of one name that differ in weights, engine or
/// template version have journals of their own.
pub fn journal_name(advisor: &Advisor) -> PathBuf {
    let AdvisorName { model, template, decoding } = advisor.name();
    let digest = advisor.digest().to_string();
    Path::new(&plain(&model)).join(format!("{}.{}.{}.jsonl", plain(&template), plain(&decoding), &digest[..12]))
}

/// A folder of packed transcripts.
#[derive(Debug, Clone)]
pub struct Shelf {
    folder: PathBuf,
}

impl Shelf {
    /// The transcripts in this folder.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// Where the transcript of an advisor lies, whether or not it is there.
    pub fn path(&self, advisor: &AdvisorName) -> PathBuf {
        self.folder.join(packed_name(advisor))
    }

    /// The answers of an advisor, whoever recorded them; their identity is in the file.
    pub fn open(&self, asked: &AdvisorName) -> Result<Answers, Error> {
        let path = self.path(asked);
        if !path.is_file() {
            return Err(Error::Unrecorded {
                asked: Box::new(asked.clone()),
                folder: self.folder.clone(),
                remedy: self.remedy(asked),
            });
        }
        let answers = Answers::load(&path)?;
        let found = answers.advisor().name();
        if found != *asked {
            return Err(Error::Misplaced { path, found: Box::new(found), asked: Box::new(asked.clone()) });
        }
        Ok(answers)
    }

    /// The names of all transcripts here, in order, as their files are named.
    pub fn names(&self) -> Vec<String> {
        let entries = |folder: &Path| -> Vec<PathBuf> {
            // A folder that is not there holds no transcripts.
            fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
        };
        let mut names: Vec<String> = entries(&self.folder)
            .iter()
            .flat_map(|model| entries(model).into_iter().map(move |file| (model.clone(), file)))
            .filter_map(|(model, file)| {
                let stem = file.file_name()?.to_str()?.strip_suffix(PACKED)?.strip_suffix('.')?;
                let (template, decoding) = stem.rsplit_once('.')?;
                Some(format!("{}/{template}/{decoding}", model.file_name()?.to_str()?))
            })
            .collect();
        names.sort();
        names
    }

    fn remedy(&self, asked: &AdvisorName) -> String {
        let (names, text) = (self.names(), asked.to_string());
        let nearest = names.iter().max_by(|one, other| {
            strsim::jaro_winkler(one, &text).total_cmp(&strsim::jaro_winkler(other, &text)).then_with(|| other.cmp(one))
        });
        match nearest {
            Some(nearest) => format!("did you mean {nearest}? or record it with `counsel advisor record {asked}`"),
            None => format!("record it with `counsel advisor record {asked}`"),
        }
    }
}
