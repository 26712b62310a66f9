//! `counsel advisor` without a network: what is listed, asked, recorded and refused, on a tiny model from the fixtures.

mod support;

use std::path::{Path, PathBuf};

use support::counsel;

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
        (&["advisor", "ask", "--model", &tiny, "--prompt", "x", "--threads", "0"], "--threads is 0"),
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
