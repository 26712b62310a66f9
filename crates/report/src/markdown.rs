//! Tables as GitHub-flavoured Markdown.

use crate::entry::one_line;
use crate::{Align, Table, Traces};

pub(crate) fn block(table: &Table, traces: Traces) -> String {
    let mut header: Vec<String> = table.columns().iter().map(|column| escape(&column.name)).collect();
    let mut marks: Vec<String> = table
        .columns()
        .iter()
        .map(|column| match column.align {
            Align::Left => "---".to_owned(),
            Align::Right => "---:".to_owned(),
        })
        .collect();
    if traces == Traces::Shown {
        header.push("runs".to_owned());
        marks.push("---".to_owned());
    }
    let mut lines = vec![line(&header), line(&marks)];
    for row in table.rows() {
        let entries = row.entries.iter().map(|entry| {
            let plain = escape(&entry.content.plain());
            if entry.bold { format!("**{plain}**") } else { plain }
        });
        let mut entries: Vec<String> = entries.collect();
        if traces == Traces::Shown {
            entries.push(escape(&row.runs()));
        }
        lines.push(line(&entries));
    }

    let mut parts = vec![format!("### {}", escape(&table.title))];
    parts.extend(table.change().map(|change| format!("**{}**", escape(&change))));
    if !table.rows().is_empty() {
        parts.push(lines.join("\n"));
    }
    if !table.caption.trim().is_empty() {
        parts.push(escape(&table.caption));
    }
    let notes: Vec<String> =
        table.all_notes().chain(table.note_on_bold()).map(|note| format!("- {}", escape(&note))).collect();
    if !notes.is_empty() {
        parts.push(notes.join("\n"));
    }
    parts.join("\n\n") + "\n"
}

fn line(entries: &[String]) -> String {
    format!("| {} |", entries.join(" | "))
}

/// Plain prose as Markdown source on one line.
fn escape(prose: &str) -> String {
    let mut escaped = String::with_capacity(prose.len());
    for character in one_line(prose).chars() {
        if matches!(character, '\\' | '|' | '*' | '`' | '<' | '_' | '[' | ']') {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}
