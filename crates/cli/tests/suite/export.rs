//! Event files of a run: which are written, that they are the same every time, and what is refused. What they say is checked
//! with TensorBoard's own reader by `fixtures/tensorboard/check.py`.

use std::path::Path;

use crate::support::{assert_same_files, counsel, files, path, reproduce};

const EVENTS: &str = "events.out.tfevents.0.counsel";

fn export(runs: &Path, out: &Path, options: &[&str]) -> crate::support::Said {
    let arguments = ["export", path(runs), "--format", "tensorboard", "--out", path(out)];
    counsel(&[&arguments[..], options].concat())
}

#[test]
fn every_cell_becomes_one_run_with_the_same_bytes_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let (runs, out) = (folder.path().join("runs"), folder.path().join("board"));
    reproduce("lock --seeds 7..8 --set episodes=3", &runs);
    let before = files(&runs);
    let said = export(&runs, &out, &[]).expect_success();
    assert!(said.starts_with("14 runs written"), "{said}");
    let first = files(&out);
    assert_eq!(first.len(), 14);
    assert!(first.contains_key(&format!("lock/controller/seed-7/{EVENTS}")), "{:?}", first.keys());
    export(&runs, &out, &[]).expect_success();
    assert_same_files(&files(&out), &first);
    assert_same_files(&files(&runs), &before);
}

#[test]
fn studies_and_arms_can_be_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let (runs, out) = (folder.path().join("runs"), folder.path().join("board"));
    reproduce("lock --seeds 0..0 --set episodes=3", &runs);
    let said = export(&runs, &out, &["--study", "lock", "--arm", "never", "--arm", "always"]).expect_success();
    assert!(said.starts_with("2 runs written"), "{said}");
    let error = export(&runs, &out, &["--arm", "nevr"]).expect_failure();
    assert!(error.contains("the run has no arm `nevr` (did you mean `never`?)"), "{error}");
    assert!(export(&runs, &out, &["--study", "lokc"]).expect_failure().contains("lokc"));
}

#[test]
fn files_of_others_are_left_alone_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let (runs, out) = (folder.path().join("runs"), folder.path().join("board"));
    reproduce("lock --seeds 0..0 --set episodes=3", &runs);
    let place = out.join("lock/never/seed-0");
    std::fs::create_dir_all(&place).unwrap();
    for (name, reason) in [
        (EVENTS, "is not an event file of counsel"),
        ("events.out.tfevents.1.other", "lies where a run would be written"),
    ] {
        std::fs::write(place.join(name), "mine").unwrap();
        let error = export(&runs, &out, &[]).expect_failure();
        assert!(error.contains(reason), "{error}");
        assert_eq!(files(&out).into_values().collect::<Vec<_>>(), [b"mine".to_vec()]);
        std::fs::remove_file(place.join(name)).unwrap();
    }
    export(&runs, &out, &[]).expect_success();
}
