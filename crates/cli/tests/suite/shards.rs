//! A run in parts: merged, it has the same bytes as one run, and what does not belong together is refused.

use std::path::Path;
use std::process::Command;

use crate::support::{assert_same_files, counsel, files, path, reproduce};

const STUDIES: &str = "informative query-count --seeds 3..6";

/// Runs the parts of the studies into folders below this one.
fn parts(folder: &Path, of: usize) -> Vec<String> {
    let part = |place: usize| {
        let out = folder.join(format!("part-{place}"));
        let said = reproduce(&format!("{STUDIES} --shard {place}/{of}"), &out);
        assert_eq!(said.stdout, "", "a part shows no table");
        path(&out).to_owned()
    };
    (0..of).map(part).collect()
}

fn merge(out: &Path, dirs: &[String]) -> crate::support::Said {
    let mut words = vec!["merge", path(out)];
    words.extend(dirs.iter().map(String::as_str));
    counsel(&words)
}

#[test]
fn parts_merged_are_the_run_to_the_byte() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, merged) = (folder.path().join("whole"), folder.path().join("merged"));
    reproduce(STUDIES, &whole);
    let parts = parts(folder.path(), 3);
    let said = merge(&merged, &parts).expect_success();
    assert!(said.contains("cells taken from 3 folders"), "{said}");
    assert_same_files(&files(&merged), &files(&whole));
    let again = merge(&merged, &parts).expect_success();
    assert!(again.contains("merged: 0 cells taken"), "{again}");
    assert_same_files(&files(&merged), &files(&whole));
}

#[test]
fn a_dry_run_names_what_is_not_there_and_runs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("runs");
    let due = |seeds: &str| {
        counsel(&["reproduce", "query-count", "--seeds", seeds, "--dry-run", "--out", path(&out)]).expect_success()
    };
    let all = due("0..2");
    assert!(all.lines().count() > 3 && all.lines().all(|line| line.starts_with("query-count/")), "{all}");
    assert!(!out.exists(), "a dry run writes nothing");
    reproduce("query-count --seeds 0..1", &out);
    let rest: Vec<&str> = all.lines().filter(|line| line.ends_with("/2")).collect();
    assert_eq!(due("0..2").lines().collect::<Vec<_>>(), rest);
}

#[test]
fn a_part_without_seeds_has_nothing_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("part");
    let said = counsel(&["reproduce", "lock", "--seeds", "0..1", "--shard", "2/3", "--out", path(&out)]);
    assert!(said.stderr.contains("the part 2/3 has no seed"), "{said:?}");
    said.expect_success();
    assert!(!out.exists());
}

#[test]
fn what_contradicts_the_folder_is_refused_and_nothing_of_it_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    reproduce("query-count --seeds 0..0", &place("runs"));
    reproduce("query-count --seeds 1..1 --set price=0.5", &place("other"));
    let before = files(&place("runs"));
    let said = merge(&place("runs"), &[path(&place("other")).to_owned()]).expect_failure();
    assert!(said.contains("other settings") && said.contains("price"), "{said}");
    assert_same_files(&files(&place("runs")), &before);
    let said = merge(&place("runs"), &[path(&place("runs")).to_owned()]).expect_failure();
    assert!(said.contains("both the source and the target"), "{said}");
    let said = merge(&place("runs"), &[path(&place("nowhere")).to_owned()]).expect_failure();
    assert!(said.contains("nowhere"), "{said}");
}

#[test]
fn a_damaged_log_is_not_taken() {
    let folder = tempfile::tempdir().unwrap();
    let (part, runs) = (folder.path().join("part"), folder.path().join("runs"));
    reproduce("query-count --seeds 0..1", &part);
    let (name, mut bytes) = files(&part).into_iter().find(|(name, _)| name.ends_with(".parquet")).unwrap();
    bytes[100] ^= 1;
    std::fs::write(part.join(&name), bytes).unwrap();
    let said = merge(&runs, &[path(&part).to_owned()]).expect_failure();
    assert!(said.contains("is damaged") && said.contains(name.rsplit('/').next().unwrap()), "{said}");
    assert!(files(&runs).keys().all(|name| name == ".lock"), "something was taken");
    // A sound part before the damaged one is not taken either: a merge is whole.
    let sound = folder.path().join("sound");
    reproduce("query-count --seeds 2..2", &sound);
    merge(&runs, &[path(&sound).to_owned(), path(&part).to_owned()]).expect_failure();
    assert!(files(&runs).keys().all(|name| name == ".lock"), "something was taken");
}

#[test]
fn parts_that_contradict_each_other_are_refused_before_anything_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    reproduce("query-count --seeds 0..0", &place("one"));
    reproduce("query-count --seeds 1..1 --set price=0.5", &place("other"));
    let parts = ["one", "other"].map(|name| path(&place(name)).to_owned());
    let said = merge(&place("runs"), &parts).expect_failure();
    assert!(said.contains("other settings") && said.contains("price"), "{said}");
    assert!(files(&place("runs")).keys().all(|name| name == ".lock"), "something was taken");
    // The same part twice is taken once.
    let said = merge(&place("runs"), &[parts[0].clone(), parts[0].clone()]).expect_success();
    assert!(said.contains("0 cells taken, 8 were there already"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_merge_whose_listener_is_gone_is_whole() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, merged) = (folder.path().join("whole"), folder.path().join("merged"));
    reproduce(STUDIES, &whole);
    let parts = parts(folder.path(), 3);
    let mut words = vec!["merge", path(&merged)];
    words.extend(parts.iter().map(String::as_str));
    let said = crate::support::unheard(&words);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_same_files(&files(&merged), &files(&whole));
}

#[test]
fn the_script_for_slurm_runs_every_part_and_a_task_may_run_twice() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, merged) = (folder.path().join("whole"), folder.path().join("merged"));
    let words = ["query-count", "--seeds", "0..3", "--set", "arms.*.price=0.125"];
    let script = {
        let mut slurm = vec!["slurm"];
        slurm.extend(words);
        slurm.extend(["--shards", "2", "--out", path(&merged)]);
        counsel(&slurm).expect_success()
    };
    assert!(script.contains("#SBATCH --array=0-1") && script.contains("#SBATCH --requeue"), "{script}");
    let file = folder.path().join("job.sh");
    std::fs::write(&file, &script).unwrap();
    let programs = Path::new(env!("CARGO_BIN_EXE_counsel")).parent().unwrap();
    let found = std::env::join_paths(
        std::iter::once(programs.to_path_buf()).chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    for task in ["0", "1", "1"] {
        let mut bash = Command::new("bash");
        let done =
            bash.arg(&file).env("PATH", found.as_ref().unwrap()).env("SLURM_ARRAY_TASK_ID", task).output().unwrap();
        assert!(done.status.success(), "{done:?}");
    }
    let parts = ["0", "1"].map(|task| format!("{}-shards/{task}", path(&merged)));
    merge(&merged, &parts).expect_success();
    reproduce(&words.join(" "), &whole);
    assert_same_files(&files(&merged), &files(&whole));
    let said = counsel(&["slurm", "lock", "--seeds", "0..1", "--shards", "3"]).expect_failure();
    assert!(said.contains("3 shards are more than the 2 seeds"), "{said}");
}

#[test]
fn no_word_of_a_script_ends_its_line() {
    let lines = ["runs\ntouch PWNED #", "runs\r\ntouch PWNED"];
    for out in lines {
        let said = counsel(&["slurm", "lock", "--shards", "2", "--out", out]).expect_failure();
        assert!(said.contains("control character"), "{said}");
    }
    let script = counsel(&["slurm", "lock", "--shards", "2", "--out=-rf; touch x"]).expect_success();
    assert!(script.contains("counsel merge './-rf; touch x' './-rf; touch x-shards'/*"), "{script}");
    assert!(script.trim_end().ends_with(" -- lock"), "a name is no option: {script}");
}
