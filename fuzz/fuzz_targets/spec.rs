//! Any text as a study: it is refused with a reason, or every arm can be planned, stays inside of its folder, and reads back
//! from the manifest and the sheet as what it was.
#![no_main]

use std::path::{Component, Path};

use counsel_experiment::{Catalogue, Plan, Scenario, SeedRange};
use counsel_log::StudySheet;
use libfuzzer_sys::fuzz_target;

/// Whether this is the name of a file or folder in the folder that it is put into.
fn is_plain(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    matches!((parts.next(), parts.next()), (Some(Component::Normal(part)), None) if part == name)
}

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(study) = Catalogue::parse(text) else { return };
    assert!(is_plain(&study.id), "{:?}", study.id);
    // The seeds of the study itself are only counted: a run may have many.
    let Ok(plan) = Plan::new(&study, Some(&SeedRange(0..=0)), &[]) else { return };
    let sheet = study.sheet();
    let text = sheet.to_text().unwrap();
    assert_eq!(StudySheet::from_bytes(text.as_bytes(), Path::new("study.json")).unwrap(), sheet);
    for cell in plan.cells() {
        assert!(is_plain(&cell.key.arm), "{:?}", cell.key.arm);
        let again = Scenario::from_spec(cell.scenario.spec()).unwrap();
        assert_eq!(again.spec(), cell.scenario.spec());
    }
});
