//! A folder holds a study with one set of settings, and says wherever it is shown what was changed.

use std::path::Path;

use crate::support::{Said, counsel, files, path, reproduce};

fn lock(out: &Path, words: &str) -> Said {
    let words: Vec<&str> = words.split_whitespace().collect();
    counsel(&[&["reproduce", "lock", "--out", path(out), "--set", "episodes=2"][..], &words].concat())
}

#[test]
fn seeds_of_two_prices_do_not_share_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(lock(folder.path(), "--seeds 0..1 --set price=0.1").code, Some(0));
    let before = files(folder.path());
    for other in ["--seeds 2..3", "--seeds 2..3 --set price=0.2", "--seeds 0..1"] {
        let error = lock(folder.path(), other).expect_failure();
        assert!(error.contains("other settings") && error.contains("price is 0.1 there"), "{other}: {error}");
    }
    assert_eq!(files(folder.path()), before, "a refused run wrote something");
    assert_eq!(lock(folder.path(), "--seeds 2..3 --set price=0.1").code, Some(0));
}

#[test]
fn a_folder_says_what_was_changed_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let said = lock(folder.path(), "--seeds 0..1 --set price=0.1");
    assert!(said.stderr.contains("changed in lock: price=0.1"), "{}", said.stderr);
    let listed = counsel(&["list", path(folder.path())]).expect_success();
    assert!(listed.contains("changed: price=0.1") && listed.contains("2 seeds from 0 to 1"), "{listed}");
    let listed = counsel(&["list", path(folder.path()), "--format", "json"]).expect_success();
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed["studies"][0]["changed"], serde_json::json!(["episodes=2", "price=0.1"]));
    // A change to what the study says anyway is none.
    let plain = tempfile::tempdir().unwrap();
    reproduce("informative --seeds 0..0", plain.path());
    let listed = counsel(&["list", path(plain.path())]).expect_success();
    assert!(!listed.contains("changed"), "{listed}");
    let same = counsel(&["reproduce", "lock", "--set", "price=0.02", "--seeds", "0..0", "--out", path(plain.path())]);
    assert!(!same.stderr.contains("changed"), "{}", same.stderr);
}

#[test]
fn a_change_says_which_arms_keep_their_own_setting() {
    let folder = tempfile::tempdir().unwrap();
    let (shared, every) = (folder.path().join("shared"), folder.path().join("every"));
    let said = lock(&shared, "--seeds 0..0 --set gate={policy='always'}");
    let kept = "(not in never, oracle-gate, always, perfect-advice, counsel, experience-only, which set their own)";
    assert!(said.stderr.contains(kept), "{}", said.stderr);
    let listed = counsel(&["list", path(&shared)]).expect_success();
    assert!(listed.split_whitespace().collect::<Vec<_>>().join(" ").contains(kept), "{listed}");
    let said = lock(&every, "--seeds 0..0 --set arms.*.gate={policy='never'}");
    assert_eq!(said.code, Some(0), "{said:?}");
    for (name, bytes) in files(&every).iter().filter(|(name, _)| name.contains("seed-") && name.ends_with("json")) {
        let manifest: serde_json::Value = serde_json::from_slice(bytes).unwrap();
        assert_eq!(manifest["spec"]["gate"], serde_json::json!({ "policy": "never" }), "{name}");
    }
}

#[test]
fn one_flag_puts_an_advisor_into_every_arm_that_asks_one() {
    let folder = tempfile::tempdir().unwrap();
    let words = "babyai-repeat --seeds 0..0 --set moments=5 --advisor qwen2.5-coder-0.5b/plain/generate";
    let said = reproduce(words, folder.path());
    assert!(said.stderr.contains("advisor=qwen2.5-coder-0.5b/plain/generate"), "{}", said.stderr);
    for (name, bytes) in
        files(folder.path()).iter().filter(|(name, _)| name.contains("seed-") && name.ends_with("json"))
    {
        let manifest: serde_json::Value = serde_json::from_slice(bytes).unwrap();
        assert_eq!(manifest["spec"]["advisor"], "qwen2.5-coder-0.5b/plain/generate", "{name}");
    }
    let error = lock(&folder.path().join("lock"), "--advisor qwen2.5-coder-0.5b/plain/generate").expect_failure();
    assert!(error.contains("no arm of lock asks a language model"), "{error}");
}

#[test]
fn what_is_no_change_and_no_range_is_refused_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let out = path(folder.path());
    for (flag, value, part) in [
        ("--set", "price=0.1\nepisodes=3", "line break"),
        ("--set", "price=\u{1b}[31m1", "control character"),
        ("--seeds", "-1..2", "`-1..2` is not a range of seeds"),
        ("--seeds", "3..1", "A <= B"),
    ] {
        let error = counsel(&["reproduce", "lock", "--out", out, flag, value]).expect_failure();
        assert!(error.contains(part) && !error.contains('\u{1b}'), "{value:?}: {error}");
    }
    assert!(files(folder.path()).is_empty());
}

#[test]
fn a_log_without_its_manifest_is_named_and_fails_the_audit() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(lock(folder.path(), "--seeds 0..1").code, Some(0));
    std::fs::remove_file(folder.path().join("lock/never/seed-00001.json")).unwrap();
    let said = counsel(&["audit", path(folder.path())]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.stdout.contains("lock/never/1: its log has no manifest"), "{}", said.stdout);
    let told = counsel(&["audit", path(folder.path()), "--format", "json"]);
    let told: serde_json::Value = serde_json::from_str(&told.stdout).unwrap();
    assert_eq!(told["logs_without_manifest"], serde_json::json!(["lock/never/1"]));
}

#[test]
fn a_cell_that_was_copied_from_another_run_is_found_out() {
    let folder = tempfile::tempdir().unwrap();
    let (cheap, dear) = (folder.path().join("cheap"), folder.path().join("dear"));
    assert_eq!(lock(&cheap, "--seeds 0..0").code, Some(0));
    assert_eq!(lock(&dear, "--seeds 1..1 --set price=0.1").code, Some(0));
    for kind in ["json", "parquet"] {
        let file = format!("lock/controller/seed-00001.{kind}");
        std::fs::copy(dear.join(&file), cheap.join(&file)).unwrap();
    }
    let said = counsel(&["audit", path(&cheap)]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.stdout.contains("lock/controller/1: it has other settings than its study: price"), "{}", said.stdout);
}
