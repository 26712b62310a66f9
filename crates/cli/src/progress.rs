//! How far a run is: cells done, and an estimate of the time that is left.
//!
//! On a terminal a bar says it. Elsewhere, as in a log file, a line says it every few seconds.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anyhow::Result;
use counsel_experiment::{Fate, Observer, PlannedCell};
use counsel_log::{CellKey, Run};
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

/// Where there is no terminal, a line says this often how far the run is.
const EVERY: Duration = Duration::from_secs(5);

/// Counts the cells of a run and shows the count.
pub(crate) struct Progress {
    bar: ProgressBar,
    counts: Arc<FateCounts>,
    /// The thread that writes lines, and what ends it when it is dropped.
    teller: Option<(Sender<()>, JoinHandle<()>)>,
}

/// The cells of a run, by what became of them.
struct FateCounts {
    cells: u64,
    start: Instant,
    ran: AtomicU64,
    skipped: AtomicU64,
    restored: AtomicU64,
    unfinished: AtomicU64,
}

/// A bar over this many cells, on stderr if that is a terminal.
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
        let zero = || AtomicU64::new(0);
        let counts = Arc::new(FateCounts {
            cells: cells as u64,
            start: Instant::now(),
            ran: zero(),
            skipped: zero(),
            restored: zero(),
            unfinished: zero(),
        });
        let teller = (!std::io::stderr().is_terminal()).then(|| tell(Arc::clone(&counts)));
        Self { bar: bar(cells), counts, teller }
    }

    /// Takes the bar away, or ends the lines, and says what was done.
    pub(crate) fn finish(mut self) -> String {
        self.bar.finish_and_clear();
        if let Some((end, thread)) = self.teller.take() {
            drop(end);
            // A thread that only writes lines has nothing to report.
            let _ = thread.join();
        }
        let [ran, skipped, restored, unfinished] = self.counts.read();
        let mut words = vec![format!("{ran} cells run")];
        if skipped > 0 {
            words.push(format!("{skipped} were there already"));
        }
        if restored > 0 {
            words.push(format!("{restored} were damaged and have been restored"));
        }
        if unfinished > 0 {
            words.push(format!("{unfinished} are unfinished"));
        }
        words.join(", ")
    }
}

impl FateCounts {
    /// Cells that were run, were there, were restored, and were given up.
    fn read(&self) -> [u64; 4] {
        [&self.ran, &self.skipped, &self.restored, &self.unfinished].map(|count| count.load(Ordering::Relaxed))
    }

    /// How far the run is, in one line. The estimate rests on the cells that took time, and comes when they are a tenth of
    /// all: the first ones also do what later ones share.
    fn line(&self) -> String {
        let [ran, skipped, restored, unfinished] = self.read();
        let (worked, gone) = (ran + restored + unfinished, self.start.elapsed());
        let done = worked + skipped;
        let remaining = self.cells - done.min(self.cells);
        let left =
            (worked > 0 && 10 * worked >= self.cells).then(|| gone.as_secs_f64() * remaining as f64 / worked as f64);
        let left = left.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let estimate = left.map_or_else(String::new, |left| format!(", about {} left", HumanDuration(left)));
        format!("{done} of {} cells, {} gone{estimate}", self.cells, HumanDuration(gone))
    }
}

/// Writes a line every few seconds until the sender is dropped.
fn tell(counts: Arc<FateCounts>) -> (Sender<()>, JoinHandle<()>) {
    let (end, ended) = channel();
    let thread = std::thread::spawn(move || {
        while ended.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
            eprintln!("{}", counts.line());
        }
    });
    (end, thread)
}

impl Observer for Progress {
    fn done(&self, cell: &PlannedCell, fate: Fate) {
        let counter = match fate {
            Fate::Ran => &self.counts.ran,
            Fate::Skipped => &self.counts.skipped,
            Fate::Restored => &self.counts.restored,
            Fate::Unfinished => &self.counts.unfinished,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_estimates_from_the_cells_that_took_time() {
        let start = Instant::now().checked_sub(Duration::from_secs(30)).unwrap();
        let counts = |ran, skipped| FateCounts {
            cells: 40,
            start,
            ran: AtomicU64::new(ran),
            skipped: AtomicU64::new(skipped),
            restored: AtomicU64::new(0),
            unfinished: AtomicU64::new(0),
        };
        assert_eq!(counts(0, 0).line(), "0 of 40 cells, 30 seconds gone");
        assert_eq!(counts(3, 0).line(), "3 of 40 cells, 30 seconds gone");
        assert_eq!(counts(10, 10).line(), "20 of 40 cells, 30 seconds gone, about 60 seconds left");
        assert_eq!(counts(40, 0).line(), "40 of 40 cells, 30 seconds gone, about 0 seconds left");
    }
}
