//! Where a what-if leaves the log, the server plays the run on, and the page draws the episode beside the real one.

use std::time::{Duration, Instant};

use counsel_experiment::{Fork, Library, WarmStarts, forked};
use counsel_log::{Change, Decision, book, explain};
use counsel_transcript::Shelf;
use serde_json::json;

use crate::driver::Browser;
use crate::support::reproduce;
use crate::support::viewer::Viewer;
use crate::{address, assert_accessible, cell, inspector, keep};

/// What the second panel explains, once it is there.
const BESIDE: &str = "return document.querySelectorAll('.panel .explain')[1]?.textContent ?? null";

fn gained(decisions: &[&Decision]) -> f64 {
    decisions.iter().map(|decision| decision.hindsight.reward).sum()
}

/// Three decimals and a sign, as the page says a difference.
fn signed(difference: f64) -> String {
    let rounded = (difference * 1e4).round() / 1e4;
    format!("{}{}", if rounded >= 0.0 { "+" } else { "−" }, rounded.abs())
}

#[test]
fn a_flip_that_leaves_the_log_is_played_on_beside_the_real_episode() {
    let Some(browser) = Browser::open() else { return };
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    reproduce("lock --seeds 0..0 --set episodes=6", &runs);
    reproduce("babyai-exact --seeds 0..0 --set episodes=2 --set calibration.calibrate=20", &runs);
    let (_viewer, port) = Viewer::of(&runs);
    let mut forks = 0;
    for (name, change, slider, at) in [
        ("lock/always/0", Change { budget: Some(2), ..Change::default() }, "budget", "2"),
        ("lock/perfect-advice/0", Change { budget: Some(3), ..Change::default() }, "budget", "3"),
        ("lock/controller/0", Change { radius: Some(0.0), ..Change::default() }, "radius", "0"),
        ("lock/controller/0", Change { price: Some(0.01), ..Change::default() }, "price", "-2"),
        ("babyai-exact/local-15-plain.beta-conf/0", Change { price: Some(0.01), ..Change::default() }, "price", "-2"),
    ] {
        let found = cell(&runs, name);
        let logged = found.decisions().unwrap();
        let told = book(&found.manifest, &logged).unwrap().under(&change).unwrap();
        let Some(leaves) = told.leaves else {
            continue;
        };
        forks += 1;
        let library = Library::recorded(Shelf::embedded());
        let fork = Fork { step: leaves, change };
        let played = forked(&found.manifest, &logged, &library, &WarmStarts::default(), fork).unwrap();
        let episode = logged[usize::try_from(leaves).unwrap()].record.episode;
        let here = |decisions: &[Decision]| {
            decisions.iter().filter(|decision| decision.record.episode == episode).cloned().collect::<Vec<_>>()
        };
        let (real, other) = (here(&logged), here(&played));

        browser.dress(1280, 800, "light");
        browser.go("about:blank");
        browser.go(&format!("http://127.0.0.1:{port}/{name}#{name}@{leaves}"));
        browser.shows(&format!("#{name}@{leaves}"));
        browser.run(&format!("document.getElementById('whatif').open = true; const input = document.getElementById('if-{slider}'); input.value = {at}; input.dispatchEvent(new Event('input'))"));
        let begun = Instant::now();
        while browser.run("return document.getElementById('play-on')?.textContent ?? null")
            != json!(format!("Play on from step {leaves}"))
        {
            assert!(
                begun.elapsed() < Duration::from_secs(60),
                "{name}: {}",
                browser.run("return document.getElementById('flips').textContent")
            );
        }
        browser.run("document.getElementById('play-on').click()");
        while browser.run(BESIDE).is_null() {
            assert!(
                begun.elapsed() < Duration::from_secs(120),
                "{name}: {}",
                browser.run("return document.getElementById('fork').textContent")
            );
        }
        // The sentence says what the engine in Rust says.
        let bought = browser.run("return document.querySelector('.bought').textContent");
        let (real_gain, other_gain) =
            (gained(&real.iter().collect::<Vec<_>>()), gained(&other.iter().collect::<Vec<_>>()));
        let flip = told.flips.iter().find(|flip| flip.step == leaves).unwrap();
        let expected = match (flip.was.asks(), flip.now.asks()) {
            (true, false) => {
                format!("The call at step {leaves} bought {} in this episode.", signed(real_gain - other_gain))
            }
            (false, true) => {
                format!("A call at step {leaves} would have bought {} in this episode.", signed(other_gain - real_gain))
            }
            _ => format!(
                "The other act at step {leaves} makes a difference of {} in this episode.",
                signed(other_gain - real_gain)
            ),
        };
        assert_eq!(bought, json!(expected), "{name}");
        // Every decision of the fork stands beside the real one, explained as the forked run has it.
        let first = real[0].record.step;
        for decision in other.iter().filter(|decision| decision.record.step >= leaves) {
            let link = format!("#{name}@{}", decision.record.step);
            browser.run(&format!("const slide = document.getElementById('slide'); slide.value = {}; slide.dispatchEvent(new Event('input'))", decision.record.step - first));
            let said = explain(&found.manifest, decision);
            let wanted: Vec<&str> = said.lines().filter(|line| !line.starts_with("  in hindsight")).collect();
            assert_eq!(browser.run(BESIDE), json!(format!("{}\n", wanted.join("\n"))), "{link}");
        }
        assert_eq!(browser.run("return document.querySelectorAll('#timeline svg').length"), json!(2));
        browser.run(&format!("const slide = document.getElementById('slide'); slide.value = {}; slide.dispatchEvent(new Event('input')); document.getElementById('fork').scrollIntoView()", leaves - first));
        if name == "lock/always/0" {
            keep(&browser, "fork.png");
        }
        assert_accessible(&browser);
        assert_eq!(browser.complaints(), [""; 0]);
        browser.run("[...document.querySelectorAll('#fork button')].at(-1).click()");
        while !browser.run(BESIDE).is_null() {
            assert!(begun.elapsed() < Duration::from_secs(200), "the fork is not closed");
        }
    }
    assert!(forks >= 2, "{forks}");
}

/// A page that was sent has no server: it says where it ends.
#[test]
fn a_page_that_was_sent_says_where_it_ends() {
    let Some(browser) = Browser::open() else { return };
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    reproduce("lock --seeds 0..0 --set episodes=3", &runs);
    inspector(&runs, &["lock/always/0"]);
    browser.go(&address(&runs.join("decisions.html")));
    browser.shows("#lock/always/0@0");
    browser.run("document.getElementById('whatif').open = true; const input = document.getElementById('if-budget'); input.value = 1; input.dispatchEvent(new Event('input'))");
    let begun = Instant::now();
    let told = loop {
        let told = browser.run("return document.getElementById('flips').textContent");
        if told.as_str().is_some_and(|told| told.contains("another way")) {
            break told;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{told}");
    };
    let told = told.as_str().unwrap();
    assert!(
        told.contains("This page ends here: it was sent, and has no world. `counsel view` plays the run on"),
        "{told}"
    );
    assert_eq!(browser.run("return document.getElementById('play-on')"), json!(null));
}
