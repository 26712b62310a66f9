//! What cells ask of language models, and whether a recording answers all of it. Known before the first cell is run.

use std::collections::BTreeSet;

use anyhow::{Result, bail};
use counsel_advisor::AdvisorName;
use counsel_experiment::PlannedCell;
use counsel_transcript::{Answers, Error, Shelf};

use crate::advisor::{requests, tasks};

/// The advisors that these cells ask, each with the tasks of its cells.
pub(crate) fn asked<'a>(cells: impl Iterator<Item = &'a PlannedCell>) -> Result<BTreeSet<(AdvisorName, &'static str)>> {
    let mut asked = BTreeSet::new();
    for cell in cells {
        let task = cell.scenario.spec().get("task").and_then(|task| task.as_str()).map(str::to_owned);
        for advisor in cell.scenario.models() {
            for task in tasks(&advisor, task.as_slice())? {
                asked.insert((advisor.clone(), task));
            }
        }
    }
    Ok(asked)
}

/// Refuses cells whose questions the recording does not answer, with the command that records what is missing. Where the prompts of a
/// template cannot be listed, only that there is a recording is known.
pub(crate) fn require<'a>(shelf: &Shelf, cells: impl Iterator<Item = &'a PlannedCell>) -> Result<()> {
    let mut lacking = Vec::new();
    for (name, task) in asked(cells)? {
        let answers = shelf.open(&name);
        if requests(&name, &[task], None).is_err() {
            answers?;
            continue;
        }
        let (missing, all, answers) = match answers {
            Ok(answers) => {
                let requests = requests(&name, &[task], Some(shelf))?;
                (answers.missing(&requests).len(), requests.len(), Some(answers))
            }
            Err(error @ Error::Unrecorded { .. }) => bail!("{error} --task {task}{}", place(shelf, None)),
            Err(error) => return Err(error.into()),
        };
        if missing > 0 {
            let command = format!("counsel advisor record {name} --task {task}{}", place(shelf, answers.as_ref()));
            lacking.push(format!("{missing} of {all} prompts of {task}; record them with `{command}`"));
        }
    }
    match lacking.as_slice() {
        [] => Ok(()),
        [first] => bail!("the recording has no answer to {first}"),
        several => bail!("the recording has no answer to:\n  {}", several.join("\n  ")),
    }
}

/// Where a recording goes, and which endpoint it was made at, as words of a command.
fn place(shelf: &Shelf, answers: Option<&Answers>) -> String {
    let out = shelf.folder().map(|folder| format!(" --out {}", folder.display()));
    let identity = answers.map(|answers| &answers.advisor().identity);
    let endpoint = identity.filter(|identity| identity.version.starts_with("http"));
    let endpoint = endpoint.map(|identity| format!(" --base-url {} --budget CALLS", identity.version));
    [out, endpoint].into_iter().flatten().collect()
}
