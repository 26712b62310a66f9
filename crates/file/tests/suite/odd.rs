//! Whatever lies at a path, it is read or refused, and never waited for.

use std::fs::{self, File};
use std::path::Path;
use std::process::Command;

use counsel_file::{Error, Expected, read, read_text, write_whole};

const NOTE: Expected = Expected { what: "a note", most_bytes: 100 };

fn refusal(path: &Path) -> String {
    let error = read(path, NOTE).unwrap_err().to_string();
    assert!(error.contains(path.to_str().unwrap()) && !error.contains('\n'), "{error}");
    error
}

#[test]
fn a_regular_file_is_read_up_to_its_limit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("note");
    for length in [0, 1, 100] {
        write_whole(&path, &vec![b'x'; length]).unwrap();
        assert_eq!(read_text(&path, NOTE).unwrap().len(), length);
    }
    write_whole(&path, &[b'x'; 101]).unwrap();
    assert!(refusal(&path).contains("more than 100 bytes, which a note never has"));
    fs::write(&path, b"\xff").unwrap();
    assert!(matches!(read_text(&path, NOTE), Err(Error::NotText { .. })));
}

#[test]
fn an_absurdly_large_file_is_refused_without_being_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("note");
    File::create(&path).unwrap().set_len(1 << 40).unwrap();
    assert!(refusal(&path).contains("check that it is the right file"));
}

#[test]
fn a_folder_and_nothing_at_all_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    assert!(refusal(folder.path()).contains("is a folder, and a note is read from an ordinary file only"));
    assert!(refusal(&folder.path().join("absent")).contains("cannot read"));
}

#[cfg(unix)]
#[test]
fn pipes_and_devices_are_refused_and_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert!(refusal(&pipe).contains("is a pipe"));
    assert!(refusal(Path::new("/dev/zero")).contains("is a device"));
    let link = folder.path().join("link");
    std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
    assert!(refusal(&link).contains("is a device"));
}

/// The files of the system have no size until they are read.
#[cfg(target_os = "linux")]
#[test]
fn a_file_that_says_nothing_of_its_size_is_read_up_to_its_limit() {
    assert!(refusal(Path::new("/proc/self/maps")).contains("more than 100 bytes"));
}
