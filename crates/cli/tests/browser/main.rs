//! The pages in a real browser: they say what the commands say, obey nothing, ask nobody, and can be used by keys alone.
//!
//! `UPDATE_DOCS=1 cargo test -p counsel-cli --test browser` also writes the pictures of the documents anew; without it all pictures
//! lie in `target/tmp/pictures`.

mod driver;
mod inspected;
mod played_on;
mod reported;
#[path = "../support/mod.rs"]
mod support;
mod watched;

use std::collections::BTreeSet;
use std::path::Path;

use counsel_decision::{Outcome, Verdict};
use counsel_file::Printable;
use counsel_log::{Cell, CellKey, Decision, Run, explain};
use driver::{Browser, axe};
use serde_json::{Value, json};
use support::viewer::{Viewer, exchange};
use support::{Chance, command, counsel, path, reproduce};

/// What a reply may try.
const HOSTILE: &str = "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\"></template></pre>\u{1b}]0;owned\u{7}\u{202e}&lt;b&gt;";

/// The text of `counsel explain` as the page shows it.
const EXPLANATION: &str = "return document.querySelector('.explain').textContent";

fn cell(run: &Path, name: &str) -> Cell {
    Run::at(run).cell(&CellKey::parse(name).unwrap()).unwrap().unwrap()
}

fn address(file: &Path) -> String {
    format!("file://{}", file.display())
}

/// Runs the command in a folder, so that its pages name files as a person would.
#[track_caller]
fn counsel_in(folder: &Path, arguments: &[&str]) {
    let said = command(arguments).current_dir(folder).output().unwrap();
    assert!(said.status.success(), "{said:?}");
}

/// Writes the decision inspector of these cells of a run.
#[track_caller]
fn inspector(runs: &Path, cells: &[&str]) {
    let mut arguments = vec!["report", "runs"];
    arguments.extend(cells.iter().flat_map(|cell| ["--cell", cell]));
    counsel_in(runs.parent().unwrap(), &arguments);
}

/// No page complains, and none asks for anything.
#[track_caller]
fn assert_quiet(browser: &Browser) {
    assert_eq!(browser.complaints(), [""; 0]);
    let asked = browser.run("return performance.getEntriesByType('resource').map(entry => entry.name)");
    assert_eq!(asked, json!([]));
}

/// Nothing serious or moderate is found in the page that is shown, in either theme.
#[track_caller]
fn assert_accessible(browser: &Browser) {
    let Some(axe) = axe() else { return };
    for theme in ["light", "dark"] {
        browser.dress(1280, 800, theme);
        browser.run(&format!("{axe}; window.axe = axe;"));
        let found = browser.run_to_end(
            "const done = arguments[0];
            const serious = of => ['moderate', 'serious', 'critical'].includes(of.impact);
            const told = of => of.id + ': ' + of.nodes.slice(0, 3).map(node => node.html + ' ' + node.failureSummary).join(' | ');
            axe.run().then(found => done(found.violations.filter(serious).map(told)))",
        );
        assert_eq!(found, json!([]), "{theme}");
    }
}

/// The tabulator reaches every control, link and table that is shown, one after another.
#[track_caller]
fn assert_reachable(browser: &Browser) {
    let wanted = browser.run(
        "document.querySelectorAll('details').forEach(details => details.open = true);
        const all = [...document.querySelectorAll('a[href], button, select, input, summary, [tabindex]')]
            .filter(element => element.checkVisibility() && !element.disabled);
        all.forEach((element, number) => element.dataset.reach = number);
        document.activeElement.blur();
        return all.length",
    );
    let wanted = usize::try_from(wanted.as_u64().unwrap()).unwrap();
    let mut reached = BTreeSet::new();
    // The browser's own bar takes a turn, too.
    for _ in 0..wanted + 3 {
        browser.press("\u{e004}");
        reached.extend(browser.run("return document.activeElement.dataset.reach ?? null").as_str().map(str::to_owned));
    }
    assert!(wanted > 0 && reached.len() == wanted, "{} of {wanted} are reached: {reached:?}", reached.len());
}

/// The pictures that the documents show.
const DOCUMENTED: [&str; 6] = ["decisions.png", "fork.png", "report.png", "runs.png", "shadow.png", "two-arms.png"];

/// Keeps a picture of the page beside the test's other files; one that the documents show also there, where they are wanted anew.
fn keep(browser: &Browser, name: &str) {
    let mut folders = vec![Path::new(env!("CARGO_TARGET_TMPDIR")).join("pictures")];
    if std::env::var_os("UPDATE_DOCS").is_some() && DOCUMENTED.contains(&name) {
        folders.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/pictures"));
    }
    for folder in folders {
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(name), browser.picture()).unwrap();
    }
}

/// Both sizes and both themes of the page that is shown. None of them is wider than its window.
#[track_caller]
fn keep_all(browser: &Browser, name: &str) {
    for (theme, dark) in [("light", ""), ("dark", "-dark")] {
        for (width, height, narrow) in [(1280, 800, ""), (390, 844, "-narrow")] {
            browser.dress(width, height, theme);
            let wide =
                browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth");
            assert_eq!(wide, json!(0), "{name} is wider than {width}");
            keep(browser, &format!("{name}{narrow}{dark}.png"));
        }
    }
}

/// However far its tables are scrolled, the cells that name their rows and the heading above them are in view, with nothing
/// shining through; in both sizes and both themes. Says how many tables had to be scrolled.
#[track_caller]
fn assert_keys_stay(browser: &Browser) -> u64 {
    let mut scrolled = 0;
    for (width, height) in [(1280, 800), (390, 844)] {
        for theme in ["light", "dark"] {
            browser.dress(width, height, theme);
            let found = browser.run(
                "const lost = [], scrollers = [...document.querySelectorAll('.scroll, .rows')];
                let moved = 0;
                for (const scroller of scrollers) {
                    scroller.scrollLeft = scroller.scrollWidth;
                    moved += scroller.scrollLeft > 0;
                    for (const cell of scroller.querySelectorAll('td:first-child, thead th:first-child, .shared span')) {
                        cell.scrollIntoView({ block: 'center', inline: 'nearest' });
                        const [box, frame] = [cell.getBoundingClientRect(), scroller.getBoundingClientRect()];
                        const met = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
                        const inside = box.left >= Math.max(0, frame.left) - 1 && box.right <= Math.min(innerWidth, frame.right) + 1;
                        const painted = getComputedStyle(cell.closest('td, th')).backgroundColor.startsWith('rgb(');
                        const leaves_room = scroller.scrollLeft === 0 || box.width < 0.6 * frame.width || cell.tagName === 'SPAN';
                        const is_legible = box.height < 100;
                        if (!is_legible || !inside || !painted || !leaves_room || !cell.contains(met)) lost.push([cell.textContent, is_legible, inside, painted, leaves_room, met?.outerHTML]);
                    }
                }
                return [scrollers.length, moved, lost]",
            );
            assert!(found[0].as_u64() > Some(0), "there is no table");
            assert_eq!(found[2], json!([]), "{width} {theme}");
            scrolled += found[1].as_u64().unwrap();
        }
    }
    scrolled
}

#[test]
fn the_column_that_names_the_rows_is_never_scrolled_away() {
    let Some(browser) = Browser::open() else { return };
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    reproduce("lock --seeds 0..1 --set episodes=2", &runs);
    reproduce("babyai-exact --seeds 0..0 --set episodes=2 --set calibration.calibrate=20", &runs);
    counsel_in(folder.path(), &["report", "runs"]);
    browser.go(&address(&runs.join("report.html")));
    browser.run("document.querySelectorAll('.every').forEach(box => box.click())");
    assert!(assert_keys_stay(&browser) >= 8, "both tables are wider than either window");
    let shared =
        browser.run("return [...document.querySelectorAll('#babyai-exact .shared')].map(row => row.textContent)");
    assert_eq!(shared[0], json!("task GoToObj, advisor qwen2.5-coder-0.5b/plain/generate"));
    browser.run("document.querySelector('#babyai-exact .scroll').scrollIntoView()");
    keep_all(&browser, "scrolled");

    std::fs::write(folder.path().join("calls.jsonl"), shadowed()).unwrap();
    counsel_in(folder.path(), &["shadow", "calls.jsonl", "--price", "0.01,0.05", "--out", "shadow.html"]);
    browser.go(&address(&folder.path().join("shadow.html")));
    assert!(assert_keys_stay(&browser) > 0, "a table is wider than a phone");

    let name = "babyai-exact/local-15-plain.beta-conf/0";
    inspector(&runs, &[name]);
    browser.go(&format!("{}#{name}@0", address(&runs.join("decisions.html"))));
    browser.shows(&format!("#{name}@0"));
    assert!(assert_keys_stay(&browser) > 0, "the actions are wider than a phone");
}

#[test]
fn the_report_says_what_the_tables_say() {
    let Some(browser) = Browser::open() else { return };
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    reproduce("lock query-count --seeds 0..2", &runs);
    let named = "lock/controller/1";
    inspector(&runs, &[named]);
    counsel_in(folder.path(), &["report", "runs"]);
    browser.go(&address(&runs.join("report.html")));
    for study in ["lock", "query-count"] {
        let table = counsel(&["tables", path(&runs), "--study", study, "--format", "csv"]).expect_success();
        let mut rows = csv::Reader::from_reader(table.as_bytes());
        let headings = rows.headers().unwrap().clone();
        // By heading, row by row: the page has the columns in another order.
        let shown = browser.run(&format!(
            "const table = document.querySelector('[data-table=\"{study}\"] table');
            const names = [...table.tHead.rows[0].cells].map(cell => cell.textContent);
            const rows = [...table.tBodies].flatMap(body => [...body.rows]).filter(row => !row.classList.contains('shared'));
            const number = (cell, name) => cell.hasAttribute(name) ? Number(cell.getAttribute(name)) : null;
            return rows.map(row => Object.fromEntries([...row.cells].flatMap((cell, at) =>
                [[names[at], number(cell, 'data-value')], [names[at] + '_half_width', number(cell, 'data-half-width')]])))"
        ));
        let mut compared = 0;
        for (row, shown) in rows.records().zip(shown.as_array().unwrap()) {
            for (heading, field) in headings.iter().zip(&row.unwrap()) {
                if let Ok(number) = field.parse::<f64>() {
                    assert_eq!(shown[heading].as_f64(), Some(number), "{study} {heading}");
                    compared += 1;
                }
            }
        }
        let all = browser.run(&format!("return document.querySelectorAll('[data-table=\"{study}\"] [data-value]').length + document.querySelectorAll('[data-table=\"{study}\"] [data-half-width]').length"));
        assert!(compared > 20 && all == json!(compared), "{study}: {compared} of {all}");
    }
    assert_quiet(&browser);
    assert_accessible(&browser);
    keep_all(&browser, "report");
    assert_reachable(&browser);

    // A link leads into the inspector.
    let links = browser.run("return [...document.querySelectorAll('.cells a')].map(link => link.getAttribute('href'))");
    assert_eq!(links, json!([format!("decisions.html#{named}@0")]));
    browser.run("document.querySelectorAll('details').forEach(details => details.open = true); document.querySelector('.cells a').click()");
    browser.shows(&format!("#{named}@0"));
}

#[test]
fn every_step_is_explained_and_keys_lead_everywhere() {
    let Some(browser) = Browser::open() else { return };
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    reproduce("lock --seeds 0..0", &runs);
    let (one, other) = ("lock/controller/0", "lock/always/0");
    inspector(&runs, &[one, other]);
    let found = cell(&runs, one);
    let decisions = found.decisions().unwrap();
    browser.dress(1280, 800, "light");
    browser.go(&address(&runs.join("decisions.html")));
    // Two arms of one seed stand side by side at once.
    browser.shows(&format!("#{one}@0+{other}"));
    browser.run(&format!("location.hash = '#{one}@0'"));
    browser.shows(&format!("#{one}@0"));
    assert_quiet(&browser);

    // Hindsight is hidden until it is asked for.
    assert!(!browser.run(EXPLANATION).as_str().unwrap().contains("in hindsight"));
    browser.press("h");
    let mut chance = Chance(7);
    for round in 0..200 {
        let decision = &decisions[chance.below(decisions.len())];
        let step = decision.record.step;
        browser.run(&format!("location.hash = '#{one}@{step}'"));
        browser.shows(&format!("#{one}@{step}"));
        let shown = browser.run(EXPLANATION);
        assert_eq!(shown, json!(Printable(explain(&found.manifest, decision)).to_string()), "step {step}");
        if round < 5 {
            let said = counsel(&["explain", path(&runs), "--cell", one, "--step", &step.to_string()]).expect_success();
            assert_eq!(shown, json!(said));
        }
    }

    // Every key leads where it says.
    browser.run(&format!("location.hash = '#{one}@0'"));
    browser.shows(&format!("#{one}@0"));
    let is_asked = |step: usize| decisions[step].record.asked();
    let is_rejected = |step: usize| matches!(&decisions[step].record.outcome, Outcome::Asked(answer) if answer.verdict != Verdict::Executed);
    let next = |from: usize, is: &dyn Fn(usize) -> bool| (from + 1..decisions.len()).find(|step| is(*step)).unwrap();
    let start = |episode: u64| decisions.iter().position(|decision| decision.record.episode == episode).unwrap();
    let mut at = 0;
    for key in ["j", "j", "k", "a", "a", "r", "j", "]", "r", "[", "a"] {
        let episode = decisions[at].record.episode;
        at = match key {
            "j" => at + 1,
            "k" => at - 1,
            "a" => next(at, &is_asked),
            "r" => next(at, &is_rejected),
            "]" => start(episode + 1),
            _ => start(episode - 1),
        };
        browser.press(key);
        browser.shows(&format!("#{one}@{at}"));
    }

    // Two arms of one seed, at the first step at which they do something else.
    let twin = cell(&runs, other).decisions().unwrap();
    let acts = |decision: &Decision| (decision.record.executed, decision.record.asked());
    let parted = (0..decisions.len()).find(|&step| acts(&decisions[step]) != acts(&twin[step])).unwrap();
    browser.run(&format!("location.hash = '#{one}@99+{other}'"));
    browser.shows(&format!("#{one}@99+{other}"));
    browser.press("d");
    browser.shows(&format!("#{one}@{parted}+{other}"));
    assert_eq!(browser.run("return document.querySelectorAll('.panel').length"), json!(2));
    keep(&browser, "two-arms.png");
    assert_accessible(&browser);
    assert_reachable(&browser);
}

#[test]
fn hostile_replies_are_shown_and_not_obeyed() {
    let Some(browser) = Browser::open() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (runs, altered) = (folder.path().join("runs"), folder.path().join("altered"));
    reproduce("lock --seeds 0..0 --set episodes=2", &runs);
    let found = cell(&runs, "lock/always/0");
    let mut decisions = found.decisions().unwrap();
    for decision in &mut decisions {
        if let Outcome::Asked(answer) = &mut decision.record.outcome {
            answer.reply.text = HOSTILE.into();
        }
    }
    Run::at(&altered).write(found.manifest.clone(), &decisions).unwrap();
    counsel(&["report", path(&altered), "--cell", "lock/always/0"]).expect_success();
    browser.go(&address(&altered.join("decisions.html")));
    browser.shows("#lock/always/0@0");
    assert_eq!(
        browser.run("return document.querySelector('.reply').textContent"),
        json!(Printable(HOSTILE).to_string())
    );
    let found = browser.run(
        "return [document.title, document.querySelectorAll('img, .reply *, .explain *').length, document.scripts.length]",
    );
    assert_eq!(found, json!([format!("counsel decisions: {}", altered.display()), 0, 1]));
    // The replies are not what the engine understood, and the page says so.
    let badge = browser.run("return document.querySelector('.badge.bad').textContent");
    assert!(badge.as_str().unwrap().starts_with("audit: "), "{badge}");
    assert_quiet(&browser);
}

/// Times are processor time of the page's main thread: a clock on the wall would count what other tests take.
#[test]
fn twenty_thousand_decisions_are_ready_within_a_second() {
    let Some(browser) = Browser::open() else { return };
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    reproduce("lock --seeds 0..0 --set episodes=1250", &runs);
    let name = "lock/controller/0";
    inspector(&runs, &[name]);
    let file = runs.join("decisions.html");
    assert_eq!(cell(&runs, name).manifest.log.rows, 20_000);
    let size = std::fs::metadata(&file).unwrap().len();
    browser.devtools("Performance.enable", &json!({ "timeDomain": "threadTicks" }));
    let milliseconds = || {
        let found = browser.devtools("Performance.getMetrics", &json!({}));
        let metrics = found["metrics"].as_array().unwrap();
        let tasks = metrics.iter().find(|metric| metric["name"] == "TaskDuration").unwrap();
        tasks["value"].as_f64().unwrap() * 1000.0
    };
    let before = milliseconds();
    browser.go(&address(&file));
    browser.shows(&format!("#{name}@0"));
    let ready = milliseconds() - before;
    for _ in 0..100 {
        browser.press("j");
    }
    browser.shows(&format!("#{name}@100"));
    let step = (milliseconds() - before - ready) / 100.0;
    println!("{size} bytes, ready after {ready:.0} ms, a step takes {step:.1} ms of the main thread");
    assert!(size <= 6_000_000, "{size} bytes");
    assert!(ready <= 1000.0, "ready after {ready} ms");
    assert!(step <= 50.0, "a step takes {step} ms");
}

#[test]
fn a_served_run_is_for_this_machine_alone() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    reproduce("lock --seeds 0..0 --set episodes=3", &runs);
    let (_server, port) = Viewer::of(&runs);
    let get = |target: &str, host: &str, more: &str| {
        exchange(port, &format!("GET {target} HTTP/1.1\r\nHost: {host}\r\n{more}Connection: close\r\n\r\n"))
    };
    let own = format!("127.0.0.1:{port}");
    for (host, more) in [
        ("evil.example", ""),
        (&*format!("evil.example:{port}"), ""),
        ("127.0.0.1", ""),
        (&*format!("127.0.0.1:{port}.evil.example"), ""),
        (&own, "Origin: http://evil.example\r\n"),
        (&own, "Origin: null\r\n"),
        (&own, "Sec-Fetch-Site: cross-site\r\n"),
        (&own, &*format!("Origin: https://{own}\r\n")),
    ] {
        for target in ["/", "/report/lock", "/lock/controller/0", "/episode/lock/controller/0/1", "/nothing"] {
            assert!(get(target, host, more).starts_with("HTTP/1.1 403 "), "{host} {more} {target}");
        }
    }
    let nobody = exchange(port, "GET / HTTP/1.0\r\n\r\n");
    assert!(nobody.starts_with("HTTP/1.0 403 "), "{nobody}");
    for target in ["/", "/report/lock", "/lock/controller+always/0"] {
        let page = get(target, &own, &format!("Origin: http://{own}\r\n"));
        assert!(page.starts_with("HTTP/1.1 200 ") && page.contains("frame-ancestors 'none'"), "{page}");
    }
    for missing in ["/lock/nobody/0", "/report/nobody", "/episode/lock/controller/0/99"] {
        assert!(get(missing, &own, "").starts_with("HTTP/1.1 404 "), "{missing}");
    }
    assert!(get("/lock/nobody/0", &own, "").contains("has no finished cell lock/nobody/0"));
}

#[test]
fn a_server_shows_what_a_file_shows() {
    let Some(browser) = Browser::open() else { return };
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    reproduce("lock --seeds 0..0 --set episodes=3", &runs);
    let (_server, port) = Viewer::of(&runs);
    let found = cell(&runs, "lock/controller/0");
    let decisions = found.decisions().unwrap();
    browser.go(&format!("http://127.0.0.1:{port}/"));
    browser.run("document.querySelector('a[href=\"/report/lock\"]').click()");
    assert_eq!(
        browser.run("return document.querySelector('h1').textContent"),
        json!(format!("Report of {}", runs.display()))
    );
    assert_eq!(browser.run("return document.querySelector('nav a').getAttribute('href')"), json!("/"));
    browser.run("document.querySelector('.cells a[href=\"/lock/controller/0\"]').click()");
    browser.shows("#lock/controller/0@0");
    for step in [40, 3, 20] {
        browser.run(&format!("location.hash = '#lock/controller/0@{step}'"));
        browser.shows(&format!("#lock/controller/0@{step}"));
        let said = explain(&found.manifest, &decisions[step]);
        let expected: Vec<&str> = said.lines().filter(|line| !line.starts_with("  in hindsight")).collect();
        assert_eq!(browser.run(EXPLANATION), json!(format!("{}\n", expected.join("\n"))));
    }
    assert_eq!(browser.complaints(), [""; 0]);
}

#[test]
fn without_a_script_everything_can_be_read() {
    let Some(browser) = Browser::open() else { return };
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    reproduce("lock --seeds 0..0 --set episodes=2", &runs);
    inspector(&runs, &["lock/controller/0"]);
    counsel(&["report", path(&runs)]).expect_success();
    browser.devtools("Emulation.setScriptExecutionDisabled", &json!({ "value": true }));
    let text = |file: &str| {
        browser.go(&address(&runs.join(file)));
        // What a person would copy from the page; scripts of the test itself are off as well.
        let tree = browser.devtools("Accessibility.getFullAXTree", &json!({}));
        let names = tree["nodes"].as_array().unwrap().iter().filter_map(|node| node["name"]["value"].as_str());
        names.collect::<Vec<_>>().join("\n")
    };
    let decisions = text("decisions.html");
    assert!(decisions.contains("episode 1, return "), "{decisions}");
    let listed: BTreeSet<&str> = decisions.lines().filter(|line| line.contains("; did a")).collect();
    assert_eq!(listed.len(), 32, "{listed:?}");
    let report = text("report.html");
    assert!(report.contains("controller") && report.contains("What was run"), "{report}");
}

/// Rows of somebody who asks by chance, and whose advisor is right four times in five. A word of theirs tries to be obeyed.
fn shadowed() -> String {
    let words = ["left", "<img src=x onerror=alert(1)>"];
    let header = json!({ "format": "counsel-shadow/1", "words": words, "return_range": [0, 1], "max_steps": 4, "answers_act_only": true, "predictor_frozen": true, "p_ask_drawn": true });
    let mut rows = vec![header.to_string()];
    let mut chance = Chance(3);
    for episode in 0..900 {
        let best = chance.below(2);
        let mut done = false;
        for step in 0..4 {
            // The agent's own values are of some use: they lean to the better action.
            let lean = chance.share() * 0.8 - 0.2;
            let values =
                if best == 0 { [0.5 + lean / 2.0, 0.5 - lean / 2.0] } else { [0.5 - lean / 2.0, 0.5 + lean / 2.0] };
            let (base, asked) = (chance.below(2), chance.share() < 0.5);
            let answer = if chance.share() < 0.8 { best } else { 1 - best };
            let executed = if asked && values[answer] > values[base] { answer } else { base };
            done |= executed == best && step == 3;
            let mut row = json!({ "episode": episode, "step": step, "base": words[base], "asked": asked, "executed": words[executed],
                "reward": f64::from(u8::from(done)), "price": 0.05, "end": step == 3, "values": values, "law": [0.45, 0.45, 0.1], "p_ask": 0.5 });
            if asked {
                row["answer"] = json!(words[answer]);
            }
            rows.push(row.to_string());
        }
    }
    rows.join("\n") + "\n"
}

#[test]
fn a_shadow_page_says_what_its_tables_say_and_obeys_nothing() {
    let Some(browser) = Browser::open() else { return };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("calls.jsonl"), shadowed()).unwrap();
    let shadow = ["shadow", "calls.jsonl", "--price", "0.01,0.05,0.2"];
    counsel_in(folder.path(), &[&shadow[..], &["--out", "shadow.html"]].concat());
    let tables = command(&[&shadow[..], &["--format", "json"]].concat()).current_dir(folder.path()).output().unwrap();
    let tables: Value = serde_json::from_slice(&tables.stdout).unwrap();
    browser.go(&address(&folder.path().join("shadow.html")));
    let mut told = Vec::new();
    for table in tables["tables"].as_array().unwrap() {
        for row in table["rows"].as_array().unwrap() {
            for column in table["columns"].as_array().unwrap() {
                let entry = &row["entries"][column["name"].as_str().unwrap()];
                told.extend(entry.as_f64().or_else(|| entry["mean"].as_f64()));
            }
        }
    }
    let shown =
        browser.run("return [...document.querySelectorAll('[data-value]')].map(cell => Number(cell.dataset.value))");
    assert!(told.len() > 40, "{tables}");
    assert_eq!(serde_json::from_value::<Vec<f64>>(shown).unwrap(), told);
    assert_quiet(&browser);
    assert_accessible(&browser);
    keep_all(&browser, "shadow");
    assert_reachable(&browser);
}

/// Pictures for people: BabyAI with a language model, at a call; both sizes and both themes.
#[test]
fn pages_have_their_pictures_taken() {
    let Some(browser) = Browser::open() else { return };
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    let changes = ["episodes=4", "calibration.calibrate=20", "gate={ policy = \"value\" }"];
    let mut arguments = vec!["reproduce", "babyai-exact", "--seeds", "0..0", "--out", path(&runs)];
    arguments.extend(changes.iter().flat_map(|change| ["--set", change]));
    counsel(&arguments).expect_success();
    let name = "babyai-exact/local-15-plain.beta-conf/0";
    let decisions = cell(&runs, name).decisions().unwrap();
    let asked = decisions.iter().find(|decision| decision.record.asked()).unwrap().record.step;
    inspector(&runs, &[name]);
    browser.go(&format!("{}#{name}@{asked}", address(&runs.join("decisions.html"))));
    browser.shows(&format!("#{name}@{asked}"));
    let [picture, actions, prompt] = ["svg", "tbody tr", "details pre"]
        .map(|what| browser.run(&format!("return document.querySelectorAll('#panels {what}').length")));
    assert!([&picture, &actions, &prompt].iter().all(|count| count.as_u64() > Some(0)), "{picture} {actions} {prompt}");
    keep_all(&browser, "decisions");
    assert_accessible(&browser);
    assert_quiet(&browser);
}
