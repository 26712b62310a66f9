//! A run that is killed and started again, as often as it takes, ends with the bytes of a run that never was.

use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::{Chance, assert_same_files, command, counsel, files, is_kind, path, reproduce};

/// Three kinds of scenario: latent, placement and controlled.
const WORDS: &str = "informative predictor query-count --seeds 0..5 --jobs 2";
const KILLS: u32 = if cfg!(feature = "long-tests") { 24 } else { 8 };

/// Runs for so long at most. Whether it had to be killed.
fn killed_after(delay: Duration, out: &Path) -> bool {
    let mut arguments = vec!["reproduce"];
    arguments.extend(WORDS.split_whitespace());
    arguments.extend(["--out", path(out)]);
    let mut child = command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(delay);
    child.kill().unwrap();
    let status = child.wait().unwrap();
    assert!(status.code().is_none_or(|code| code == 0), "the run failed by itself: {status}");
    !status.success()
}

fn tables(out: &Path) -> [String; 2] {
    ["csv", "text"].map(|format| counsel(&["tables", path(out), "--format", format]).expect_success())
}

#[test]
fn a_run_that_was_killed_ends_with_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let clean = folder.path().join("clean");
    let start = Instant::now();
    reproduce(WORDS, &clean);
    let whole = start.elapsed();
    let (expected, expected_tables) = (files(&clean), tables(&clean));

    let mut chance = Chance(20);
    let (mut kills, mut kills_with_cells) = (0, 0);
    for round in 0..40 {
        let out = folder.path().join(format!("round-{round}"));
        while killed_after(whole.mul_f64(0.02 + 0.5 * chance.share()), &out) {
            kills += 1;
            if out.exists() && files(&out).keys().any(|name| is_kind(name, "json")) {
                kills_with_cells += 1;
            }
        }
        let last = reproduce(WORDS, &out);
        assert!(last.stderr.contains("were there already"), "the finished run was not resumed: {}", last.stderr);
        let found = files(&out);
        assert!(found.keys().all(|name| !is_kind(name, "part")), "a part of a file is left: {:?}", found.keys());
        assert_same_files(&found, &expected);
        assert_eq!(tables(&out), expected_tables, "round {round}");
        if kills >= KILLS && kills_with_cells >= KILLS / 2 {
            return;
        }
    }
    panic!("only {kills} kills hit the run, {kills_with_cells} of them after the first cell");
}

/// What a kill leaves at every point of writing one cell: a part of the log, the log alone, a part of the manifest.
#[test]
fn half_a_cell_is_no_cell() {
    const ONE_CELL: &str = "informative/response-conditioned/seed-00000";
    let words = "informative --seeds 0..0";
    let folder = tempfile::tempdir().unwrap();
    reproduce(words, folder.path());
    let expected = files(folder.path());
    let tables = || counsel(&["tables", path(folder.path()), "--format", "csv"]);
    let expected_tables = tables().expect_success();
    let (log, manifest) = (&expected[&format!("{ONE_CELL}.parquet")], &expected[&format!("{ONE_CELL}.json")]);

    // What is not whole yet is hidden, under a name of its writer's.
    let file = |extension: &str| match extension.strip_suffix(".part") {
        Some(half) => folder.path().join(ONE_CELL.replace("/seed", "/.seed") + &format!(".{half}.4711-0.part")),
        None => folder.path().join(format!("{ONE_CELL}.{extension}")),
    };
    let states: [&[(&str, &[u8])]; 5] = [
        &[("parquet.part", b"")],
        &[("parquet.part", &log[..log.len() / 2])],
        &[("parquet", log)],
        &[("parquet", log), ("json.part", &manifest[..manifest.len() / 2])],
        &[("parquet", log), ("json.part", manifest)],
    ];
    for state in states {
        for extension in ["parquet", "json"] {
            std::fs::remove_file(file(extension)).unwrap();
        }
        for (extension, bytes) in state {
            std::fs::write(file(extension), bytes).unwrap();
        }
        let names: Vec<_> = state.iter().map(|(name, _)| name).collect();
        let audit = counsel(&["audit", path(folder.path())]);
        let orphans = names.contains(&&"parquet");
        assert_eq!(audit.code, Some(i32::from(orphans)), "{names:?}: {audit:?}");
        assert!(audit.stdout.contains("in 3 cells"), "{names:?} counts as a cell: {audit:?}");
        assert_ne!(tables().expect_success(), expected_tables, "{names:?} counts as a cell");
        let again = reproduce(words, folder.path());
        assert!(again.stderr.contains("1 cells run, 3 were there already"), "{names:?}: {}", again.stderr);
        assert_same_files(&files(folder.path()), &expected);
        assert_eq!(tables().expect_success(), expected_tables);
    }
}

/// Arms share what they have in common, such as the calls of a controller that others match. A cell whose twins are finished, and
/// which must therefore find out by itself, has the same bytes.
#[test]
fn a_cell_does_not_depend_on_the_cells_that_were_run_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    for (words, arm) in [
        ("alfworld-language --seeds 0..0 --set episodes=8", "early-once"),
        ("babyai-exact --seeds 0..0 --set episodes=4 --set calibration.calibrate=20", "random-exact"),
    ] {
        let study = words.split(' ').next().unwrap();
        let out = folder.path().join(study);
        reproduce(words, &out);
        let expected = files(&out);
        let is_of_arm = |name: &&String| name.split('/').rev().nth(1).is_some_and(|folder| folder.contains(arm));
        let alone: Vec<&String> = expected.keys().filter(is_of_arm).collect();
        assert!(alone.len() > 1, "{study} has no arm {arm}");
        for name in alone {
            std::fs::remove_file(out.join(name)).unwrap();
        }
        reproduce(words, &out);
        assert_same_files(&files(&out), &expected);
    }
}
