//! Expected values under `fixtures/`, and the Python originals they come from.
//!
//! A fixture is a folder. `check.py` compares what is committed with the originals, in an environment made from
//! `requirements-light.txt`; `bench.py` measures our program beside the original, in the same environment; `generate.py`
//! writes the expected values anew, in one made from `requirements.txt`. A folder may have any of them, or none.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::python;
use crate::repository::{folders, root, run};

/// Runs every `check.py`.
pub(crate) fn check() -> Result<()> {
    run_all("check.py")
}

/// The check that is worth more seeds than every commit can wait for.
pub(crate) fn long() -> Result<()> {
    run_script(&root().join("fixtures").join("babyai"), "check.py", &["--whole"], "requirements-light.txt")
}

/// Runs every `bench.py` that needs nothing but its environment; one without light requirements is run by hand.
pub(crate) fn bench() -> Result<()> {
    run_all("bench.py")
}

fn run_all(script: &str) -> Result<()> {
    let light = |fixture: &PathBuf| fixture.join("requirements-light.txt").is_file();
    for fixture in with_script(script)?.into_iter().filter(light) {
        println!("\n-- {}", fixture.display());
        run_script(&fixture, script, &[], "requirements-light.txt")?;
    }
    Ok(())
}

/// Runs every `generate.py` and says which files it changed.
pub(crate) fn regenerate() -> Result<()> {
    for fixture in with_script("generate.py")? {
        println!("\n-- {}", fixture.display());
        let before = contents(&fixture)?;
        run_script(&fixture, "generate.py", &[], "requirements.txt")?;
        let changes = changes(&before, &contents(&fixture)?);
        for change in &changes {
            println!("{change}");
        }
        println!(
            "{}",
            if changes.is_empty() { "unchanged" } else { "read the changes with `git diff` and commit them" }
        );
    }
    Ok(())
}

/// The fixtures that have `script`, by name; a repository without any is a mistake.
fn with_script(script: &str) -> Result<Vec<PathBuf>> {
    let mut fixtures = folders(&root().join("fixtures"))?;
    fixtures.retain(|fixture| fixture.join(script).is_file());
    if fixtures.is_empty() {
        bail!("there is no fixtures/*/{script} under {}", root().display());
    }
    Ok(fixtures)
}

fn run_script(fixture: &Path, script: &str, arguments: &[&str], requirements: &str) -> Result<()> {
    let requirements = fixture.join(requirements);
    if !requirements.is_file() {
        bail!(
            "{} needs {} beside it: add it, with every version pinned",
            fixture.join(script).display(),
            requirements.display()
        );
    }
    let interpreter = python::environment(&requirements)?;
    let mut command = Command::new(interpreter);
    // Compiled copies of the scripts would lie beside the fixtures.
    run(command.arg(script).args(arguments).current_dir(fixture).env("PYTHONDONTWRITEBYTECODE", "1"))
}

/// Every file under `folder` with its bytes, compiled Python left out.
fn contents(folder: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut files = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(here) = open.pop() {
        for entry in fs::read_dir(&here).with_context(|| format!("cannot list {}", here.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                if !path.ends_with("__pycache__") {
                    open.push(path);
                }
            } else {
                let bytes = fs::read(&path).with_context(|| format!("cannot read {}", path.display()))?;
                files.insert(path, bytes);
            }
        }
    }
    Ok(files)
}

fn changes(before: &BTreeMap<PathBuf, Vec<u8>>, after: &BTreeMap<PathBuf, Vec<u8>>) -> Vec<String> {
    let mut changes = Vec::new();
    for (path, bytes) in after {
        match before.get(path) {
            None => changes.push(format!("new: {}", path.display())),
            Some(old) if old != bytes => changes.push(format!("changed: {}", path.display())),
            Some(_) => {}
        }
    }
    let gone = before.keys().filter(|path| !after.contains_key(*path));
    changes.extend(gone.map(|path| format!("gone: {}", path.display())));
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_change_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        for name in ["same", "other", "old"] {
            fs::write(file(name), name).unwrap();
        }
        let before = contents(folder.path()).unwrap();
        fs::write(file("other"), "else").unwrap();
        fs::write(file("young"), "young").unwrap();
        fs::remove_file(file("old")).unwrap();
        let changes = changes(&before, &contents(folder.path()).unwrap());
        let expected = [("changed", "other"), ("new", "young"), ("gone", "old")];
        assert_eq!(changes, expected.map(|(how, name)| format!("{how}: {}", file(name).display())));
    }
}
