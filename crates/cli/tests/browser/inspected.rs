//! The decision inspector answers at once: the sentence, the gate and the answer first, what matters by a key, and what would have been
//! decided under other settings as the engine decides it.

use std::path::Path;
use std::time::{Duration, Instant};

use counsel_log::{Book, Change, Decision, Matter, Run, WhatIf, book, in_words, matters};
use serde_json::{Value, json};

use crate::driver::Browser;
use crate::support::{Chance, counsel, path, reproduce};
use crate::{address, assert_accessible, assert_quiet, cell, inspector, keep};

/// Where the lower ends of the gate and of the reply, or of the word that nobody was asked, are, and the upper end of the picture.
const FOLD: &str = "
    const low = (part) => part ? part.getBoundingClientRect().bottom + scrollY : null;
    const panel = document.querySelector('.panel');
    return [low(panel.querySelector('.said')), low(panel.querySelector('.gate')), low(panel.querySelector('.reply') ?? panel.querySelector('.answer')),
        panel.classList.contains('worded') ? 0 : panel.querySelector('.sight svg').getBoundingClientRect().top + scrollY]";

/// Worlds by their pictures and words: a study, its arms, and changes that make it short.
const WORLDS: [(&str, [&str; 2], &str); 4] = [
    ("lock", ["controller", "always"], "--set episodes=3"),
    (
        "babyai-exact",
        ["local-15-plain.beta-conf", "local-15-plain.schedule"],
        "--set episodes=2 --set calibration.calibrate=20",
    ),
    ("crafter", ["open-0", "never"], SHORT_CRAFTER),
    ("alfworld", ["ask", "never"], SHORT_ALFWORLD),
];
const SHORT_CRAFTER: &str = "--set episodes=1 --set world.horizon=30 --set calibration.prefix_episodes=1 --set calibration.calibrate=4 --set learner.exploration.warm_up_episodes=1";
const SHORT_ALFWORLD: &str = "--set episodes=1 --set calibration.prefix_episodes=1 --set calibration.calibrate=4 --set learner.exploration.warm_up_episodes=2";

/// Opens the inspector of a run here, also where the browser has another page of this name before it.
fn opened(browser: &Browser, runs: &Path, link: &str) {
    browser.go("about:blank");
    browser.go(&format!("{}{link}", address(&runs.join("decisions.html"))));
}

#[test]
fn sentence_gate_and_answer_are_above_the_fold() {
    let Some(browser) = Browser::open() else { return };
    for (study, [one, other], short) in WORLDS {
        let folder = tempfile::tempdir().unwrap();
        let runs = folder.path().join("runs");
        reproduce(&format!("{study} --seeds 0..0 {short}"), &runs);
        let names = [format!("{study}/{one}/0"), format!("{study}/{other}/0")];
        let decisions = cell(&runs, &names[0]).decisions().unwrap();
        let asked = decisions.iter().find(|decision| decision.record.asked()).or(decisions.first()).unwrap();
        inspector(&runs, &[&names[0], &names[1]]);
        for beside in [String::new(), format!("+{}", names[1])] {
            let link = format!("#{}@{}{beside}", names[0], asked.record.step);
            for (width, height) in [(1280, 800), (390, 844)] {
                browser.dress(width, height, "light");
                opened(&browser, &runs, &link);
                browser.shows(&link);
                let found: Vec<f64> = serde_json::from_value(browser.run(FOLD)).unwrap();
                let name = format!("fold-{study}-{width}{}.png", if beside.is_empty() { "" } else { "-two" });
                keep(&browser, &name);
                let [said, gate, answer, sight] = found[..] else { panic!("{found:?}") };
                assert!(said < gate && gate < answer, "{name}: {found:?}");
                assert!(answer <= f64::from(height), "{name}: {found:?}");
                assert!(sight <= f64::from(height), "{name}: {found:?}");
            }
        }
        browser.dress(1280, 800, "light");
        let said = browser.run("return document.querySelector('.said').textContent");
        let text = counsel(&["explain", path(&runs), "--cell", &names[0], "--step", &asked.record.step.to_string()]);
        assert!(text.expect_success().contains(said.as_str().unwrap()), "{said}");
        if study == "alfworld" {
            // An action is the command that it is.
            let named = browser.run("return document.querySelector('.rows tbody tr td').textContent");
            assert!(named.as_str().unwrap().contains(' '), "{named}");
        }
        assert_accessible(&browser);
        assert_quiet(&browser);
    }
}

/// The next step after this one in which this matters.
fn next(decisions: &[Decision], from: u64, matter: Matter) -> Option<u64> {
    let is = |decision: &&Decision| {
        decision.record.step > from && matters(decision).is_some_and(|found| found.matters.contains(&matter))
    };
    decisions.iter().find(is).map(|decision| decision.record.step)
}

#[test]
fn what_matters_is_counted_listed_and_led_to() {
    let Some(browser) = Browser::open() else { return };
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    reproduce("lock --seeds 0..0", &runs);
    let name = "lock/always/0";
    inspector(&runs, &[name]);
    let found = cell(&runs, name);
    let decisions = found.decisions().unwrap();
    browser.go(&address(&runs.join("decisions.html")));
    browser.shows(&format!("#{name}@0"));
    let offered: Vec<String> = serde_json::from_value(
        browser.run("return [...document.querySelectorAll('#filter option')].map(of => of.textContent)"),
    )
    .unwrap();
    let mut led = 0;
    for matter in Matter::ALL {
        let count = decisions
            .iter()
            .filter(|decision| matters(decision).is_some_and(|found| found.matters.contains(&matter)))
            .count();
        let place = matter.place() + 1;
        assert_eq!(offered[place], format!("{} ({count}) · key {place}", matter.name()));
        browser.run(&format!("location.hash = '#{name}@0'"));
        browser.shows(&format!("#{name}@0"));
        let mut at = 0;
        for key in [place.to_string(), "n".to_owned(), "n".to_owned()] {
            if let Some(step) = next(&decisions, at, matter) {
                browser.press(&key);
                browser.shows(&format!("#{name}@{step}"));
                (at, led) = (step, led + 1);
            }
        }
    }
    assert!(led > 5, "{led}");
    // The dearest mistakes, dearest first.
    let mut costs: Vec<f64> =
        decisions.iter().filter_map(|decision| matters(decision).map(|found| found.cost)).collect();
    costs.sort_by(|one, other| other.total_cmp(one));
    let listed =
        browser.run("return [...document.querySelectorAll('#dearest li a')].map(link => link.getAttribute('href'))");
    let listed: Vec<String> = serde_json::from_value(listed).unwrap();
    assert_eq!(listed.len(), costs.iter().filter(|cost| **cost > 0.0).count().min(20));
    for (link, cost) in listed.iter().zip(&costs) {
        let step: u64 = link.rsplit('@').next().unwrap().parse().unwrap();
        let decision = decisions.iter().find(|decision| decision.record.step == step).unwrap();
        assert_eq!(matters(decision).unwrap().cost, *cost, "{link}");
    }
    browser.run("document.querySelector('#dearest').open = true; document.querySelector('#dearest a').click()");
    browser.shows(&listed[0]);
    let said = browser.run("return document.querySelector('.said').textContent");
    let step: usize = listed[0].rsplit('@').next().unwrap().parse().unwrap();
    assert_eq!(said, json!(in_words(&found.manifest, &decisions[step])));
}

/// Moves a slider to this share of its way, and waits for the answer to it.
fn moved(browser: &Browser, slider: &str, share: f64) -> (Change, WhatIf) {
    browser.run(&format!(
        "const input = document.getElementById('{slider}'), flips = document.getElementById('flips');
        flips.dataset.asked = '';
        input.value = +input.min + {share} * (input.max - input.min);
        input.dispatchEvent(new Event('input'))"
    ));
    let begun = Instant::now();
    loop {
        let told =
            browser.run("const { asked, told } = document.getElementById('flips').dataset; return [asked, told]");
        if let (Some(asked), Some(told)) = (told[0].as_str().filter(|asked| !asked.is_empty()), told[1].as_str()) {
            return (serde_json::from_str(asked).unwrap(), serde_json::from_str(told).unwrap());
        }
        let said = browser.run("return document.getElementById('flips').textContent");
        assert!(begun.elapsed() < Duration::from_secs(60), "no answer: {said}");
    }
}

fn book_of(runs: &Path, name: &str) -> Book {
    let cell = Run::at(runs).cell(&counsel_log::CellKey::parse(name).unwrap()).unwrap().unwrap();
    book(&cell.manifest, &cell.decisions().unwrap()).unwrap()
}

#[test]
fn the_page_decides_as_the_engine_does() {
    let Some(browser) = Browser::open() else { return };
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    reproduce("lock informative --seeds 0..0 --set episodes=12", &runs);
    reproduce("babyai-exact --seeds 0..0 --set episodes=2 --set calibration.calibrate=20", &runs);
    let names = ["lock/controller/0", "informative/response-conditioned/0", "babyai-exact/local-15-plain.beta-conf/0"];
    let (mut chance, mut flipped, mut rounds) = (Chance(11), 0, 0);
    for name in names {
        inspector(&runs, &[name]);
        let book = book_of(&runs, name);
        opened(&browser, &runs, &format!("#{name}@0"));
        browser.shows(&format!("#{name}@0"));
        browser.run("document.getElementById('whatif').open = true");
        let sliders: Vec<String> = serde_json::from_value(
            browser.run("return [...document.querySelectorAll('#sliders input')].map(input => input.id)"),
        )
        .unwrap();
        assert!(sliders.len() >= 3, "{sliders:?}");
        for round in 0..67 {
            if round % 5 == 4 {
                // A few settings at a time, then from the start.
                browser.run("document.querySelector('#sliders button').click()");
            }
            let (change, told) = moved(&browser, &sliders[chance.below(sliders.len())], chance.share());
            let expected = book.under(&change).unwrap();
            assert_eq!(told, expected, "{name} {change:?}");
            flipped += expected.flips.len();
            rounds += 1;
        }
        assert_eq!(book.under(&Change::default()).unwrap().flips, []);
        assert_quiet(&browser);
        assert_accessible(&browser);
        if name == names[0] {
            browser.run("document.querySelector('#sliders button').click()");
            moved(&browser, "if-price", 0.7);
            browser.dress(1280, 800, "light");
            keep(&browser, "what-if.png");
        }
    }
    assert!(rounds >= 200 && flipped > 200, "{rounds} {flipped}");
}

/// Without the compiled engine the page is as before, and says what is missing.
#[test]
fn without_webassembly_the_page_still_opens() {
    let Some(browser) = Browser::open() else { return };
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    reproduce("lock --seeds 0..0 --set episodes=2", &runs);
    inspector(&runs, &["lock/controller/0"]);
    let source = "delete globalThis.WebAssembly";
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": source }));
    browser.go(&address(&runs.join("decisions.html")));
    browser.shows("#lock/controller/0@0");
    browser.press("j");
    browser.shows("#lock/controller/0@1");
    browser.run("document.getElementById('whatif').open = true; const input = document.getElementById('if-price'); input.value = 1; input.dispatchEvent(new Event('input'))");
    let begun = Instant::now();
    let said = loop {
        let said: Value = browser.run("return document.querySelector('#flips .bad')?.textContent ?? null");
        if said.is_string() || begun.elapsed() > Duration::from_secs(30) {
            break said;
        }
    };
    assert!(said.as_str().unwrap_or_default().contains("WebAssembly"), "{said}");
}
