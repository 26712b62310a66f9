//! Prints the tables of a run's folder: `cargo run -p counsel-report --example tables -- DIR [FORMAT] [STUDY…]`.

use std::process::ExitCode;

use counsel_log::Run;
use counsel_report::{Format, Judging, render, study_tables};

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(folder) = arguments.next() else {
        eprintln!("name the folder of a run");
        return ExitCode::FAILURE;
    };
    let format = arguments.next().map_or(Ok(Format::Text), |name| name.parse());
    let studies: Vec<String> = arguments.collect();
    let wanted = (!studies.is_empty()).then_some(studies.as_slice());
    let shown = format
        .and_then(|format| Ok(render(&study_tables(&Run::at(folder), wanted, Judging::AsItStands, &|_| {})?, format)));
    match shown {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
