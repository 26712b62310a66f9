//! Tables for a terminal: aligned columns between rules.
//!
//! Width is counted in characters, so `±` is as wide as a digit. Bold entries carry a star.

use crate::entry::one_line;
use crate::{Align, Table, Traces};

/// Captions and notes break before this column.
const WIDTH: usize = 100;
/// Between two columns.
const GAP: &str = "  ";

pub(crate) fn block(table: &Table, traces: Traces) -> String {
    let (header, aligns, rows) = grid(table, traces);
    let widths: Vec<usize> = (0..header.len())
        .map(|at| rows.iter().chain([&header]).map(|row| row[at].chars().count()).max().unwrap_or(0))
        .collect();
    let rule = "─".repeat(widths.iter().sum::<usize>() + GAP.len() * widths.len().saturating_sub(1));
    let line = |row: &Vec<String>| {
        let entries: Vec<String> = row
            .iter()
            .zip(widths.iter().zip(&aligns))
            .map(|(entry, (&width, &align))| pad(entry, width, align))
            .collect();
        entries.join(GAP).trim_end().to_owned()
    };

    let mut lines = vec![one_line(&table.title), rule.clone(), line(&header), rule.clone()];
    lines.extend(rows.iter().map(line));
    lines.push(rule);
    lines.extend(wrap(&table.caption, "", ""));
    for note in &table.notes {
        lines.extend(wrap(note, "note: ", "      "));
    }
    if table.has_bold() {
        lines.extend(wrap(table.emphasis.as_deref().unwrap_or("emphasised"), "* ", "  "));
    }
    lines.retain(|line| !line.is_empty());
    lines.join("\n") + "\n"
}

/// Header, alignments and rows as strings. In a column with a bold entry the others end in a space, so that digits stay
/// aligned.
fn grid(table: &Table, traces: Traces) -> (Vec<String>, Vec<Align>, Vec<Vec<String>>) {
    let mut header: Vec<String> = table.columns().iter().map(|column| one_line(&column.name)).collect();
    let mut aligns: Vec<Align> = table.columns().iter().map(|column| column.align).collect();
    let starred: Vec<bool> = (0..header.len()).map(|at| table.rows().iter().any(|row| row.entries[at].bold)).collect();
    for (name, (&align, &starred)) in header.iter_mut().zip(aligns.iter().zip(&starred)) {
        if starred && align == Align::Right {
            name.push(' ');
        }
    }
    let mut rows = Vec::with_capacity(table.rows().len());
    for row in table.rows() {
        let entries = row.entries.iter().zip(&starred).map(|(entry, &starred)| {
            let mark = if entry.bold {
                "*"
            } else if starred {
                " "
            } else {
                ""
            };
            entry.content.plain() + mark
        });
        let mut entries: Vec<String> = entries.collect();
        if traces == Traces::Shown {
            entries.push(one_line(&row.runs()));
        }
        rows.push(entries);
    }
    if traces == Traces::Shown {
        header.push("runs".to_owned());
        aligns.push(Align::Left);
    }
    (header, aligns, rows)
}

fn pad(entry: &str, width: usize, align: Align) -> String {
    match align {
        Align::Left => format!("{entry:<width$}"),
        Align::Right => format!("{entry:>width$}"),
    }
}

/// Prose broken into lines of at most [`WIDTH`] characters; a longer word stands alone.
fn wrap(prose: &str, first_indent: &str, next_indent: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut width = 0;
    for word in one_line(prose).split_whitespace() {
        let length = word.chars().count();
        if line.is_empty() {
            line.push_str(first_indent);
            width = first_indent.chars().count();
        } else if width + 1 + length > WIDTH {
            lines.push(std::mem::replace(&mut line, next_indent.to_owned()));
            width = next_indent.chars().count();
        } else {
            line.push(' ');
            width += 1;
        }
        line.push_str(word);
        width += length;
    }
    if !line.is_empty() {
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
        fn wrapping_keeps_the_words_and_the_width(words in prop::collection::vec("[a-z±]{1,30}", 0..60)) {
            let prose = words.join(" ");
            let lines = wrap(&prose, "note: ", "      ");
            prop_assert!(lines.iter().all(|line| line.chars().count() <= WIDTH));
            let joined = lines.join(" ");
            let back: Vec<&str> = joined.split_whitespace().skip(1).collect();
            prop_assert_eq!(back, words);
        }
    }
}
