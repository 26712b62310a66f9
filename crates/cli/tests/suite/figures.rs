//! Figures of a run: which files are written, that they are the same every time, and what is refused.

use insta::assert_snapshot;

use crate::support::{assert_same_files, counsel, files, path, reproduce};

#[test]
fn figures_are_written_whole_and_the_same_every_time() {
    let folder = tempfile::tempdir().unwrap();
    let (runs, out) = (folder.path().join("runs"), folder.path().join("figures"));
    reproduce("query-count --seeds 0..2", &runs);
    let before = files(&runs);
    let draw = || counsel(&["figures", path(&runs), "--out", path(&out)]).expect_success();
    let names = ["query-count-frontier.svg", "query-count-sweep.svg"];
    assert_eq!(draw(), names.map(|name| format!("{}\n", out.join(name).display())).concat());
    let first = files(&out);
    assert_eq!(first.keys().collect::<Vec<_>>(), names);
    draw();
    assert_same_files(&files(&out), &first);
    assert_same_files(&files(&runs), &before);

    counsel(&["figures", path(&runs), "--study", "query-count", "--format", "csv", "--out", path(&out)])
        .expect_success();
    let csv = String::from_utf8(files(&out)["query-count-frontier.csv"].clone()).unwrap();
    let arms: Vec<&str> = csv.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert_eq!(
        arms,
        [
            "reliability-0.00",
            "reliability-0.25",
            "reliability-0.50",
            "reliability-0.75",
            "reliability-1.00",
            "never",
            "counsel",
            "experience-only"
        ]
    );
}

/// The numbers of a figure are those of the table.
#[test]
fn a_sweep_has_the_means_of_the_table() {
    let folder = tempfile::tempdir().unwrap();
    let (runs, out) = (folder.path().join("runs"), folder.path().join("figures"));
    reproduce("query-count --seeds 3..5", &runs);
    counsel(&["figures", path(&runs), "--format", "csv", "--out", path(&out)]).expect_success();
    let sweep = String::from_utf8(files(&out)["query-count-sweep.csv"].clone()).unwrap();
    let table = counsel(&["tables", path(&runs), "--format", "csv"]).expect_success();
    let column = |text: &str, name: &str| -> Vec<f64> {
        let at = text.lines().next().unwrap().split(',').position(|heading| heading == name).unwrap();
        text.lines().skip(1).map(|line| line.split(',').nth(at).unwrap().parse().unwrap()).collect()
    };
    assert_eq!(column(&sweep, "x"), [0.0, 0.25, 0.5, 0.75, 1.0]);
    for (drawn, tabulated) in column(&sweep, "y").iter().zip(column(&table, "queries")) {
        assert!((drawn - tabulated).abs() < 1e-12, "{drawn} {tabulated}");
    }
    let widths =
        column(&sweep, "y_high").into_iter().zip(column(&sweep, "y_low")).map(|(high, low)| 0.5 * (high - low));
    for (drawn, tabulated) in widths.zip(column(&table, "queries_half_width")) {
        assert!((drawn - tabulated).abs() < 1e-9, "{drawn} {tabulated}");
    }
}

#[test]
fn what_cannot_be_drawn_is_refused_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let (runs, out) = (folder.path().join("runs"), folder.path().join("figures"));
    reproduce("informative query-count --seeds 0..0", &runs);
    let refusal = |more: &[&str]| {
        let mut arguments = vec!["figures", path(&runs), "--out", path(&out)];
        arguments.extend(more);
        counsel(&arguments).expect_failure().replace(path(folder.path()), "[DIR]").trim_end().to_owned()
    };
    assert_snapshot!(refusal(&["--study", "informative"]), @"error: there are no figures for `informative`; `counsel list` shows the studies, and [[figures]] in a study's file declares some");
    assert_snapshot!(refusal(&["--study", "lock"]), @"error: the run has no study `lock`; it has informative, query-count");
    assert_snapshot!(refusal(&["--format", "png"]), @"
    error: invalid value 'png' for '--format <FORMAT>': unknown format `png`; choose one of svg, csv

    For more information, try '--help'.
    ");
    assert!(!out.exists());

    std::fs::create_dir(&out).unwrap();
    std::fs::write(out.join("query-count-frontier.svg"), "<svg>mine</svg>").unwrap();
    assert_snapshot!(refusal(&[]), @"error: [DIR]/figures/query-count-frontier.svg is there already and is not a figure of counsel; choose another folder with --out");
    assert_eq!(files(&out)["query-count-frontier.svg"], b"<svg>mine</svg>");
    assert_eq!(files(&out).len(), 1);
}
