//! The help of every verb, the list of studies, and the completion scripts.

use std::collections::BTreeSet;

use crate::support::{command, counsel};

fn help(verb: &[&str]) -> String {
    let mut arguments = verb.to_vec();
    arguments.push("--help");
    counsel(&arguments).expect_success()
}

const VERBS: [&[&str]; 38] = [
    &[],
    &["quickstart"],
    &["list"],
    &["reproduce"],
    &["merge"],
    &["slurm"],
    &["tables"],
    &["figures"],
    &["report"],
    &["view"],
    &["shadow"],
    &["shadow", "check"],
    &["route"],
    &["serve"],
    &["mcp"],
    &["audit"],
    &["explain"],
    &["export"],
    &["study"],
    &["study", "new"],
    &["study", "check"],
    &["advisor"],
    &["advisor", "list"],
    &["advisor", "pull"],
    &["advisor", "ask"],
    &["advisor", "bench"],
    &["advisor", "record"],
    &["advisor", "verify"],
    &["advisor", "audit"],
    &["advisor", "check"],
    &["world"],
    &["world", "list"],
    &["world", "trace"],
    &["world", "play"],
    &["world", "bench"],
    &["stats"],
    &["stats", "paired"],
    &["completions"],
];

#[test]
fn every_verb_explains_itself() {
    for verb in VERBS {
        let text = help(verb);
        let name = if verb.is_empty() { "counsel".into() } else { verb.join("-") };
        assert!(text.contains("Usage: counsel"), "{name}: {text}");
        insta::assert_snapshot!(name, text);
    }
    assert_eq!(counsel(&["help", "reproduce"]).expect_success(), help(&["reproduce"]));
}

/// Lines fill the terminal, up to 100 characters: none is longer, and none ends where the next word had room.
#[test]
fn no_help_has_ragged_ends() {
    for width in [80, 100, 120] {
        for verb in VERBS {
            let mut arguments = verb.to_vec();
            arguments.push("--help");
            let output = command(&arguments).env("COLUMNS", width.to_string()).output().unwrap();
            let text = String::from_utf8(output.stdout).unwrap();
            let lines: Vec<&str> = text.lines().collect();
            let indent = |line: &str| line.len() - line.trim_start().len();
            for pair in lines.windows(2) {
                let [line, next] = [pair[0], pair[1]];
                assert!(line.chars().count() <= width.min(100), "{verb:?} at {width}: {line}\n{text}");
                // A paragraph goes on without an indent; a list or an example begins with one.
                let goes_on = !line.is_empty() && !next.is_empty() && indent(line) == 0 && indent(next) == 0;
                let word = next.split(' ').next().unwrap_or_default().chars().count();
                let is_full = line.chars().count() + 1 + word > width.min(100);
                assert!(!goes_on || is_full, "{verb:?} at {width} ends early: {line}\n{text}");
            }
            let examples =
                lines.iter().skip_while(|line| **line != "Examples:").skip(1).take_while(|line| !line.is_empty());
            for line in examples {
                assert!(line.starts_with("  "), "{verb:?} at {width} breaks an example: {line}\n{text}");
            }
        }
    }
}

#[test]
fn every_verb_has_examples() {
    let top = help(&[]);
    assert!(top.contains("Examples:"), "{top}");
    let verbs: Vec<&str> = top
        .lines()
        .skip_while(|line| !line.starts_with("Commands:"))
        .skip(1)
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.split_whitespace().next())
        .filter(|verb| *verb != "help")
        .collect();
    assert_eq!(
        verbs,
        [
            "quickstart",
            "list",
            "reproduce",
            "merge",
            "slurm",
            "tables",
            "figures",
            "report",
            "view",
            "audit",
            "explain",
            "shadow",
            "route",
            "serve",
            "mcp",
            "export",
            "study",
            "advisor",
            "world",
            "stats",
            "completions"
        ]
    );
    for verb in verbs {
        let text = help(&[verb]);
        assert!(text.contains("Examples:"), "`counsel {verb} --help` has no examples:\n{text}");
        assert!(text.contains(&format!("counsel {verb} ")), "`counsel {verb} --help` shows another verb:\n{text}");
    }
    for inner in [["stats", "paired"], ["world", "list"], ["world", "trace"], ["world", "play"], ["world", "bench"]] {
        assert!(help(&inner).contains("Examples:"), "{inner:?}");
    }
}

#[test]
fn the_version_is_that_of_the_package() {
    assert_eq!(counsel(&["--version"]).expect_success(), format!("counsel {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn no_verb_at_all_shows_the_verbs() {
    assert!(counsel(&[]).expect_failure().contains("reproduce"));
}

#[test]
fn completion_scripts_know_the_verbs() {
    for shell in ["bash", "zsh", "fish"] {
        let script = counsel(&["completions", shell]).expect_success();
        for verb in ["list", "reproduce", "tables", "figures", "audit", "explain", "stats", "completions"] {
            assert!(script.contains(verb), "{shell} does not complete {verb}");
        }
    }
    counsel(&["completions", "cobol"]).expect_failure();
}

#[test]
fn the_list_has_every_study() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../experiment/studies");
    let stem = |entry: std::fs::DirEntry| Some(entry.path().file_stem()?.to_str()?.to_owned());
    let studies: BTreeSet<String> =
        std::fs::read_dir(folder).unwrap().filter_map(|entry| stem(entry.unwrap())).collect();
    let list = counsel(&["list"]).expect_success();
    let is_first = |line: &&str| line.starts_with("  ") && !line.starts_with("   ");
    let named = |line: &str| Some(line.split_whitespace().next()?.to_owned());
    assert_eq!(list.lines().filter(is_first).filter_map(named).collect::<BTreeSet<_>>(), studies);
    let groups = list.lines().filter(|line| !line.is_empty() && !line.starts_with(' '));
    let by_group: String = groups.map(|group| counsel(&["list", group]).expect_success()).collect();
    assert_eq!(by_group.replace("\n\n", "\n"), list.replace("\n\n", "\n"));
    insta::assert_snapshot!("studies", list);
}
