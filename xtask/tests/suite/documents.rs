//! Every link and every path in the documents leads somewhere.

use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

/// The pages that are written by hand, and the index of the others.
fn pages() -> Vec<PathBuf> {
    let folders = ["", "docs", "docs/results/notes", "examples/own-world"].map(|folder| root().join(folder));
    let listed = folders.iter().flat_map(|folder| std::fs::read_dir(folder).expect("it is there"));
    let found = listed.map(|entry| entry.expect("it can be read").path());
    found
        .filter(|path| path.extension().is_some_and(|kind| kind == "md"))
        .chain([root().join("docs/results/README.md")])
        .collect()
}

/// Where the links of a page lead, without those into the net and within the page.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    targets.filter(|target| !target.is_empty() && !target.contains("://"))
}

/// The files that a page names in backticks; names in capitals and stars stand for many.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    let quoted = text.split('`').skip(1).step_by(2);
    let stands_for_many = |path: &str| path.contains(['*', ' ', '(']) || path.contains("NAME") || path.contains("ID");
    let ours = ["crates/", "docs/", "examples/", "fixtures/", "xtask/"];
    quoted.filter(move |path| ours.iter().any(|folder| path.starts_with(folder)) && !stands_for_many(path))
}

#[test]
fn every_link_and_path_of_the_documents_leads_somewhere() {
    let mut dead = Vec::new();
    for page in pages() {
        let text = std::fs::read_to_string(&page).expect("a page is text");
        // What a block shows is typed or run elsewhere, and holds backticks of its own.
        let prose: String = text.split("```").step_by(2).collect();
        let beside = page.parent().unwrap_or(root());
        let wanted = links(&prose).map(|link| beside.join(link)).chain(paths(&prose).map(|path| root().join(path)));
        dead.extend(wanted.filter(|path| !path.exists()).map(|path| format!("{}: {}", page.display(), path.display())));
    }
    assert!(dead.is_empty(), "these lead nowhere:\n{}", dead.join("\n"));
}

#[test]
fn links_and_paths_are_found() {
    let text = "[a](b.md#c) [d](https://e) [f](#g) `crates/h.rs`, `crates/NAME.rs`, `docs/*.md`, `i`";
    assert_eq!(links(text).collect::<Vec<_>>(), ["b.md"]);
    assert_eq!(paths(text).collect::<Vec<_>>(), ["crates/h.rs"]);
}
