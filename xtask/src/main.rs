//! Repository chores: `cargo xtask check`, `long`, `bench`, `fixtures`, `wheel` and `results`.

mod check;
mod fixture;
mod long;
mod package;
mod python;
mod repository;
mod results;
mod step;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Repository chores.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Runs every check of the repository: format, lints, docs, tests, python, package. Stops at the first that fails
    Check(check::Check),
    /// Runs the slow tests of every crate with the feature long-tests, in release mode, and the Python package beside PyTorch
    Long,
    /// Measures side by side with the Python originals, fixtures/*/bench.py and crates/python/bench.py, and prints the ratios
    Bench,
    /// Regenerates fixtures/*/ with the pinned Python originals and says what changed
    Fixtures,
    /// Builds the wheel of the Python package counsel-rl, with the program inside, into target/wheels/release
    Wheel(package::Wheel),
    /// Writes docs/results/ID.md for every study of a run, and the index of these pages
    Results(results::Results),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().chore {
        Chore::Check(check) => check.run(),
        Chore::Long => long::run(),
        Chore::Bench => fixture::bench().and_then(|()| package::bench()),
        Chore::Fixtures => fixture::regenerate(),
        Chore::Wheel(wheel) => wheel.build(),
        Chore::Results(results) => results.run(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}
