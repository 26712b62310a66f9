//! A report answers on its first screen, and can be sorted, filtered, narrowed and printed; its figures are legible.

use std::path::Path;

use counsel_log::{CellKey, Run};
use serde_json::{Value, json};

use crate::driver::Browser;
use crate::support::{counsel, path, reproduce};
use crate::{address, assert_accessible, assert_quiet, assert_reachable, counsel_in, keep};

/// The lower ends of the sentence and of the first rows' deciding difference, and both ends of the figure; whether the difference is
/// within the width of the window, and what its heading says.
const FIRST: &str = "
    const low = (part) => part.getBoundingClientRect().bottom + scrollY, top = (part) => part.getBoundingClientRect().top + scrollY;
    const figure = document.querySelector('.first figure svg'), table = document.querySelector('.first table');
    const decides = table.querySelector('tbody tr:not(.shared) td:nth-child(2)'), heading = table.tHead.rows[0].cells[1];
    const box = decides.getBoundingClientRect();
    return [low(document.querySelector('.lead')), low(document.querySelector('.tally')), top(figure), low(figure), low(decides),
        box.right <= innerWidth && box.width > 0, heading.textContent, [...table.tHead.rows[0].cells].filter((cell) => cell.offsetWidth > 0).length]";

/// What has to be seen at once is within this many pixels.
fn assert_first_screen(browser: &Browser, runs: &Path, name: &str, heading: &str) {
    counsel_in(runs.parent().unwrap(), &["report", "runs"]);
    for (width, height, most) in [(1280, 800, 800.0), (390, 844, 1688.0)] {
        browser.dress(width, height, "light");
        browser.go("about:blank");
        browser.go(&address(&runs.join("report.html")));
        let found = browser.run(FIRST);
        let place = |at: usize| found[at].as_f64().unwrap_or_else(|| panic!("{name}: {found}"));
        keep(browser, &format!("first-{name}-{width}.png"));
        assert!(place(0) < place(1) && place(1) < place(2), "{name} {width}: sentence, tally, figure: {found}");
        assert!(place(3) <= most && place(4) <= most, "{name} {width}: {found}");
        assert_eq!((&found[5], &found[6], &found[7]), (&json!(true), &json!(heading), &json!(5)), "{name} {width}");
        let wide = browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth");
        assert_eq!(wide, json!(0), "{name} {width}");
    }
    assert_quiet(browser);
}

/// All arms of a study beside those that were run: the cells of one arm, filed under each of the others.
fn complete(runs: &Path, study: &str, from: &str) {
    let run = Run::at(runs);
    let sheet = run.sheet(study).unwrap();
    let seeds = run.keys().unwrap().into_iter().filter(|key| key.arm == from).map(|key| key.seed);
    for seed in seeds.collect::<Vec<_>>() {
        let cell = run.cell(&CellKey { study: study.into(), arm: from.into(), seed }).unwrap().unwrap();
        let decisions = cell.decisions().unwrap();
        for (order, arm) in sheet.arms.iter().enumerate() {
            let key = CellKey { study: study.into(), arm: arm.clone(), seed };
            if run.cell(&key).unwrap().is_none() {
                let mut manifest = cell.manifest.clone();
                (manifest.key, manifest.arm_order) = (key, order);
                manifest.spec = sheet.settings[arm].clone();
                run.write(manifest, &decisions).unwrap();
            }
        }
    }
}

#[test]
fn the_answer_is_on_the_first_screen() {
    let Some(browser) = Browser::open() else { return };
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    reproduce("lock", &runs);
    assert_first_screen(&browser, &runs, "lock", "return minus never");
    assert_accessible(&browser);

    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    counsel(&["quickstart", "--seeds", "0..1", "--out", path(&runs)]).expect_success();
    assert_first_screen(&browser, &runs, "quickstart", "return of counsel minus arm");
    let told = browser.run("return document.querySelector('.told strong').textContent");
    let arms = Run::at(&runs).sheet("babyai-deploy").unwrap().arms.len();
    assert!(arms >= 183, "{arms}");
    assert_eq!(told, json!(format!("5 of {arms} arms were run")));
    // What was cut on purpose is a line, and its list is folded.
    let list = browser.run(&format!("const fold = [...document.querySelectorAll('details')].find(fold => fold.textContent.includes('{} arms were not run')); return [fold.open, fold.textContent.length > 1000]", arms - 5));
    assert_eq!(list, json!([false, true]));

    complete(&runs, "babyai-deploy", "obj-05-abstract.never");
    assert_first_screen(&browser, &runs, "babyai-deploy", "return of counsel minus arm");
    let rows = browser.run("return document.querySelectorAll('.first tbody tr:not(.shared)').length");
    assert_eq!(rows, json!(arms));
    assert_accessible(&browser);
}

/// The words of the first column that are shown, in their order.
const ROWS: &str = "return [...document.querySelectorAll('.first tbody tr:not(.shared)')].filter(row => row.offsetHeight > 0).map(row => row.cells[0].textContent.trim())";
/// The columns that are shown.
const COLUMNS: &str = "return [...document.querySelectorAll('.first thead th')].filter(head => head.offsetWidth > 0).map(head => head.textContent)";

fn list(browser: &Browser, script: &str) -> Vec<String> {
    serde_json::from_value(browser.run(script)).unwrap()
}

#[test]
fn a_table_is_sorted_filtered_and_widened() {
    let Some(browser) = Browser::open() else { return };
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    reproduce("lock --seeds 0..11 --set episodes=8", &runs);
    counsel(&["report", path(&runs), "--judge"]).expect_success();
    browser.dress(1280, 800, "light");
    browser.go(&address(&runs.join("report.html")));
    let declared = list(&browser, ROWS);
    assert_eq!(
        declared,
        ["never", "controller", "oracle-gate", "always", "perfect-advice", "counsel", "experience-only"]
    );
    // By a heading, in both directions; what does not exist stays at the end.
    let values =
        "return [...document.querySelectorAll('.first tbody tr')].map(row => row.cells[1].dataset.value ?? null)";
    let click = "document.querySelectorAll('.first thead th button')[1].click()";
    for rises in [false, true] {
        browser.run(click);
        let found: Vec<Option<String>> = serde_json::from_value(browser.run(values)).unwrap();
        assert_eq!(found.last(), Some(&None), "never minus never is nothing: {found:?}");
        let numbers: Vec<f64> = found.iter().flatten().map(|text| text.parse().unwrap()).collect();
        assert!(
            numbers.len() == 6 && numbers.windows(2).all(|two| if rises { two[0] <= two[1] } else { two[0] >= two[1] }),
            "{found:?}"
        );
    }
    assert_eq!(
        browser.run("return document.querySelectorAll('.first th')[1].getAttribute('aria-sort')"),
        json!("ascending")
    );
    // By arm.
    let type_in = |words: &str| {
        browser.run(&format!("const filter = document.querySelector('.filter'); filter.value = '{words}'; filter.dispatchEvent(new Event('input'))"));
    };
    type_in("CONTROLLER");
    assert_eq!(list(&browser, ROWS), ["controller"]);
    assert_eq!(browser.run("return document.querySelector('.heard').textContent"), json!("1 of 7 rows"));
    type_in("");
    assert_eq!(list(&browser, ROWS).len(), 7);
    // All columns, five, and any choice of them.
    assert_eq!(list(&browser, COLUMNS), ["arm", "return minus never", "p (Holm)", "return", "calls per episode"]);
    browser.run("document.querySelector('.every').click()");
    let all = list(&browser, COLUMNS);
    assert!(all.len() > 12 && all.contains(&"acceptance".to_owned()), "{all:?}");
    browser.run("document.querySelector('.every').click()");
    assert_eq!(list(&browser, COLUMNS).len(), 5);
    browser.run("const label = [...document.querySelectorAll('.chooser label')].find(label => label.textContent.trim() === 'acceptance'); label.querySelector('input').click()");
    assert_eq!(list(&browser, COLUMNS).last().unwrap(), "acceptance");
    // The headings stay in view inside a long table.
    let stays = browser.run("return [...document.querySelectorAll('.first thead th')].every(head => getComputedStyle(head).position === 'sticky')");
    assert_eq!(stays, json!(true));
    // Many runs as one number, with their profile.
    let robust = browser.run("const table = document.querySelector('[data-table=lock-robust]'); return [...table.querySelectorAll('thead th')].map(head => head.textContent)");
    assert_eq!(robust[2], json!("interquartile mean"), "{robust}");
    browser.run("document.querySelectorAll('details').forEach(fold => { fold.open = true; })");
    assert_eq!(browser.run("return [...document.querySelectorAll('figure svg > title')].map(title => title.textContent).filter((title, at, all) => all.indexOf(title) !== at)"), json!([]), "every figure has a title of its own");
    assert_accessible(&browser);
    assert_reachable(&browser);
    assert_quiet(&browser);
}

/// On paper: what is cut off at the right, or not there at all. A4 is 794 pixels wide.
#[test]
fn on_paper_no_column_is_lost() {
    let Some(browser) = Browser::open() else { return };
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    reproduce("lock --seeds 0..1 --set episodes=2", &runs);
    reproduce("babyai-exact --seeds 0..0 --set episodes=2 --set calibration.calibrate=20", &runs);
    counsel(&["report", path(&runs)]).expect_success();
    browser.dress(794, 1123, "light");
    browser.go(&address(&runs.join("report.html")));
    browser.devtools("Emulation.setEmulatedMedia", &json!({ "media": "print" }));
    let found = browser.run(
        "const lost = [], unnamed = [];
        for (const wrapper of document.querySelectorAll('.first [data-table]')) {
            for (const cell of wrapper.querySelectorAll('tbody tr:not(.shared) td')) {
                const box = cell.getBoundingClientRect();
                if (box.width === 0 || box.height === 0 || box.right > innerWidth + 1 || cell.scrollWidth > cell.clientWidth + 1) lost.push(cell.textContent);
                if (cell.classList.contains('more') && getComputedStyle(cell, '::before').content.length < 4) unnamed.push(cell.textContent);
            }
        }
        const name = getComputedStyle(document.querySelector('[data-table=lock] tbody td:nth-child(6)'), '::before').content;
        return [lost, unnamed, name, document.querySelectorAll('.first tbody td').length]",
    );
    keep(&browser, "paper.png");
    assert_eq!((&found[0], &found[1]), (&json!([]), &json!([])));
    assert_eq!(found[2], json!("\"seeds \""));
    assert!(found[3].as_u64() > Some(100), "{found}");
    let printed = browser.devtools("Page.printToPDF", &json!({ "printBackground": false }));
    assert!(printed["data"].as_str().unwrap().len() > 20_000);
}

/// Every figure in a wide font: no word leaves its drawing, and none lies on another.
const WORDS: &str = "
    const bad = [];
    for (const svg of document.querySelectorAll('figure svg')) {
        const frame = svg.viewBox.baseVal, texts = [...svg.querySelectorAll('text')].map((text) => {
            const box = text.getBBox(), turned = text.hasAttribute('transform');
            const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
            return turned ? { text, left: x - box.height / 2, right: x + box.height / 2, top: y - box.width / 2, bottom: y + box.width / 2 }
                : { text, left: box.x, right: box.x + box.width, top: box.y + 3, bottom: box.y + box.height - 3 };
        });
        for (const one of texts) {
            if (one.left < 0 || one.right > frame.width || one.bottom > frame.height + 3) bad.push(['outside', one.text.textContent]);
            for (const other of texts) {
                if (one === other || texts.indexOf(one) > texts.indexOf(other)) continue;
                if (one.left < other.right - 1 && other.left < one.right - 1 && one.top < other.bottom - 1 && other.top < one.bottom - 1) bad.push([one.text.textContent, other.text.textContent]);
            }
        }
    }
    return [document.querySelectorAll('figure svg').length, bad]";

#[test]
fn no_word_of_a_figure_is_cut_or_covered_in_a_wide_font() {
    let Some(browser) = Browser::open() else { return };
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    reproduce("lock query-count --seeds 0..2 --set episodes=12", &runs);
    reproduce("babyai-exact --seeds 0..0 --set episodes=2 --set calibration.calibrate=20", &runs);
    counsel(&["quickstart", "--seeds", "0..1", "--out", path(&runs)]).expect_success();
    complete(&runs, "babyai-deploy", "obj-05-abstract.never");
    counsel(&["report", path(&runs)]).expect_success();
    browser.dress(1280, 800, "light");
    browser.go(&address(&runs.join("report.html")));
    browser.run("document.querySelectorAll('details').forEach(fold => { fold.open = true; });
        const style = document.createElement('style'); style.textContent = 'svg text { font-family: \"DejaVu Sans\" !important }'; document.head.append(style)");
    let found = browser.run(WORDS);
    assert!(found[0].as_u64() >= Some(8), "{found}");
    assert_eq!(found[1], json!([]));
    // One colour for an arm, in every figure of its study and beside its name in the table.
    let colours: Value = browser.run(
        "const seen = {};
        for (const section of document.querySelectorAll('main > section')) {
            for (const point of section.querySelectorAll('figure svg g[aria-label]')) {
                const shape = point.querySelector('[fill]:not([fill=none]), [stroke]');
                const name = section.id + ' ' + point.getAttribute('aria-label').split(': ')[0];
                (seen[name] ??= new Set()).add(shape.getAttribute('fill') ?? shape.getAttribute('stroke'));
            }
            for (const sample of section.querySelectorAll('.sample')) {
                const shape = sample.firstElementChild, name = section.id + ' ' + sample.parentElement.textContent.trim();
                if (seen[name]) seen[name].add(shape.getAttribute('fill') ?? shape.getAttribute('stroke'));
            }
        }
        return Object.entries(seen).map(([name, colours]) => [name, [...colours]])",
    );
    let colours = colours.as_array().unwrap();
    assert!(colours.len() > 20, "{colours:?}");
    // A sweep is one line, whose points are arms of one colour.
    let several: Vec<&Value> = colours
        .iter()
        .filter(|of| of[1].as_array().unwrap().len() > 1 && !of[0].as_str().unwrap().starts_with("query-count"))
        .collect();
    assert!(several.is_empty(), "{several:?}");
}
