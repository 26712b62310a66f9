//! The rows of a table as HTML: first the column that names them, then the difference that decides, then what else is asked first; the
//! other columns follow, hidden until they are asked for.
//!
//! Hiding is the style's: a box above the table shows every column, without a script, too. On paper no column is lost: those that a
//! line has no room for follow below it, each with its name. Invariant: the first column stays in view when the others move, and so do the
//! headings.

use std::collections::BTreeMap;

use maud::{Markup, PreEscaped, html};

use crate::fit::shared;
use crate::number::exact;
use crate::{Align, Content, Entry, Rank, Row, Table};

/// Columns of a table that are shown before anything is asked for.
const SHOWN: usize = 5;

/// The columns of a table in the order of the page.
struct Order {
    /// Keys that rows share and that stand above them.
    above: Vec<usize>,
    /// The others, the first of them shown at once.
    columns: Vec<usize>,
    shown: usize,
}

impl Order {
    /// Of all columns in the order of the table, none of them hidden.
    fn whole(table: &Table, words: &[Vec<String>]) -> Self {
        let keys = keys(table);
        let above = shared(&keys, words);
        let columns: Vec<usize> = (0..table.columns().len()).filter(|at| !above.contains(at)).collect();
        Self { above, shown: columns.len(), columns }
    }

    /// The five columns that are asked for first, and then the others.
    fn brief(table: &Table, words: &[Vec<String>]) -> Self {
        let columns = table.columns();
        let keys = keys(table);
        let above = shared(&keys, words);
        let own: Vec<usize> = keys.iter().copied().filter(|at| !above.contains(at)).collect();
        let named = naming(&above, &own, words);
        let mut first = named.clone();
        let take = |first: &mut Vec<usize>, of: &dyn Fn(usize) -> bool| {
            let due: Vec<usize> = (0..columns.len()).filter(|at| of(*at) && !above.contains(at)).collect();
            for at in due {
                if first.len() < SHOWN.max(named.len() + 1) && !first.contains(&at) {
                    first.push(at);
                }
            }
        };
        take(&mut first, &|at| columns[at].is_deciding);
        for rank in [Rank::Main, Rank::Next, Rank::Further] {
            take(&mut first, &|at| columns[at].rank == rank && columns[at].align == Align::Right);
        }
        let shown = first.len();
        let rest = (0..columns.len()).filter(|at| !above.contains(at) && !first.contains(at)).collect::<Vec<_>>();
        first.extend(rest);
        Self { above, columns: first, shown }
    }
}

fn keys(table: &Table) -> Vec<usize> {
    (0..table.columns().len()).filter(|at| table.columns()[*at].rank == Rank::Key).collect()
}

/// The last key, if it tells the rows of each group apart, and otherwise all keys that are not shared.
fn naming(above: &[usize], own: &[usize], words: &[Vec<String>]) -> Vec<usize> {
    let Some(last) = own.last() else { return Vec::new() };
    let name = |row: &Vec<String>| above.iter().chain([last]).map(|at| row[*at].clone()).collect::<Vec<_>>();
    let names: std::collections::BTreeSet<Vec<String>> = words.iter().map(name).collect();
    if names.len() == words.len() { vec![*last] } else { own.to_vec() }
}

/// A table that begins with what decides.
pub(super) struct Brief {
    pub(super) rows: Markup,
    /// How many columns are shown at once, and how many there are.
    pub(super) shown: usize,
    pub(super) all: usize,
    /// The rules by which an entry says the name of its column on paper.
    pub(super) on_paper: String,
}

/// A whole table, in the order of its columns.
pub(super) fn whole(table: &Table) -> Markup {
    let words = words(table);
    drawn(table, &words, &Order::whole(table, &words), &BTreeMap::new())
}

/// A table that begins with what decides. Arms have the samples of their looks.
pub(super) fn brief(table: &Table, looks: &BTreeMap<String, usize>) -> Brief {
    let words = words(table);
    let order = Order::brief(table, &words);
    let rows = drawn(table, &words, &order, looks);
    Brief { rows, shown: order.shown, all: order.columns.len(), on_paper: names_on_paper(table, &order) }
}

fn words(table: &Table) -> Vec<Vec<String>> {
    table.rows().iter().map(|row: &Row| row.entries.iter().map(|entry| entry.content.plain()).collect()).collect()
}

/// The rows, those with the same leading keys under a line that shows these, each group a body of its own.
fn drawn(table: &Table, words: &[Vec<String>], order: &Order, looks: &BTreeMap<String, usize>) -> Markup {
    let (columns, Order { above, columns: own, shown }) = (table.columns(), order);
    let begins = |place: usize| place == 0 || above.iter().any(|at| words[place][*at] != words[place - 1][*at]);
    let told = |place: usize| {
        above.iter().map(|at| format!("{} {}", columns[*at].name, words[place][*at])).collect::<Vec<_>>()
    };
    let side = |place: usize, at: usize| {
        let number = columns[at].align == Align::Right;
        match (number, place >= *shown) {
            (true, true) => Some("number more"),
            (true, false) => Some("number"),
            (false, true) => Some("more"),
            (false, false) => None,
        }
    };
    let starts: Vec<usize> = (0..words.len()).filter(|place| begins(*place)).collect();
    let ends = starts.iter().skip(1).copied().chain([words.len()]);
    let groups: Vec<std::ops::Range<usize>> = starts.iter().copied().zip(ends).map(|(from, to)| from..to).collect();
    html! {
        div.scroll data-table=(table.id) tabindex="0" role="region" aria-label=(format!("Table of {}", table.id)) {
            table {
                thead { tr { @for (place, at) in own.iter().enumerate() { th scope="col" class=[side(place, *at)] { (columns[*at].name) } } } }
                @for group in groups {
                    tbody {
                        @if !above.is_empty() {
                            tr.shared { th scope="rowgroup" colspan=(own.len()) { span { (told(group.start).join(", ")) } } }
                        }
                        @for row in group.clone().map(|place| &table.rows()[place]) {
                            tr {
                                @for (place, at) in own.iter().enumerate() {
                                    (datum(side(place, *at), &row.entries[*at], if place == 0 { looks } else { NONE }))
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

static NONE: &BTreeMap<String, usize> = &BTreeMap::new();

/// One entry, its number at full precision beside it.
fn datum(side: Option<&str>, entry: &Entry, looks: &BTreeMap<String, usize>) -> Markup {
    let (value, half_width) = match &entry.content {
        Content::Number { value, .. } => (Some(exact(*value)), None),
        Content::Interval { mean, half_width, .. } => (Some(exact(*mean)), Some(exact(*half_width))),
        Content::PValue { p } => (Some(exact(*p)), None),
        Content::Count { count } => (Some(count.to_string()), None),
        Content::Fraction { .. } | Content::Text { .. } | Content::NotLogged | Content::NotApplicable => (None, None),
    };
    let plain = entry.content.plain();
    let look = looks.get(&plain).map(|place| crate::figure::sample(*place));
    html! {
        td class=[side] data-value=[value] data-half-width=[half_width] {
            @if let Some(look) = look { (PreEscaped(look)) " " }
            @if entry.bold { strong { (plain) } } @else { (plain) }
        }
    }
}

/// On paper each entry beyond the first line of its row says the name of its column.
fn names_on_paper(table: &Table, order: &Order) -> String {
    let hidden = order.columns.iter().enumerate().skip(order.shown);
    let rules = hidden.map(|(place, at)| {
        let name = written(&table.columns()[*at].name);
        format!("[data-table=\"{}\"] td:nth-child({})::before{{content:\"{name} \"}}", written(&table.id), place + 1)
    });
    rules.collect()
}

/// Words as they stand within quotes of a style sheet: whatever is no plain letter is written as its number.
fn written(words: &str) -> String {
    let one = |c: char| if c.is_ascii_alphanumeric() { c.to_string() } else { format!("\\{:x} ", u32::from(c)) };
    words.chars().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Column;

    fn table() -> Table {
        let columns = [
            Column::left("task"),
            Column::left("arm"),
            Column::right("seeds").ranked(Rank::Detail),
            Column::right("late \"return\"").ranked(Rank::Further),
            Column::right("return").ranked(Rank::Main),
            Column::right("calls").ranked(Rank::Main),
            Column::right("return minus never").ranked(Rank::Main).deciding(),
            Column::right("p").ranked(Rank::Detail),
            Column::right("p (Holm)").ranked(Rank::Main).deciding(),
        ];
        let mut table = Table::new("lock", "Lock", columns);
        for (task, arm) in [("near", "never"), ("near", "asks"), ("far", "never")] {
            let mut row = vec![Entry::text(task), Entry::text(arm)];
            row.extend((0..7).map(Entry::count));
            table.push(row).unwrap();
        }
        table
    }

    #[test]
    fn the_deciding_difference_is_the_second_of_five_columns() {
        let table = table();
        let order = Order::brief(&table, &words(&table));
        let names: Vec<&str> = order.columns.iter().map(|at| table.columns()[*at].name.as_str()).collect();
        assert_eq!(names[..5], ["arm", "return minus never", "p (Holm)", "return", "calls"]);
        assert_eq!((order.shown, names.len(), order.above), (5, 8, vec![0]), "the task stands above its rows");
    }

    #[test]
    fn every_hidden_column_says_its_name_on_paper() {
        let table = table();
        let brief = brief(&table, &BTreeMap::new());
        assert_eq!((brief.shown, brief.all), (5, 8));
        assert_eq!(brief.on_paper.matches("::before").count(), 3);
        let named = r#"[data-table="lock"] td:nth-child(7)::before{content:"late\20 \22 return\22  "}"#;
        assert!(brief.on_paper.contains(named), "{}", brief.on_paper);
        assert_eq!(brief.rows.into_string().matches("<tbody>").count(), 2);
        assert_eq!(written("</style>"), r"\3c \2f style\3e ");
    }
}
