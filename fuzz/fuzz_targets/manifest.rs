//! Any bytes as a manifest or a sheet: refused with a reason, or read, recomputed and written back to the byte.
//!
//! A seal is a digest, which no fuzzer guesses. So what says all that a manifest must say is sealed here and read again.
#![no_main]

use std::path::Path;

use counsel_experiment::recompute_radius;
use counsel_log::{Manifest, StudySheet, recompute};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let path = Path::new("seed-00000.json");
    let read = |bytes: &[u8]| Manifest::from_bytes(bytes, path);
    let _ = read(bytes);
    if let Ok(mut manifest) = serde_json::from_slice::<Manifest>(bytes) {
        manifest.versions.log_format = Manifest::FORMAT;
        let text = manifest.to_text().unwrap();
        let again = read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let _ = recompute(&again, &[]);
        let _ = recompute_radius(&again, &[]);
        assert_eq!(again.to_text().unwrap(), text);
    }
    if let Ok(sheet) = serde_json::from_slice::<StudySheet>(bytes) {
        let text = sheet.to_text().unwrap();
        let again = StudySheet::from_bytes(text.as_bytes(), path).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let _ = again.account.check(again.arms.iter().map(String::as_str));
        let _ = again.account.measures();
        assert_eq!(again.to_text().unwrap(), text);
    }
});
