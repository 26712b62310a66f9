//! Tables as LaTeX: a booktabs `tabular` with `\caption` and `\label{tab:ID}`.
//!
//! The document needs `\usepackage{booktabs}`.

use crate::entry::one_line;
use crate::{Align, Content, Entry, Table, Traces};

pub(crate) fn block(table: &Table, traces: Traces) -> String {
    let spec: String = table
        .columns()
        .iter()
        .map(|column| match column.align {
            Align::Left => 'l',
            Align::Right => 'r',
        })
        .collect();
    let header: Vec<String> = table.columns().iter().map(|column| escape(&column.name)).collect();
    let title = escape(&table.title);
    let change = table.change().map(|change| format!("\\emph{{{}}} ", escape(&change))).unwrap_or_default();
    let caption = format!("\\textbf{{{}.}} {change}{}", title.trim_end_matches('.'), escape(&table.caption));
    let mut lines = vec![
        "\\begin{table}".to_owned(),
        "\\centering".to_owned(),
        format!("\\caption{{{}}}", caption.trim_end()),
        format!("\\label{{tab:{}}}", label(&table.id)),
        format!("\\begin{{tabular}}{{{spec}}}"),
        "\\toprule".to_owned(),
        format!("{} \\\\", header.join(" & ")),
        "\\midrule".to_owned(),
    ];
    for row in table.rows() {
        let mut line = format!("{} \\\\", row.entries.iter().map(source).collect::<Vec<_>>().join(" & "));
        let runs = one_line(&row.runs());
        if traces == Traces::Shown && !runs.is_empty() {
            line.push_str(" % runs: ");
            line.push_str(&runs);
        }
        lines.push(line);
    }
    lines.extend(["\\bottomrule", "\\end{tabular}"].map(str::to_owned));
    lines.extend(
        table.all_notes().chain(table.note_on_bold()).map(|note| format!("\n\\footnotesize {}", escape(&note))),
    );
    lines.push("\\end{table}".to_owned());
    lines.join("\n") + "\n"
}

/// Numbers with a sign, a relation or an infinity are set in math mode, the rest as text.
fn source(entry: &Entry) -> String {
    let plain = entry.content.plain();
    let numeric = matches!(
        entry.content,
        Content::Number { .. } | Content::Interval { .. } | Content::Fraction { .. } | Content::PValue { .. }
    );
    if numeric && plain.contains(['-', '±', '<', '∞']) {
        let math = plain.replace('±', "\\pm").replace('∞', "\\infty");
        return if entry.bold { format!("$\\mathbf{{{math}}}$") } else { format!("${math}$") };
    }
    let text = escape(&plain);
    if entry.bold { format!("\\textbf{{{text}}}") } else { text }
}

/// Plain prose as LaTeX source on one line.
fn escape(prose: &str) -> String {
    let mut escaped = String::with_capacity(prose.len());
    for character in one_line(prose).chars() {
        match character {
            '&' | '%' | '_' | '#' | '$' | '{' | '}' => escaped.extend(['\\', character]),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '\\' => escaped.push_str("\\textbackslash{}"),
            '±' => escaped.push_str("$\\pm$"),
            '<' => escaped.push_str("$<$"),
            '>' => escaped.push_str("$>$"),
            '≤' => escaped.push_str("$\\le$"),
            '≥' => escaped.push_str("$\\ge$"),
            '×' => escaped.push_str("$\\times$"),
            '−' => escaped.push_str("$-$"),
            '∞' => escaped.push_str("$\\infty$"),
            '→' => escaped.push_str("$\\to$"),
            '—' => escaped.push_str("---"),
            '–' => escaped.push_str("--"),
            other => escaped.push(other),
        }
    }
    escaped
}

/// An id as a cross-reference key: characters that LaTeX would interpret become hyphens.
fn label(id: &str) -> String {
    let plain = |character: char| character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | ':' | '.');
    id.chars().map(|character| if plain(character) { character } else { '-' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_characters_are_escaped() {
        assert_eq!(
            escape(r"a & 5 % of x_1 # $3 {y} ~z ^2 \w ± < →"),
            r"a \& 5 \% of x\_1 \# \$3 \{y\} \textasciitilde{}z \textasciicircum{}2 \textbackslash{}w $\pm$ $<$ $\to$"
        );
    }

    #[test]
    fn labels_keep_only_safe_characters() {
        assert_eq!(label("pixel-shift_2"), "pixel-shift_2");
        assert_eq!(label("a b%{c}"), "a-b--c-");
    }
}
