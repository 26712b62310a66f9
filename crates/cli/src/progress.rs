//! The progress bar of a run: cells done, and an estimate of the time that is left.

use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Result;
use counsel_experiment::{Fate, Observer, PlannedCell};
use counsel_log::{CellKey, Run};
use indicatif::{ProgressBar, ProgressStyle};

/// Counts the cells of a run. On a terminal it draws a bar; elsewhere it stays silent.
pub(crate) struct Progress {
    bar: ProgressBar,
    ran: AtomicU64,
    skipped: AtomicU64,
    restored: AtomicU64,
    unfinished: AtomicU64,
}

/// A bar over so many cells, on stderr if that is a terminal.
pub(crate) fn bar(cells: usize) -> ProgressBar {
    let bar = ProgressBar::new(cells as u64);
    if let Ok(style) =
        ProgressStyle::with_template("{bar:30} {pos}/{len} cells, {elapsed} gone, about {eta} left  {msg}")
    {
        bar.set_style(style);
    }
    bar
}

impl Progress {
    pub(crate) fn new(cells: usize) -> Self {
        Self {
            bar: bar(cells),
            ran: AtomicU64::new(0),
            skipped: AtomicU64::new(0),
            restored: AtomicU64::new(0),
            unfinished: AtomicU64::new(0),
        }
    }

    /// Takes the bar away and says what was done.
    pub(crate) fn finish(&self) -> String {
        self.bar.finish_and_clear();
        let [ran, skipped, restored] = [&self.ran, &self.skipped, &self.restored].map(|c| c.load(Ordering::Relaxed));
        let mut words = vec![format!("{ran} cells run")];
        if skipped > 0 {
            words.push(format!("{skipped} were there already"));
        }
        if restored > 0 {
            words.push(format!("{restored} were damaged and have been restored"));
        }
        words.join(", ")
    }
}

impl Observer for Progress {
    fn done(&self, cell: &PlannedCell, fate: Fate) {
        let counter = match fate {
            Fate::Ran => &self.ran,
            Fate::Skipped => &self.skipped,
            Fate::Restored => &self.restored,
            Fate::Unfinished => &self.unfinished,
        };
        counter.fetch_add(1, Ordering::Relaxed);
        self.bar.set_message(format!("{}/{}", cell.key.study, cell.key.arm));
        self.bar.inc(1);
    }
}

/// The bar of reading the cells of these studies, or of all that a run holds.
pub(crate) fn reading(run: &Run, studies: Option<&[String]>) -> Result<ProgressBar> {
    let wanted = |key: &&CellKey| studies.is_none_or(|studies| studies.contains(&key.study));
    Ok(bar(run.keys()?.iter().filter(wanted).count()))
}
