//! The cells of a run on several threads, one cell at a time on each.
//!
//! A thread takes the next cell as soon as it is done with one, so a slow cell holds nobody up, and no more cells are in memory
//! than there are threads. What comes back is in the order of the cells, and a failure is that of the earliest cell, so
//! neither depends on the number of threads.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::{Cell, CellKey, Error, Run};

/// As many threads as there are cores.
pub fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// Opens each of these cells and does something with it. `done` is called after each cell, from whichever thread it was on.
pub fn each_cell<T: Send, E: From<Error> + Send>(
    run: &Run,
    keys: &[CellKey],
    threads: usize,
    done: impl Fn(&CellKey) + Sync,
    work: impl Fn(&Cell) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    each(keys, threads, done, |key| {
        let cell = run.cell(key)?.ok_or_else(|| run.gone(key))?;
        work(&cell)
    })
}

/// Does something with each of these items, on `threads` threads, at least one. After a failure no new item is begun.
pub fn each<I: Sync, T: Send, E: Send>(
    items: &[I],
    threads: usize,
    done: impl Fn(&I) + Sync,
    work: impl Fn(&I) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    let next = AtomicUsize::new(0);
    let outcomes: Vec<Mutex<Option<Result<T, E>>>> = items.iter().map(|_| Mutex::new(None)).collect();
    let labour = || {
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let (Some(item), Some(outcome)) = (items.get(place), outcomes.get(place)) else { break };
            let found = work(item);
            if found.is_err() {
                // Items are taken in order, so all before this one are done or under way: the earliest failure is among them.
                next.store(items.len(), Ordering::Relaxed);
            }
            *outcome.lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
            done(item);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(items.len()) {
            scope.spawn(labour);
        }
        labour();
    });
    // Only behind a failure is there an item without an outcome.
    outcomes.into_iter().map_while(|outcome| outcome.into_inner().unwrap_or_else(PoisonError::into_inner)).collect()
}
