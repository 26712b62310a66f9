//! The list of studies: what each takes and costs, its tables in the paper, and what of it was run; and words that name nothing.

use std::path::Path;

use serde_json::Value;

use crate::support::{Said, command, counsel, path, reproduce};

/// Runs the command in this folder.
fn within(folder: &Path, arguments: &[&str], width: usize) -> Said {
    let output = command(arguments).current_dir(folder).env("COLUMNS", width.to_string()).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Said { stdout: text(output.stdout), stderr: text(output.stderr), code: output.status.code() }
}

fn studies(arguments: &[&str]) -> Vec<Value> {
    let listed = counsel(&[&["list", "--format", "json"], arguments].concat()).expect_success();
    serde_json::from_str::<Value>(&listed).unwrap()["studies"].as_array().unwrap().clone()
}

#[test]
fn every_study_tells_its_time_its_calls_and_its_tables() {
    let all = studies(&[]);
    for study in &all {
        assert!(study["seconds_on_two_cores"].as_f64().is_some_and(|seconds| seconds > 0.0), "{study}");
        // Without a number the questions were not counted; the simulated advisors of these groups are no models.
        let asks = study["calls_to_models"].as_u64() != Some(0);
        let is_simulated = study["group"] == "tabular"
            || study["group"] == "pixel"
            || study["group"] == "crafter"
            || study["group"] == "crafter-extra";
        assert!(!(asks && is_simulated), "{study}");
        let has_label = study["paper_label"].as_str().unwrap().contains("tab:");
        assert_eq!(has_label, !study["paper_tables"].as_array().unwrap().is_empty(), "{study}");
    }
    let main = all.iter().find(|study| study["study"] == "babyai-main").unwrap();
    assert_eq!(main["paper_tables"], serde_json::json!([5, 13]));
    assert!(main["calls_to_models"].as_u64() > Some(10_000), "{main}");
    let text = counsel(&["list", "Table 13"]).expect_success().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains(" min, ") && text.contains(" calls; ") && text.contains("Tables 5 and 13 (tab:alg1-real"),
        "{text}"
    );
    let Said { stdout, stderr, .. } = counsel(&["list", "lock"]);
    assert!(stdout.contains("seconds, no calls; 7 arms, 24 seeds"), "{stdout}");
    assert!(stderr.contains("on two cores") && stderr.contains("cost no money"), "{stderr}");
}

#[test]
fn what_was_run_already_is_told_from_the_folder_and_the_folders_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    reproduce("lock --seeds 0..1", &runs);
    reproduce("lock informative --seeds 0..0 --set episodes=2", &runs.join("short"));
    let text = within(folder.path(), &["list", "tabular"], 100).expect_success();
    assert!(text.contains("in runs: 14 of 168 cells\n"), "{text}");
    assert!(text.contains("in runs/short: 7 of 168 cells, changed\n"), "{text}");
    assert_eq!(text.matches(" cells").count(), 3, "{text}");
    let elsewhere = studies(&["lock", "--out", path(&runs.join("short"))]);
    assert_eq!(elsewhere[0]["run"][0]["cells"], 7);
    assert_eq!(elsewhere[0]["run"][0]["changed"], serde_json::json!(["episodes=2"]));

    // One folder that is not as a run should be does not hide the others, nor the list.
    std::fs::write(runs.join("short/lock/never/seed-0.json"), "").unwrap();
    let Said { stdout, stderr, code } = within(folder.path(), &["list", "lock"], 100);
    assert_eq!(code, Some(0));
    assert!(stdout.contains("in runs: 14 of 168 cells") && !stdout.contains("runs/short"), "{stdout}");
    assert!(stderr.contains("not listed: ") && stderr.contains("seed-0.json"), "{stderr}");
}

#[test]
fn lines_fit_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    reproduce("lock --seeds 0..1 --set episodes=2 --set price=0.1", &folder.path().join("runs"));
    for width in [60, 80, 100, 120] {
        for arguments in [&["list"][..], &["list", "runs"]] {
            let text = within(folder.path(), arguments, width).expect_success();
            let long: Vec<&str> = text.lines().filter(|line| line.chars().count() > width).collect();
            assert!(long.is_empty(), "{arguments:?} at {width}: {long:#?}");
        }
    }
}

#[test]
fn a_word_that_names_nothing_is_refused_with_the_nearest() {
    for (word, nearest) in [("lokc", "lock"), ("tabualr", "tabular"), ("tab:alg1-rael", "tab:alg1-real")] {
        let said = counsel(&["list", word]).expect_failure();
        assert!(said.contains(&format!("`{word}` (did you mean `{nearest}`?)")), "{said}");
    }
    let said = counsel(&["list", "Table 99"]).expect_failure();
    assert!(said.contains("the paper has 41 tables"), "{said}");
    let said = counsel(&["list", "Table 16"]).expect_failure();
    assert!(said.contains("Table 16 of the paper (tab:alg1-7b) has no study"), "{said}");
    let said = counsel(&["list", "--out", "nowhere"]).expect_failure();
    assert!(said.contains("there is no folder nowhere"), "{said}");
    counsel(&["list", "lock", "babyai"]).expect_failure();
    let said = counsel(&["list", "--format", "jsno"]).expect_failure();
    assert!(said.contains("json"), "{said}");
}
