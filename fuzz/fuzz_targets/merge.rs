//! Any bytes as a manifest of a part that is merged: refused with nothing taken, or taken whole, once, and to the byte.
//!
//! A seal is a digest, which no fuzzer guesses. So what says all that a manifest must say is sealed here, beside a sheet and a log
//! that fit it, and merged again.
#![no_main]

use std::fs;
use std::path::{Path, PathBuf};

use counsel_log::{CellKey, Manifest, Merged, Run, StudySheet, Versions, digest};
use libfuzzer_sys::fuzz_target;

const LOG: &[u8] = b"no log, and nobody reads it";

/// A folder of this process, emptied.
fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("counsel-fuzz-merge-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}

/// A part with this manifest, sheet and log.
fn part(at: &Path, manifest: &[u8], sheet: &[u8]) -> Run {
    fs::create_dir_all(at.join("lock/never")).unwrap();
    fs::write(at.join("lock/study.json"), sheet).unwrap();
    fs::write(at.join("lock/never/seed-00007.json"), manifest).unwrap();
    fs::write(at.join("lock/never/seed-00007.parquet"), LOG).unwrap();
    Run::at(at)
}

fuzz_target!(|bytes: &[u8]| {
    let folder = folder();
    let (raw, out) = (part(&folder.join("raw"), bytes, bytes), Run::at(folder.join("out")));
    let _claim = out.claim().unwrap();
    if out.take_from(std::slice::from_ref(&raw)).is_err() {
        assert!(!folder.join("out/lock").exists(), "something was taken of what was refused");
    }
    if let Ok(mut manifest) = serde_json::from_slice::<Manifest>(bytes) {
        manifest.key = CellKey { study: "lock".into(), arm: "never".into(), seed: 7 };
        manifest.versions = Versions::current();
        manifest.log.sha256 = digest(LOG);
        let sheet = StudySheet::plain("lock", "A lock", [("never".to_owned(), manifest.spec.clone())]);
        let sheet = StudySheet { answers: manifest.answers.clone(), ..sheet }.to_text().unwrap();
        let text = manifest.to_text().unwrap();
        let good = part(&folder.join("good"), text.as_bytes(), sheet.as_bytes());
        let parts = [good.clone(), good];
        let merge = || out.take_from(&parts).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(merge(), [Merged { taken: 1, there: 0 }, Merged { taken: 0, there: 1 }]);
        assert_eq!(merge(), [Merged { taken: 0, there: 1 }; 2]);
        assert_eq!(fs::read(folder.join("out/lock/never/seed-00007.json")).unwrap(), text.as_bytes());
        assert_eq!(fs::read(folder.join("out/lock/never/seed-00007.parquet")).unwrap(), LOG);
    }
});
