//! The slow lane: guarantees tested against closed forms, over many seeds.
//!
//! A crate keeps such tests in `tests/long.rs` and declares
//!
//! ```toml
//! [features]
//! long-tests = []
//!
//! [[test]]
//! name = "long"
//! required-features = ["long-tests"]
//! ```
//!
//! so that `cargo test` passes them by and this command finds them.

use anyhow::{Context, Result};

use crate::repository;

/// Runs `tests/long.rs` of every crate that has one, in release mode.
pub(crate) fn run() -> Result<()> {
    let mut packages = repository::folders(&repository::root().join("crates"))?;
    packages.retain(|package| package.join("tests/long.rs").is_file());
    for package in &packages {
        let manifest = package.join("Cargo.toml").to_string_lossy().into_owned();
        let arguments =
            ["test", "--release", "--manifest-path", &manifest, "--features", "long-tests", "--test", "long"];
        println!("\n== {}", package.display());
        repository::run(&mut repository::cargo(arguments))
            .with_context(|| format!("the long tests of {} failed", package.display()))?;
    }
    println!("\nlong tests passed in {} crate(s)", packages.len());
    Ok(())
}
