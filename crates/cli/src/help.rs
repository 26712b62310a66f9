//! Help that fits the terminal: paragraphs are folded, examples keep their indent, and what is said beside one stays in its column.

use clap::Command;
use counsel_report::wrap;

use crate::look;

/// Longer lines are hard to read.
const WIDEST: usize = 100;
/// What is said beside an example has at least so much room, or stands below it.
const LEAST_BESIDE: usize = 24;
/// Before what goes on or stands below.
const BELOW: &str = "      ";

/// The command with the help of every verb on lines of the terminal.
pub(crate) fn folded(command: Command) -> Command {
    let width = look::width().min(WIDEST);
    epilogues(command.term_width(width), width)
}

/// Folds what stands after the options, which clap would break in the middle of examples.
fn epilogues(command: Command, width: usize) -> Command {
    let epilogue = command.get_after_help().map(|text| epilogue(&text.to_string(), width));
    let command = match epilogue {
        Some(text) => command.after_help(text),
        None => command,
    };
    command.mut_subcommands(|inner| epilogues(inner, width))
}

/// Lines without an indent are one paragraph as far as no empty line parts them; each line with one is an example.
fn epilogue(text: &str, width: usize) -> String {
    let (mut lines, mut paragraph) = (Vec::new(), String::new());
    for line in text.lines().chain([""]) {
        if line.is_empty() || line.starts_with(' ') {
            lines.extend(wrap(&std::mem::take(&mut paragraph), width, "", ""));
            lines.extend(if line.is_empty() { vec![String::new()] } else { example(line, width) });
        } else {
            paragraph.extend([line, " "]);
        }
    }
    lines.join("\n").trim_end().to_owned()
}

/// An example, and what is said beside it after two spaces or more.
fn example(line: &str, width: usize) -> Vec<String> {
    if line.chars().count() <= width {
        return vec![line.to_owned()];
    }
    let start = line.len() - line.trim_start().len();
    let Some(end) = line[start..].find("  ").map(|end| start + end) else { return continued(line, width) };
    let (shown, said) = (&line[..end], line[end..].trim_start());
    let column = line.len() - said.len();
    if column + LEAST_BESIDE <= width {
        return wrap(said, width, &line[..column], &" ".repeat(column));
    }
    continued(shown, width).into_iter().chain(wrap(said, width, BELOW, BELOW)).collect()
}

/// A command on several lines, as a shell reads it: broken before an option or a word, never in quotes.
fn continued(command: &str, width: usize) -> Vec<String> {
    let indent = &command[..command.len() - command.trim_start().len()];
    let mut lines: Vec<String> = Vec::new();
    let mut line = indent.to_owned();
    for piece in pieces(command.trim_start()) {
        let is_begun = !line.trim().is_empty();
        // Two more characters say that the command goes on.
        if is_begun && line.chars().count() + 1 + piece.chars().count() + 2 > width {
            lines.push(std::mem::replace(&mut line, BELOW.to_owned()) + " \\");
        } else if is_begun {
            line.push(' ');
        }
        line.push_str(&piece);
    }
    lines.push(line);
    lines
}

/// The words of a command: an option with its value, and what is quoted, are one.
fn pieces(command: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    for word in command.split(' ') {
        let belongs = |last: &String| {
            let is_open = last.matches('\'').count() % 2 == 1;
            let awaits = last.starts_with("--") && !last.contains(' ') && !word.starts_with('-');
            is_open || awaits
        };
        match pieces.last_mut() {
            Some(last) if belongs(last) => last.extend([" ", word]),
            _ => pieces.push(word.to_owned()),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_folded_and_examples_keep_their_columns() {
        let text = "Examples:\n  counsel a     what it does, at some length\n  counsel a --prompt 'a question of words' --json\n\nA paragraph\nin two lines.";
        let folded = "Examples:\n  counsel a     what it does, at some\n                length\n  counsel a \\\n      --prompt 'a question of words' \\\n      --json\n\nA paragraph in two lines.";
        assert_eq!(epilogue(text, 40), folded);
    }
}
