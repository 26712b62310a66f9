//! A run that goes on, watched in a browser: it is shown as it comes, by a server that writes nothing.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use counsel_log::{Run, matters};
use serde_json::json;

use crate::driver::Browser;
use crate::support::viewer::{Viewer, get};
use crate::support::{assert_same_files, command, files, path, reproduce};
use crate::{assert_accessible, assert_reachable, cell, keep, keep_all};

/// A study that takes some seconds on one thread.
const STUDY: &str = "lock --seeds 0..3 --jobs 1 --set episodes=120";

/// How late the page may be, beyond what the machine itself takes for one look at it.
const LATE: Duration = Duration::from_secs(2);

/// A run in the making, which ends with this.
struct Running(Child);

impl Running {
    fn of(words: &str, out: &Path) -> Self {
        let arguments: Vec<&str> =
            ["reproduce"].into_iter().chain(words.split_whitespace()).chain(["--out", path(out)]).collect();
        Self(command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }

    fn is_at_work(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// How many cells the page says are finished, how many there will be, and how many entries its matrix has.
const SHOWN: &str = "
    const told = document.querySelector('#live strong')?.textContent.match(/(\\d+) of (\\d+) cells/) ?? [0, 0, 0];
    return [+told[1], +told[2], document.querySelectorAll('#live a.cell').length, document.querySelectorAll('#live .curve svg').length]";

#[test]
fn a_run_is_watched_from_its_first_cell_to_its_last() {
    let Some(browser) = Browser::open() else { return };
    let folder = tempfile::tempdir().unwrap();
    let [runs, alone] = ["runs", "alone"].map(|name| folder.path().join(name));
    reproduce(STUDY, &alone);
    let total = Run::at(&alone).keys().unwrap().len();

    let mut running = Running::of(STUDY, &runs);
    let begun = Instant::now();
    while Run::at(&runs).announced().is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(60) && running.is_at_work(), "nothing is announced");
    }
    let (_viewer, port) = Viewer::of(&runs);
    browser.dress(1280, 800, "light");
    browser.go(&format!("http://127.0.0.1:{port}/"));
    // When so many cells lay there, and when the page said so.
    let (mut there, mut shown) = (BTreeMap::new(), BTreeMap::new());
    let (mut looked, mut slowest, mut is_kept) = (Instant::now(), Duration::ZERO, false);
    loop {
        slowest = slowest.max(looked.elapsed());
        looked = Instant::now();
        let lies = Run::at(&runs).keys().map_or(0, |keys| keys.len());
        there.entry(lies).or_insert_with(Instant::now);
        let [done, planned, entries, curves] = serde_json::from_value::<[usize; 4]>(browser.run(SHOWN)).unwrap();
        shown.entry(done).or_insert_with(Instant::now);
        assert_eq!(entries, done, "every finished cell has its entry");
        assert!(done == 0 || planned == total, "{planned} of {total}");
        if done > 0 && done < total && curves == 1 && !is_kept {
            keep(&browser, "live.png");
            is_kept = true;
        }
        if done == total && curves == 1 {
            break;
        }
        assert!(begun.elapsed() < Duration::from_secs(240), "{done} of {total}");
    }
    assert!(there.len() >= 3, "it came bit by bit: {}", there.len());
    for (count, since) in &there {
        let seen = shown.range(count..).map(|(_, seen)| *seen).min().unwrap();
        assert!(seen <= *since + LATE + slowest, "{count} cells were shown after {:?}; {slowest:?}", seen - *since);
    }
    println!("{total} cells, the slowest look took {slowest:?}");
    assert_eq!(browser.complaints(), [""; 0]);
    while running.is_at_work() {
        std::thread::sleep(Duration::from_millis(20));
    }
    // The curve is of all cells in the end, and the run that was watched is the run that was not.
    let begun = Instant::now();
    let whole = format!("{total} of {total} finished cells are read");
    while !browser.run("return document.querySelector('#live').textContent").as_str().unwrap().contains(&whole) {
        assert!(begun.elapsed() < Duration::from_secs(60), "{whole}");
    }
    assert_same_files(&files(&runs), &files(&alone));
    assert_accessible(&browser);
    keep_all(&browser, "runs");
    assert_reachable(&browser);
}

#[test]
fn cells_are_found_paired_and_left_again() {
    let Some(browser) = Browser::open() else { return };
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    reproduce("lock query-count --seeds 0..1 --set episodes=4", &runs);
    let (_viewer, port) = Viewer::of(&runs);
    let at = |target: &str| format!("http://127.0.0.1:{port}{target}");
    browser.go(&at("/"));
    // Return and calls are those of the manifests.
    let found = cell(&runs, "lock/controller/1").manifest.totals;
    let shown = browser.run("return document.querySelector('a[href=\"/lock/controller/1\"]').textContent");
    assert_eq!(shown, json!(format!("{:.3} · {}", found.reward / found.episodes as f64, found.calls)));
    // A search leaves the arms that it names.
    let rows = |browser: &Browser| {
        browser.run("return [...document.querySelectorAll('#live section:not([hidden]) tr[data-arm]:not([hidden])')].map(row => row.dataset.arm)")
    };
    browser.run("const search = document.getElementById('search'); search.value = 'lock contr'; search.dispatchEvent(new Event('input'))");
    assert_eq!(rows(&browser), json!(["controller"]));
    browser.run(
        "const search = document.getElementById('search'); search.value = ''; search.dispatchEvent(new Event('input'))",
    );
    assert!(rows(&browser).as_array().unwrap().len() > 4);
    // Two arms of a seed are opened side by side, and there is a way back.
    browser.run("const beside = document.querySelector('section[data-study=lock] .beside'); beside.value = 'always'; beside.dispatchEvent(new Event('change'))");
    browser.run("document.querySelector('a[href=\"/lock/controller+always/1\"]').click()");
    browser.shows("#lock/controller/1@0+lock/always/1");
    assert_eq!(browser.run("return document.querySelectorAll('.panel').length"), json!(2));
    assert_accessible(&browser);
    let ways = browser.run("return [...document.querySelectorAll('#bar a')].map(link => link.getAttribute('href'))");
    assert_eq!(ways, json!(["/", "/report/lock", "/find/lock"]));
    // What matters in the study, over all its cells.
    browser.run("document.querySelector('#bar a[href=\"/find/lock\"]').click()");
    let keys: Vec<_> = Run::at(&runs).keys().unwrap().into_iter().filter(|key| key.study == "lock").collect();
    let decisions: Vec<_> = keys.iter().flat_map(|key| cell(&runs, &key.to_string()).decisions().unwrap()).collect();
    let mut expected = [0; 6];
    decisions
        .iter()
        .filter_map(matters)
        .for_each(|found| found.matters.iter().for_each(|matter| expected[matter.place()] += 1));
    let counts = browser
        .run("return [...document.querySelectorAll('tr[data-arm=all] td')].slice(2).map(cell => +cell.textContent)");
    assert_eq!(counts, json!(expected));
    assert_accessible(&browser);
    let first =
        browser.run("const link = document.querySelector('ol a'); link.click(); return link.getAttribute('href')");
    browser.shows(&format!("#{}", first.as_str().unwrap().split_once('#').unwrap().1));
    // A what-if in a page that is served asks the server for the cell.
    browser.run("document.getElementById('whatif').open = true; const input = document.getElementById('if-price'); input.value = 2; input.dispatchEvent(new Event('input'))");
    let begun = Instant::now();
    while browser.run("return document.querySelectorAll('#flips li').length").as_u64() == Some(0) {
        assert!(
            begun.elapsed() < Duration::from_secs(30),
            "{}",
            browser.run("return document.getElementById('flips').textContent")
        );
    }
    assert_eq!(browser.complaints(), [""; 0]);
    assert!(get(port, "/find/nobody").contains("there is no study nobody"));
}
