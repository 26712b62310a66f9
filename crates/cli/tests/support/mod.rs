//! What the tests of the command share: running it, reading a folder, and chance that is the same every time.

#![allow(dead_code, reason = "each test file uses a part of this")]

pub(crate) mod spoken;
pub(crate) mod tools;
pub(crate) mod viewer;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// What the command said, and how it ended.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: Option<i32>,
}

impl Said {
    /// Whether a thread of the command panicked.
    pub(crate) fn panicked(&self) -> bool {
        self.stderr.contains("panicked at")
    }

    /// Both streams, for a search that does not care which.
    pub(crate) fn all(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }

    /// The text on standard output; the command must have succeeded.
    #[track_caller]
    pub(crate) fn expect_success(self) -> String {
        assert_eq!(self.code, Some(0), "{self:#?}");
        self.stdout
    }

    /// The text on standard error; the command must have failed.
    #[track_caller]
    pub(crate) fn expect_failure(self) -> String {
        assert!(self.code.is_some_and(|code| code != 0), "{self:#?}");
        self.stderr
    }
}

/// The command, ready to run: no colour, a fixed width, nothing to read.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_counsel"));
    command.args(arguments).env("COLUMNS", "100").env("NO_COLOR", "1").env_remove("CLICOLOR_FORCE");
    command.stdin(Stdio::null());
    command
}

/// Runs the command to its end, panic or not.
pub(crate) fn run(arguments: &[&str]) -> Said {
    let output = command(arguments).output().expect("the command starts");
    Said {
        stdout: String::from_utf8(output.stdout).expect("standard output is UTF-8"),
        stderr: String::from_utf8(output.stderr).expect("standard error is UTF-8"),
        code: output.status.code(),
    }
}

/// Runs the command with an output that nobody reads: the other end of the pipe is closed before it starts.
#[track_caller]
pub(crate) fn unheard(arguments: &[&str]) -> Said {
    let (reader, writer) = std::io::pipe().expect("a pipe can be made");
    drop(reader);
    let output = command(arguments).stdout(writer).stderr(Stdio::piped()).output().expect("the command starts");
    let stderr = String::from_utf8(output.stderr).expect("standard error is UTF-8");
    assert!(!stderr.contains("panicked at"), "{arguments:?} panicked:\n{stderr}");
    Said { stdout: String::new(), stderr, code: output.status.code() }
}

/// Runs the command while this is typed; it must succeed.
#[track_caller]
pub(crate) fn counsel_typing(arguments: &[&str], typed: &str) -> String {
    let mut child =
        command(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the command starts");
    let mut keyboard = child.stdin.take().expect("the keyboard is a pipe");
    keyboard.write_all(typed.as_bytes()).expect("the command reads");
    drop(keyboard);
    let output = child.wait_with_output().expect("the command ends");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("standard output is UTF-8")
}

/// Runs the command to its end. A panic is a bug whatever the test is about.
#[track_caller]
pub(crate) fn counsel(arguments: &[&str]) -> Said {
    let said = run(arguments);
    assert!(!said.panicked(), "{arguments:?} panicked:\n{}", said.stderr);
    said
}

/// Runs `counsel reproduce` with these words and `--out`; it must succeed.
#[track_caller]
pub(crate) fn reproduce(words: &str, out: &Path) -> Said {
    let mut arguments = vec!["reproduce"];
    arguments.extend(words.split_whitespace());
    arguments.extend(["--out", path(out)]);
    let said = counsel(&arguments);
    assert_eq!(said.code, Some(0), "{arguments:?}: {said:#?}");
    said
}

/// The most memory that a process had so far, in megabytes, where the system says so.
pub(crate) fn peak_megabytes(process: u32) -> Option<f64> {
    let told = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let kilobytes = told.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next())?;
    Some(kilobytes.parse::<f64>().ok()? / 1000.0)
}

/// A path as an argument.
pub(crate) fn path(path: &Path) -> &str {
    path.to_str().expect("the path is UTF-8")
}

/// Whether a file's name ends with a full stop and this.
pub(crate) fn is_kind(name: &str, extension: &str) -> bool {
    Path::new(name).extension().is_some_and(|found| found == extension)
}

/// The path below a folder of every file there.
pub(crate) fn names(root: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder can be listed") {
            let entry = entry.expect("the entry can be read").path();
            if entry.is_dir() {
                folders.push(entry);
            } else {
                found.insert(path(entry.strip_prefix(root).expect("the entry is below the root")).to_owned());
            }
        }
    }
    found
}

/// Every file below a folder that nobody is writing to: its path there, and its bytes.
pub(crate) fn files(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let read = |name: String| {
        let bytes = std::fs::read(root.join(&name)).expect("the file can be read");
        (name, bytes)
    };
    names(root).into_iter().map(read).collect()
}

/// Fails with the names of the files that differ, not with their bytes.
#[track_caller]
pub(crate) fn assert_same_files(found: &BTreeMap<String, Vec<u8>>, expected: &BTreeMap<String, Vec<u8>>) {
    let missing: Vec<_> = expected.keys().filter(|name| !found.contains_key(*name)).collect();
    let added: Vec<_> = found.keys().filter(|name| !expected.contains_key(*name)).collect();
    let changed: Vec<_> =
        found.iter().filter(|(name, bytes)| expected.get(*name).is_some_and(|e| e != *bytes)).map(|f| f.0).collect();
    assert!(
        missing.is_empty() && added.is_empty() && changed.is_empty(),
        "missing {missing:?}, added {added:?}, changed {changed:?}"
    );
}

/// Numbers without a pattern that are the same at every run (SplitMix64).
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from 0 up to, but not with, `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).expect("it is below a usize")
    }

    /// A number in [0, 1).
    pub(crate) fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}
