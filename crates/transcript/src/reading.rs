//! What has been read of a journal: its answers, and what it has lost.
//!
//! Invariant: a line counts only if it is as it was written and its answer lies under its own key; all others are counted as
//! damage and skipped.

use std::path::{Path, PathBuf};

use crate::journal::foreign;
use crate::line::{FORMAT, JournalLine};
use crate::{Answers, Conflict, Error, RecordedAdvisor, RecordedAnswer};

/// What a journal has lost, or seen twice.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Damage {
    /// The numbers of lines that are not as they were written, counted from 1: cut off by a crash, or changed since.
    pub lines: Vec<u64>,
    /// The bytes after the last complete line.
    pub tail_bytes: u64,
    /// Later answers that differ from the first.
    pub conflicts: Vec<Conflict>,
}

/// What has been read so far.
#[derive(Debug)]
pub(crate) struct JournalReading {
    path: PathBuf,
    pub(crate) answers: Answers,
    pub(crate) damage: Damage,
    /// Whether the line with the advisor has been read.
    pub(crate) begun: bool,
    pub(crate) read_bytes: u64,
    read_lines: u64,
}

impl JournalReading {
    /// Nothing yet of the journal of this advisor.
    pub(crate) fn of(advisor: RecordedAdvisor, path: &Path) -> Self {
        let (answers, damage) = (Answers::of(advisor), Damage::default());
        Self { path: path.to_path_buf(), answers, damage, begun: false, read_bytes: 0, read_lines: 0 }
    }

    /// All of a journal, whoever it belongs to.
    pub(crate) fn whole(bytes: &[u8], path: &Path) -> Result<Self, Error> {
        let advisor = bytes.split(|&byte| byte == b'\n').find_map(|line| match JournalLine::read(line)? {
            JournalLine::Advisor { format: FORMAT, advisor } => Some(advisor),
            _ => None,
        });
        let mut reading = Self::of(advisor.ok_or_else(|| foreign(path))?, path);
        reading.take(bytes)?;
        Ok(reading)
    }

    /// Takes in the complete lines of what follows.
    pub(crate) fn take(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let complete = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        self.damage.tail_bytes = (bytes.len() - complete) as u64;
        for line in bytes[..complete].split_inclusive(|&byte| byte == b'\n') {
            self.read_lines += 1;
            self.read_bytes += line.len() as u64;
            match JournalLine::read(&line[..line.len() - 1]) {
                Some(line) => self.accept(line)?,
                None => self.damage.lines.push(self.read_lines),
            }
        }
        Ok(())
    }

    fn accept(&mut self, line: JournalLine) -> Result<(), Error> {
        match line {
            JournalLine::Advisor { format, advisor } => {
                if format != FORMAT {
                    return Err(foreign(&self.path));
                }
                if advisor != *self.answers.advisor() {
                    return Err(Error::Advisor {
                        place: self.path.display().to_string(),
                        found: Box::new(advisor),
                        expected: Box::new(self.answers.advisor().clone()),
                    });
                }
                self.begun = true;
            }
            JournalLine::Answer { key, asked, decoding, utterance, date } => {
                let entry = RecordedAnswer::read(asked, decoding, utterance, date);
                if self.answers.key_of(&entry) == key {
                    self.damage.conflicts.extend(self.answers.add(entry).err().map(|conflict| *conflict));
                } else {
                    self.damage.lines.push(self.read_lines);
                }
            }
        }
        Ok(())
    }
}
