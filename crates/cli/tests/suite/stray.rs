//! A cell has one spelling. Whatever else lies in a run is named and refused, and never counted.

use crate::support::{counsel, path, reproduce};

#[test]
fn another_spelling_of_a_seed_is_refused_wherever_a_run_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    reproduce("lock --seeds 0..2 --set episodes=2", &run);
    let (dir, merged) = (path(&run), folder.path().join("merged"));
    let tables = counsel(&["tables", dir, "--format", "csv"]).expect_success();
    for stray in [
        "lock/never/seed-0.json",
        "lock/never/seed-+0.json",
        "lock/never/seed-000000.json",
        "lock/never/seed-0.parquet",
        "lock/never/seed-00000 (copy).json",
        "lock/notes.txt",
    ] {
        std::fs::copy(run.join("lock/never/seed-00000.json"), run.join(stray)).unwrap();
        for verb in [
            &["tables", dir][..],
            &["audit", dir],
            &["report", dir],
            &["figures", dir],
            &["list", dir],
            &["merge", path(&merged), dir],
            &["export", dir, "--format", "tensorboard", "--out", path(&folder.path().join("board"))],
        ] {
            let said = counsel(verb).expect_failure();
            assert!(said.contains(stray) && said.contains("is no part of a run"), "{verb:?}: {said}");
        }
        std::fs::remove_file(run.join(stray)).unwrap();
    }
    assert!(!merged.join("lock").exists());
    // Hidden files of the system, and whatever is no study, are passed over.
    std::fs::write(run.join("lock/.DS_Store"), "").unwrap();
    std::fs::write(run.join("lock/never/.DS_Store"), "").unwrap();
    std::fs::create_dir(run.join("papers")).unwrap();
    std::fs::write(run.join("papers/seed-0.json"), "").unwrap();
    assert_eq!(counsel(&["tables", dir, "--format", "csv"]).expect_success(), tables);
}

#[test]
fn a_run_is_not_exported_into_itself() {
    let folder = tempfile::tempdir().unwrap();
    let dir = path(folder.path());
    reproduce("lock --seeds 0..0 --set episodes=2", folder.path());
    let said = counsel(&["export", dir, "--format", "tensorboard", "--out", dir]).expect_failure();
    assert!(said.contains("holds a run of counsel itself"), "{said}");
    counsel(&["audit", dir]).expect_success();
}
