//! Private Python environments with pinned packages, kept under `target/python`.
//!
//! An environment is named by the digest of its requirement lines and of the interpreter's version, so fixtures with
//! equal requirements share one, and a changed pin gets a new one. A stamp, written last, marks an environment whose
//! installation came to its end; one without is made anew.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

use crate::repository::{run, target};

/// What has to be there before.
pub(crate) const NEEDED: &str = "Python 3.11 or later as `python3` (or named by the variable PYTHON), its venv module, and a package index or PIP_FIND_LINKS";

/// The interpreter of an environment that holds what the file `requirements` asks for.
pub(crate) fn environment(requirements: &Path) -> Result<PathBuf> {
    let python = std::env::var_os("PYTHON").unwrap_or_else(|| OsString::from("python3"));
    environment_of(&python, requirements)
}

/// The same, of a certain Python.
pub(crate) fn environment_of(python: &OsString, requirements: &Path) -> Result<PathBuf> {
    let digest = digest(&version(python)?, &requirement_lines(requirements)?);
    let folder = target().join("python").join(&digest[..16]);
    let interpreter =
        if cfg!(windows) { folder.join("Scripts").join("python.exe") } else { folder.join("bin").join("python") };
    let stamp = folder.join("complete");
    if fs::read_to_string(&stamp).is_ok_and(|found| found == digest) {
        return Ok(interpreter);
    }
    run(Command::new(python).args(["-m", "venv", "--clear"]).arg(&folder))?;
    run(Command::new(&interpreter).args(["-m", "pip", "install", "--quiet", "--requirement"]).arg(requirements))?;
    fs::write(&stamp, &digest).with_context(|| format!("cannot write {}", stamp.display()))?;
    Ok(interpreter)
}

/// Every Python of these minor versions that the machine has: by its name on the path, or kept by pyenv.
pub(crate) fn found(minor: std::ops::RangeInclusive<u32>) -> Vec<OsString> {
    let kept = std::env::var_os("PYENV_ROOT")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".pyenv")));
    let kept: Vec<PathBuf> =
        kept.and_then(|root| crate::repository::folders(&root.join("versions")).ok()).unwrap_or_default();
    let of_minor = |minor: u32| {
        let is_wanted = |folder: &&PathBuf| {
            folder.file_name().is_some_and(|name| name.to_string_lossy().starts_with(&format!("3.{minor}.")))
        };
        let named = OsString::from(format!("python3.{minor}"));
        let in_pyenv = kept.iter().find(is_wanted).map(|folder| folder.join("bin").join("python").into_os_string());
        in_pyenv.into_iter().chain([named]).find(|python| version(python).is_ok())
    };
    minor.filter_map(of_minor).collect()
}

fn version(python: &OsString) -> Result<String> {
    let shown = python.to_string_lossy();
    let output = Command::new(python).arg("--version").output();
    let output = output.with_context(|| format!("cannot start `{shown}`"))?;
    if !output.status.success() {
        bail!("`{shown} --version` ended with {}", output.status);
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The lines of a requirement file without comments, those of included files in place of `-r FILE`.
fn requirement_lines(requirements: &Path) -> Result<Vec<String>> {
    let text = fs::read_to_string(requirements).with_context(|| format!("cannot read {}", requirements.display()))?;
    let mut lines = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.strip_prefix("-r ") {
            Some(included) => lines.extend(requirement_lines(&requirements.with_file_name(included.trim()))?),
            None => lines.push(line.to_owned()),
        }
    }
    Ok(lines)
}

fn digest(version: &str, lines: &[String]) -> String {
    let hash = Sha256::digest([version, &lines.join("\n")].join("\n"));
    hash.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_do_not_count_and_included_files_do() {
        let folder = tempfile::tempdir().unwrap();
        let (light, full) = (folder.path().join("light.txt"), folder.path().join("full.txt"));
        fs::write(&light, "# pins\nnumpy==2.4.6\n\nscipy==1.17.1\n").unwrap();
        fs::write(&full, "-r light.txt\nrliable==1.2.0\n").unwrap();
        assert_eq!(requirement_lines(&light).unwrap(), ["numpy==2.4.6", "scipy==1.17.1"]);
        assert_eq!(requirement_lines(&full).unwrap(), ["numpy==2.4.6", "scipy==1.17.1", "rliable==1.2.0"]);
    }

    #[test]
    fn another_pin_or_another_python_is_another_environment() {
        let lines = |pin: &str| vec![pin.to_owned()];
        let one = digest("Python 3.11.7", &lines("numpy==2.4.6"));
        assert_eq!(one.len(), 64);
        assert_ne!(one, digest("Python 3.11.7", &lines("numpy==2.4.7")));
        assert_ne!(one, digest("Python 3.12.0", &lines("numpy==2.4.6")));
    }
}
