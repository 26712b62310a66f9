//! Studies of one's own: the file to begin with, its check, and that they are run, resumed and audited like any other.

use std::path::{Path, PathBuf};

use crate::support::{assert_same_files, counsel, files, path, reproduce};

/// A study that declares nothing of what is read out of it.
const PLAIN: &str = r#"
id = "plain"
seeds = 3
scenario = "controlled"

[shared]
world = { kind = "lock", length = 4, actions = 3, horizon = 8 }
learner = { kind = "psrl", bounds = { steps = 80 } }
advisor = { kind = "simulated", reliability = { constant = 0.9 } }
predictor = { predictor = "feature" }
execution = { certified = { tolerance = 1.0 } }
budget = { per_episode = 8 }
price = 0.02
episodes = 4

[[arms]]
name = "never"
set = { gate = { policy = "never" } }

[[arms]]
name = "always"
set = { gate = { policy = "always" } }
"#;

fn saved(folder: &Path, text: &str) -> PathBuf {
    let file = folder.join("mine.toml");
    std::fs::write(&file, text).unwrap();
    file
}

fn check(file: &Path) -> crate::support::Said {
    counsel(&["study", "check", path(file)])
}

#[test]
fn every_study_of_the_program_is_a_file_to_begin_with() {
    let folder = tempfile::tempdir().unwrap();
    let list = counsel(&["list"]).expect_success();
    let first = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    let ids: Vec<&str> = list.lines().filter(first).filter_map(|line| line.split_whitespace().next()).collect();
    assert!(ids.len() > 20, "{list}");
    for id in ids {
        let file = saved(folder.path(), &counsel(&["study", "new", id]).expect_success());
        let said = check(&file).expect_success();
        assert!(said.contains(&format!("study `my-{id}`")), "{said}");
    }
}

#[test]
fn a_new_study_plays_the_settings_that_it_was_made_from() {
    let folder = tempfile::tempdir().unwrap();
    let text = counsel(&["study", "new", "lock", "--id", "other-lock"]).expect_success();
    for said in ["id = \"other-lock\"", "# First half", "# Second half", "[[findings]]"] {
        assert!(text.contains(said), "{said}:\n{text}");
    }
    assert!(!text.contains("paper_label"), "{text}");
    let (file, out) = (saved(folder.path(), &text), folder.path().join("runs"));
    reproduce(&format!("{} lock --seeds 0..0", path(&file)), &out);
    let spec = |study: &str| {
        let text = std::fs::read_to_string(out.join(study).join("controller/seed-00000.json")).unwrap();
        let (_, spec) = text.split_once("\"spec\"").unwrap();
        spec.split_once("\"versions\"").unwrap().0.to_owned()
    };
    assert_eq!(spec("other-lock"), spec("lock"));
}

#[test]
fn a_check_says_what_would_be_run_and_runs_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = saved(folder.path(), PLAIN);
    let said = check(&file).expect_success();
    for words in ["2 arms on seeds 0..2: 6 cells", "arms: never, always", "return, calls per episode, cost-adjusted"] {
        assert!(said.contains(words), "{words}:\n{said}");
    }
    assert_eq!(files(folder.path()).len(), 1);
}

/// The table, figures, resume and audit of a study that declares only what is run.
#[test]
fn a_study_without_a_second_half_is_tabulated_resumed_and_audited() {
    let folder = tempfile::tempdir().unwrap();
    let (file, out) = (saved(folder.path(), PLAIN), folder.path().join("runs"));
    reproduce(path(&file), &out);
    let table = counsel(&["tables", path(&out), "--format", "markdown"]).expect_success();
    let heading = table.lines().find(|line| line.starts_with("| arm ")).unwrap();
    for column in ["return", "calls per episode", "cost-adjusted", "acceptance", "return minus never", "p (Holm)"] {
        assert!(heading.contains(column), "{column}: {heading}");
    }
    let before = files(&out);
    std::fs::remove_file(out.join("plain/always/seed-00001.json")).unwrap();
    let again = reproduce(path(&file), &out);
    assert!(again.stderr.contains("1 cells run, 5 were there already"), "{}", again.stderr);
    assert_same_files(&files(&out), &before);
    let audit = counsel(&["audit", path(&out), "--rerun"]).expect_success();
    assert!(audit.contains("(100.0000 %) in 6 cells"), "{audit}");
    counsel(&["figures", path(&out), "--out", path(&folder.path().join("figures"))]).expect_success();
    assert!(folder.path().join("figures/plain-curve.svg").exists());
}

#[test]
fn blocks_of_a_study_without_a_table_are_told_apart_by_what_they_set() {
    let folder = tempfile::tempdir().unwrap();
    let blocks =
        "[[blocks]]\nname = \"cheap\"\nset = { price = 0.01 }\n\n[[blocks]]\nname = \"dear\"\nset = { price = 0.2 }\n";
    let file = saved(folder.path(), &format!("{PLAIN}\n{blocks}"));
    let table = reproduce(path(&file), &folder.path().join("runs")).stdout;
    let dear: Vec<&str> = table.lines().skip_while(|line| *line != "price 0.2:").skip(1).collect();
    assert!(table.contains("price 0.01:") && dear.iter().any(|line| line.starts_with("always ")), "{table}");
}

/// What is wrong with a file is said in one line, naming what is wrong, and nothing is written.
#[test]
fn what_cannot_be_run_is_refused_with_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    let with = |from: &str, to: &str| PLAIN.replacen(from, to, 1);
    for (text, reason) in [
        (with("id = \"plain\"", "id = \"../plain\""), "the id \"../plain\" cannot be a file's name"),
        (with("id = \"plain\"", "id = \"lock\""), "there is a study or group `lock` already"),
        (with("name = \"always\"", "name = \"a/b\""), "the arm \"a/b\" cannot be a file's name"),
        (with("name = \"always\"", "name = \"never\""), "two arms are called `never`"),
        (with("seeds = 3", "seeds = 0"), "`seeds` is 0"),
        (with("seeds = 3", "seeds = 3\ncolour = 1"), "unknown field `colour`"),
        (with("price = 0.02", "price = 0.02\nkapa = 1"), "unknown key `kapa`"),
        (with("policy = \"always\"", "policy = \"allways\""), "allways"),
        (with("scenario = \"controlled\"", "scenario = \"control\""), "scenario `control` is unknown"),
        (format!("{PLAIN}\n[table]\ncolumns = [\"retrun\"]\n"), "retrun"),
        (
            format!(
                "{PLAIN}\n[[families]]\nname = \"f\"\nmeasures = [\"return\"]\npairs = [[\"allways\", \"never\"]]\n"
            ),
            "the study has no arm `allways` (did you mean `always`?)",
        ),
    ] {
        let file = saved(folder.path(), &text);
        let error = check(&file).expect_failure();
        assert!(error.contains(reason), "{reason}:\n{error}");
        let out = folder.path().join("runs");
        let run = counsel(&["reproduce", path(&file), "--out", path(&out)]).expect_failure();
        assert_eq!(run, error, "reproduce and check refuse alike");
    }
    assert_eq!(files(folder.path()).len(), 1, "nothing was written");
}

#[test]
fn an_advisor_that_nobody_recorded_is_found_by_the_check() {
    let folder = tempfile::tempdir().unwrap();
    let text = counsel(&["study", "new", "babyai-price"]).expect_success();
    assert!(text.contains("qwen2.5-coder-1.5b/"), "{text}");
    let file = saved(folder.path(), &text.replace("qwen2.5-coder-1.5b/", "unheard-of/"));
    let error = check(&file).expect_failure();
    assert!(error.contains("unheard-of/"), "{error}");
}

#[test]
fn a_file_that_reproduce_would_not_know_is_refused() {
    let error = counsel(&["study", "check", "mine.txt"]).expect_failure();
    assert!(error.contains("`mine.txt` does not end in .toml"), "{error}");
    assert!(counsel(&["study", "new", "lokc"]).expect_failure().contains("did you mean `lock`?"));
    assert!(counsel(&["study", "new", "lock", "--id", "a b"]).expect_failure().contains("the id \"a b\""));
}

#[test]
fn a_new_study_says_that_its_seeds_are_its_own_and_takes_no_name_that_is_taken() {
    let text = counsel(&["study", "new", "lock"]).expect_success();
    let head: Vec<&str> = text.lines().take_while(|line| line.starts_with('#')).collect();
    assert!(head.iter().any(|line| line.contains("other numbers than `lock`")), "{head:?}");
    for id in ["lock", "tabular"] {
        let said = counsel(&["study", "new", "lock", "--id", id]).expect_failure();
        assert!(said.contains(&format!("a study or group `{id}` already")), "{said}");
    }
}

#[test]
fn the_kind_of_a_study_is_no_setting_and_a_cell_fits_into_memory() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |study: &str, change: &str| {
        counsel(&["reproduce", study, "--seeds", "0..0", "--set", change, "--out", path(folder.path())])
            .expect_failure()
    };
    for change in ["scenario=banana", "scenario=controlled", "arms.never.scenario=banana"] {
        let said = refused("lock", change);
        assert!(said.contains("`scenario` is what the study is"), "{change}: {said}");
    }
    for (study, change) in [
        ("lock", "episodes=600000"),
        ("informative", "episodes=600000"),
        ("babyai-main", "episodes=100000"),
        ("alfworld", "episodes=100000"),
        // Decisions are kept until a phase is over, whichever it is.
        ("lock", "warm_up_episodes=600000"),
        ("lock", "calibration.prefix_episodes=600000"),
    ] {
        let said = refused(study, change);
        assert!(said.contains("a cell would have") && said.contains("run fewer episodes"), "{study} {change}: {said}");
    }
    let said = refused("lock", "calibration.calibrate=9000000");
    assert!(said.contains("a cell would have") && said.contains("label fewer opportunities"), "{said}");
}

#[test]
fn other_seeds_than_those_of_the_study_are_told() {
    let folder = tempfile::tempdir().unwrap();
    reproduce("lock --seeds 100..101 --set episodes=2", folder.path());
    let tables = |rest: &[&str]| {
        let text = counsel(&[&["tables", path(folder.path())][..], rest].concat()).expect_success();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    for format in ["text", "markdown", "json"] {
        let text = tables(&["--format", format]);
        assert!(text.contains("seeds 100..101 were run; the study names 0..23"), "{text}");
    }
}
