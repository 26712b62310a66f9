//! Compares `counsel stats paired` with scipy and statsmodels.
//!
//! Input and answers lie in `fixtures/paired`, written by `generate.py` there with pinned versions. Deterministic
//! numbers must agree to 1e-9; the ends of the bootstrap interval, drawn from another stream, within a twentieth of its
//! width.

use counsel_report::{Format, Observations, PairedReport, View};
use serde_json::Value;

const INPUT: &str = include_str!("../../../../fixtures/paired/input.csv");
const EXPECTED: &str = include_str!("../../../../fixtures/paired/expected.json");

/// The CSV report on `input` as one list of fields per line, the header first.
fn report(input: &str) -> Vec<Vec<String>> {
    let report = PairedReport::compare(&Observations::parse(input).unwrap(), "never").unwrap();
    let csv = report.render(&View::whole(Format::Csv)).unwrap();
    csv.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

fn assert_agrees(input: &str, section: &str) {
    let expected: Value = serde_json::from_str(EXPECTED).unwrap();
    let expected = expected[section].as_array().unwrap();
    let lines = report(input);
    assert_eq!(lines.len(), expected.len() + 1);
    for (line, row) in lines[1..].iter().zip(expected) {
        let width = row["bca_high"].as_f64().unwrap() - row["bca_low"].as_f64().unwrap();
        for (column, got) in lines[0].iter().zip(line) {
            let Some(want) = row[column].as_f64() else {
                assert_eq!(Some(got.as_str()), row[column].as_str(), "{column}");
                continue;
            };
            let got: f64 = got.parse().unwrap();
            let room = if column.starts_with("bca") { width / 20.0 } else { 1e-9 * want.abs() };
            assert!((got - want).abs() <= room, "{column}: got {got:e}, the original says {want:e}, in {row}");
        }
    }
}

#[test]
fn families_agree_with_scipy() {
    assert_agrees(INPUT, "families");
}

#[test]
fn a_file_without_families_agrees_with_scipy() {
    let lock = INPUT.lines().filter(|line| !line.starts_with("pixel,"));
    let plain: Vec<&str> = lock.filter_map(|line| Some(line.split_once(',')?.1)).collect();
    assert_agrees(&plain.join("\n"), "plain");
}
