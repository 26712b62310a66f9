//! Whoever reads may go away, and a disk may be full: the command does what it was asked, or says why not, and never panics.
#![cfg(unix)]

use std::fs::File;
use std::process::Stdio;

use crate::support::{command, files, path, reproduce, unheard};

#[test]
fn nobody_has_to_read_what_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let run = path(folder.path());
    reproduce("lock --seeds 0..0 --set episodes=2", folder.path());
    for verb in [
        &["slurm", "lock", "--shards", "2"][..],
        &["list"],
        &["list", run],
        &["tables", run],
        &["tables", run, "--tidy"],
        &["audit", run],
        &["figures", run],
        &["report", run],
        &["explain", run, "--cell", "lock/never/0", "--step", "0"],
        &["study", "new", "lock"],
        &["completions", "bash"],
        &["world", "list"],
        &["advisor", "list"],
        &["reproduce", "lock", "--seeds", "0..0", "--set", "episodes=2", "--out", run],
    ] {
        let said = unheard(verb);
        assert_eq!(said.code, Some(0), "{verb:?}: {said:?}");
    }
}

#[test]
fn a_run_goes_on_when_nobody_hears_how_it_goes() {
    let folder = tempfile::tempdir().unwrap();
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let words = ["reproduce", "lock", "--seeds", "0..1", "--set", "episodes=2", "--out", path(folder.path())];
    let done = command(&words).stdout(Stdio::null()).stderr(writer).status().unwrap();
    assert!(done.success(), "{done}");
    assert!(files(folder.path()).contains_key("lock/never/seed-00001.json"));
}

#[cfg(target_os = "linux")]
#[test]
fn an_output_that_cannot_be_written_is_a_failure_with_a_reason() {
    for verb in [&["slurm", "lock", "--shards", "2"][..], &["list"], &["study", "new", "lock"]] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let said = command(verb).stdout(full).stderr(Stdio::piped()).output().unwrap();
        let stderr = String::from_utf8_lossy(&said.stderr);
        assert_eq!(said.status.code(), Some(1), "{verb:?}: {stderr}");
        assert!(stderr.starts_with("error: ") && !stderr.contains("panicked"), "{verb:?}: {stderr}");
    }
}
