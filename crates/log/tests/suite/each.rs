//! Work on many cells gives the same on any number of threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use counsel_log::{CellKey, Error, Manifest, Run, each, each_cell};

use crate::play::key;
use crate::raw::PLAYED;

#[test]
fn what_comes_back_is_in_order_on_any_number_of_threads() {
    let items: Vec<u64> = (0..200).collect();
    for threads in [0, 1, 2, 7, 500] {
        let told = AtomicUsize::new(0);
        let squares = each(
            &items,
            threads,
            |_| {
                told.fetch_add(1, Ordering::Relaxed);
            },
            |item| {
                // The early ones take longest.
                std::thread::sleep(Duration::from_micros(200 - item));
                Ok::<_, String>(item * item)
            },
        );
        assert_eq!(squares.unwrap(), items.iter().map(|item| item * item).collect::<Vec<_>>(), "{threads} threads");
        assert_eq!(told.into_inner(), items.len());
    }
    assert_eq!(each(&[] as &[u64], 4, |_| (), |item| Ok::<_, String>(*item)), Ok(Vec::new()));
}

#[test]
fn the_earliest_failure_is_reported_whoever_fails_first() {
    let items: Vec<u64> = (0..64).collect();
    for threads in [1, 2, 3, 8, 64] {
        let failed = each(
            &items,
            threads,
            |_| (),
            |item| {
                // The earliest failure comes last.
                std::thread::sleep(Duration::from_millis(if *item == 5 { 30 } else { 1 }));
                if *item >= 5 { Err(format!("item {item}")) } else { Ok(*item) }
            },
        );
        assert_eq!(failed, Err("item 5".to_owned()), "{threads} threads");
    }
}

#[test]
fn a_failure_begins_no_new_item() {
    let begun = Mutex::new(0);
    let items: Vec<u64> = (0..1_000).collect();
    let failed = each(
        &items,
        2,
        |_| (),
        |item| {
            *begun.lock().unwrap() += 1;
            std::thread::sleep(Duration::from_millis(u64::from(*item > 3)));
            if *item == 3 { Err(()) } else { Ok(()) }
        },
    );
    assert!(failed.is_err());
    assert!(begun.into_inner().unwrap() < 900, "it went on after the failure");
}

#[test]
fn no_more_items_are_under_way_than_there_are_threads() {
    let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let items: Vec<u64> = (0..60).collect();
    let _ = each(
        &items,
        3,
        |_| (),
        |_| {
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            std::thread::sleep(Duration::from_millis(2));
            now.fetch_sub(1, Ordering::SeqCst);
            Ok::<_, ()>(())
        },
    );
    assert!((2..=3).contains(&most.into_inner()), "the threads were not used, or there were too many");
}

#[test]
fn each_cell_is_opened_and_a_missing_one_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let run = Run::at(folder.path());
    let (manifest, decisions) = &*PLAYED;
    for seed in 0..5 {
        run.write(Manifest { key: CellKey { seed, ..key() }, ..manifest.clone() }, decisions).unwrap();
    }
    let mut keys = run.keys().unwrap();
    let seeds =
        each_cell(&run, &keys, 2, |_| (), |cell| Ok::<_, Error>((cell.manifest.key.seed, cell.frame()?.rows())));
    assert_eq!(seeds.unwrap(), (0..5).map(|seed| (seed, decisions.len())).collect::<Vec<_>>());
    keys.push(CellKey { seed: 9, ..key() });
    let gone = each_cell(&run, &keys, 2, |_| (), |_| Ok::<_, Error>(()));
    let said = gone.unwrap_err().to_string();
    assert!(said.contains("seed-00009.json is gone"), "{said}");
}
