//! The first five minutes: what was won is said in one sentence, then a table that fits, then the figures.

use crate::support::{command, counsel, path};

#[test]
fn quickstart_says_what_was_won_at_how_many_calls_and_at_what_cost() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["quickstart", "--seeds", "0..1", "--out", path(folder.path())];
    // On one thread it takes long enough for a line of progress on any machine.
    let first = counsel(&[&arguments[..], &["--jobs", "1"]].concat());
    assert!(first.stderr.contains("This takes about"), "{}", first.stderr);
    assert!(first.stderr.contains(" of 10 cells, "), "no progress without a terminal: {}", first.stderr);
    first.expect_success();
    for width in [80, 120, 200] {
        let output = command(&arguments).env("COLUMNS", width.to_string()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let table = text.lines().take_while(|line| !line.starts_with("figure: "));
        assert!(table.clone().all(|line| line.chars().count() <= width), "{text}");
        let sentence: String = table.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
        for words in [
            "Never asking, the agent returned 0.",
            "always asking, 0.",
            "and no model, 0.",
            "counsel, 0.",
            "calls, which cost 0.0",
        ] {
            assert!(sentence.contains(words), "no {words}: {sentence}");
        }
        let (words, rule) = (text.find("Never asking").unwrap(), text.find("────").unwrap());
        assert!(words < rule && rule < text.find("figure: ").unwrap(), "{text}");
    }
    let figures: Vec<_> = std::fs::read_dir(folder.path().join("figures")).unwrap().collect();
    assert_eq!(figures.len(), 2);
    let told = counsel(&["figures", path(folder.path())]).expect_success();
    assert!(told.contains(path(&folder.path().join("figures"))), "one place for figures: {told}");
    let curve = folder.path().join("figures/babyai-deploy-obj-05-abstract-curve.svg");
    let curve = std::fs::read_to_string(curve).unwrap();
    for arm in ["never", "experience-only", "always", "reuse-stall", "counsel"] {
        assert!(curve.contains(&format!(">{arm}</text>")), "no {arm} in the legend");
    }
    assert!(curve.contains("running mean of 11 episodes"), "{curve}");
}
