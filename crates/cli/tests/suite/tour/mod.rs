//! The whole tour of README.md and docs/GUIDE.md, executed command by command, in the order of the pages.
//!
//! One reader follows both pages in one folder, as a newcomer would, so that a command finds what earlier ones left. What cannot be
//! run as it stands has a rule in `rules.rs`.

mod document;
mod reader;
mod rules;

use std::collections::BTreeSet;

use document::{Step, steps};
use reader::Reader;
use rules::RULES;

const PAGES: [(&str, &str); 3] = [
    ("README.md", include_str!("../../../../../README.md")),
    ("docs/GUIDE.md", include_str!("../../../../../docs/GUIDE.md")),
    ("examples/own-world/README.md", include_str!("../../../../../examples/own-world/README.md")),
];

#[test]
fn every_command_of_the_tour_does_what_the_page_says() {
    let mut reader = Reader::new();
    for (page, text) in PAGES {
        for step in steps(text) {
            eprintln!("{page}: {step:?}");
            reader.follow(&step);
        }
    }
    let used: BTreeSet<&str> = reader.used.into_iter().collect();
    for rule in RULES {
        assert!(!rule.because.is_empty(), "{rule:?} has no reason");
        assert!(used.contains(rule.command), "no page has `{}` any more; remove its rule", rule.command);
    }
}

#[test]
#[should_panic(expected = "has no rule")]
fn a_command_of_another_program_needs_a_rule() {
    Reader::new().follow(&Step::Types("rm -r runs".into()));
}

#[test]
#[should_panic(expected = "unrecognized subcommand")]
fn a_command_that_the_program_does_not_know_is_noticed() {
    Reader::new().follow(&Step::Types("counsel explode".into()));
}

#[test]
#[should_panic(expected = "is not in")]
fn what_a_page_shows_must_have_been_said() {
    let mut reader = Reader::new();
    reader.follow(&Step::Types("counsel --version".into()));
    reader.follow(&Step::Sees("counsel 99.0".into()));
}
