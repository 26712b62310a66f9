//! The program of the page: a question comes in on standard input, the answer goes out on standard output.

use std::io::{Read, Write};

fn main() {
    let mut question = String::new();
    let read = std::io::stdin().read_to_string(&mut question).map_err(|error| error.to_string());
    let told = match read.and_then(|_| counsel_whatif::answer(&question)) {
        Ok(answer) => answer,
        Err(error) => serde_json::json!({ "error": error }).to_string(),
    };
    // Whoever closed the output does not want the answer.
    let _ = std::io::stdout().write_all(told.as_bytes());
}
