//! Tables in a terminal: no row is wrapped at any width, columns are chosen by name, and programs get JSON and tidy CSV.

use std::path::Path;

use counsel_log::Run;
use counsel_report::{Columns, Format, Judging, Table, View, study_tables};
use serde_json::Value;

use crate::support::{Said, command, counsel, path, reproduce};

const WIDTHS: [usize; 3] = [80, 120, 200];

/// Runs the command in a terminal of this width.
fn in_terminal(arguments: &[&str], width: usize) -> String {
    let output = command(arguments).env("COLUMNS", width.to_string()).output().expect("the command starts");
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("standard output is UTF-8")
}

#[track_caller]
fn assert_fits(text: &str, width: usize) {
    for line in text.lines() {
        assert!(line.chars().count() <= width, "longer than {width}: {line}\n{text}");
    }
}

/// Three arms, one with a long name, on four seeds, in the form of `stats paired`.
fn results(folder: &Path) -> std::path::PathBuf {
    let arms = [("never", 0.1), ("early", 0.13), ("a-controller-with-a-rather-long-name.of-a-block", 0.21)];
    let of_arm = |(arm, gain): (&'static str, f64)| {
        (1..5).map(move |seed| format!("{seed},{arm},{}\n", gain * f64::from(seed) + 0.3))
    };
    let lines = ["seed,arm,value\n".to_owned()].into_iter().chain(arms.into_iter().flat_map(of_arm));
    let file = folder.join("results.csv");
    std::fs::write(&file, lines.collect::<String>()).expect("the file can be written");
    file
}

#[test]
fn no_row_is_wrapped_at_80_120_or_200_columns() {
    let folder = tempfile::tempdir().unwrap();
    let (runs, file) = (folder.path().join("runs"), results(folder.path()));
    for width in WIDTHS {
        let lock = ["reproduce", "lock", "--seeds", "0..1", "--out", path(&runs)];
        let paired = ["stats", "paired", path(&file), "--baseline", "never"];
        let audit = ["advisor", "audit", "qwen2.5-coder-0.5b/abstract/scored", "--moments", "20"];
        for arguments in [&lock[..], &["tables", path(&runs)], &["tables", path(&runs), "--runs"], &paired, &audit] {
            let text = in_terminal(arguments, width);
            assert!(text.contains("──────"), "{arguments:?}: {text}");
            assert_fits(&text, width);
        }
    }
    assert!(in_terminal(&["tables", path(&runs), "--runs"], 80).contains("lock/controller"), "the runs are left out");
    let narrow = in_terminal(&["tables", path(&runs)], 80);
    for heading in ["arm", "return", "calls per", "return minus", "(Holm)", "columns more with --wide"] {
        assert!(narrow.contains(heading), "no {heading}: {narrow}");
    }
    let wide = in_terminal(&["tables", path(&runs), "--wide"], 80);
    assert!(wide.lines().any(|line| line.contains("residual") && line.chars().count() > 80), "{wide}");
    assert!(!wide.contains("--wide"), "{wide}");
}

/// What a line of this width shows of a table: the most entries of a row, and the names of the columns that find no room.
fn shown(table: &Table, width: usize) -> (usize, String) {
    let view = View { columns: Columns::Fitting, width, ..View::whole(Format::Text) };
    let text = view.render(std::slice::from_ref(table)).unwrap();
    assert_fits(&text, width);
    let ruled: Vec<&str> = text.split_inclusive('\n').filter(|line| line.starts_with('─')).collect();
    let [_, body, below] = *text.split(ruled[0]).skip(1).collect::<Vec<_>>() else { panic!("three rules: {text}") };
    let entries = |line: &str| line.split("  ").filter(|entry| !entry.trim().is_empty()).count();
    let left_out = below.split_once(" more with --wide: ").map_or("", |(_, names)| names);
    let caption = table.caption.split_whitespace().next().unwrap_or("\n");
    let left_out = left_out.split_once(caption).map_or(left_out, |(names, _)| names);
    (body.lines().map(entries).max().unwrap_or(0), left_out.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// A wider terminal shows every column that a narrower one shows, and both ends of an interval or none.
#[test]
fn no_column_is_lost_on_a_wider_terminal_and_both_ends_of_an_interval_are_shown() {
    let folder = tempfile::tempdir().unwrap();
    reproduce("lock informative query-count limits --seeds 0..1 --set episodes=3", folder.path());
    let exact =
        "babyai-exact --seeds 0..1 --set episodes=2 --set calibration.calibrate=20 --set calibration.prefix_episodes=1";
    reproduce(exact, folder.path());
    let tables = study_tables(&Run::at(folder.path()), None, Judging::AsItStands, &|_| {}).unwrap();
    assert_eq!(tables.len(), 5);
    let mut is_told_apart = false;
    for table in &tables {
        let named = |left_out: &str| {
            let names = table.columns().iter().map(|column| column.name.as_str());
            names.filter(|name| left_out.contains(name)).map(str::to_owned).collect::<Vec<_>>()
        };
        let (mut most, mut lacking) = shown(table, 60);
        for width in 61..=240 {
            let (entries, left_out) = shown(table, width);
            assert!(entries >= most, "{}: {entries} of {most} entries at {width}", table.id);
            let is_new = |name: &String| !named(&lacking).contains(name);
            let gone: Vec<String> = named(&left_out).into_iter().filter(is_new).collect();
            assert!(gone.is_empty(), "{}: {gone:?} at {width}", table.id);
            assert_eq!(left_out.contains("BCa low"), left_out.contains("BCa high"), "{} at {width}", table.id);
            is_told_apart |= left_out.contains("BCa") && !lacking.is_empty();
            (most, lacking) = (entries, left_out);
        }
        assert!(most > 4, "{} shows {most} columns at 240", table.id);
    }
    assert!(is_told_apart, "no interval was ever left out");
}

#[test]
fn columns_are_chosen_by_name_and_a_wrong_name_is_refused_with_the_nearest() {
    let folder = tempfile::tempdir().unwrap();
    reproduce("lock --seeds 0..1", folder.path());
    let tables = |more: &[&str]| counsel(&[&["tables", path(folder.path())], more].concat());
    let text = tables(&["--columns", "arm,calls per episode"]).expect_success();
    assert_eq!(text.lines().nth(2).unwrap().split("  ").filter(|word| !word.is_empty()).count(), 2, "{text}");
    let csv = tables(&["--columns", "calls per episode,arm", "--format", "csv"]).expect_success();
    assert_eq!(csv.lines().next(), Some("calls per episode,arm,runs"));
    let Said { stderr, code, .. } = tables(&["--columns", "arm,retrun"]);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("there is no column `retrun` (did you mean `return`?)"), "{stderr}");
    tables(&["--columns", "arm", "--wide"]).expect_failure();
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn tables_stats_and_explanations_are_json_documents_at_full_precision() {
    let folder = tempfile::tempdir().unwrap();
    let (runs, file) = (folder.path().join("runs"), results(folder.path()));
    let printed = reproduce("lock informative --seeds 0..1 --format json", &runs).stdout;
    let tables = counsel(&["tables", path(&runs), "--format", "json"]).expect_success();
    assert_eq!(printed, tables);
    let document = json(&tables);
    let table = document["tables"].as_array().unwrap().iter().find(|table| table["id"] == "lock").unwrap();
    assert_eq!(table["changed"], json("[]"));
    assert!(
        table["verdicts"].as_array().unwrap().iter().all(|of| of["statement"].is_string() && of["verdict"].is_string())
    );
    let csv = counsel(&["tables", path(&runs), "--study", "lock", "--format", "csv"]).expect_success();
    let column = csv.lines().next().unwrap().split(',').position(|name| name == "return").unwrap();
    for (row, line) in table["rows"].as_array().unwrap().iter().zip(csv.lines().skip(1)) {
        let expected: f64 = line.split(',').nth(column).unwrap().parse().unwrap();
        assert_eq!(row["entries"]["return"]["mean"].as_f64(), Some(expected));
        assert!(row["runs"][0].as_str().unwrap().starts_with("lock/"));
    }

    let stats = counsel(&["stats", "paired", path(&file), "--baseline", "never", "--format", "json"]).expect_success();
    let entries = &json(&stats)["tables"][0]["rows"][0]["entries"];
    assert!(entries["p"].is_number() && entries["mean_difference"].is_number(), "{stats}");

    let cell = ["explain", path(&runs), "--cell", "lock/controller/0", "--step", "12", "--format", "json"];
    let explained = json(&counsel(&cell).expect_success());
    assert_eq!((explained["cell"].as_str(), explained["step"].as_u64()), (Some("lock/controller/0"), Some(12)));
    assert!(explained["columns"]["price"].is_number() && explained["in_short"].is_string(), "{explained:#}");
}

/// One header, every seed, and means that are those of the table.
#[test]
fn tidy_is_one_csv_for_several_studies() {
    let folder = tempfile::tempdir().unwrap();
    reproduce("lock informative --seeds 0..2", folder.path());
    let tidy = counsel(&["tables", path(folder.path()), "--tidy"]).expect_success();
    let lines: Vec<Vec<&str>> = tidy.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines[0], ["study", "arm", "seed", "measure", "value"]);
    assert_eq!(lines.iter().filter(|line| line[0] == "study").count(), 1);
    for study in ["lock", "informative"] {
        assert!(lines.iter().any(|line| line[0] == study), "{study}");
    }
    let of = |seed: &str, measure: &str| -> f64 {
        let found = lines.iter().find(|line| line[..4] == ["lock", "controller", seed, measure]);
        found.unwrap_or_else(|| panic!("no {seed}, {measure}"))[4].parse().unwrap()
    };
    let mean = ["0", "1", "2"].map(|seed| of(seed, "return")).iter().sum::<f64>() / 3.0;
    assert!((mean - of("summary", "return")).abs() < 1e-12);
    assert!(of("summary", "return ci95") > 0.0);
    counsel(&["tables", path(folder.path()), "--tidy", "--wide"]).expect_failure();
}

#[test]
fn a_p_value_of_two_equal_differences_is_that_of_their_signs() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("two.csv");
    std::fs::write(&file, "seed,arm,value\n0,never,1\n1,never,2\n0,ours,2\n1,ours,3\n").unwrap();
    let text = counsel(&["stats", "paired", path(&file), "--baseline", "never"]).expect_success();
    assert!(text.contains("0.500") && !text.contains("< 0.001"), "{text}");
    assert!(text.contains("note: The differences of ours are all equal"), "{text}");
}
