//! Rows and headers as people and programs write them: taken where the meaning is clear, refused once and with the remedy elsewhere.

use counsel_report::{Format, render};
use counsel_shadow::{Error, ShadowSettings, report};

use crate::try_log_of;

const HEADER: &str = r#"{"format":"counsel-shadow/1","words":["left","right"],"answers_act_only":true}"#;

/// Fifty episodes of one row each.
fn lines() -> Vec<String> {
    let row = |episode: u32| {
        let asked = episode.is_multiple_of(2);
        let done = if asked { r#""answer":"right","executed":"right""# } else { r#""executed":"left""# };
        format!(
            r#"{{"episode":{episode},"step":0,"base":"left","asked":{asked},{done},"reward":0.5,"price":0.1,"end":true}}"#
        )
    };
    (0..50).map(row).collect()
}

fn delimited(mark: &str, flags: [&str; 2]) -> String {
    let mut rows =
        vec![["episode", "step", "base", "asked", "answer", "executed", "reward", "price", "end"].join(mark)];
    for episode in 0..50 {
        let asked = episode % 2 == 0;
        let (flag, word) = (flags[usize::from(asked)], if asked { "right" } else { "left" });
        let answer = if asked { "right" } else { "" };
        rows.push([&episode.to_string(), "0.0", "left", flag, answer, word, "0.5", "0.1", flags[1]].join(mark));
    }
    format!("# {HEADER}\n{}\n", rows.join("\n"))
}

fn told(name: &str, text: &str) -> String {
    let log = try_log_of(name, text).unwrap();
    render(&report(&log, &ShadowSettings::default()).unwrap().tables, Format::Csv)
}

fn faults(name: &str, text: &str) -> (usize, Vec<String>) {
    match try_log_of(name, text).unwrap_err() {
        Error::Rows { count, faults, .. } => (count, faults.iter().map(ToString::to_string).collect()),
        error => panic!("{error}"),
    }
}

fn refusal(name: &str, text: &str) -> String {
    try_log_of(name, text).unwrap_err().to_string()
}

#[test]
fn one_bad_row_is_one_bad_row() {
    let whole = lines();
    let text = |rows: &[String]| format!("{HEADER}\n{}\n", rows.join("\n"));
    for bad in ["not json", "{", "{\"episode\":[]}", "{\"episode\":7}"] {
        let mut rows = whole.clone();
        rows[7] = bad.to_owned();
        let (count, faults) = faults("a.jsonl", &text(&rows));
        assert_eq!(count, 1, "{bad}: {faults:?}");
        assert!(faults[0].starts_with("line 9: "), "{faults:?}");
    }
    // An end that was forgotten, a step that was left out, an episode that comes twice: one each.
    for (place, from, to) in
        [(7, "\"end\":true", "\"end\":false"), (7, "\"step\":0", "\"step\":3"), (9, "\"episode\":9", "\"episode\":4")]
    {
        let mut rows = whole.clone();
        rows[place] = rows[place].replace(from, to);
        assert_eq!(faults("a.jsonl", &text(&rows)).0, 1, "{to}");
    }
    let mut csv: Vec<String> = delimited(",", ["false", "true"]).lines().map(str::to_owned).collect();
    csv[9] = "7,0".into();
    let (count, faults) = faults("a.csv", &csv.join("\n"));
    assert_eq!((count, faults.len()), (1, 1), "{faults:?}");
}

#[test]
fn of_many_bad_rows_of_one_kind_three_are_named_and_all_are_counted() {
    let rows: Vec<String> = lines().iter().map(|row| row.replace("\"reward\":0.5", "\"reward\":null")).collect();
    let (count, faults) = faults("a.jsonl", &format!("{HEADER}\n{}\n", rows.join("\n")));
    assert_eq!((count, faults.len()), (50, 3), "{faults:?}");
}

#[test]
fn a_byte_order_mark_semicolons_tabs_and_whole_numbers_with_a_point_are_read() {
    let plain = told("a.jsonl", &format!("{HEADER}\n{}\n", lines().join("\n")));
    assert!(plain.contains("decisions,50"), "{plain}");
    assert_eq!(told("a.jsonl", &format!("\u{feff}{HEADER}\n{}\n", lines().join("\n"))), plain);
    for (mark, flags) in [(",", ["false", "true"]), (";", ["0.0", "1.0"]), ("\t", ["False", "True"])] {
        assert_eq!(told("a.csv", &delimited(mark, flags)), plain, "{mark:?}");
        assert_eq!(told("a.csv", &format!("\u{feff}{}", delimited(mark, flags))), plain, "{mark:?}");
    }
    let points: Vec<String> = lines().iter().map(|row| row.replace(",\"step\":0", ".0,\"step\":0.0")).collect();
    assert_eq!(told("a.jsonl", &format!("{HEADER}\n{}\n", points.join("\n"))), plain);
    let half = lines()[0].replace("\"step\":0", "\"step\":0.5");
    assert!(faults("a.jsonl", &format!("{HEADER}\n{half}\n")).1[0].contains("step is 0.5; write a whole number"));
}

#[test]
fn a_missing_column_is_said_once() {
    let said = refusal("a.csv", &delimited("|", ["false", "true"]));
    assert!(said.contains("it has no column episode, step") && said.ends_with("add what is missing"), "{said}");
}

#[test]
fn words_are_at_least_one_at_most_65535_and_each_named_once() {
    let with = |words: String| refusal("a.jsonl", &format!("{}\n", HEADER.replace(r#"["left","right"]"#, &words)));
    let many: Vec<String> = (0..100_002).map(|word| format!("\"{word}\"")).collect();
    assert!(with(format!("[{}]", many.join(","))).contains("words has 100002 actions; name 1 to 65535"));
    assert!(with("[]".into()).contains("words has 0 actions; name 1 to 65535"));
    assert!(with(r#"["left","left"]"#.into()).contains("words has `left` twice; name each action once"));
}
