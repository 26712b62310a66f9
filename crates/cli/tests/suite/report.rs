//! The report of a run: its numbers, its words, what is missing, and which files it leaves alone.

use crate::support::{counsel, path, reproduce};

/// The values of an attribute, in the order of the page.
fn attributes<'a>(page: &'a str, name: &str) -> Vec<&'a str> {
    let opening = format!("{name}=\"");
    page.split(&opening).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

#[test]
fn every_number_is_that_of_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    reproduce("lock --seeds 0..2", &runs);
    let said = counsel(&["report", path(&runs)]).expect_success();
    let file = runs.join("report.html");
    assert_eq!(said, format!("{}\n", file.display()));
    let page = std::fs::read_to_string(&file).unwrap();

    let table = counsel(&["tables", path(&runs), "--study", "lock", "--format", "csv"]).expect_success();
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    let (mut values, mut widths) = (Vec::new(), Vec::new());
    let headings = rows.headers().unwrap().clone();
    for row in rows.records() {
        for (heading, field) in headings.iter().zip(&row.unwrap()) {
            if field.parse::<f64>().is_ok() {
                if heading.ends_with("_half_width") { &mut widths } else { &mut values }.push(field.to_owned());
            }
        }
    }
    assert!(values.len() > 50, "{}", values.len());
    let same = |found: Vec<&str>, expected: &[String]| {
        let number = |text: &str| text.parse::<f64>().unwrap();
        let found: Vec<f64> = found.into_iter().map(number).collect();
        assert_eq!(found, expected.iter().map(|text| number(text)).collect::<Vec<_>>());
    };
    same(attributes(&page, "data-value"), &values);
    same(attributes(&page, "data-half-width"), &widths);
}

#[test]
fn it_needs_nothing_from_anywhere_and_is_the_same_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    reproduce("query-count --seeds 0..1", &runs);
    let out = folder.path().join("page.html");
    let write = || {
        counsel(&["report", path(&runs), "--out", path(&out)]).expect_success();
        std::fs::read_to_string(&out).unwrap()
    };
    let page = write();
    assert_eq!(write(), page);
    assert!(page.contains("default-src 'none'"));
    assert!(!page.contains("<script") && !page.contains("<link") && !page.contains("<img"));
    let elsewhere: Vec<&str> = attributes(&page, "href").into_iter().filter(|to| !to.starts_with('#')).collect();
    assert!(elsewhere.is_empty(), "{elsewhere:?}");
    // A figure with a point for each reliability and one for all arms, and what stands behind each.
    assert_eq!(page.matches("<svg").count(), 2);
    assert_eq!(page.matches("<g tabindex=\"0\" role=\"img\"").count(), 13);
    assert!(page.contains("aria-label=\"reliability-0.50: "));
}

#[test]
fn what_is_missing_and_what_was_changed_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    reproduce("lock --seeds 0..2 --set price=0.5", &runs);
    std::fs::remove_file(runs.join("lock/never/seed-00001.json")).unwrap();
    counsel(&["report", path(&runs)]).expect_success();
    let page = std::fs::read_to_string(runs.join("report.html")).unwrap();
    assert!(page.contains("<strong>1 cell is missing</strong>: <code>never</code> at seeds 1"), "{page}");
    assert!(page.contains("<strong>Changed: price=0.5."), "{page}");
}

#[test]
fn words_from_outside_are_shown_and_not_obeyed() {
    let folder = tempfile::tempdir().unwrap();
    let (file, runs) = (folder.path().join("mine.toml"), folder.path().join("runs"));
    let lock = include_str!("../../../experiment/studies/lock.toml");
    let hostile =
        r"</style></title><img src=x onerror=alert(1)></template><script>alert(1)</script>\u001b]0;owned\u0007";
    let titled =
        lock.replacen("id = \"lock\"", "id = \"mine\"", 1).replacen("title = \"", &format!("title = \"{hostile}"), 1);
    std::fs::write(&file, titled).unwrap();
    counsel(&["reproduce", path(&file), "--seeds", "0..0", "--set", "episodes=2", "--out", path(&runs)])
        .expect_success();
    counsel(&["report", path(&runs)]).expect_success();
    let page = std::fs::read_to_string(runs.join("report.html")).unwrap();
    assert!(page.contains("&lt;img src=x onerror=alert(1)&gt;") && page.contains("&lt;script&gt;alert(1)"), "{page}");
    assert!(!page.contains("<img") && !page.contains("<script") && !page.contains('\u{1b}'), "{page}");
    assert_eq!(page.matches("</style>").count(), 1 + page.matches("<svg").count());
}

#[test]
fn a_file_that_is_no_report_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (runs, out) = (folder.path().join("runs"), folder.path().join("thesis.html"));
    reproduce("query-count --seeds 0..0", &runs);
    std::fs::write(&out, "my thesis").unwrap();
    let error = counsel(&["report", path(&runs), "--out", path(&out)]).expect_failure();
    assert!(error.contains("thesis.html is there already and is not a report of counsel"), "{error}");
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "my thesis");
}
