//! The growing form of a transcript: a file to which any number of processes append.
//!
//! Invariants: what was appended whole is never lost or changed; an append happens under the file's lock and reaches the
//! disk before it is reported; a line cut off by a crash is closed, skipped and reported; the first answer to a request
//! stays, whoever else answers it later.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use counsel_advisor::{Digest, Request, Utterance};
use counsel_file::{Expected, io};

use crate::answers::same_words;
use crate::claim::{Claim, claim};
use crate::line::{FORMAT, JournalLine};
use crate::reading::JournalReading;
use crate::{Answers, Conflict, Damage, Date, Error, Prompts, RecordedAdvisor, RecordedAnswer};

const JOURNAL: Expected = Expected { what: "a journal", most_bytes: 4 << 30 };

/// A transcript that grows.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    prompts: Prompts,
    reading: JournalReading,
}

impl Journal {
    /// Opens the journal of an advisor to append to it, and begins it if there is none.
    pub fn open(path: impl Into<PathBuf>, advisor: &RecordedAdvisor, prompts: Prompts) -> Result<Self, Error> {
        let path = path.into();
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(io("create the folder of", &path))?;
        }
        let file = counsel_file::open_kept(&path, JOURNAL, File::options().read(true).append(true))?;
        let reading = JournalReading::of(advisor.clone(), &path);
        let mut journal = Self { path, file, prompts, reading };
        journal.locked(|journal| {
            journal.catch_up()?;
            if journal.reading.begun {
                return Ok(());
            }
            let line = JournalLine::Advisor { format: FORMAT, advisor: advisor.clone() };
            let line = journal.written(&line)?;
            if !journal.holds_only(&line)? {
                return Err(journal.foreign());
            }
            journal.extend(&line)?;
            journal.catch_up()
        })?;
        Ok(journal)
    }

    /// Reads a journal, whoever it belongs to, without changing it.
    pub fn read(path: impl AsRef<Path>) -> Result<(Answers, Damage), Error> {
        let path = path.as_ref();
        counsel_file::check(path, JOURNAL)?;
        let mut file = File::open(path).map_err(io("open", path))?;
        let mut bytes = Vec::new();
        // Where the file system knows no locks the checks of the lines still hold.
        let locked = file.lock_shared().is_ok();
        let outcome = file.read_to_end(&mut bytes);
        if locked {
            let _ = file.unlock();
        }
        outcome.map_err(io("read", path))?;
        Self::parse(&bytes, path)
    }

    /// Reads the bytes of a journal. The path is for messages.
    pub fn parse(bytes: &[u8], path: &Path) -> Result<(Answers, Damage), Error> {
        JournalReading::whole(bytes, path).map(|reading| (reading.answers, reading.damage))
    }

    /// All answers read so far.
    pub fn answers(&self) -> &Answers {
        &self.reading.answers
    }

    /// What is lost or was seen twice so far.
    pub fn damage(&self) -> &Damage {
        &self.reading.damage
    }

    /// Takes in what other processes have appended.
    pub fn refresh(&mut self) -> Result<(), Error> {
        self.locked(Self::catch_up)
    }

    /// Claims those of these questions that have no answer yet and that nobody else asks now; none of them where all are answered
    /// or asked.
    pub(crate) fn claim(&mut self, wanted: &[Digest]) -> Result<Claim, Error> {
        self.locked(|journal| {
            journal.catch_up()?;
            let open = |key: &&Digest| journal.reading.answers.under(key).is_none();
            claim(&journal.path, &wanted.iter().filter(open).copied().collect::<Vec<_>>())
        })
    }

    /// Appends answers, all in one go, and gives their keys in the same order. A request that was answered meanwhile, by
    /// another process or earlier in `answered`, keeps its first answer; a different one is reported as a conflict.
    pub fn append(&mut self, answered: Vec<(Request, Utterance)>, date: Date) -> Result<Vec<Digest>, Error> {
        let entries: Vec<RecordedAnswer> = answered
            .into_iter()
            .map(|(request, utterance)| {
                self.reading.answers.admits(&request.decoding)?;
                RecordedAnswer::new(&request, utterance, date, self.prompts)
            })
            .collect::<Result<_, _>>()?;
        self.locked(|journal| {
            journal.catch_up()?;
            let (mut lines, mut keys) = (String::new(), Vec::with_capacity(entries.len()));
            let mut fresh = Answers::of(journal.reading.answers.advisor().clone());
            for entry in entries {
                let key = journal.reading.answers.key_of(&entry);
                keys.push(key);
                let known = journal.reading.answers.under(&key).or_else(|| fresh.under(&key)).cloned();
                match known {
                    None => {
                        lines.push_str(&journal.written(&JournalLine::of(key, &entry))?);
                        // The key is new to both collections.
                        let _ = fresh.add(entry);
                    }
                    Some(known) if same_words(&known.utterance, &entry.utterance) => {}
                    Some(known) => {
                        let (kept, dropped) = (known.utterance, entry.utterance);
                        let prompt = entry.asked.digest();
                        journal.reading.damage.conflicts.push(Conflict { key, prompt, kept, dropped });
                    }
                }
            }
            if !lines.is_empty() {
                journal.extend(&lines)?;
                journal.catch_up()?;
            }
            Ok(keys)
        })
    }

    fn locked<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T, Error>) -> Result<T, Error> {
        self.file.lock().map_err(io("lock", &self.path))?;
        let outcome = work(self);
        let unlocked = self.file.unlock().map_err(io("unlock", &self.path));
        let value = outcome?;
        unlocked?;
        Ok(value)
    }

    /// Writes whole lines at the end, after closing a line that a crash left open.
    fn extend(&mut self, lines: &str) -> Result<(), Error> {
        let mut text = String::new();
        if self.reading.damage.tail_bytes > 0 {
            text.push('\n');
        }
        text.push_str(lines);
        self.file.write_all(text.as_bytes()).map_err(io("append to", &self.path))?;
        Ok(self.file.sync_data().map_err(io("flush", &self.path))?)
    }

    /// Whether the file holds nothing but beginnings of this line: what crashes leave of a journal that was to begin.
    fn holds_only(&mut self, line: &str) -> Result<bool, Error> {
        let mut bytes = Vec::new();
        self.file.seek(SeekFrom::Start(0)).map_err(io("read", &self.path))?;
        self.file.read_to_end(&mut bytes).map_err(io("read", &self.path))?;
        Ok(bytes.split(|&byte| byte == b'\n').all(|piece| line.as_bytes().starts_with(piece)))
    }

    /// Reads from where the last reading stopped.
    fn catch_up(&mut self) -> Result<(), Error> {
        let length = self.file.metadata().map_err(io("read", &self.path))?.len();
        if length < self.reading.read_bytes {
            return Err(Error::Shortened { path: self.path.clone() });
        }
        let mut bytes = Vec::new();
        self.file.seek(SeekFrom::Start(self.reading.read_bytes)).map_err(io("read", &self.path))?;
        self.file.read_to_end(&mut bytes).map_err(io("read", &self.path))?;
        self.reading.take(&bytes)
    }

    fn written(&self, line: &JournalLine) -> Result<String, Error> {
        Ok(line.write().map_err(|cause| io("write", &self.path)(cause.into()))?)
    }

    fn foreign(&self) -> Error {
        foreign(&self.path)
    }
}

pub(crate) fn foreign(path: &Path) -> Error {
    Error::Foreign {
        path: path.to_path_buf(),
        form: "journal of a transcript",
        remedy: "choose another file, or delete it and record again",
    }
}
