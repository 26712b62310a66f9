//! What lies where a file is to be written: a link is never followed, and a pipe is never waited for.
#![cfg(unix)]

use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::process::Command;

use counsel_file::{Expected, open_kept, write_whole};

const LOCK: Expected = Expected { what: "a lock", most_bytes: 100 };

#[test]
fn a_link_beside_a_file_is_not_written_through() {
    let folder = tempfile::tempdir().unwrap();
    let (victim, page) = (folder.path().join("victim"), folder.path().join("page.html"));
    fs::write(&victim, "mine").unwrap();
    symlink(&victim, folder.path().join("page.html.part")).unwrap();
    // Of the names to come, whichever they are, the first ones are taken.
    for number in 0..20 {
        symlink(&victim, folder.path().join(format!(".page.html.{}-{number}.part", std::process::id()))).unwrap();
    }
    write_whole(&page, b"page").unwrap();
    assert_eq!((fs::read(&victim).unwrap(), fs::read(&page).unwrap()), (b"mine".to_vec(), b"page".to_vec()));
    assert!(fs::symlink_metadata(&page).unwrap().is_file(), "the page is a link");
}

#[test]
fn a_link_in_the_place_of_a_file_is_replaced_and_its_end_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (victim, page) = (folder.path().join("victim"), folder.path().join("page.html"));
    fs::write(&victim, "mine").unwrap();
    symlink(&victim, &page).unwrap();
    write_whole(&page, b"page").unwrap();
    assert_eq!((fs::read(&victim).unwrap(), fs::read(&page).unwrap()), (b"mine".to_vec(), b"page".to_vec()));
}

#[test]
fn a_file_that_stays_open_is_begun_and_kept_and_is_no_link_and_no_pipe() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    open_kept(&at("lock"), LOCK, File::options().write(true)).unwrap();
    fs::write(at("lock"), "kept").unwrap();
    open_kept(&at("lock"), LOCK, File::options().write(true)).unwrap();
    assert_eq!(fs::read(at("lock")).unwrap(), b"kept");

    symlink(at("lock"), at("link")).unwrap();
    symlink(at("nothing"), at("dangling")).unwrap();
    assert!(Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
    fs::create_dir(at("folder")).unwrap();
    fs::write(at("large"), [b'x'; 101]).unwrap();
    for (name, found) in [
        ("link", "is a symbolic link, and a lock is kept in an ordinary file only"),
        ("dangling", "is a symbolic link"),
        ("pipe", "is a pipe"),
        ("folder", "is a folder"),
        ("large", "has more than 100 bytes"),
    ] {
        let error = open_kept(&at(name), LOCK, File::options().write(true)).unwrap_err().to_string();
        assert!(error.contains(found) && error.contains(name), "{error}");
    }
    assert!(!at("nothing").exists());
}
