//! A cell that is still being written: what was appended is read again, whoever wrote it, and one writer is at work at a time.

use counsel_decision::{Execution, Gate};
use counsel_log::{Error, Run};

use crate::play::{Chance, Episodes, key, played, settings};

#[test]
fn what_a_killed_writer_appended_is_read_cut_and_continued() {
    let mut chance = Chance(7);
    let (manifest, decisions) =
        played(settings(Gate::Always, Execution::Trusting, &mut chance), Episodes::Announced, &mut chance);
    let (folder, key, half) = (tempfile::tempdir().unwrap(), key(), decisions.len() / 2);
    let run = Run::at(folder.path());
    let mut journal = run.journal(&key).unwrap();
    assert!(journal.head().unwrap().is_none());
    journal.begin(manifest.clone()).unwrap();
    for piece in decisions.chunks(3) {
        journal.append(piece).unwrap();
    }
    assert!(matches!(run.journal(&key), Err(Error::Open { .. })), "one writer at a time");
    drop(journal);
    assert_eq!(run.written_so_far(&key).unwrap(), decisions);

    let mut journal = run.journal(&key).unwrap();
    assert_eq!(journal.head().unwrap().unwrap().settings, manifest.settings);
    let step = decisions[half].record.step;
    journal.cut(step).unwrap();
    assert_eq!(journal.decisions().unwrap(), decisions[..half]);
    journal.append(&decisions[half..]).unwrap();
    // A piece that was written twice counts once.
    journal.append(&decisions[half..]).unwrap();
    assert_eq!(journal.decisions().unwrap(), decisions);
    assert!(matches!(run.keys(), Err(Error::NoCells { .. })), "readers of finished cells pass it over");
    run.write(manifest, &decisions).unwrap();
    journal.remove().unwrap();
    assert_eq!(run.cell(&key).unwrap().unwrap().decisions().unwrap(), decisions);
    assert!(run.claim().is_ok() && run.unfinished().unwrap().is_empty());
}
