//! SWE-bench's board `bash-only` as a table: which tasks each model resolved, for how much money, in how many calls.
//!
//! The data may be used for non-commercial purposes alone (CC BY-NC 4.0), so the program has none of them: who may use them fetches the
//! file, and `counsel study table swe` makes the table and the study.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use serde::Deserialize;

/// The name of the table, and of its study.
pub(super) const TABLE: &str = "route-swe.csv";

/// What to do where the table is not there.
pub(super) const REMEDY: &str = "fetch data/leaderboards.json of https://github.com/SWE-bench/swe-bench.github.io (CC BY-NC 4.0: not for commercial use, and the source is to be named) and make it with `counsel study table swe leaderboards.json`";

/// The board whose models all worked alike.
const BOARD: &str = "bash-only";
/// A model that resolves less than this share of what the best one does is left out: one such row of the board is damaged.
const LEAST: f64 = 0.2;

#[derive(Deserialize)]
struct Boards {
    leaderboards: Vec<Board>,
}

#[derive(Deserialize)]
struct Board {
    name: String,
    results: Vec<Model>,
}

#[derive(Deserialize)]
struct Model {
    name: String,
    #[serde(default)]
    per_instance_details: Option<BTreeMap<String, Task>>,
}

#[derive(Deserialize)]
struct Task {
    #[serde(default)]
    resolved: bool,
    #[serde(default)]
    cost: Option<f64>,
    #[serde(default)]
    api_calls: Option<f64>,
}

/// The table of a file of leaderboards, with the study of it: the names of the two files and their texts.
pub fn swe_table(text: &str) -> Result<[(&'static str, String); 2], String> {
    let boards: Boards =
        serde_json::from_str(text).map_err(|error| format!("it is no file of leaderboards ({error}); {REMEDY}"))?;
    let board = boards.leaderboards.into_iter().find(|board| board.name == BOARD);
    let board = board.ok_or_else(|| format!("it has no board `{BOARD}`; {REMEDY}"))?;
    let mut models: Vec<(String, BTreeMap<String, Task>)> = board
        .results
        .into_iter()
        .filter_map(|model| Some((plain(&model.name), model.per_instance_details?)))
        .filter(|(_, tasks)| !tasks.is_empty())
        .collect();
    let resolved = |tasks: &BTreeMap<String, Task>| tasks.values().filter(|task| task.resolved).count() as f64;
    let most = models.iter().map(|(_, tasks)| resolved(tasks)).fold(0.0, f64::max);
    models.retain(|(_, tasks)| resolved(tasks) >= LEAST * most);
    let mut known = BTreeSet::new();
    models.retain(|(name, _)| known.insert(name.clone()));
    if models.len() < 2 {
        return Err(format!(
            "its board `{BOARD}` has {} models with tasks, and two are needed; {REMEDY}",
            models.len()
        ));
    }
    let table = table(&models);
    let study =
        include_str!("../../../fetched/route-swe.toml").replace("SHA256", &counsel_log::digest(table.as_bytes()));
    Ok([(TABLE, table), ("route-swe.toml", study)])
}

/// One row a task: of every model whether it resolved it, its dollars, and, known once it has run, its calls and dollars on a
/// logarithmic scale.
fn table(models: &[(String, BTreeMap<String, Task>)]) -> String {
    let mut text = "task,group".to_owned();
    for (name, _) in models {
        let _ = write!(text, ",reward_{name},cost_{name},hand_calls_{name},hand_dollars_{name}");
    }
    let tasks: BTreeSet<&String> = models.iter().flat_map(|(_, tasks)| tasks.keys()).collect();
    for task in tasks {
        let _ = write!(text, "\n{task},{}", task.split("__").next().unwrap_or(task));
        for (_, tasks) in models {
            match tasks.get(task) {
                Some(Task { resolved, cost: Some(cost), api_calls: Some(api_calls) }) => {
                    let (calls, dollars) = (api_calls.ln_1p(), (cost + 1e-4).ln());
                    let _ = write!(text, ",{},{cost},{calls},{dollars}", u8::from(*resolved));
                }
                _ => text.push_str(",,,,"),
            }
        }
    }
    text.push('\n');
    text
}

/// A name of small letters, digits and dashes.
fn plain(name: &str) -> String {
    let dashed: String = name
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' })
        .collect();
    dashed.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}
