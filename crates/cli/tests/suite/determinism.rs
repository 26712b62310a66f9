//! Same seed, same bytes: whatever the number of threads, the company a study runs in, and the order of seeds.

use std::collections::BTreeMap;

use crate::support::{assert_same_files, counsel, files, is_kind, path, reproduce};

const STUDIES: [&str; 4] = ["informative", "predictor", "query-count", "components"];
/// Small enough for a test; `components` alone reads these settings.
const SMALL: &str = "--set episodes=3 --set calibration.calibrate=30";

fn bytes_of(words: &str) -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    reproduce(words, folder.path());
    let found = files(folder.path());
    assert!(found.len() >= 8, "too few files to compare: {:?}", found.keys());
    found
}

#[test]
fn any_number_of_threads() {
    for words in ["informative predictor query-count --seeds 0..2", &format!("components limits --seeds 0..1 {SMALL}")]
    {
        let one = bytes_of(&format!("{words} --jobs 1"));
        for jobs in [2, 5] {
            assert_same_files(&bytes_of(&format!("{words} --jobs {jobs}")), &one);
        }
        assert_same_files(&bytes_of(words), &one);
    }
}

#[test]
fn alone_or_with_others() {
    let together = bytes_of("informative predictor query-count --seeds 0..1");
    let mut alone = BTreeMap::new();
    for study in ["query-count", "predictor", "informative"] {
        alone.append(&mut bytes_of(&format!("{study} --seeds 0..1")));
    }
    assert_same_files(&alone, &together);
}

#[test]
fn seeds_at_once_or_one_after_the_other() {
    for study in STUDIES {
        let small = if study == "components" { SMALL } else { "" };
        let folder = tempfile::tempdir().unwrap();
        for seeds in ["2..2", "0..1", "0..3"] {
            reproduce(&format!("{study} {small} --seeds {seeds}"), folder.path());
        }
        assert_same_files(&files(folder.path()), &bytes_of(&format!("{study} {small} --seeds 0..3")));
    }
}

/// Equal bytes would prove little if every seed and every arm gave the same ones.
#[test]
fn seeds_and_arms_differ() {
    for study in STUDIES {
        let small = if study == "components" { SMALL } else { "" };
        let found = bytes_of(&format!("{study} {small} --seeds 0..2"));
        let logs: Vec<_> = found.iter().filter(|(name, _)| is_kind(name, "parquet")).collect();
        let seeds = logs.chunks(3);
        assert!(seeds.clone().any(|arm| arm[0].1 != arm[1].1 && arm[1].1 != arm[2].1), "{study}: seeds change nothing");
        let first: Vec<_> = seeds.map(|arm| arm[0].1).collect();
        assert!(first.windows(2).any(|pair| pair[0] != pair[1]), "{study}: arms change nothing");
    }
}

/// A second writer is turned away, and the first one's run is not disturbed.
#[test]
fn a_folder_has_one_writer() {
    let folder = tempfile::tempdir().unwrap();
    let claim = counsel_log::Run::at(folder.path()).claim().unwrap();
    let arguments = ["reproduce", "informative", "--seeds", "0..0", "--out", path(folder.path())];
    let refused = counsel(&arguments).expect_failure();
    assert!(refused.contains("another counsel is writing into"), "{refused}");
    drop(claim);
    counsel(&arguments).expect_success();
}
