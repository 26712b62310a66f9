//! `counsel audit` agrees with what was done, says the same on any number of threads, and notices every damaged byte.

use std::path::Path;

use crate::audited::{CELL, WORDS, audit, cells, file, intact_run};
use crate::support::{Chance, assert_same_files, counsel, files, path, reproduce};

/// Whether some line names the file or its cell.
fn names_the_cell(text: &str, file: &Path) -> bool {
    text.contains(path(file)) || text.contains(CELL)
}

#[test]
fn an_intact_run_agrees() {
    let folder = tempfile::tempdir().unwrap();
    reproduce("informative predictor query-count --seeds 0..1", folder.path());
    reproduce("components --seeds 0..0 --set episodes=3 --set calibration.calibrate=30", folder.path());
    let before = files(folder.path());
    let stdout = audit(folder.path()).expect_success();
    let rows: u64 = cells(folder.path()).iter().map(|(manifest, _)| manifest.log.rows).sum();
    assert!(stdout.contains(&format!("{rows} of {rows} decisions agree (100.0000 %) in 40 cells")), "{stdout}");
    assert_same_files(&files(folder.path()), &before);
}

/// Flips some bits of one byte at each of these places, one at a time, and calls `check` on each.
fn flip_each(file: &Path, places: &[usize], chance: &mut Chance, check: impl Fn(&str)) {
    let intact = std::fs::read(file).unwrap();
    for &place in places {
        let mut damaged = intact.clone();
        let bits = u8::try_from(chance.below(255)).unwrap() + 1;
        damaged[place] ^= bits;
        std::fs::write(file, &damaged).unwrap();
        check(&format!("byte {place} of {} changed by {bits:#04x}", intact.len()));
    }
    std::fs::write(file, &intact).unwrap();
}

/// The ends of a file and one place in each of so many equal parts.
fn spread(length: usize, parts: usize, chance: &mut Chance) -> Vec<usize> {
    let part = length / parts;
    let inside = (0..parts).map(|number| number * part + chance.below(part));
    let ends = [0, 1, 2, 3, 4, length - 9, length - 8, length - 7, length - 4, length - 1];
    ends.into_iter().chain(inside).collect()
}

#[test]
fn a_damaged_log_is_found() {
    let folder = intact_run();
    let log = file(folder.path(), "parquet");
    let mut chance = Chance(3);
    let places = spread(usize::try_from(log.metadata().unwrap().len()).unwrap(), 50, &mut chance);
    flip_each(&log, &places, &mut chance, |what| {
        let said = audit(folder.path());
        assert!(names_the_cell(&said.all(), &log), "{what}: {said:#?}");
        assert!(!said.all().contains("100.0000 %) in 4 cells"), "{what}: {said:#?}");
        said.expect_failure();
    });
    audit(folder.path()).expect_success();
}

#[test]
fn a_damaged_manifest_is_found() {
    let folder = intact_run();
    let manifest = file(folder.path(), "json");
    let mut chance = Chance(4);
    let places = spread(usize::try_from(manifest.metadata().unwrap().len()).unwrap(), 50, &mut chance);
    flip_each(&manifest, &places, &mut chance, |what| {
        let said = audit(folder.path());
        assert!(names_the_cell(&said.all(), &manifest), "{what}: {said:#?}");
        said.expect_failure();
    });
    audit(folder.path()).expect_success();
}

#[test]
fn a_log_that_is_gone_or_cut_short_is_found() {
    let folder = intact_run();
    let log = file(folder.path(), "parquet");
    let intact = std::fs::read(&log).unwrap();
    for length in [0, 4, intact.len() / 2, intact.len() - 1] {
        std::fs::write(&log, &intact[..length]).unwrap();
        let said = audit(folder.path());
        assert!(names_the_cell(&said.all(), &log), "{length} bytes: {said:#?}");
        said.expect_failure();
    }
    std::fs::remove_file(&log).unwrap();
    let said = audit(folder.path());
    assert!(names_the_cell(&said.all(), &log), "{said:#?}");
    said.expect_failure();
}

#[test]
fn a_manifest_in_the_wrong_place_is_found() {
    let folder = intact_run();
    for extension in ["json", "parquet"] {
        let other = folder.path().join(format!("informative/candidate-only/seed-00000.{extension}"));
        std::fs::copy(other, file(folder.path(), extension)).unwrap();
    }
    let said = audit(folder.path());
    assert!(names_the_cell(&said.all(), &file(folder.path(), "json")), "{said:#?}");
    said.expect_failure();
}

#[test]
fn tables_are_not_built_from_a_damaged_log() {
    let folder = intact_run();
    for extension in ["parquet", "json"] {
        let file = file(folder.path(), extension);
        let mut chance = Chance(5);
        let places = spread(usize::try_from(file.metadata().unwrap().len()).unwrap(), 5, &mut chance);
        flip_each(&file, &places, &mut chance, |what| {
            for format in ["csv", "text"] {
                let said = counsel(&["tables", path(folder.path()), "--format", format]);
                assert!(said.stdout.is_empty(), "{what}: a table was shown\n{}", said.stdout);
                let refusal = said.expect_failure();
                assert!(refusal.contains(path(&file)), "{what}: {refusal}");
            }
        });
    }
}

#[test]
fn reproduce_restores_damaged_cells_and_says_so() {
    let folder = intact_run();
    let expected = files(folder.path());
    for extension in ["parquet", "json"] {
        let file = file(folder.path(), extension);
        let mut chance = Chance(6);
        let places = spread(usize::try_from(file.metadata().unwrap().len()).unwrap(), 10, &mut chance);
        flip_each(&file, &places, &mut chance, |what| {
            let said = reproduce(WORDS, folder.path());
            assert!(said.stderr.contains("1 were damaged and have been restored"), "{what}: {}", said.stderr);
            assert!(said.stderr.contains("0 cells run, 3 were there already"), "{what}: {}", said.stderr);
            assert_same_files(&files(folder.path()), &expected);
        });
    }
    std::fs::remove_file(file(folder.path(), "parquet")).unwrap();
    let said = reproduce(WORDS, folder.path());
    assert!(said.stderr.contains("1 were damaged and have been restored"), "{}", said.stderr);
    assert_same_files(&files(folder.path()), &expected);
    audit(folder.path()).expect_success();
}

/// Several cells of several studies with faults of every kind.
#[test]
fn any_number_of_threads_says_the_same() {
    let folder = tempfile::tempdir().unwrap();
    reproduce("informative query-count --seeds 0..2", folder.path());
    let audit = |more: &[&str]| counsel(&[&["audit", path(folder.path())], more].concat());
    let same = |more: &[&str]| {
        let one = audit(&[&["--threads", "1"], more].concat());
        for threads in ["2", "3", "16"] {
            let other = audit(&[&["--threads", threads], more].concat());
            assert_eq!((&other.stdout, &other.stderr, other.code), (&one.stdout, &one.stderr, one.code));
        }
        let all = audit(more);
        assert_eq!((&all.stdout, &all.stderr, all.code), (&one.stdout, &one.stderr, one.code));
        one
    };
    let intact = same(&[]);
    assert!(intact.stderr.is_empty(), "progress is for terminals: {}", intact.stderr);
    intact.expect_success();
    let run = counsel_log::Run::at(folder.path());
    for (place, key) in run.keys().unwrap().into_iter().enumerate().filter(|(place, _)| place % 4 == 1) {
        let cell = run.cell(&key).unwrap().unwrap();
        let mut decisions = cell.decisions().unwrap();
        decisions.iter_mut().take(place).for_each(|decision| decision.record.score += 1.0);
        run.write(cell.manifest, &decisions).unwrap();
    }
    std::fs::remove_file(folder.path().join("query-count/reliability-0.00/seed-00000.parquet")).unwrap();
    for show in ["0", "3", "1000"] {
        same(&["--show", show]).expect_failure();
    }
    same(&["--rerun"]).expect_failure();
}

/// Tables are built from the sheet, so it must be as it was written.
#[test]
fn a_missing_or_damaged_sheet_is_found_and_restored() {
    let folder = intact_run();
    let sheet = folder.path().join("informative/study.json");
    let intact = std::fs::read(&sheet).unwrap();
    let damage: [fn(&Path); 2] = [
        |sheet| std::fs::remove_file(sheet).unwrap(),
        |sheet| {
            let text = std::fs::read_to_string(sheet).unwrap();
            std::fs::write(sheet, text.replacen("candidate-only", "candidate-0nly", 1)).unwrap();
        },
    ];
    for damage in damage {
        damage(&sheet);
        let said = audit(folder.path());
        assert!(said.stdout.contains("study.json"), "{said:#?}");
        assert!(said.expect_failure().contains("1 faults: 0 decisions disagree"));
        reproduce(WORDS, folder.path());
        assert_eq!(std::fs::read(&sheet).unwrap(), intact);
        audit(folder.path()).expect_success();
    }
}
