//! What is said to the person beside what was asked for, and that nobody has to hear it.
//!
//! The macros of the standard library panic when the other end of a pipe is closed or a disk is full. So `eprintln!` here says what
//! it can and goes on, and `println!` does not compile: what was asked for is written by `writeln!`, whose failure `main` judges.

use std::fmt::Arguments;
use std::io::{IsTerminal, Write};

use counsel_file::Printable;

/// A line on standard error, for whoever reads it.
pub(crate) fn aside(words: Arguments<'_>) {
    let _ = writeln!(std::io::stderr().lock(), "{words}");
}

macro_rules! eprintln {
    ($($words:tt)*) => { $crate::say::aside(format_args!($($words)*)) };
}

#[expect(unused_macros, reason = "it is there to be met by whoever writes it")]
macro_rules! println {
    ($($words:tt)*) => {
        compile_error!("write with writeln! to std::io::stdout(): a closed pipe is no panic")
    };
}

/// A text on standard output. At a terminal every character is written out that it would obey.
pub(crate) fn show(text: &str) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    if out.is_terminal() { write!(out, "{}", Printable(text)) } else { out.write_all(text.as_bytes()) }
}
