//! The cells of a run, by study, and what is measured on each of them.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;

use counsel_log::{CellKey, Run};

use super::measure::CellLog;
use crate::Error;

/// The cells of every study that the run holds.
pub(super) fn cells_by_study(run: &Run) -> Result<BTreeMap<String, Vec<CellKey>>, Error> {
    let mut by_study: BTreeMap<String, Vec<CellKey>> = BTreeMap::new();
    for key in run.keys().map_err(unreadable)? {
        by_study.entry(key.study.clone()).or_default().push(key);
    }
    Ok(by_study)
}

/// The studies that are wanted, or all.
pub(super) fn selected<'a>(
    by_study: &'a BTreeMap<String, Vec<CellKey>>,
    wanted: Option<&[String]>,
) -> Result<Vec<(&'a str, &'a [CellKey])>, Error> {
    let Some(wanted) = wanted else {
        return Ok(by_study.iter().map(|(study, keys)| (study.as_str(), keys.as_slice())).collect());
    };
    let find = |study: &String| {
        let known = || by_study.keys().cloned().collect();
        let found = by_study.get_key_value(study);
        found
            .map(|(study, keys)| (study.as_str(), keys.as_slice()))
            .ok_or_else(|| Error::NoStudy { study: study.clone(), known: known() })
    };
    wanted.iter().map(find).collect()
}

/// Reads these cells and measures each, on as many threads as there are cores; the order of the cells is kept.
pub(super) fn each_cell<T: Send>(
    run: &Run,
    keys: &[CellKey],
    measure: impl Fn(&CellLog<'_>) -> T + Sync,
) -> Result<Vec<T>, Error> {
    let measure_one = |key: &CellKey| -> Result<T, Error> {
        let gone = || Error::Run { reason: format!("the manifest of cell {key} is gone; run the study again") };
        let cell = run.cell(key).map_err(unreadable)?.ok_or_else(gone)?;
        let decisions = cell.decisions().map_err(unreadable)?;
        Ok(measure(&CellLog { manifest: &cell.manifest, decisions: &decisions }))
    };
    let measure_one = &measure_one;
    let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let parts: Vec<Result<Vec<T>, Error>> = std::thread::scope(|scope| {
        let handles: Vec<_> = keys
            .chunks(keys.len().div_ceil(threads).max(1))
            .map(|part| scope.spawn(move || part.iter().map(measure_one).collect()))
            .collect();
        let lost = |_| Err(Error::Run { reason: "a reading thread stopped unexpectedly; this is a bug".into() });
        handles.into_iter().map(|handle| handle.join().unwrap_or_else(lost)).collect()
    });
    parts.into_iter().collect::<Result<Vec<_>, _>>().map(|parts| parts.into_iter().flatten().collect())
}

#[expect(clippy::needless_pass_by_value, reason = "the shape that map_err wants")]
pub(super) fn unreadable(error: counsel_log::Error) -> Error {
    Error::Run { reason: error.to_string() }
}
