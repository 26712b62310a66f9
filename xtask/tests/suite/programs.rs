//! One test program per crate, `tests/suite`, because each one is linked by itself. Any other has a reason here.

use cargo_metadata::{MetadataCommand, TargetKind};

/// The programs beside a crate's `suite`.
const OTHERS: [(&str, &str, &str); 3] = [
    ("counsel-cli", "browser", "starts a browser, and is run by itself to take the pictures of the documents"),
    ("counsel-cli", "long", "takes minutes, and is built with the feature `long-tests` only"),
    ("own-world", "whole_loop", "an example is laid out as a reader's own crate would be"),
];

#[test]
fn a_crate_has_one_test_program() {
    let metadata = MetadataCommand::new().no_deps().exec().unwrap();
    let mut others = Vec::new();
    for package in metadata.workspace_packages() {
        let programs = package.targets.iter().filter(|target| target.kind.contains(&TargetKind::Test));
        let unnamed = programs.filter(|target| target.name != "suite");
        others.extend(unnamed.map(|target| (package.name.to_string(), target.name.clone())));
    }
    others.sort();
    let allowed = OTHERS.map(|(package, program, _)| (package.to_owned(), program.to_owned()));
    assert_eq!(others, allowed, "make it a module of tests/suite/main.rs, or add it to OTHERS with its reason");
}
