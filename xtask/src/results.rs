//! The pages under `docs/results`: one per study, made from the logs of a run, and an index of them all.
//!
//! Only studies that the run holds are written. Pages of other studies stay, and the index names every page, so a run of a
//! few studies brings those up to date and leaves the rest alone. What the tables mean is written by hand in `notes`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::repository::{cargo, folders, root, run, target};

/// What says that a folder of a run holds a study.
const SHEET: &str = "study.json";

/// The page that names the others.
const INDEX: &str = "README.md";

/// The folder of pages that are written by hand.
const NOTES: &str = "notes";

/// Writes docs/results/ID.md for every study of a run, and the index of these pages.
///
/// A run on other seeds has pages of its own: with `--tag fresh`, docs/results/ID-fresh.md.
#[derive(Args)]
pub(crate) struct Results {
    /// The folder that `counsel reproduce` wrote
    runs: PathBuf,
    /// What the names of the pages end with, after a hyphen
    #[arg(long, value_name = "WORD")]
    tag: Option<String>,
    /// The built program [default: cargo builds it in release mode]
    #[arg(long, value_name = "FILE")]
    program: Option<PathBuf>,
}

impl Results {
    pub(crate) fn run(&self) -> Result<()> {
        let studies = studies(&self.runs)?;
        let program = self.program.clone().map_or_else(build, Ok)?;
        let pages = root().join("docs/results");
        fs::create_dir_all(&pages).with_context(|| format!("cannot make {}", pages.display()))?;
        for study in &studies {
            let table = table(&program, &self.runs, study)?;
            let seeds = seeds(&self.runs.join(study))?;
            let name = self.tag.as_ref().map_or(study.clone(), |tag| format!("{study}-{tag}"));
            let file = format!("{study}.toml");
            let given = if pages.join(&file).is_file() { format!("docs/results/{file}") } else { study.clone() };
            write(&pages.join(format!("{name}.md")), &page(study, &given, &seeds, self.tag.is_some(), &table)?)?;
        }
        write(&pages.join(INDEX), &index(&pages)?)
    }
}

/// The studies that a run holds, by name.
fn studies(runs: &Path) -> Result<Vec<String>> {
    let holds_study = |folder: &PathBuf| folder.join(SHEET).is_file();
    let found = folders(runs)?.into_iter().filter(holds_study);
    let names: Vec<String> = found.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect();
    if names.is_empty() {
        bail!("{} holds no study; give the folder that `counsel reproduce --out` wrote", runs.display());
    }
    Ok(names)
}

/// The seeds of a study's cells, from the first to the last.
fn seeds(study: &Path) -> Result<String> {
    let mut found = Vec::new();
    for cell in folders(study)? {
        for entry in fs::read_dir(&cell).with_context(|| format!("cannot list {}", cell.display()))? {
            let name = entry?.file_name().into_string().unwrap_or_default();
            let seed = name.strip_prefix("seed-").and_then(|name| name.strip_suffix(".json")?.parse::<u64>().ok());
            found.extend(seed);
        }
    }
    match (found.iter().min(), found.iter().max()) {
        (Some(first), Some(last)) => Ok(format!("{first}..{last}")),
        _ => bail!("{} holds no cell; give the folder that `counsel reproduce --out` wrote", study.display()),
    }
}

/// Builds the program, and says where it lies.
fn build() -> Result<PathBuf> {
    run(&mut cargo(["build", "--release", "--quiet", "-p", "counsel-cli", "--bin", "counsel"]))?;
    Ok(target().join("release/counsel"))
}

/// The table of a study, as the program prints it.
fn table(program: &Path, runs: &Path, study: &str) -> Result<String> {
    let mut command = Command::new(program);
    command.arg("tables").arg(runs).args(["--study", study, "--format", "markdown"]);
    let shown = format!("{} tables {} --study {study}", program.display(), runs.display());
    let done = command.output().with_context(|| format!("cannot start `{shown}`"))?;
    if !done.status.success() {
        bail!("`{shown}` ended with {}: {}", done.status, String::from_utf8_lossy(&done.stderr).trim());
    }
    String::from_utf8(done.stdout).with_context(|| format!("`{shown}` did not print text"))
}

/// A table as a page of its own: its title becomes the page's, with the seeds where these are not the study's own. `given` is
/// what the command calls the study: its name, or its file.
fn page(study: &str, given: &str, seeds: &str, names_seeds: bool, table: &str) -> Result<String> {
    let Some((title, rest)) = table.strip_prefix("### ").and_then(|table| table.split_once('\n')) else {
        bail!("the table of `{study}` does not begin with a title (### ...)");
    };
    let title = if names_seeds { format!("{title} (seeds {seeds})") } else { title.to_owned() };
    let made = format!(
        "Study `{study}`: made by `counsel reproduce {given} --seeds {seeds} --format markdown` (all pages of a run: `cargo xtask results runs`)."
    );
    Ok(format!("# {title}\n\n{made}\n{}\n", rest.trim_end()))
}

/// The index: the notes and every page of the folder with its title, by name.
fn index(pages: &Path) -> Result<String> {
    let head = "# All tables\n\nWhat stands is in [RESULTS.md](../RESULTS.md). How a table is read is in [GUIDE.md](../GUIDE.md). \
                    These notes discuss them:\n\n";
    let notes = pages.join(NOTES);
    let notes = if notes.is_dir() { titles(&notes)? } else { Vec::new() };
    let notes: Vec<String> = notes.iter().map(|(name, title)| format!("- [{title}]({NOTES}/{name}.md)\n")).collect();
    let tables = "\nThe tables, made from the logs of runs by `cargo xtask results runs`; `-fresh` is a run on fresh seeds:\n\n| study | what it asks |\n|---|---|\n";
    let rows: Vec<String> =
        titles(pages)?.iter().map(|(name, title)| format!("| [{name}]({name}.md) | {title} |\n")).collect();
    Ok([head, &notes.concat(), tables, &rows.concat()].concat())
}

/// The pages of a folder but its index, by name, with their titles.
fn titles(folder: &Path) -> Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".md")) else { continue };
        if path.ends_with(INDEX) {
            continue;
        }
        let text = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let title = text.lines().next().and_then(|line| line.strip_prefix("# ")).unwrap_or(name);
        found.push((name.to_owned(), title.to_owned()));
    }
    found.sort();
    Ok(found)
}

fn write(path: &Path, text: &str) -> Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    println!("{}", path.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_asked_for_the_studies_that_it_holds() {
        let runs = tempfile::tempdir().unwrap();
        for (folder, file) in [("lock", SHEET), ("limits", SHEET), ("figures", "lock.svg")] {
            fs::create_dir(runs.path().join(folder)).unwrap();
            fs::write(runs.path().join(folder).join(file), "").unwrap();
        }
        assert_eq!(studies(runs.path()).unwrap(), ["limits", "lock"]);
        let error = studies(&runs.path().join("lock")).unwrap_err().to_string();
        assert!(error.contains("holds no study"), "{error}");
    }

    #[test]
    fn a_page_has_the_title_of_its_table_and_says_its_command() {
        let table = "### A lock\n\n| arm |\n| --- |\n\n- holds: it opens\n";
        let made = page("lock", "lock", "0..3", false, table).unwrap();
        let start = "# A lock\n\nStudy `lock`: made by `counsel reproduce lock --seeds 0..3 --format markdown`";
        assert!(made.starts_with(start), "{made}");
        assert!(made.ends_with("\n\n| arm |\n| --- |\n\n- holds: it opens\n"), "{made}");
        let own = page("lock", "docs/results/lock.toml", "0..3", false, table).unwrap();
        assert!(own.contains("counsel reproduce docs/results/lock.toml --seeds 0..3"), "{own}");
        assert!(page("lock", "lock", "40..43", true, table).unwrap().starts_with("# A lock (seeds 40..43)\n"));
        assert!(page("lock", "lock", "0..3", false, "no table").is_err());
    }

    #[test]
    fn seeds_are_those_of_the_cells() {
        let study = tempfile::tempdir().unwrap();
        assert!(seeds(study.path()).unwrap_err().to_string().contains("holds no cell"));
        for (arm, seed) in [("never", "seed-00007"), ("never", "seed-00012"), ("always", "seed-00009")] {
            fs::create_dir_all(study.path().join(arm)).unwrap();
            fs::write(study.path().join(arm).join(format!("{seed}.json")), "").unwrap();
            fs::write(study.path().join(arm).join(format!("{seed}.parquet")), "").unwrap();
        }
        assert_eq!(seeds(study.path()).unwrap(), "7..12");
    }

    #[test]
    fn the_index_names_every_page_but_itself() {
        let pages = tempfile::tempdir().unwrap();
        for (name, text) in [("b.md", "# Second\n"), ("a.md", "# First\n\ntext"), (INDEX, "# All\n"), ("c.svg", "")] {
            fs::write(pages.path().join(name), text).unwrap();
        }
        fs::create_dir(pages.path().join(NOTES)).unwrap();
        fs::write(pages.path().join(NOTES).join("n.md"), "# Note\n").unwrap();
        let index = index(pages.path()).unwrap();
        assert!(index.contains("\n- [Note](notes/n.md)\n"), "{index}");
        assert!(index.ends_with("|---|---|\n| [a](a.md) | First |\n| [b](b.md) | Second |\n"), "{index}");
    }
}
