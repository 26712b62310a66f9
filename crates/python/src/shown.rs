//! Things as a notebook shows them.

/// A table with a title and one line for each name and value.
pub(crate) fn html(title: &str, lines: &[(&str, String)]) -> String {
    let line = |(name, value): &(&str, String)| {
        format!(
            "<tr><th style=\"text-align:left\">{}</th><td style=\"text-align:left\">{}</td></tr>",
            escaped(name),
            escaped(value)
        )
    };
    let lines: String = lines.iter().map(line).collect();
    format!("<table><caption style=\"text-align:left\"><b>{}</b></caption>{lines}</table>", escaped(title))
}

/// A text with nothing in it that a browser obeys; lines stay lines.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    text.replace('\n', "<br>")
}
