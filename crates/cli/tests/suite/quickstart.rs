//! The first ten minutes: what was won is said in one sentence, then a table that fits, then the figures; and what a model of one's
//! own is worth, with what it takes told first. One seed of one episode is played where the numbers do not matter.

use std::collections::BTreeMap;
use std::path::Path;

use counsel_transcript::Shelf;

use crate::endpoint::{assert_stopped, folder};
use crate::server::{Received, Server, answer, reply, send};
use crate::support::{Said, command, counsel, path};

/// The questions of the template `abstract` on all five tasks.
const QUESTIONS: usize = 147;
const TASKS: [&str; 5] = ["GoToObj", "GoToLocal", "GoToObjDoor", "Open", "Pickup"];

/// `quickstart` with a model of one's own, as short as can be, everything below one folder.
fn own(advisor: &str, folder: &Path, more: &[&str]) -> Said {
    let (out, transcripts) = (folder.join("run"), folder.join("transcripts"));
    let fixed = ["quickstart", "--advisor", advisor, "--seeds", "0..0", "--episodes", "1", "--out", path(&out)];
    counsel(&[&fixed[..], &["--transcripts", path(&transcripts)], more].concat())
}

/// Answers as the good recorded model does, apart from the requests with these numbers, which it refuses.
fn knowing(fails: std::ops::RangeInclusive<usize>) -> Server {
    let answers = Shelf::embedded().open(&"qwen2.5-coder-0.5b/abstract/scored".parse().unwrap()).unwrap();
    let said = answers.entries().map(|(_, entry)| {
        let request = entry.request().expect("the prompts are kept");
        (request.prompt.messages().last().unwrap().content.clone(), entry.utterance.text.clone())
    });
    let said: BTreeMap<String, String> = said.collect();
    Server::start(move |received: &Received, stream| {
        if fails.contains(&received.number) {
            return send(stream, &reply(500, "", b"{}"));
        }
        let asked = received.json()["messages"].as_array().unwrap().last().unwrap()["content"].clone();
        answer(stream, &said[asked.as_str().unwrap()])
    })
}

/// The rows of the last table, in words: task, share of right answers, calls, gain, verdict.
fn rows(said: &str) -> Vec<(String, String)> {
    let table = &said[said.find("Your model on 5 tasks").expect(said)..];
    let row = |line: &str| line.split_once(' ').map(|(task, rest)| (task.to_owned(), rest.trim().to_owned()));
    table.lines().filter_map(row).filter(|(task, _)| TASKS.contains(&task.as_str())).collect()
}

#[track_caller]
fn assert_explained(said: &str, arms: &[&str]) {
    for arm in arms {
        let lines = said.lines().filter(|line| line.starts_with(&format!("{arm} ")) && !line.contains(['±', '*']));
        assert!(lines.filter(|line| line.len() <= 80).count() >= 1, "no line explains {arm}: {said}");
    }
}

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
        assert_explained(&text, &["never", "experience-only", "always", "reuse-stall", "counsel"]);
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

#[test]
fn a_model_of_ones_own_is_judged_on_five_tasks_and_nothing_is_paid_twice() {
    let (server, here) = (knowing(51..=53), folder());
    let prices = here.path().join("prices.toml");
    std::fs::write(&prices, "[default]\nusd_per_million_input_tokens = 1.0\nusd_per_million_output_tokens = 2.0\n")
        .unwrap();
    let endpoint = ["--base-url", &server.base_url, "--retries", "0"];
    let asking = |more: &[&str]| own("m", here.path(), &[&endpoint[..], more].concat());

    let said = asking(&[]);
    for part in [
        "First, 147 of 147 questions are put to it: about 74 seconds, if it answers in 0.5 s",
        "--prices FILE tells what they cost in money",
        "with it and without it, on 1 seed of 1 episodes: about 5 seconds on two cores.",
        "About to put up to 147 questions to m",
        "The budget leaves 162 of 162 calls",
    ] {
        assert!(said.stderr.replace('\n', " ").contains(part), "{part}: {}", said.stderr);
    }
    assert_stopped(&said, &["nothing was asked", "--yes"]);
    assert_eq!(server.count(), 0);

    let said = asking(&["--yes", "--prices", path(&prices)]);
    assert!(said.stderr.contains(" USD without retries"), "{}", said.stderr);
    assert_stopped(&said, &["97 of 147 prompts", "3 questions in a row", "--stop-after", "status 500"]);
    assert!(!here.path().join("run").exists(), "no agent learns on half of the answers");
    assert_eq!(server.count(), 53);

    let first = asking(&["--yes", "--prices", path(&prices)]);
    assert!(first.stderr.contains("First, 97 of"), "{}", first.stderr);
    let first = first.expect_success();
    assert_eq!(server.count(), QUESTIONS + 3, "what was answered is not asked again");
    assert_eq!(rows(&first).iter().map(|(task, _)| task.as_str()).collect::<Vec<_>>(), TASKS);
    assert_explained(&first, &["never", "experience-only", "reuse-stall", "counsel"]);
    let words = first.replace('\n', " ");
    assert!(
        words.contains("Whether m/abstract/generate is worth its price cannot be told from 1 seed: with it"),
        "{first}"
    );
    assert!(words.contains(" USD a run and brought "), "{first}");

    let again = own("m/abstract/generate", here.path(), &["--prices", path(&prices)]);
    assert!(again.stderr.contains("nothing is asked or paid"), "{}", again.stderr);
    assert!(first.ends_with(&again.expect_success()), "a second look shows the same");
    assert_eq!(server.count(), QUESTIONS + 3);
    assert_eq!(counsel(&["audit", path(&here.path().join("run"))]).code, Some(0));
    let transcripts = here.path().join("transcripts");
    let audit =
        counsel(&["advisor", "audit", "m/abstract/generate", "--transcripts", path(&transcripts)]).expect_success();
    for (task, shown) in rows(&first) {
        let right = shown.split_once(']').unwrap().0;
        let line = audit.lines().find(|line| format!(" {line}").contains(&format!(" {task} "))).unwrap();
        assert!(line.contains(&format!(" {right}]")), "{right}: {line}");
    }
    std::fs::rename(&transcripts, here.path().join("elsewhere")).unwrap();
    assert_stopped(&asking(&["--yes"]), &["holds a run on other answers of m/abstract/generate", "--out"]);
    assert_eq!(server.count(), QUESTIONS + 3);
}

#[test]
fn a_useless_model_is_not_worth_its_price() {
    let (server, here) = (Server::start(|_, stream| answer(stream, "I cannot say.")), folder());
    let said = own("m", here.path(), &["--base-url", &server.base_url, "--yes", "--at-once", "7"]);
    assert!(said.stderr.contains("about 11 seconds, if it answers in 0.5 s"), "{}", said.stderr);
    let said = said.expect_success();
    for (task, row) in rows(&said) {
        assert!(row.starts_with("0.0 [0, 0]") && !row.ends_with("yes"), "{task}: {row}");
    }
    assert!(!said.contains("is worth its price:"), "{said}");
}

#[test]
fn a_model_from_a_file_is_asked_in_this_process_and_its_duration_told_first() {
    let here = folder();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/local/tiny-qwen2.gguf");
    let said = own(file, here.path(), &[]);
    let told = said.stderr.replace('\n', " ");
    assert!(
        told.contains("First, 147 of 147 questions are put to it: about 15 seconds, by the size of its file."),
        "{told}"
    );
    assert_eq!(rows(&said.expect_success()).len(), TASKS.len());
}

#[test]
fn a_recorded_model_costs_nothing() {
    let here = folder();
    let said = own("smollm2-135m", here.path(), &[]);
    assert!(said.stderr.contains("nothing is asked or paid"), "{}", said.stderr);
    assert!(rows(&said.expect_success())[0].1.starts_with("33.2 [30, 36]"), "as `advisor audit` says");
    assert!(!here.path().join("transcripts").exists());
}

#[test]
fn what_is_no_model_is_refused_before_anything_is_asked_or_run() {
    let (server, here) = (Server::start(|_, stream| answer(stream, "left")), folder());
    for (advisor, more, part) in [
        ("gpt-9", &[][..], "--base-url URL"),
        ("m/abstract/scroed", &[], "scroed"),
        ("m/household-when/scored", &["--base-url", &server.base_url, "--yes"], "household-when"),
    ] {
        let error = own(advisor, here.path(), more).expect_failure();
        assert!(error.contains(part), "{advisor}: {error}");
    }
    assert!(counsel(&["quickstart", "--base-url", &server.base_url]).expect_failure().contains("--advisor <NAME>"));
    assert_eq!(server.count(), 0);
    assert!(!here.path().join("run").exists());
}
