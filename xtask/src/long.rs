//! The slow lane: guarantees tested against closed forms, over many seeds; and the Python package in its heavy environment.
//!
//! A crate declares a feature `long-tests` and keeps such tests behind it, so that `cargo test` passes them by and this
//! command finds them. Those that need no private item stand in `tests/long.rs`; then the crate's other test programs are left out:
//!
//! ```toml
//! [features]
//! long-tests = []
//!
//! [[test]]
//! name = "long"
//! required-features = ["long-tests"]
//! ```

use std::path::Path;

use anyhow::{Context, Result};

use crate::{package, repository};

/// Runs the tests of every crate that has long ones, with them, in release mode.
pub(crate) fn run() -> Result<()> {
    let mut packages = repository::folders(&repository::root().join("crates"))?;
    packages.retain(|package| has_long_tests(package).unwrap_or(false));
    for package in &packages {
        let manifest = package.join("Cargo.toml").to_string_lossy().into_owned();
        let arguments = ["test", "--release", "--manifest-path", &manifest, "--features", "long-tests"];
        println!("\n== {}", package.display());
        repository::run(repository::cargo(arguments).args(targets(package)))
            .with_context(|| format!("the long tests of {} failed", package.display()))?;
    }
    println!("\n== the Python package beside PyTorch and Stable-Baselines3");
    package::long()?;
    println!("\nlong tests passed in {} crate(s) and the Python package", packages.len());
    Ok(())
}

/// The test programs that may hold long tests.
fn targets(package: &Path) -> &'static [&'static str] {
    let has = |file: &str| package.join(file).is_file();
    match (has("tests/long.rs"), has("src/lib.rs")) {
        (true, true) => &["--lib", "--test", "long"],
        (true, false) => &["--bins", "--test", "long"],
        (false, _) => &["--tests"],
    }
}

fn has_long_tests(package: &Path) -> Result<bool> {
    let manifest = std::fs::read_to_string(package.join("Cargo.toml"))?;
    Ok(manifest.lines().any(|line| line.starts_with("long-tests =")))
}
