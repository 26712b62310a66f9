//! `counsel advisor` without a network: what is listed, asked, recorded and refused, on a tiny model from the fixtures.

use std::path::{Path, PathBuf};

use crate::support::counsel;

/// A tiny random model of the qwen2 family.
fn tiny() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/local/tiny-qwen2.gguf");
    path.canonicalize().unwrap().to_str().unwrap().to_owned()
}

fn empty() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap().to_owned();
    (folder, path)
}

#[test]
fn known_models_have_size_licence_and_digest() {
    let (_keep, folder) = empty();
    let text = counsel(&["advisor", "list", "--models", &folder]).expect_success();
    for part in ["qwen2.5-coder-0.5b", "qwen2.5-coder-1.5b", "smollm2-135m", "Apache-2.0", "not here", "sha256 1d9614"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    let listed = counsel(&["advisor", "list", "--models", &folder, "--json"]).expect_success();
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed["models"].as_array().unwrap().len(), 3);
    assert!(listed["templates"].as_array().unwrap().len() >= 6);
}

#[test]
fn models_are_listed_without_a_home_folder_too() {
    let mut command = crate::support::command(&["advisor", "list"]);
    for name in ["HOME", "USERPROFILE", "XDG_DATA_HOME", "COUNSEL_MODELS"] {
        command.env_remove(name);
    }
    let said = command.output().unwrap();
    let text = String::from_utf8(said.stdout).unwrap();
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    assert!(text.contains("no home folder; pass --models FOLDER") && text.contains("smollm2-135m"), "{text}");
}

#[test]
fn recorded_advisors_are_listed_with_their_answers_and_their_date() {
    let (_keep, folder) = empty();
    let text = counsel(&["advisor", "list", "--models", &folder]).expect_success();
    let line = text.lines().find(|line| line.contains("qwen2.5-coder-0.5b/abstract/scored")).unwrap();
    assert!(line.contains(" answers, the latest of 20"), "{line}");
    let listed = counsel(&["advisor", "list", "--models", &folder, "--format", "json"]).expect_success();
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    let recorded = listed["recorded"].as_array().unwrap();
    let one = recorded.iter().find(|one| one["name"] == "qwen2.5-coder-0.5b/abstract/scored").unwrap();
    assert!(one["answers"].as_u64().unwrap() > 100 && one["date"].as_str().unwrap().starts_with("20"), "{one}");
    let none = counsel(&["advisor", "list", "--models", &folder, "--transcripts", &folder]).expect_success();
    assert!(none.contains("none; record one with `counsel advisor record`"), "{none}");
}

#[test]
fn words_are_scored_to_one_and_the_likeliest_is_the_answer() {
    let ask =
        ["advisor", "ask", "--model", &tiny(), "--prompt", "Where to?", "--words", "left,right,forward", "--json"];
    let answer: serde_json::Value = serde_json::from_str(&counsel(&ask).expect_success()).unwrap();
    let scores = answer["scores"].as_object().unwrap();
    let sum: f64 = scores.values().map(|score| score.as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-12, "{answer}");
    let best = scores.iter().max_by(|a, b| a.1.as_f64().unwrap().total_cmp(&b.1.as_f64().unwrap())).unwrap().0;
    assert_eq!((&answer["text"], &answer["action"]), (&best.as_str().into(), &best.as_str().into()));
    assert!(answer["tokens"]["request"].as_u64().unwrap() > 0 && answer["latency_ms"].as_f64().unwrap() > 0.0);
    let again: serde_json::Value = serde_json::from_str(&counsel(&ask).expect_success()).unwrap();
    assert_eq!(again["scores"], answer["scores"]);
}

#[test]
fn free_text_is_parsed_as_an_action_or_not_at_all() {
    let ask = ["advisor", "ask", "--model", &tiny(), "--prompt", "Hello", "--max-tokens", "4", "--json"];
    let answer: serde_json::Value = serde_json::from_str(&counsel(&ask).expect_success()).unwrap();
    assert!(answer["text"].is_string() && answer["scores"].is_null(), "{answer}");
    assert!(answer["action"].is_null(), "a random model names no action: {answer}");
}

#[test]
fn what_cannot_be_asked_is_refused_in_one_line() {
    let (_keep, folder) = empty();
    let foreign = PathBuf::from(&folder).join("foreign.gguf");
    std::fs::write(&foreign, b"this is no model").unwrap();
    let foreign = foreign.to_str().unwrap();
    let tiny = tiny();
    let refusals: [(&[&str], &str); 9] = [
        (
            &["advisor", "ask", "--models", &folder, "--model", "qwen2.5-coder-05b", "--prompt", "x"],
            "qwen2.5-coder-0.5b",
        ),
        (
            &["advisor", "ask", "--models", &folder, "--model", "smollm2-135m", "--prompt", "x"],
            "counsel advisor pull smollm2-135m",
        ),
        (&["advisor", "ask", "--model", foreign, "--prompt", "x"], "foreign.gguf"),
        (&["advisor", "ask", "--model", &tiny, "--prompt", "x", "--words", "left,left"], "left"),
        (&["advisor", "ask", "--model", &tiny, "--prompt", "x", "--threads", "0"], "a number of threads from 1 to 512"),
        (&["advisor", "record", "qwen/abstract/beam"], "model/template/decoding"),
        (&["advisor", "record", "smollm2-135m/abstrac/scored"], "abstract"),
        (&["advisor", "record", "smollm2-135m/scene/generate", "--models", &folder], "cannot be listed"),
        (&["advisor", "check", "--model", "m", "--base-url", "ftp://h"], "ftp://h"),
    ];
    for (arguments, part) in refusals {
        let message = counsel(arguments).expect_failure();
        assert!(message.contains(part), "{arguments:?}: {message}");
    }
}

#[test]
fn a_recording_is_packed_resumed_verified_and_audited() {
    let (_keep, folder) = empty();
    let tiny = tiny();
    let record =
        ["advisor", "record", "tiny-qwen2/abstract/scored", "--file", &tiny, "--task", "GoToObj", "--out", &folder];
    let said = counsel(&record).expect_success();
    assert!(said.contains("42 prompts, 42 answers"), "{said}");
    let packed = Path::new(&folder).join("tiny-qwen2/abstract.scored.transcript");
    let bytes = std::fs::read(&packed).unwrap();
    assert_eq!(counsel(&record).expect_success(), said);
    assert_eq!(std::fs::read(&packed).unwrap(), bytes, "recording again changes nothing");
    let audit = [
        "advisor",
        "audit",
        "tiny-qwen2/abstract/scored",
        "--task",
        "GoToObj",
        "--moments",
        "50",
        "--transcripts",
        &folder,
    ];
    let table = counsel(&audit).expect_success();
    assert_eq!(counsel(&audit).expect_success(), table);
    assert!(table.contains("tiny-qwen2/abstract/scored"), "{table}");
    let missing = ["advisor", "audit", "tiny-qwen2/abstract/scored", "--task", "Pickup", "--transcripts", &folder];
    assert!(counsel(&missing).expect_failure().contains("counsel advisor record"), "the remedy is named");
}

/// A study of one cell that asks this advisor.
const STUDY: &str = r#"
id = "mine"
group = "own"
title = "An advisor whose name has slashes"
paper_label = "none"
finding = "it is asked"
seeds = 1
scenario = "babyai"

[shared]
task = "GoToObj"
advisor = "meta/llama-7b/abstract/scored"
predictor = { predictor = "feature" }
gate = { policy = "always" }
execution = "trusting"
budget = { per_episode = 3 }
price = 0.005
episodes = 1

[[arms]]
name = "always"

[table]
columns = ["return", "calls"]
"#;

#[test]
fn an_advisor_with_slashes_in_its_name_is_recorded_listed_verified_audited_and_asked_by_a_study() {
    let (_keep, folder) = empty();
    let name = "meta/llama-7b/abstract/scored";
    let record = ["advisor", "record", name, "--file", &tiny(), "--task", "GoToObj", "--out", &folder];
    assert!(counsel(&record).expect_success().contains("42 answers"));
    assert!(counsel(&record).expect_success().contains("42 answers"), "running again resumes");
    let at = ["--transcripts", folder.as_str()];
    let listed = counsel(&[&["advisor", "list"], &at[..]].concat()).expect_success();
    assert!(listed.contains(name), "{listed}");
    let audit = counsel(&[&["advisor", "audit", "--moments", "20"], &at[..]].concat()).expect_success();
    assert!(audit.contains(name), "{audit}");
    // The model is looked for under its name, which is a path here.
    let models = Path::new(&folder).join("models/meta");
    std::fs::create_dir_all(&models).unwrap();
    std::fs::copy(tiny(), models.join("llama-7b")).unwrap();
    let mut verify = crate::support::command(&["advisor", "verify", name, "--sample", "5", at[0], at[1]]);
    let verified = verify.current_dir(models.parent().unwrap()).output().unwrap();
    assert!(verified.status.success(), "{verified:?}");
    assert!(String::from_utf8(verified.stdout).unwrap().contains("5 of 5 answers equal"));
    let (study, run) = (Path::new(&folder).join("mine.toml"), Path::new(&folder).join("run"));
    std::fs::write(&study, STUDY).unwrap();
    let reproduce = ["reproduce", crate::support::path(&study), "--out", crate::support::path(&run)];
    counsel(&[&reproduce[..], &at].concat()).expect_success();
}

#[test]
fn numbers_without_bounds_are_refused_with_the_bounds() {
    let threads = "a number of threads from 1 to 512";
    let many = "from 1 to 1000000";
    let refusals: [(&[&str], &str); 8] = [
        (&["advisor", "audit", "--moments", "999999999999"], many),
        (&["advisor", "audit", "--moments", "0"], many),
        (&["advisor", "bench", "--model", "m", "--questions", "999999999999"], many),
        (&["advisor", "ask", "--model", "m", "--prompt", "x", "--threads", "1000"], threads),
        (&["advisor", "record", "m/plain/scored", "--threads", "1000"], threads),
        (&["audit", "runs", "--threads", "1000"], threads),
        (&["reproduce", "lock", "--jobs", "1000"], threads),
        (&["quickstart", "--jobs", "0"], threads),
    ];
    for (arguments, part) in refusals {
        let message = counsel(arguments).expect_failure();
        assert!(message.contains(part), "{arguments:?}: {message}");
    }
}
