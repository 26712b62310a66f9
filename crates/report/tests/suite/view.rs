//! Which columns of a table a line has room for, and how columns are chosen by name.

use counsel_report::{Column, Columns, Entry, Format, Rank, Table, View, render};
use insta::assert_snapshot;
use proptest::prelude::*;

/// A table as wide as those of the BabyAI studies: two blocks, three arms each.
fn wide() -> Table {
    let columns = [
        Column::left("task"),
        Column::left("advisor"),
        Column::left("arm"),
        Column::right("seeds").ranked(Rank::Detail),
        Column::right("return").ranked(Rank::Main),
        Column::right("late return"),
        Column::right("calls").ranked(Rank::Main),
        Column::right("cost-adjusted").ranked(Rank::Next),
        Column::right("return of best minus arm").ranked(Rank::Main),
        Column::right("p").ranked(Rank::Detail),
        Column::right("p (Holm)").ranked(Rank::Main),
        Column::right("p (Holm): cost-adjusted of best minus arm").ranked(Rank::Next),
    ];
    let mut table = Table::new("wide", "The best controller from the same parts: ask once in each context", columns);
    table.caption =
        "Asking once in each context and reusing an answer beats never asking with a few dozen calls.".into();
    for task in ["GoToObj", "GoToLocal"] {
        for arm in ["never", "always", "best"] {
            let row = [
                Entry::text(task),
                Entry::text("qwen2.5-coder-0.5b/abstract/scored"),
                Entry::text(arm),
                Entry::count(20),
                Entry::interval(0.456_789, 0.046, 3),
                Entry::number(0.5, 3),
                Entry::number(1234.5, 1),
                Entry::number(0.4, 3),
                Entry::interval(0.123, 0.0456, 4).emphasised(),
                Entry::p_value(0.0123),
                Entry::p_value(0.0246),
                Entry::p_value(0.0001),
            ];
            table.push(row).unwrap();
        }
    }
    table
}

fn view(columns: Columns, width: usize) -> View {
    View { columns, width, ..View::whole(Format::Text) }
}

fn fitting(width: usize) -> String {
    view(Columns::Fitting, width).render(&[wide()]).unwrap()
}

fn named(names: &str) -> Columns {
    Columns::Named(vec![names.to_owned()])
}

fn longest(text: &str) -> usize {
    text.lines().map(|line| line.chars().count()).max().unwrap_or(0)
}

#[test]
fn eighty_characters_hold_the_comparison_under_a_line_for_each_block() {
    assert_snapshot!(fitting(80));
}

#[test]
fn a_hundred_and_twenty_characters_hold_more() {
    assert_snapshot!(fitting(120));
}

#[test]
fn what_is_left_out_is_counted_and_named() {
    let line = |width| fitting(width).lines().find(|line| line.contains("--wide")).map(str::to_owned);
    let (narrow, wider) = (line(80).unwrap(), line(100).unwrap());
    assert!(narrow.starts_with("4 columns more with --wide: seeds, late return, "), "{narrow}");
    assert!(narrow.len() > wider.len() || narrow != wider);
    assert_eq!(line(250), None, "everything fits");
}

#[test]
fn wide_shows_every_column_on_one_line() {
    let text = view(Columns::All, 80).render(&[wide()]).unwrap();
    let heading = text.lines().nth(2).unwrap();
    assert!(wide().columns().iter().all(|column| heading.contains(&column.name)), "{text}");
    assert!(text.lines().filter(|line| line.contains("Asking")).all(|line| line.chars().count() <= 80));
}

#[test]
fn columns_are_chosen_by_name_in_every_format() {
    let csv = View { columns: named("calls, arm"), ..View::whole(Format::Csv) }.render(&[wide()]).unwrap();
    assert_eq!(csv.lines().take(2).collect::<Vec<_>>(), ["calls,arm,runs", "1234.5,never,"]);
    let text = view(named("arm,p (Holm): cost-adjusted of best minus arm"), 80).render(&[wide()]).unwrap();
    assert!(text.contains("arm     p (Holm): cost-adjusted of best minus arm"), "{text}");
    assert!(!text.contains("--wide"), "nothing was left out against the reader's wish: {text}");
}

#[test]
fn an_unknown_column_is_refused_with_the_nearest_name() {
    let refusal = view(named("arm,retrun"), 80).render(&[wide()]).unwrap_err().to_string();
    assert!(refusal.starts_with("there is no column `retrun` (did you mean `return`?)"), "{refusal}");
    let mut other = Table::new("other", "Another", [Column::left("model")]);
    other.push([Entry::text("m")]).unwrap();
    let refusal = view(named("arm"), 80).render(&[wide(), other]).unwrap_err().to_string();
    assert_eq!(
        refusal,
        "table `other` has none of the columns `arm`; it has `model`; choose another table, or one of these"
    );
}

#[test]
fn long_names_are_shortened_only_when_nothing_else_helps() {
    let mut table = Table::new("long", "Long names", [Column::left("arm"), Column::right("return").ranked(Rank::Main)]);
    for arm in ["a".repeat(60), "b".repeat(20)] {
        table.push([Entry::text(arm), Entry::number(0.5, 3)]).unwrap();
    }
    let text = view(Columns::Fitting, 40).render(&[table]).unwrap();
    assert!(text.contains(&format!("{}…   0.500", "a".repeat(31))) && text.contains(&"b".repeat(20)), "{text}");
}

#[test]
fn characters_of_double_width_and_control_characters_do_not_disturb_the_columns() {
    let mut table = Table::new("odd", "Odd names", [Column::left("arm"), Column::right("n")]);
    for arm in ["漢字", "never", "\u{1b}]0;title\u{7}"] {
        table.push([Entry::text(arm), Entry::count(7)]).unwrap();
    }
    let text = view(Columns::Fitting, 80).render(&[table]).unwrap();
    assert!(!text.contains(['\u{1b}', '\u{7}']), "{text:?}");
    let rows: Vec<&str> = text.lines().filter(|line| line.ends_with('7')).collect();
    assert_eq!(rows, ["漢字                 7", "never                7", r"\u{1b}]0;title\u{7}  7"]);
}

proptest! {
    #[test]
    fn no_line_is_longer_than_the_width(width in 40..260usize) {
        let text = fitting(width);
        prop_assert!(longest(&text) <= width, "{}", text);
        prop_assert!(text.contains("0.457 ± 0.046") && text.contains("always"), "{}", text);
    }
}

#[test]
fn what_belongs_together_is_shown_together_and_a_wider_line_shows_no_less() {
    let columns = [
        Column::left("task"),
        Column::left("arm"),
        Column::right("return").ranked(Rank::Main),
        Column::right("BCa low").ranked(Rank::Detail),
        Column::right("BCa high").ranked(Rank::Detail).joined(),
        Column::right("p").ranked(Rank::Main),
    ];
    let mut table = Table::new("joined", "Joined", columns);
    for arm in ["never", "always"] {
        let numbers = [0.5, 0.25, 0.75, 0.125].map(|number| Entry::number(number, 3));
        table.push([Entry::text("a task with a long name"), Entry::text(arm)].into_iter().chain(numbers)).unwrap();
    }
    let shown = |width| {
        let text = view(Columns::Fitting, width).render(std::slice::from_ref(&table)).unwrap();
        ["0.500", "0.250", "0.750", "0.125"].map(|number| text.contains(number))
    };
    let all: Vec<[bool; 4]> = (20..100).map(shown).collect();
    assert!(all.iter().all(|[_, low, high, _]| low == high), "{all:?}");
    assert!(all.windows(2).all(|pair| (0..4).all(|at| pair[0][at] <= pair[1][at])), "{all:?}");
    assert_eq!([all[0], all[10], all[79]], [[true, false, false, false], [true, false, false, true], [true; 4]]);
}

#[test]
fn a_table_that_fits_looks_as_it_does_whole() {
    assert_eq!(
        fitting(longest(&render(&[wide()], Format::Text))).lines().nth(2),
        render(&[wide()], Format::Text).lines().nth(2)
    );
}
