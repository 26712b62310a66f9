//! The report of a run: its numbers, its words, what is missing, and which files it leaves alone.

use crate::support::{counsel, path, reproduce};

/// The values of an attribute, in the order of the page.
fn attributes<'a>(page: &'a str, name: &str) -> Vec<&'a str> {
    let opening = format!("{name}=\"");
    page.split(&opening).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

/// The words of an element's beginning: its attributes, and its text without what is drawn in it.
fn elements<'a>(page: &'a str, name: &str) -> Vec<(&'a str, String)> {
    let (opening, closing) = (format!("<{name}"), format!("</{name}>"));
    let parts = page.split(&opening).skip(1).filter(|part| part.starts_with([' ', '>']));
    parts
        .map(|part| {
            let (attributes, rest) = part.split_once('>').unwrap();
            let inner = rest.split(&closing).next().unwrap();
            let mut text = String::new();
            for (place, piece) in inner.split('<').enumerate() {
                text += if place == 0 { piece } else { piece.split_once('>').unwrap().1 };
            }
            (attributes, text.trim().to_owned())
        })
        .collect()
}

/// What the page says in this row under this heading: the attribute, where it has one.
fn shown_in<'a>(cells: &[(&'a str, String)], headings: &[String], heading: &str, attribute: &str) -> Option<&'a str> {
    let at = headings.iter().position(|known| known == heading).unwrap_or_else(|| panic!("no column {heading}"));
    cells[at].0.split_once(&format!("{attribute}=\"")).map(|(_, rest)| rest.split('"').next().unwrap())
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

    // The table is the first one; its columns begin with what decides.
    let shown = page.split_once("<table>").unwrap().1.split_once("</table>").unwrap().0;
    let headings: Vec<String> = elements(shown, "th").into_iter().map(|(_, words)| words).collect();
    assert_eq!(headings[..5], ["arm", "return minus never", "p (Holm)", "return", "calls per episode"]);
    let shown: Vec<Vec<(&str, String)>> =
        shown.split("<tr>").skip(2).map(|row| elements(row, "td")).filter(|row| !row.is_empty()).collect();

    let table = counsel(&["tables", path(&runs), "--study", "lock", "--format", "csv"]).expect_success();
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    let columns = rows.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
    assert_eq!(shown.len(), rows.len());
    let mut compared = 0;
    for (row, cells) in rows.iter().zip(&shown) {
        for (column, field) in columns.iter().zip(row) {
            let Ok(number) = field.parse::<f64>() else { continue };
            let (heading, attribute) = match column.strip_suffix("_half_width") {
                Some(heading) => (heading, "data-half-width"),
                None => (column, "data-value"),
            };
            let found = shown_in(cells, &headings, heading, attribute).unwrap_or_else(|| panic!("{column}: {row:?}"));
            assert_eq!(found.parse::<f64>().unwrap(), number, "{column}");
            compared += 1;
        }
    }
    let values = attributes(&page, "data-value").len() + attributes(&page, "data-half-width").len();
    assert!(compared > 50 && compared == values, "{compared} of {values}");
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
    // One script, which its digest allows; the browser test holds it to that.
    assert_eq!((page.matches("<script>").count(), page.matches("<script").count()), (1, 1));
    assert!(page.contains("script-src 'sha256-") && !page.contains("<link") && !page.contains("<img"));
    let elsewhere: Vec<&str> = attributes(&page, "href").into_iter().filter(|to| !to.starts_with('#')).collect();
    assert!(elsewhere.is_empty(), "{elsewhere:?}");
    // What was gained against what was paid, first and once more; a point for each reliability; and what stands behind each.
    assert_eq!(page.matches("<svg xmlns").count(), 3);
    assert_eq!(page.matches("<g tabindex=\"0\" role=\"img\"").count(), 21);
    // Every arm of the table has the sample of its look.
    assert_eq!(page.matches("<svg class=\"sample\"").count(), 8);
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
    assert!(!page.contains("arms were run"), "every arm was run");
    assert!(page.contains("<strong>Changed: price=0.5."), "{page}");
}

#[test]
fn a_study_that_was_cut_says_so_in_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let runs = folder.path().join("runs");
    reproduce("lock --seeds 0..1", &runs);
    for arm in ["oracle-gate", "always", "perfect-advice", "counsel", "experience-only"] {
        std::fs::remove_dir_all(runs.join("lock").join(arm)).unwrap();
    }
    counsel(&["report", path(&runs)]).expect_success();
    let page = std::fs::read_to_string(runs.join("report.html")).unwrap();
    assert!(page.contains("<strong>2 of 7 arms were run</strong>"), "{page}");
    assert!(page.contains("<summary>5 arms were not run</summary>") && !page.contains("missing"), "{page}");
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
    assert!(!page.contains("<img") && !page.contains('\u{1b}'), "{page}");
    assert_eq!(page.matches("<script").count(), 1, "only the page's own");
    assert_eq!(page.matches("</style>").count(), 1 + page.matches("<svg xmlns").count());
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
