//! docs/PAPER.md: every table and item of the paper stands there once, names what exists, and says of a table what its page says.
//!
//! `UPDATE_DOCS=1` writes the verdicts on tables and the counts of items again.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use counsel_experiment::{Catalogue, Study};
use counsel_report::Tally;

use crate::support::{counsel, path, reproduce};

/// The labels of the paper's source, which is not in the repository.
const LABELS: &str = include_str!("../../../../fixtures/paper/labels.txt");
/// How many items the audit of the paper has.
const ITEMS: usize = 194;
/// What may be said of an item.
const VERDICTS: [&str; 4] = ["built", "differs", "in part", "not built"];
/// What may be said of a table that no study stands for.
const WITHOUT_STUDY: [&str; 2] = ["no results", "not built"];
/// How a page says that a statement stands.
const RULINGS: [&str; 7] =
    ["holds", "observed", "does not hold", "not observed", "cannot be told", "not measured", "not judged"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(name: &str) -> String {
    std::fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The part of the page under this heading, down to the next of its rank.
fn part<'a>(page: &'a str, heading: &str) -> &'a str {
    let from = page.find(&format!("\n## {heading}\n")).unwrap_or_else(|| panic!("no part {heading}"));
    let rest = &page[from + 1..];
    rest[2..].find("\n## ").map_or(rest, |end| &rest[..end + 2])
}

/// The rows of the tables in a part, cell by cell; headings are left out.
fn rows(part: &str) -> Vec<Vec<&str>> {
    let lines: Vec<&str> = part.lines().collect();
    let is_rule = |line: &str| line.starts_with('|') && line.chars().all(|c| "|-: ".contains(c));
    let is_row = |at: usize| {
        lines[at].starts_with("| ") && !is_rule(lines[at]) && !lines.get(at + 1).is_some_and(|next| is_rule(next))
    };
    let cells = |at: usize| lines[at].trim_matches('|').split(" |").map(str::trim).collect();
    (0..lines.len()).filter(|at| is_row(*at)).map(cells).collect()
}

/// What stands in backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Where the links of a cell into `results/` lead.
fn linked(cell: &str) -> Vec<&str> {
    cell.split("](results/").skip(1).filter_map(|rest| rest.split_once(".md)").map(|(name, _)| name)).collect()
}

fn is_label(word: &str) -> bool {
    let kinds = ["tab:", "fig:", "main:", "sec:", "eq:", "thm:", "lem:", "prop:", "cor:", "ass:", "alg:", "app:"];
    kinds.iter().any(|kind| word.starts_with(kind))
}

/// How the statements that a study shares with the paper stand on its page.
fn tally(study: &Study) -> Tally {
    let page = read(&format!("docs/results/{}.md", study.id));
    let plain: String = page.replace('\\', "");
    let said = |words: &str| {
        let of = |line: &str| {
            let (ruling, statement) = line.strip_prefix("- ")?.split_once(": ")?;
            statement.starts_with(words).then(|| RULINGS.into_iter().find(|known| *known == ruling)).flatten()
        };
        plain.lines().find_map(of).unwrap_or("not judged")
    };
    let shared = study.account().findings.into_iter().filter(|finding| !finding.beyond);
    Tally::of(shared.map(|finding| said(&finding.words)))
}

fn verdict(studies: &[&Study]) -> String {
    let all = studies.iter().map(|study| tally(study)).fold(Tally::default(), |sum, one| Tally {
        hold: sum.hold + one.hold,
        fail: sum.fail + one.fail,
        open: sum.open + one.open,
        unjudged: sum.unjudged + one.unjudged,
    });
    format!("{} ({}, {}, {})", all.verdict(), all.hold, all.fail, all.open)
}

#[test]
fn every_table_of_the_paper_has_a_line_with_the_verdict_of_its_page() {
    let mut page = read("docs/PAPER.md");
    let catalogue = Catalogue::embedded().unwrap();
    let studies = catalogue.studies().unwrap();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let (mut wrong, mut covered) = (Vec::new(), BTreeSet::new());
    let tables = part(&page, "Tables").to_owned();
    for row in rows(&tables).into_iter().filter(|row| row.len() == 5) {
        for label in quoted(row[0])
            .filter(|word| word.starts_with("tab:") || word.starts_with("main:") || word.starts_with("fig:"))
        {
            *seen.entry(label.to_owned()).or_default() += 1;
        }
        let named: Vec<&Study> = (linked(row[1]).into_iter())
            .map(|id| studies.iter().find(|study| study.id == id).unwrap_or_else(|| panic!("no study {id}: {row:?}")))
            .collect();
        covered.extend(named.iter().map(|study| study.id.clone()));
        if named.is_empty() {
            assert!(WITHOUT_STUDY.contains(&row[3]), "{row:?}");
            continue;
        }
        let right = verdict(&named);
        if row[3] != right {
            wrong.push(format!("{}: {} where its page says {right}", row[0], row[3]));
            let line = tables.lines().find(|line| line.contains(row[0]) && line.contains(row[2])).unwrap();
            page = page.replace(line, &line.replacen(&format!("| {} |", row[3]), &format!("| {right} |"), 1));
        }
    }
    let equations_of_main =
        ["safe", "decide", "noquery", "est", "gate", "update", "proxy", "mc", "alg"].map(|name| format!("main:{name}"));
    let theorems_of_main = ["wrapper", "allocation", "queries"].map(|name| format!("main:{name}"));
    for label in LABELS.lines() {
        let is_table = label.starts_with("tab:") || label.starts_with("fig:") || label.starts_with("main:");
        if is_table && !equations_of_main.iter().chain(&theorems_of_main).any(|other| other == label) {
            assert_eq!(seen.get(label), Some(&1), "{label} stands {:?} times among the tables", seen.get(label));
        }
    }
    for study in catalogue.select(&["paper".into()]).unwrap() {
        assert!(covered.contains(&study.id), "{} stands for {} and has no line", study.id, study.paper_label);
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(root().join("docs/PAPER.md"), page).unwrap();
    } else {
        assert!(wrong.is_empty(), "docs/PAPER.md is stale; run the tests with UPDATE_DOCS=1:\n{}", wrong.join("\n"));
    }
}

#[test]
fn every_item_has_one_line_and_they_are_counted() {
    let page = read("docs/PAPER.md");
    let items = part(&page, "Items");
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut numbers = Vec::new();
    for row in rows(items).into_iter().filter(|row| row.len() == 5) {
        let number: usize = row[0].parse().unwrap_or_else(|_| panic!("{row:?}"));
        assert!(VERDICTS.contains(&row[3]), "{row:?}");
        assert!(row[3] == "built" || row[4].len() > 3, "item {number} is {}, and nothing says why", row[3]);
        assert!(row[3] == "not built" || row[3] == "in part" || !row[2].is_empty(), "item {number} stands nowhere");
        *counts.entry(row[3]).or_default() += 1;
        numbers.push(number);
    }
    assert_eq!(numbers, (1..=ITEMS).collect::<Vec<_>>());
    let mut updated = page.clone();
    for verdict in VERDICTS {
        let line = items.lines().find(|line| line.starts_with(&format!("| {verdict} | "))).expect("a count");
        updated = updated.replacen(line, &format!("| {verdict} | {} |", counts[verdict]), 1);
    }
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(root().join("docs/PAPER.md"), updated).unwrap();
    } else {
        assert_eq!(updated, page, "the counts of docs/PAPER.md are stale; run the tests with UPDATE_DOCS=1");
    }
}

/// Labels are the paper's, studies and measures ours, and a test that is named in a file is there.
#[test]
fn everything_that_is_named_exists() {
    let page = read("docs/PAPER.md");
    let labels: BTreeSet<&str> = LABELS.lines().collect();
    let catalogue = Catalogue::embedded().unwrap();
    for label in quoted(&page).filter(|word| is_label(word)) {
        assert!(labels.contains(label), "the paper has no label {label}");
    }
    for study in catalogue.studies().unwrap() {
        let said = study.paper_label.split([',', ' ', '(', ')']).filter(|word| is_label(word));
        said.for_each(|label| assert!(labels.contains(label), "{}: the paper has no label {label}", study.id));
    }
    let words: Vec<&str> = page.split('`').collect();
    let mut tests = 0;
    let is_test = |at: &usize| words[at + 1] == " in " && words[at + 2].starts_with("crates/");
    for at in (1..words.len().saturating_sub(2)).step_by(2).filter(is_test) {
        let (test, file) = (words[at], words[at + 2]);
        assert!(read(file).contains(&format!("fn {test}(")), "{file} has no test {test}");
        tests += 1;
    }
    assert!(tests >= 10, "{tests}");
    for row in rows(part(&page, "Items")).into_iter().filter(|row| row.len() == 5) {
        let is_id = |word: &&str| word.contains('-') && word.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        let known = ["unusable", "token-bucket", "dual-", "beta-", "paper-pred"];
        for word in quoted(row[2]).filter(is_id).filter(|word| !known.iter().any(|other| word.starts_with(other))) {
            assert!(catalogue.names(word), "item {}: there is no study {word}", row[0]);
        }
    }
}

#[test]
fn the_verdict_on_the_paper_is_computed_from_the_logs_of_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let (runs, changed) = (folder.path().join("runs"), folder.path().join("changed"));
    reproduce("informative correlated --seeds 0..5", &runs);
    let verdicts = |runs: &Path, more: &[&str]| {
        counsel(&[&["tables", path(runs), "--paper", "--format", "csv"], more].concat()).expect_success()
    };
    let line =
        |said: &str, study: &str| said.lines().find(|line| line.contains(&format!(",{study},"))).map(str::to_owned);
    let said = verdicts(&runs, &[]);
    assert!(
        line(&said, "informative").unwrap().starts_with("\"tab:informative-advisor, main:informative\",informative,"),
        "{said}"
    );
    let tables = counsel(&["tables", path(&runs), "--study", "correlated", "--format", "json"]).expect_success();
    let tables: serde_json::Value = serde_json::from_str(&tables).unwrap();
    let ruling = tables.pointer("/tables/0/verdicts/0/verdict").and_then(serde_json::Value::as_str);
    assert_eq!(ruling, Some("holds"), "{tables}");
    assert!(line(&said, "correlated").unwrap().contains("agrees"), "{said}");
    reproduce("correlated --seeds 0..5 --set episodes=20", &changed);
    assert!(line(&verdicts(&changed, &[]), "correlated").unwrap().contains("not judged"));
    assert!(line(&verdicts(&changed, &["--judge"]), "correlated").unwrap().contains("agrees"));
}

#[test]
fn the_whole_paper_can_be_asked_for_by_one_word() {
    let folder = tempfile::tempdir().unwrap();
    let due =
        counsel(&["reproduce", "paper", "--dry-run", "--seeds", "0..0", "--out", path(folder.path())]).expect_success();
    for study in ["informative/", "babyai-main/", "shift/", "alfworld/"] {
        assert!(due.lines().any(|line| line.starts_with(study)), "{study} is not in the paper");
    }
    assert!(!due.contains("placement/") && !due.contains("route-"), "{due}");
}

#[test]
fn one_difference_is_pooled_over_studies_and_folders() {
    let folder = tempfile::tempdir().unwrap();
    let (first, fresh) = (folder.path().join("first"), folder.path().join("fresh"));
    reproduce("lock lock-tolerance --seeds 0..3", &first);
    reproduce("lock --seeds 10..13", &fresh);
    let pool = ["tables", path(&first), "--pool", "perfect-advice", "--minus", "never"];
    let alone = counsel(&pool).expect_success();
    assert!(!alone.contains("1 together"), "one study has both arms: {alone}");
    let both = counsel(&[&pool[..], &["--with", path(&fresh), "--format", "csv"]].concat()).expect_success();
    let together: Vec<&str> = both.lines().filter(|line| line.contains("2 together")).collect();
    assert_eq!(together.len(), 1, "{both}");
    let twice = counsel(&[&pool[..], &["--with", path(&first)]].concat()).expect_failure();
    assert!(twice.contains("seed 0 of study `lock` is in two of the folders"), "{twice}");
    let unknown = counsel(&["tables", path(&first), "--pool", "nobody", "--minus", "never"]).expect_failure();
    assert!(unknown.contains("both an arm `nobody` and an arm `never`"), "{unknown}");
    let calls = counsel(&[&pool[..], &["--measure", "calls", "--with", path(&fresh)]].concat()).expect_success();
    assert!(calls.contains("calls: perfect-advice minus never"), "{calls}");
}
