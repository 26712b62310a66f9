//! The looks of one table in every format.
//!
//! After a wanted change, write the snapshots anew with `INSTA_UPDATE=always cargo test -p counsel-report --test
//! formats` and read the diff.

use counsel_report::{Column, Entry, Format, Table, Traces, Verdict, View, render};
use insta::assert_snapshot;

/// Every kind of entry, and every character that some format has to escape.
fn lock() -> Table {
    let columns = [
        Column::left("arm"),
        Column::right("return"),
        Column::right("calls"),
        Column::right("covered"),
        Column::right("p"),
    ];
    let mut table = Table::new("lock", "Combination lock", columns);
    table.caption = String::from(
        "The controller gains over never and the interval excludes 0: holds. Its calls are a small \
                     fraction (5 %) of those of always-advice, and no run of the 24 went over its budget of 60 calls.",
    );
    table.notes = vec!["Bounds are V_max & exact labels; ± is a 95 % half width.".to_owned()];
    let rows = [
        [
            Entry::text("never"),
            Entry::interval(0.1, 0.025, 3).traced("lock/never/0..23"),
            Entry::count(0),
            Entry::not_logged(),
            Entry::not_applicable(),
        ],
        [
            Entry::text("controller"),
            Entry::interval(0.456_789, 0.046, 3).emphasised().traced("lock/controller/0..23"),
            Entry::number(12.25, 1).emphasised(),
            Entry::fraction(20, 20),
            Entry::p_value(1.25e-7).traced("lock/controller/0..23").traced("lock/never/0..23"),
        ],
        [
            Entry::text("odd | names, {50 %} #1_a"),
            Entry::interval(-0.5, f64::INFINITY, 2),
            Entry::number(-3.0, 1),
            Entry::fraction(3, 20).emphasised(),
            Entry::p_value(0.042),
        ],
    ];
    for row in rows {
        table.push(row).unwrap();
    }
    table
}

fn short() -> Table {
    let mut table = Table::new("short", "A table without words", [Column::right("n")]);
    table.push([Entry::count(3).traced("short/0")]).unwrap();
    table
}

fn render_traced(tables: &[Table], format: Format, traces: Traces) -> String {
    View { traces, ..View::whole(format) }.render(tables).unwrap()
}

#[test]
fn text() {
    assert_snapshot!(render(&[lock(), short()], Format::Text));
}

#[test]
fn text_with_runs() {
    assert_snapshot!(render_traced(&[lock()], Format::Text, Traces::Shown));
}

#[test]
fn markdown() {
    assert_snapshot!(render(&[lock(), short()], Format::Markdown));
}

#[test]
fn markdown_with_runs() {
    assert_snapshot!(render_traced(&[lock()], Format::Markdown, Traces::Shown));
}

#[test]
fn latex() {
    assert_snapshot!(render(&[lock(), short()], Format::Latex));
}

#[test]
fn latex_with_runs() {
    assert_snapshot!(render_traced(&[lock()], Format::Latex, Traces::Shown));
}

#[test]
fn csv() {
    assert_snapshot!(render(&[lock()], Format::Csv));
}

#[test]
fn csv_of_two_tables() {
    assert_snapshot!(render(&[lock(), short()], Format::Csv));
}

#[test]
fn csv_names_runs_whether_asked_or_not() {
    let both = [Traces::Shown, Traces::Hidden].map(|traces| render_traced(&[lock()], Format::Csv, traces));
    assert_eq!(both[0], both[1]);
}

#[test]
fn no_tables_give_no_text() {
    for format in [Format::Text, Format::Markdown, Format::Latex, Format::Csv] {
        assert_eq!(render(&[], format), "");
    }
    assert_eq!(render(&[], Format::Json), "{\n  \"tables\": []\n}\n");
}

#[test]
fn json() {
    let mut table = lock();
    table.changed = vec!["price = 0.1 in every arm".into()];
    table.verdicts = vec![Verdict { statement: "it gains".into(), verdict: "holds".into(), beyond: false }];
    assert_snapshot!(render(&[table], Format::Json));
}

#[test]
fn what_was_changed_is_told_in_every_format() {
    let mut table = lock();
    table.changed = vec!["price = 0.1 in every arm".into(), "live answers from http://here".into()];
    for format in Format::ALL {
        let (told, untold) = (render(std::slice::from_ref(&table), format), render(&[lock()], format));
        for change in ["price = 0.1 in every arm", "live answers from http://here"] {
            assert!(told.contains(change) && !untold.contains(change), "{format}: {told}");
        }
    }
    let csv = render(&[table], Format::Csv);
    assert!(csv.lines().next().unwrap().ends_with(",runs,changed"), "{csv}");
    assert!(csv.lines().skip(1).all(|line| line.ends_with(",price = 0.1 in every arm; live answers from http://here")));
}

#[test]
fn a_table_without_rows_keeps_its_header_for_programs_and_not_for_people() {
    let mut table = Table::new("empty", "Nothing yet", [Column::left("arm")]);
    table.caption = "Nothing was run.".into();
    assert_eq!(render(std::slice::from_ref(&table), Format::Csv), "arm,runs\n");
    assert_eq!(render(std::slice::from_ref(&table), Format::Text), "Nothing yet\nNothing was run.\n");
    assert_eq!(render(&[table], Format::Markdown), "### Nothing yet\n\nNothing was run.\n");
}
