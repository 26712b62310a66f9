//! The slow lane: guarantees tested against closed forms, over many seeds; and the Python package in its heavy environment.
//!
//! A crate declares a feature `long-tests` and keeps such tests behind it, so that `cargo test` passes them by and this
//! command finds them. Those that need no private item stand in `tests/long`; then the crate's other test programs are left out:
//!
//! ```toml
//! [features]
//! long-tests = []
//!
//! [[test]]
//! name = "long"
//! required-features = ["long-tests"]
//! ```

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::{fixture, package, repository};

/// Runs the tests of every crate that has long ones, with them, in release mode.
pub(crate) fn run() -> Result<()> {
    let mut packages = repository::folders(&repository::root().join("crates"))?;
    packages.retain(|package| has_long_tests(package).unwrap_or(false));
    let models = models()?;
    for package in &packages {
        let manifest = package.join("Cargo.toml").to_string_lossy().into_owned();
        let arguments = ["test", "--release", "--manifest-path", &manifest, "--features", "long-tests"];
        println!("\n== {}", package.display());
        repository::run(repository::cargo(arguments).args(targets(package)).env("COUNSEL_MODELS", &models))
            .with_context(|| format!("the long tests of {} failed", package.display()))?;
    }
    println!("\n== BabyAI beside its original, on all its seeds");
    fixture::long()?;
    println!("\n== the Python package beside PyTorch and Stable-Baselines3");
    package::long()?;
    println!("\nlong tests passed in {} crate(s) and the Python package", packages.len());
    Ok(())
}

/// The folder of the models that tests ask: the one that COUNSEL_MODELS names, or one under `target`. What is missing is fetched.
fn models() -> Result<PathBuf> {
    const MODELS: [&str; 2] = ["smollm2-135m", "qwen2.5-coder-0.5b"];
    let folder = std::env::var_os("COUNSEL_MODELS").map_or_else(|| repository::target().join("models"), PathBuf::from);
    for model in MODELS {
        let pull = ["run", "--release", "--package", "counsel-cli", "--", "advisor", "pull", model, "--models"];
        repository::run(repository::cargo(pull).arg(&folder))?;
    }
    Ok(folder)
}

/// The test programs that may hold long tests.
fn targets(package: &Path) -> &'static [&'static str] {
    let has = |file: &str| package.join(file).is_file();
    match (has("tests/long/main.rs"), has("src/lib.rs")) {
        (true, true) => &["--lib", "--test", "long"],
        (true, false) => &["--bins", "--test", "long"],
        (false, _) => &["--tests"],
    }
}

fn has_long_tests(package: &Path) -> Result<bool> {
    let manifest = std::fs::read_to_string(package.join("Cargo.toml"))?;
    Ok(manifest.lines().any(|line| line.starts_with("long-tests =")))
}
