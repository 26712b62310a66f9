//! One cell of a run, by the name that `explain`, `report` and `view` share: STUDY/ARM/SEED.

use anyhow::{Context, Result, bail};
use counsel_log::{Cell, CellKey, Run};

/// The finished cell with this name; an error says which arms there are.
pub(crate) fn find(run: &Run, name: &str) -> Result<Cell> {
    let key = CellKey::parse(name)
        .with_context(|| format!("`{name}` does not name a cell; write STUDY/ARM/SEED, as in lock/controller/0"))?;
    if let Some(cell) = run.cell(&key)? {
        return Ok(cell);
    }
    let mut arms: Vec<String> = run.keys()?.into_iter().filter(|k| k.study == key.study).map(|k| k.arm).collect();
    arms.dedup();
    let hint =
        if arms.is_empty() { String::new() } else { format!("; {} has the arms {}", key.study, arms.join(", ")) };
    bail!("{} has no finished cell {key}{hint}", run.root().display())
}
