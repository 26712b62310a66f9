//! The decision inspector as a file: every step says what `counsel explain` says, and nothing in it is obeyed.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use counsel_file::Printable;
use counsel_log::{CellKey, Run, explain};
use serde_json::Value;

use crate::support::{counsel, path, reproduce};

/// The data of the elements that open like this.
fn unpacked(page: &str, opening: &str) -> Vec<Value> {
    let texts = page.split(opening).skip(1).map(|rest| rest.split("</template>").next().unwrap());
    let unpack = |text: &str| {
        let bytes = BASE64_STANDARD.decode(text).unwrap();
        serde_json::from_slice(&miniz_oxide::inflate::decompress_to_vec_zlib(&bytes).unwrap()).unwrap()
    };
    texts.map(unpack).collect()
}

/// The explanation of a step, put together from patterns and numbers as the page does.
fn explanation(patterns: &Value, step: &Value) -> String {
    let mut numbers = step["x"].as_str().unwrap().split(' ');
    let mut line = |line: &Value| -> String {
        let pattern = patterns[usize::try_from(line.as_u64().unwrap()).unwrap()].as_str().unwrap();
        pattern.chars().map(|c| if c == '\u{1}' { numbers.next().unwrap().to_owned() } else { c.to_string() }).collect()
    };
    step["l"].as_array().unwrap().iter().map(|of| line(of) + "\n").collect()
}

#[test]
fn every_step_says_what_explain_says_and_shows_its_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    reproduce("lock informative --seeds 0..0", &runs);
    let mut steps = 0;
    for cell in ["lock/controller/0", "informative/response-conditioned/0"] {
        let out = folder.path().join("page.html");
        counsel(&["report", path(&runs), "--cell", cell, "--episodes", "1..14", "--out", path(&out)]).expect_success();
        let page = std::fs::read_to_string(&out).unwrap();
        let found = Run::at(&runs).cell(&CellKey::parse(cell).unwrap()).unwrap().unwrap();
        let mut decisions =
            found.decisions().unwrap().into_iter().filter(|decision| (1..=14).contains(&decision.record.episode));
        for chunk in unpacked(&page, "<template class=\"chunk\">") {
            for step in chunk["e"].as_array().unwrap().iter().flat_map(|episode| episode["s"].as_array().unwrap()) {
                let decision = decisions.next().unwrap();
                let said = Printable(explain(&found.manifest, &decision)).to_string();
                assert_eq!(explanation(&chunk["t"], step), said);
                let first = usize::try_from(step["z"].as_u64().unwrap()).unwrap();
                let numbers: Vec<&str> = step["x"].as_str().unwrap().split(' ').skip(first).collect();
                let advice = decision.record.evidence.advice();
                for (action, mean) in advice.none().means().iter().enumerate() {
                    let bounds = advice.none().bounds();
                    let (lower, upper) = (bounds.lower()[action], bounds.upper()[action]);
                    let share = advice.law().as_slice()[action] * 100.0;
                    let shown =
                        [format!("{mean:.4}"), format!("{lower:.4}"), format!("{upper:.4}"), format!("{share:.1}")];
                    assert_eq!(numbers[4 * action..4 * action + 4], shown);
                }
                assert_eq!(step["r"].as_f64(), Some(decision.hindsight.reward));
                assert!(step.get("w").is_some() || step["j"] != 0, "the first step of an episode has a picture");
                steps += 1;
            }
        }
        assert!(decisions.next().is_none(), "every decision is in the page");
    }
    assert!(steps > 200, "{steps}");
}

/// Where an advisor answers, the step has what was expected of each, and whose answer it was.
#[test]
fn a_routed_step_shows_its_advisors() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    let study = folder.path().join("mine.toml");
    let text = "id = \"mine\"\ntitle = \"t\"\nseeds = 1\nscenario = \"decisions\"\n\n[shared]\ntable = \"gsm8k\"\n\
                protocol = { stream = { price = 0.05, requests = 200 } }\nfeatures = { numbers = true }\n\n\
                [[arms]]\nname = \"cascade\"\nset = { policy = { cascade = {} } }\n";
    std::fs::write(&study, text).unwrap();
    reproduce(path(&study), &runs);
    let out = folder.path().join("page.html");
    let cell = "mine/cascade/0";
    counsel(&["report", path(&runs), "--cell", cell, "--out", path(&out)]).expect_success();
    let page = std::fs::read_to_string(&out).unwrap();
    let found = Run::at(&runs).cell(&CellKey::parse(cell).unwrap()).unwrap().unwrap();
    let mut decisions = found.decisions().unwrap().into_iter();
    for chunk in unpacked(&page, "<template class=\"chunk\">") {
        for step in chunk["e"].as_array().unwrap().iter().flat_map(|episode| episode["s"].as_array().unwrap()) {
            let decision = decisions.next().unwrap();
            assert_eq!(explanation(&chunk["t"], step), Printable(explain(&found.manifest, &decision)).to_string());
            let route = decision.route.unwrap();
            let shown: Vec<Vec<f64>> = serde_json::from_value(step["e"].clone()).unwrap();
            for (advisor, shown) in shown.iter().enumerate() {
                let known =
                    [&route.rewards, &route.hopes, &route.costs, &route.probabilities].map(|list| list[advisor]);
                assert_eq!(shown[..], known);
            }
            assert_eq!((shown.len(), step["m"].as_u64()), (2, Some(route.chosen)));
        }
    }
    assert!(decisions.next().is_none(), "every decision is in the page");
}

#[test]
fn it_is_one_file_that_needs_nothing_and_is_the_same_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    reproduce("lock --seeds 0..0", &runs);
    let write = || {
        let said = counsel(&["report", path(&runs), "--cell", "lock/controller/0", "--cell", "lock/always/0"])
            .expect_success();
        assert_eq!(said, format!("{}\n", runs.join("decisions.html").display()));
        std::fs::read_to_string(runs.join("decisions.html")).unwrap()
    };
    let page = write();
    assert_eq!(write(), page);
    assert!(
        page.contains("default-src 'none'; script-src 'sha256-")
            && !page.replace("'wasm-unsafe-eval'", "").contains("unsafe")
    );
    for outside in ["http://", "https://", " src=", "<link", "<img", "@import"] {
        let found = page.matches(outside).count();
        // The name of the SVG language is no place.
        assert_eq!(
            found,
            page.matches("http://www.w3.org/2000/svg").count() * usize::from(outside == "http://"),
            "{outside}"
        );
    }
    let script = page.split("<script>").nth(1).unwrap().split("</script>").next().unwrap();
    assert!(script.len() <= 45_000, "{}", script.len());
    // Without a script every decision is a line.
    let listed = page.split("<noscript>").nth(1).unwrap();
    assert!(listed.contains("0 asked: ") && listed.lines().filter(|line| line.contains("; did a")).count() == 960);
}

#[test]
fn a_cell_or_an_episode_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    reproduce("lock --seeds 0..0 --set episodes=2", &runs);
    let refused = |rest: &[&str]| counsel(&[&["report", path(&runs)], rest].concat()).expect_failure();
    assert!(refused(&["--cell", "lock/nobody/0"]).contains("lock has the arms always, controller"));
    assert!(
        refused(&["--cell", "lock/always/0", "--episodes", "5..9"])
            .contains("has no episodes 5..=9; its episodes are 0 to 1")
    );
    assert!(refused(&["--cell", "lock/always/0", "--episodes", "9..5"]).contains("as in 0..4"));
}
