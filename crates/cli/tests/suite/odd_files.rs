//! Whatever lies where a file should be: the command says what it is and what to do, and never waits for it.
#![cfg(unix)]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{command, path, reproduce};

/// What the command says on standard error and output when it fails; it must do so in time.
#[track_caller]
fn refusal(arguments: &[&str]) -> String {
    let mut child = command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("{arguments:?} hangs");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8([output.stderr, output.stdout].concat()).unwrap();
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
    assert!(!said.contains("panicked"), "{arguments:?}: {said}");
    said
}

fn pipe(at: &Path) {
    let _ = fs::remove_file(at);
    assert!(Command::new("mkfifo").arg(at).status().unwrap().success());
}

fn endless(at: &Path) {
    let _ = fs::remove_file(at);
    std::os::unix::fs::symlink("/dev/zero", at).unwrap();
}

fn absurd(at: &Path) {
    let _ = fs::remove_file(at);
    File::create(at).unwrap().set_len(1 << 42).unwrap();
}

/// Puts something else in the place of a file.
type Spoil = fn(&Path);

/// Each way in which a file may be none, and how it is named.
const WAYS: [(Spoil, &str); 3] = [(pipe, "is a pipe"), (endless, "is a device"), (absurd, "has more than")];

#[test]
fn a_log_manifest_or_sheet_that_is_a_pipe_an_endless_device_or_absurdly_large_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let run = path(folder.path());
    reproduce("lock --seeds 0..0 --set episodes=2", folder.path());
    let cell = |extension: &str| folder.path().join(format!("lock/never/seed-00000.{extension}"));
    let explain = ["explain", run, "--cell", "lock/never/0", "--step", "0"];
    let (log, manifest, sheet) = (cell("parquet"), cell("json"), folder.path().join("lock/study.json"));
    for (spoil, named) in WAYS {
        for (file, verbs) in [
            (&log, [&["tables", run][..], &["audit", run], &explain]),
            (&manifest, [&["tables", run], &["audit", run], &explain]),
            (&sheet, [&["tables", run], &["audit", run], &["figures", run]]),
        ] {
            let kept = fs::read(file).unwrap();
            spoil(file);
            for verb in verbs {
                let said = refusal(verb);
                assert!(said.contains(named) && said.contains(path(file)), "{verb:?}: {said}");
            }
            fs::remove_file(file).unwrap();
            fs::write(file, kept).unwrap();
        }
    }
    pipe(&manifest);
    let said = refusal(&["reproduce", "lock", "--seeds", "0..0", "--set", "episodes=2", "--out", run]);
    assert!(said.contains("is a pipe"), "{said}");
}

#[test]
fn a_study_a_table_of_results_a_ledger_and_a_model_that_are_no_files_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (study, table, ledger, model) = (at("mine.toml"), at("results.csv"), at("ledger"), at("model.gguf"));
    let address = ["--base-url", "http://127.0.0.1:9", "--budget", "1", "--model", "m", "--prompt", "x"];
    let paid = [&["advisor", "ask", "--ledger", path(&ledger)][..], &address].concat();
    for (spoil, named) in WAYS {
        // What is written to is not looked for behind a link.
        let kept = if named == "is a device" { "is a symbolic link" } else { named };
        for (file, named, verb) in [
            (&study, named, &["reproduce", path(&study), "--out", path(folder.path())][..]),
            (&table, named, &["stats", "paired", path(&table), "--baseline", "never"]),
            (&ledger, kept, &paid),
            (&model, "model.gguf", &["advisor", "ask", "--model", path(&model), "--prompt", "x"]),
        ] {
            spoil(file);
            let said = refusal(verb);
            assert!(said.contains(named) && said.contains(path(file)), "{verb:?}: {said}");
        }
    }
    let said = refusal(&["stats", "paired", path(folder.path()), "--baseline", "never"]);
    assert!(said.contains("is a folder"), "{said}");
}

#[test]
fn a_transcript_that_is_no_file_or_empty_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let transcript: PathBuf = folder.path().join("tiny/abstract.scored.transcript");
    fs::create_dir(folder.path().join("tiny")).unwrap();
    let audits: [&[&str]; 2] = [
        &["advisor", "audit", "--transcripts", path(folder.path())],
        &["advisor", "verify", "tiny/abstract/scored", "--transcripts", path(folder.path())],
    ];
    let nothing = |at: &Path| {
        let _ = fs::remove_file(at);
        fs::write(at, "").unwrap();
    };
    for (spoil, named) in WAYS.into_iter().chain([(nothing as Spoil, "holds no answers")]) {
        spoil(&transcript);
        for audit in audits {
            let said = refusal(audit);
            assert!(said.contains(named) && said.contains(path(&transcript)), "{audit:?}: {said}");
        }
        let listed =
            crate::support::counsel(&["advisor", "list", "--transcripts", path(folder.path())]).expect_success();
        assert!(listed.contains("tiny/abstract/scored") && listed.contains(named), "{listed}");
    }
}

#[test]
fn a_model_file_with_a_wrong_bit_is_refused_when_it_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let models = path(folder.path());
    let listed = crate::support::counsel(&["advisor", "list", "--models", models, "--json"]).expect_success();
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    let model = listed["models"].as_array().unwrap().iter().find(|model| model["name"] == "smollm2-135m").unwrap();
    let file = folder.path().join(model["file"].as_str().unwrap());
    fs::write(&file, "GGUF").unwrap();
    File::options().write(true).open(&file).unwrap().set_len(model["bytes"].as_u64().unwrap()).unwrap();
    let said = refusal(&["advisor", "ask", "--models", models, "--model", "smollm2-135m", "--prompt", "x"]);
    assert!(said.contains("is damaged: its digest is"), "{said}");
    assert!(said.contains("counsel advisor pull smollm2-135m"), "{said}");
}

#[test]
fn a_link_or_a_pipe_in_a_folder_from_elsewhere_harms_no_file_and_holds_nothing_up() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let link = |name: &str| {
        fs::create_dir_all(at(name).parent().unwrap()).unwrap();
        std::os::unix::fs::symlink(at("victim"), at(name)).unwrap();
    };
    fs::write(at("victim"), "mine").unwrap();
    let run = at("run");
    reproduce("lock --seeds 0..1 --set episodes=2", &run);
    for part in ["run/report.html.part", "run/decisions.html.part", "run/figures/lock-curve.svg.part"] {
        link(part);
    }
    let cell = ["--cell", "lock/never/0"];
    for verb in [&["report", path(&run)][..], &["figures", path(&run)], &[&["report", path(&run)][..], &cell].concat()]
    {
        crate::support::counsel(verb).expect_success();
    }
    for written in ["run/report.html", "run/decisions.html", "run/figures/lock-curve.svg"] {
        assert!(fs::symlink_metadata(at(written)).unwrap().is_file(), "{written} is a link");
    }
    let again = ["reproduce", "lock", "--seeds", "0..1", "--set", "episodes=2", "--out"];
    link("linked/.lock");
    fs::create_dir(at("piped")).unwrap();
    pipe(&at("piped/.lock"));
    for place in ["linked", "piped"] {
        for verb in [&[&again[..], &[path(&at(place))]].concat()[..], &["merge", path(&at(place)), path(&run)]] {
            let said = refusal(verb);
            assert!(said.contains(".lock") && said.contains("is kept in an ordinary file only"), "{verb:?}: {said}");
        }
    }
    link("ledger");
    let said = refusal(&[
        "advisor",
        "ask",
        "--ledger",
        path(&at("ledger")),
        "--base-url",
        "http://127.0.0.1:9",
        "--budget",
        "1",
        "--model",
        "m",
        "--prompt",
        "x",
    ]);
    assert!(said.contains("is a symbolic link"), "{said}");
    assert_eq!(fs::read(at("victim")).unwrap(), b"mine");
}
