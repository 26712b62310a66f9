//! The pages in a real browser: they say what the command says, obey nothing, ask nobody, and can be used by keys alone.
//!
//! `UPDATE_DOCS=1 cargo test -p counsel-cli --test browser` also writes the pictures of the documents anew.

mod driver;
#[path = "../support/mod.rs"]
mod support;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use counsel_decision::{Outcome, Printable};
use counsel_log::{Cell, CellKey, Run, explain};
use driver::{Browser, axe, exchange};
use serde_json::json;
use support::{Chance, command, counsel, path, reproduce};

/// What a reply may try.
const HOSTILE: &str = "</script><script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\"></template></pre>\u{1b}]0;owned\u{7}\u{202e}&lt;b&gt;";

fn cell(run: &Path, name: &str) -> Cell {
    Run::at(run).cell(&CellKey::parse(name).unwrap()).unwrap().unwrap()
}

fn place(file: &Path) -> String {
    format!("file://{}", file.display())
}

/// Checks what must hold of every page.
async fn assert_quiet(browser: &Browser, what: &str) {
    let complaints = browser.complaints();
    assert!(complaints.is_empty(), "{what}: {complaints:#?}");
    let asked = browser.run("return performance.getEntriesByType('resource').map(entry => entry.name)").await;
    assert_eq!(asked, json!([]), "{what} asks for something");
}

/// Nothing serious may be found in the page that is shown.
async fn assert_accessible(browser: &Browser, axe: &str, what: &str) {
    browser.run(&format!("{axe}; window.axe = axe;")).await;
    let script = "const done = arguments[0]; axe.run().then(found => done(found.violations.filter(v => ['serious', 'critical'].includes(v.impact)).map(v => v.id + ': ' + v.nodes.map(n => n.html + ' ' + n.failureSummary).slice(0, 2).join(' | '))))";
    let found = browser.client.execute_async(script, Vec::new()).await.unwrap();
    assert_eq!(found, json!([]), "{what}");
}

/// Keeps a picture of the page: among the documents where they are wanted anew, else beside the test's other files.
async fn keep(browser: &Browser, name: &str) {
    let docs = std::env::var_os("UPDATE_DOCS").is_some();
    let folder =
        if docs { concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/pictures") } else { env!("CARGO_TARGET_TMPDIR") };
    std::fs::create_dir_all(folder).unwrap();
    std::fs::write(Path::new(folder).join(name), browser.client.screenshot().await.unwrap()).unwrap();
}

#[tokio::test]
async fn the_report_says_what_the_tables_say() {
    let Some(browser) = Browser::open().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    reproduce("lock --seeds 0..2", &runs);
    counsel(&["report", path(&runs)]).expect_success();
    browser.dress(1280, 800, "light");
    browser.client.goto(&place(&runs.join("report.html"))).await.unwrap();
    let table = counsel(&["tables", path(&runs), "--study", "lock", "--format", "csv"]).expect_success();
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    let headings = rows.headers().unwrap().clone();
    let mut expected = Vec::new();
    for row in rows.records() {
        for (heading, field) in headings.iter().zip(&row.unwrap()) {
            if !heading.ends_with("_half_width") {
                expected.extend(field.parse::<f64>());
            }
        }
    }
    let shown = browser
        .run("return [...document.querySelectorAll('[data-value]')].map(cell => Number(cell.dataset.value))")
        .await;
    assert!(expected.len() > 50);
    assert_eq!(serde_json::from_value::<Vec<f64>>(shown).unwrap(), expected);
    assert_quiet(&browser, "the report").await;
    if let Some(axe) = axe() {
        assert_accessible(&browser, &axe, "the report").await;
    }
    browser.close().await;
}

#[tokio::test]
async fn every_step_is_explained_and_keys_reach_everything() {
    let Some(browser) = Browser::open().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    reproduce("lock --seeds 0..0", &runs);
    let (one, other) = ("lock/controller/0", "lock/always/0");
    counsel(&["report", path(&runs), "--cell", one, "--cell", other]).expect_success();
    let (file, found) = (runs.join("decisions.html"), cell(&runs, one));
    let decisions = found.decisions().unwrap();
    browser.dress(1280, 800, "light");
    browser.client.goto(&place(&file)).await.unwrap();
    browser.shows(&format!("#{one}@0")).await;
    let press = |key: &'static str| {
        let script =
            format!("document.body.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', bubbles: true }}))");
        let client = browser.client.clone();
        async move { client.execute(&script, Vec::new()).await.unwrap() }
    };

    // Hindsight is hidden until it is asked for.
    let text = "return document.querySelector('.explain').textContent";
    assert!(!browser.run(text).await.as_str().unwrap().contains("in hindsight"));
    press("h").await;
    let mut chance = Chance(7);
    for round in 0..200 {
        let decision = &decisions[chance.below(decisions.len())];
        let step = decision.record.step;
        browser.run(&format!("location.hash = '#{one}@{step}'")).await;
        browser.shows(&format!("#{one}@{step}")).await;
        let shown = browser.run(text).await;
        assert_eq!(shown, json!(Printable(explain(&found.manifest, decision)).to_string()), "step {step}");
        if round < 5 {
            let said = counsel(&["explain", path(&runs), "--cell", one, "--step", &step.to_string()]).expect_success();
            assert_eq!(shown, json!(said));
        }
    }

    // Every key leads where it says.
    browser.run(&format!("location.hash = '#{one}@0'")).await;
    browser.shows(&format!("#{one}@0")).await;
    let is_asked = |step: usize| decisions[step].record.asked();
    let is_rejected = |step: usize| is_asked(step) && browser_letter(&decisions[step].record.outcome) == 'r';
    let next = |from: usize, is: &dyn Fn(usize) -> bool| (from + 1..decisions.len()).find(|step| is(*step)).unwrap();
    let mut at = 0;
    for key in ["j", "j", "k", "a", "a", "r", "j", "]", "r", "[", "a"] {
        let start = |episode: u64| decisions.iter().position(|d| d.record.episode == episode).unwrap();
        let episode = decisions[at].record.episode;
        at = match key {
            "j" => at + 1,
            "k" => at - 1,
            "a" => next(at, &is_asked),
            "r" => next(at, &is_rejected),
            "]" => start(episode + 1),
            _ => start(episode - 1),
        };
        press(key).await;
        browser.shows(&format!("#{one}@{at}")).await;
    }

    // Two arms of one seed, at the first step at which they do something else.
    let twin = cell(&runs, other).decisions().unwrap();
    let acts = |d: &counsel_log::Decision| (d.record.executed, d.record.asked());
    let parted = (0..decisions.len()).find(|&step| acts(&decisions[step]) != acts(&twin[step])).unwrap();
    browser.run(&format!("location.hash = '#{one}@99+{other}'")).await;
    browser.shows(&format!("#{one}@99+{other}")).await;
    press("d").await;
    browser.shows(&format!("#{one}@{parted}+{other}")).await;
    assert_eq!(browser.run("return document.querySelectorAll('.panel').length").await, json!(2));
    keep(&browser, "two-arms.png").await;

    // The tabulator reaches every control.
    let script = "return [...document.querySelectorAll('button, select, input, a, summary, [tabindex]')].filter(e => e.tabIndex < 0 || e.disabled).length";
    assert_eq!(browser.run(script).await, json!(0));
    assert_quiet(&browser, "the inspector").await;
    if let Some(axe) = axe() {
        for theme in ["light", "dark"] {
            browser.dress(1280, 800, theme);
            assert_accessible(&browser, &axe, theme).await;
        }
    }
    browser.close().await;
}

fn browser_letter(outcome: &Outcome) -> char {
    match outcome {
        Outcome::Asked(answer) if answer.verdict != counsel_decision::Verdict::Executed => 'r',
        _ => '-',
    }
}

#[tokio::test]
async fn hostile_replies_are_shown_and_not_obeyed() {
    let Some(browser) = Browser::open().await else { return };
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
    browser.client.goto(&place(&altered.join("decisions.html"))).await.unwrap();
    browser.shows("#lock/always/0@0").await;
    let shown = browser.run("return document.querySelector('.reply').textContent").await;
    assert_eq!(shown, json!(Printable(HOSTILE).to_string()));
    let bad = browser.run("return [document.title, document.querySelectorAll('img, .reply *, .explain *').length, document.scripts.length]").await;
    assert_eq!(bad, json!([format!("counsel decisions: {}", altered.display()), 0, 1]));
    // The replies are not what the engine understood, and the page says so.
    let badge = browser.run("return document.querySelector('.badge.bad').textContent").await;
    assert!(badge.as_str().unwrap().starts_with("audit: "), "{badge}");
    assert_quiet(&browser, "a hostile log").await;
    browser.close().await;
}

#[tokio::test]
async fn twenty_thousand_decisions_are_ready_within_a_second() {
    let Some(browser) = Browser::open().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    reproduce("lock --seeds 0..0 --set episodes=1250", &runs);
    counsel(&["report", path(&runs), "--cell", "lock/controller/0"]).expect_success();
    let file = runs.join("decisions.html");
    assert_eq!(cell(&runs, "lock/controller/0").manifest.log.rows, 20_000);
    let size = std::fs::metadata(&file).unwrap().len();
    assert!(size <= 6_000_000, "{size} bytes");
    browser.count_time();
    browser.client.goto(&place(&file)).await.unwrap();
    browser.shows("#lock/controller/0@0").await;
    let ready = browser.milliseconds();
    for _ in 0..100 {
        browser.run("document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }))").await;
    }
    browser.shows("#lock/controller/0@100").await;
    let step = (browser.milliseconds() - ready) / 100.0;
    println!("{size} bytes, ready after {ready:.0} ms, a step takes {step:.1} ms of the main thread");
    assert!(ready <= 1000.0, "ready after {ready} ms");
    assert!(step <= 50.0, "a step takes {step} ms");
    browser.close().await;
}

#[tokio::test]
async fn a_served_run_is_for_this_machine_alone() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    reproduce("lock --seeds 0..0 --set episodes=3", &runs);
    let mut server = command(&["view", path(&runs)]).stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().to_owned();
    let port: u16 = address.trim_end_matches('/').rsplit(':').next().unwrap().parse().unwrap();
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
        (&own, &*format!("Origin: https://{own}\r\n")),
    ] {
        for target in ["/", "/lock/controller/0", "/episode/lock/controller/0/1"] {
            assert!(get(target, host, more).starts_with("HTTP/1.1 403 "), "{host} {more} {target}");
        }
    }
    let page = get("/lock/controller+always/0", &own, &format!("Origin: http://{own}\r\n"));
    assert!(page.starts_with("HTTP/1.1 200 ") && page.contains("frame-ancestors 'none'"), "{page}");
    assert!(get("/lock/nobody/0", &own, "").contains("has no finished cell lock/nobody/0"));
    if let Some(browser) = Browser::open().await {
        browser.client.goto(&format!("{address}lock/controller+always/0")).await.unwrap();
        browser.shows("#lock/controller/0@0").await;
        browser.run("location.hash = '#lock/controller/0@40'").await;
        browser.shows("#lock/controller/0@40").await;
        let found = cell(&runs, "lock/controller/0");
        let text = browser.run("return document.querySelector('.explain').textContent").await;
        let said = explain(&found.manifest, &found.decisions().unwrap()[40]);
        let expected: Vec<&str> = said.lines().filter(|line| !line.starts_with("  in hindsight")).collect();
        assert_eq!(text, json!(format!("{}\n", expected.join("\n"))));
        let complaints = browser.complaints();
        assert!(complaints.is_empty(), "{complaints:#?}");
        browser.close().await;
    }
    server.kill().unwrap();
    server.wait().unwrap();
}

#[tokio::test]
async fn without_a_script_the_decisions_are_listed() {
    let Some(browser) = Browser::open().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    reproduce("lock --seeds 0..0 --set episodes=2", &runs);
    counsel(&["report", path(&runs), "--cell", "lock/controller/0"]).expect_success();
    browser.tell(
        "goog/cdp/execute",
        &json!({ "cmd": "Emulation.setScriptExecutionDisabled", "params": { "value": true } }),
    );
    browser.client.goto(&place(&runs.join("decisions.html"))).await.unwrap();
    let text = browser.client.find(fantoccini::Locator::Css("body")).await.unwrap().text().await.unwrap();
    assert!(
        text.contains("episode 1, return ") && text.lines().filter(|line| line.contains("; did a")).count() == 32,
        "{text}"
    );
    browser.close().await;
}

/// Pictures for people: both sizes, both themes.
#[tokio::test]
async fn pages_have_their_pictures_taken() {
    let Some(browser) = Browser::open().await else { return };
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    let study = include_str!("../../../experiment/studies/babyai-exact.toml").replacen("babyai-exact", "walk", 1);
    let file = folder.path().join("walk.toml");
    std::fs::write(&file, study).unwrap();
    let begun = Instant::now();
    counsel(&[
        "reproduce",
        path(&file),
        "--seeds",
        "0..0",
        "--out",
        path(&runs),
        "--set",
        "episodes=4",
        "--set",
        "calibration.calibrate=20",
        "--set",
        "gate={ policy = \"value\" }",
    ])
    .expect_success();
    assert!(begun.elapsed() < Duration::from_secs(300));
    let name = "walk/local-15-plain.beta-conf/0";
    let found = cell(&runs, name).decisions().unwrap();
    let asked = found.iter().find(|decision| decision.record.asked()).map_or(0, |decision| decision.record.step);
    counsel(&["report", path(&runs), "--cell", name]).expect_success();
    for (theme, suffix) in [("light", ""), ("dark", "-dark")] {
        for (width, height, size) in [(1280, 800, ""), (390, 844, "-narrow")] {
            browser.dress(width, height, theme);
            browser.client.goto(&format!("{}#{name}@{asked}", place(&runs.join("decisions.html")))).await.unwrap();
            browser.shows(&format!("#{name}@{asked}")).await;
            let wide =
                browser.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth").await;
            assert_eq!(wide, json!(0), "the page is as wide as its window at {width}");
            keep(&browser, &format!("decisions{size}{suffix}.png")).await;
        }
    }
    browser.close().await;
}
