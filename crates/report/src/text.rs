//! Tables for a terminal: aligned columns between rules, and prose on lines of the view's width.
//!
//! Width is counted in columns of the terminal. Bold entries carry a star.

use crate::entry::one_line;
use crate::fit::{Fitted, GAP, TextTable, length, padded, shortened, split_within, total};
use crate::{Align, Columns, Rank, Table, Traces, View};

pub(crate) fn block(table: &Table, view: &View) -> String {
    let grid = grid(table, view.traces);
    let fitted = match view.columns {
        Columns::All => grid.whole(),
        Columns::Fitting => grid.fitted(view.width),
        Columns::Named(_) => grid.squeezed_whole(view.width),
    };
    let rule = "─".repeat(total(&fitted.columns));
    let prose = |words: &str, first: &str, next: &str| wrap(words, view.width, first, next);

    let mut lines = prose(&table.title, "", "");
    lines.extend(table.change().into_iter().flat_map(|change| prose(&change, "", "  ")));
    // A head without rows says nothing; the caption says why there are none.
    if !grid.rows.is_empty() {
        lines.push(rule.clone());
        lines.extend(heading(&grid, &fitted));
        lines.push(rule.clone());
        lines.extend(body(&grid, &fitted, view.width));
        lines.push(rule);
        lines.extend(what_is_left_out(&grid, &fitted).into_iter().flat_map(|words| prose(&words, "", "  ")));
    }
    lines.extend(prose(&table.caption, "", ""));
    lines.extend(table.all_notes().flat_map(|note| prose(&note, "note: ", "      ")));
    if table.has_bold() {
        lines.extend(prose(table.emphasis.as_deref().unwrap_or("emphasised"), "* ", "  "));
    }
    lines.retain(|line| !line.is_empty());
    lines.join("\n") + "\n"
}

/// Every entry as a string. In a column with a bold entry the others end in a space, so that digits stay aligned.
fn grid(table: &Table, traces: Traces) -> TextTable {
    let mut grid = TextTable {
        header: table.columns().iter().map(|column| one_line(&column.name)).collect(),
        aligns: table.columns().iter().map(|column| column.align).collect(),
        ranks: table.columns().iter().map(|column| column.rank).collect(),
        joined: table.columns().iter().map(|column| column.is_joined).collect(),
        rows: Vec::with_capacity(table.rows().len()),
        wanted: None,
    };
    let starred: Vec<bool> =
        (0..grid.header.len()).map(|at| table.rows().iter().any(|row| row.entries[at].bold)).collect();
    for (name, (&align, &starred)) in grid.header.iter_mut().zip(grid.aligns.iter().zip(&starred)) {
        if starred && align == Align::Right {
            name.push(' ');
        }
    }
    for row in table.rows() {
        let entries = row.entries.iter().zip(&starred).map(|(entry, &starred)| {
            let mark = match (entry.bold, starred) {
                (true, _) => "*",
                (false, true) => " ",
                (false, false) => "",
            };
            entry.content.plain() + mark
        });
        grid.rows.push(entries.collect());
    }
    if traces == Traces::Shown {
        grid.wanted = Some(grid.header.len());
        grid.header.push("runs".to_owned());
        grid.aligns.push(Align::Left);
        grid.ranks.push(Rank::Main);
        grid.joined.push(false);
        grid.rows.iter_mut().zip(table.rows()).for_each(|(words, row)| words.push(one_line(&row.runs())));
    }
    grid
}

/// The headings, broken where their columns are narrower, with their last lines side by side.
fn heading(grid: &TextTable, fitted: &Fitted) -> Vec<String> {
    let parts = |&(at, width): &(usize, usize)| {
        // What stands above starred numbers ends where their digits do.
        let end = if grid.header[at].ends_with(' ') { " " } else { "" };
        let lines = wrap(&grid.header[at], width, "", "").into_iter();
        lines.map(|line| if length(&line) < width { line + end } else { line }).collect::<Vec<_>>()
    };
    let mut broken: Vec<Vec<String>> = fitted.columns.iter().map(parts).collect();
    let depth = broken.iter().map(Vec::len).max().unwrap_or(0);
    for lines in &mut broken {
        lines.splice(0..0, vec![String::new(); depth - lines.len()]);
    }
    side_by_side(grid, fitted, &broken)
}

/// The rows; where keys are shared, each group of rows under a line that shows them. Words that are too long for their column are
/// folded, and a single word is cut.
fn body(grid: &TextTable, fitted: &Fitted, width: usize) -> Vec<String> {
    let (mut lines, mut above) = (Vec::new(), Vec::new());
    for row in &grid.rows {
        let keys: Vec<&String> = fitted.shared.iter().map(|at| &row[*at]).collect();
        if keys != above {
            let told = fitted.shared.iter().map(|at| format!("{} {}", grid.header[*at], row[*at]));
            lines.extend(wrap(&(told.collect::<Vec<_>>().join(", ") + ":"), width, "", "  "));
            above = keys;
        }
        let folded = |&(at, width): &(usize, usize)| match &row[at] {
            words if length(words) > width && words.contains(' ') => wrap(words, width, "", ""),
            words => vec![shortened(words, width)],
        };
        lines.extend(side_by_side(grid, fitted, &fitted.columns.iter().map(folded).collect::<Vec<_>>()));
    }
    lines
}

/// The lines of each column beside those of the others, from the first on.
fn side_by_side(grid: &TextTable, fitted: &Fitted, columns: &[Vec<String>]) -> Vec<String> {
    let depth = columns.iter().map(Vec::len).max().unwrap_or(0);
    let line = |number: usize| {
        let entries = columns
            .iter()
            .zip(&fitted.columns)
            .map(|(lines, &(at, width))| padded(lines.get(number).map_or("", String::as_str), width, grid.aligns[at]));
        entries.collect::<Vec<_>>().join(GAP).trim_end().to_owned()
    };
    (0..depth).map(line).collect()
}

fn what_is_left_out(grid: &TextTable, fitted: &Fitted) -> Option<String> {
    let names: Vec<&str> = fitted.left_out.iter().map(|at| grid.header[*at].trim_end()).collect();
    let columns = if names.len() == 1 { "column" } else { "columns" };
    (!names.is_empty()).then(|| format!("{} {columns} more with --wide: {}", names.len(), names.join(", ")))
}

/// Prose broken into lines of at most `width` columns; a longer word is broken, too.
pub fn wrap(prose: &str, width: usize, first_indent: &str, next_indent: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let (mut line, mut is_empty) = (first_indent.to_owned(), true);
    for word in one_line(prose).split_whitespace() {
        if !is_empty && length(&line) + 1 + length(word) > width {
            lines.push(std::mem::replace(&mut line, next_indent.to_owned()));
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        // A word that is longer than a whole line goes on in the next, as far as indents leave room.
        let mut rest = word;
        while length(&line) + length(rest) > width {
            let (here, next) = split_within(rest, width.saturating_sub(length(&line)));
            if here.is_empty() {
                break;
            }
            lines.push(std::mem::replace(&mut line, next_indent.to_owned()) + here);
            rest = next;
        }
        line.push_str(rest);
        is_empty = false;
    }
    if !is_empty {
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn wrapping_keeps_the_words_and_the_width(
            words in prop::collection::vec("[a-z±漢]{1,15}", 0..60),
            width in 10..120usize,
        ) {
            let prose = words.join(" ");
            let lines = wrap(&prose, width, "note: ", "      ");
            prop_assert!(lines.iter().all(|line| length(line) <= width));
            let kept = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
            prop_assert_eq!(kept(&lines.concat()), if words.is_empty() { String::new() } else { kept(&format!("note:{prose}")) });
            if width >= 36 {
                let joined = lines.join(" ");
                prop_assert_eq!(joined.split_whitespace().skip(1).collect::<Vec<_>>(), words);
            }
        }
    }
}
