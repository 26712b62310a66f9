//! Whatever is wrong is said in one message that names it, with an exit status that is not zero.

use std::path::Path;

use insta::assert_snapshot;
use tempfile::TempDir;

use crate::support::{assert_same_files, counsel, files, path, reproduce};

/// What is said when this is refused, with the folder's name taken out.
#[track_caller]
fn refusal_in(folder: &Path, arguments: &[&str]) -> String {
    let said = counsel(arguments);
    assert!(said.stdout.is_empty(), "{arguments:?} printed\n{}", said.stdout);
    let text = said.expect_failure();
    assert!(text.starts_with("error: "), "{arguments:?}: {text}");
    assert_eq!(text.matches("error: ").count(), 1, "{arguments:?} says more than one error: {text}");
    text.replace(path(folder), "[DIR]").trim_end().to_owned()
}

/// What is said when `counsel reproduce` is refused. It must write nothing.
#[track_caller]
fn reproduce_refusal(words: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let mut arguments = vec!["reproduce"];
    arguments.extend(words);
    arguments.extend(["--out", path(&out)]);
    let text = refusal_in(folder.path(), &arguments);
    let written = files(folder.path());
    assert!(written.is_empty(), "{words:?} was refused, but wrote {:?}", written.keys());
    text
}

#[track_caller]
fn set(change: &str) -> String {
    reproduce_refusal(&["informative", "--seeds", "0..0", "--jobs", "1", "--set", change])
}

fn small_run() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    reproduce("informative --seeds 0..0", folder.path());
    folder
}

#[test]
fn an_unknown_study() {
    assert_snapshot!(reproduce_refusal(&["infromative"]), @"error: there is no study or group `infromative` (did you mean `informative`?); `counsel list` shows them all");
    assert_snapshot!(reproduce_refusal(&["lock", "xyzzy"]), @"error: there is no study or group `xyzzy`; `counsel list` shows them all");
    assert!(refusal_in(Path::new("[DIR]"), &["list", "tabluar"]).contains("did you mean `tabular`"));
}

#[test]
fn seeds_that_are_no_range() {
    for seeds in ["", "-1..2"] {
        let text = reproduce_refusal(&["informative", &format!("--seeds={seeds}")]);
        assert!(text.contains(&format!("`{seeds}` is not a range of seeds; write A..B with A <= B")), "{text}");
    }
    assert_snapshot!(reproduce_refusal(&["informative", "--seeds", "5..4"]), @"
    error: invalid value '5..4' for '--seeds <A..B>': `5..4` is not a range of seeds; write A..B with A <= B, for instance 0..19 for the twenty seeds 0 to 19

    For more information, try '--help'.
    ");
}

/// One of each kind; the others are refused in the same way, as `crates/experiment/tests/suite/refusals.rs` shows.
#[test]
fn changes_that_cannot_be_made() {
    assert_snapshot!(set("foo"), @"
    error: invalid value 'foo' for '--set <KEY=VALUE>': `--set foo` is not of the form key=value; write for instance --set episodes=10

    For more information, try '--help'.
    ");
    assert!(set("").contains("`--set ` is not of the form key=value"));
    assert_snapshot!(set("nonsense=1"), @"error: the specification of informative, arm no-query is not valid: unknown field `nonsense`, expected one of `world`, `estimator`, `gate`, `budget`, `price`, `episodes`");
    assert_snapshot!(set("price=cheap"), @r#"error: the specification of informative, arm no-query is not valid: invalid type: string "cheap", expected f64 in `price`"#);
    assert_snapshot!(set("price=-1"), @"error: the specification of informative, arm no-query is not valid: price is -1, which is outside [0, infinity); pass the cost of one call");
    assert_snapshot!(set("arms.no-querry.price=1"), @"error: the specification of informative is not valid: it has no arm `no-querry` (did you mean `no-query`?)");
    let alpha = ["limits", "--seeds", "0..0", "--set", "calibration.radius.alpha=2"];
    assert_snapshot!(reproduce_refusal(&alpha), @"error: the specification of limits, arm never is not valid: alpha is 2, which is outside (0, 1); pass the share of misses you can accept, such as 0.1 in `calibration.radius`");
}

/// A size that no machine holds is refused at once, not by the operating system. The process may take 4 GB and 5 s.
#[test]
fn absurd_sizes_are_refused() {
    let mut faults = Vec::new();
    for (study, change) in [
        ("lock", "world.length=1000000000000"),
        ("lock", "world.actions=1000000000000"),
        ("lock", "world.horizon=1000000000000"),
        ("limits", "world.states=1000000000"),
        ("limits", "world.states=9223372036854775807"),
        ("correlated", "world.length=9223372036854775807"),
        ("query-count", "world.contexts=9223372036854775807"),
        ("informative", "world.length=9223372036854775807"),
        ("predictor", "world.contexts=9223372036854775807"),
        ("lock", "learner.samples=1000000000000"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let program = env!("CARGO_BIN_EXE_counsel");
        let line = format!("ulimit -v 4000000; exec timeout 5 {program} reproduce {study} --seeds 0..0 --set {change}");
        let output = std::process::Command::new("sh")
            .args(["-c", &line])
            .current_dir(folder.path())
            .output()
            .expect("the shell starts");
        let said = String::from_utf8_lossy(&output.stderr);
        if output.status.code() != Some(1) || said.contains("panicked at") || !said.starts_with("error: ") {
            faults.push(format!("{study} --set {change}: {}, {:?}", output.status, said.lines().next()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// No part of a message is said again as its own cause.
#[test]
fn a_message_says_everything_once() {
    let folder = small_run();
    let file = folder.path().join("file");
    std::fs::write(&file, "precious").unwrap();
    let missing = folder.path().join("missing");
    let refusals: [&[&str]; 8] = [
        &["reproduce", "informative", "--seeds", "7..7", "--set", "price=-1", "--out", path(folder.path())],
        &["reproduce", "informative", "--seeds", "0..0", "--set", "price=1", "--out", path(folder.path())],
        &["reproduce", "informative", "--seeds", "0..0", "--out", path(&file)],
        &["tables", path(&file)],
        &["audit", path(&file)],
        &["audit", path(&missing)],
        &["explain", path(&missing), "--cell", "lock/controller/0", "--step", "0"],
        &["stats", "paired", path(&missing), "--baseline", "never"],
    ];
    let mut faults = Vec::new();
    for arguments in refusals {
        let text = refusal_in(folder.path(), arguments);
        let parts = text.split(": ").map(str::trim).filter(|part| part.len() >= 20);
        faults.extend(parts.filter(|part| text.matches(part).count() > 1).map(|part| format!("{part:?} in {text}")));
    }
    assert!(faults.is_empty(), "said twice:\n{}", faults.join("\n"));
}

#[test]
fn threads_and_formats() {
    for jobs in ["0", "-1", "many"] {
        let text = reproduce_refusal(&["informative", &format!("--jobs={jobs}")]);
        assert!(text.contains("--jobs") && text.contains(&format!("'{jobs}'")), "{text}");
    }
    assert!(reproduce_refusal(&["informative", "--format", "pdf"]).contains("unknown format `pdf`"));
}

#[test]
fn a_file_where_the_folder_should_be() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "precious").unwrap();
    let text = refusal_in(folder.path(), &["reproduce", "informative", "--seeds", "0..0", "--out", path(&file)]);
    assert!(text.contains("[DIR]/file"), "{text}");
    assert_eq!(std::fs::read(&file).unwrap(), b"precious");
    for verb in ["tables", "audit"] {
        let text = refusal_in(folder.path(), &[verb, path(&file)]);
        assert!(text.contains("[DIR]/file"), "{text}");
    }
}

#[test]
fn empty_and_missing_folders() {
    let folder = tempfile::tempdir().unwrap();
    let (empty, missing) = (folder.path().join("empty"), folder.path().join("missing"));
    std::fs::create_dir(&empty).unwrap();
    let refusals = |out: &Path| {
        let explain = ["explain", path(out), "--cell", "lock/controller/0", "--step", "0"];
        [&["tables", path(out)][..], &["audit", path(out)], &explain].map(|words| refusal_in(folder.path(), words))
    };
    for text in refusals(&empty) {
        assert_eq!(text, "error: [DIR]/empty holds no finished cell; pass the folder that `counsel reproduce` wrote");
    }
    for text in refusals(&missing) {
        assert_eq!(
            text,
            "error: cannot list [DIR]/missing: No such file or directory (os error 2); check the path, its permissions and the free space"
        );
    }
    assert!(!missing.exists(), "reading made a folder");
}

#[test]
fn cells_and_steps_that_are_not_there() {
    let folder = small_run();
    let explain = |cell: &str, step: &str| {
        refusal_in(folder.path(), &["explain", path(folder.path()), "--cell", cell, &format!("--step={step}")])
    };
    assert_snapshot!(explain("nowhere", "0"), @"error: `nowhere` does not name a cell; write STUDY/ARM/SEED, as in lock/controller/0");
    for cell in ["", "a/b", "a/b/c", "a/b/0/1", "informative/no-query/-1", "informative/no-query/one"] {
        assert!(explain(cell, "0").contains(&format!("`{cell}` does not name a cell")), "{cell}");
    }
    assert_snapshot!(explain("informative/nobody/0", "0"), @"error: [DIR] has no finished cell informative/nobody/0; informative has the arms candidate-only, marginal-factorization, no-query, response-conditioned");
    assert_snapshot!(explain("informative/no-query/5", "0"), @"error: [DIR] has no finished cell informative/no-query/5; informative has the arms candidate-only, marginal-factorization, no-query, response-conditioned");
    assert_snapshot!(explain("lock/controller/0", "0"), @"error: [DIR] has no finished cell lock/controller/0");
    assert_snapshot!(explain("informative/no-query/0", "48"), @"error: cell informative/no-query/0 has no step 48; its steps are 0 to 47");
    for step in ["-1", "first", "18446744073709551616"] {
        assert!(explain("informative/no-query/0", step).contains("--step"), "{step}");
    }
    assert!(explain("../etc/0", "0").contains("has no finished cell"));
    let text = refusal_in(folder.path(), &["tables", path(folder.path()), "--study", "lock"]);
    assert_snapshot!(text, @"error: the run has no study `lock`; it has informative");
}

#[test]
fn results_that_cannot_be_compared() {
    let folder = tempfile::tempdir().unwrap();
    let (file, missing) = (folder.path().join("results.csv"), folder.path().join("missing.csv"));
    std::fs::write(&file, "seed,arm,value\n0,never,1\n0,always,2\n1,never,1\n1,always,3\n").unwrap();
    let paired = |file: &Path, baseline: &str| {
        refusal_in(folder.path(), &["stats", "paired", path(file), "--baseline", baseline])
    };
    assert_snapshot!(paired(&missing, "never"), @"error: cannot read [DIR]/missing.csv: No such file or directory (os error 2); check the path and its permissions");
    assert_snapshot!(paired(&file, "nevr"), @"error: the baseline `nevr` is not in the file (did you mean `never`?); the arms are `never`, `always`");
    assert!(paired(folder.path(), "never").contains("[DIR] is a folder"));
    counsel(&["stats", "paired", path(&file), "--baseline", "never"]).expect_success();
}

/// Each of these would mix cells with different settings in one folder.
#[test]
fn a_folder_with_other_settings_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    reproduce("informative predictor --seeds 1..2", folder.path());
    let before = files(folder.path());
    for words in [
        "informative --seeds 1..2 --set price=0.1",
        "informative --seeds 0..3 --set price=0.1",
        "informative --seeds 0..3 --set arms.response-conditioned.price=0.1",
        "informative --seeds 2..4 --set world.length=5 --jobs 1",
        "informative query-count --seeds 1..1 --set price=0.1 --set episodes=2",
    ] {
        let mut arguments = vec!["reproduce"];
        arguments.extend(words.split_whitespace());
        arguments.extend(["--out", path(folder.path())]);
        let said = counsel(&arguments);
        assert_same_files(&files(folder.path()), &before);
        said.expect_failure();
    }
    let text = refusal_in(
        folder.path(),
        &[
            "reproduce",
            "informative",
            "--seeds",
            "1..3",
            "--jobs",
            "1",
            "--set",
            "price=0.1",
            "--out",
            path(folder.path()),
        ],
    );
    assert_snapshot!(text, @"error: [DIR]/informative/study.json says that this study was run otherwise (other settings: in candidate-only, price is 0.05 there and 0.1 here); a folder holds a study with one set of settings, one source of answers and one set of findings: nothing was changed; choose another --out, or run it as before");
    reproduce("informative predictor --seeds 1..2", folder.path());
    assert_same_files(&files(folder.path()), &before);
}
