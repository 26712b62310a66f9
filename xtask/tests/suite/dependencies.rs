//! Dependencies point down only: compares `cargo metadata` with the picture in `docs/ARCHITECTURE.md`.

use std::sync::LazyLock;

use cargo_metadata::{DependencyKind, MetadataCommand};

/// How the table names all crates that call themselves worlds in their manifests.
const WORLDS: &str = "the worlds";

/// Each crate, and the crates of this workspace it may depend on: the table in `docs/ARCHITECTURE.md`.
static PICTURE: LazyLock<Vec<(String, Vec<String>)>> = LazyLock::new(|| {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/ARCHITECTURE.md");
    let text = std::fs::read_to_string(path).expect("docs/ARCHITECTURE.md is there");
    let metadata = MetadataCommand::new().no_deps().exec().expect("cargo tells what is there");
    let worlds = metadata.packages.iter().filter(|package| package.metadata["counsel"]["layer"] == "world");
    let worlds: Vec<String> = worlds.map(|package| short(&package.name)).collect();
    let names = |cell: &str| {
        let named = cell.split('`').skip(1).step_by(2).map(str::to_owned);
        let worlds = worlds.iter().filter(|_| cell.contains(WORLDS)).cloned();
        named.chain(worlds).collect::<Vec<_>>()
    };
    let rows = text.lines().skip_while(|line| *line != "| crate | may depend on |").skip(2);
    rows.take_while(|line| line.starts_with('|'))
        .flat_map(|row| {
            let mut cells = row.split('|').skip(1);
            let (from, to) = (names(cells.next().unwrap_or("")), names(cells.next().unwrap_or("")));
            from.into_iter().map(move |from| (from, to.clone()))
        })
        .collect()
});

/// Forbidden for tests and benchmarks too, where dependencies are otherwise free.
const FORBIDDEN_IN_TESTS: [(&str, &str); 1] = [("experiment", "stats")];

/// One crate of the workspace that depends on another.
#[derive(Debug, Clone, PartialEq)]
struct Edge {
    from: String,
    to: String,
    kind: DependencyKind,
}

/// What is wrong with an edge, if anything.
fn complaint(edge: &Edge) -> Option<String> {
    let (from, to) = (edge.from.as_str(), edge.to.as_str());
    let Some((_, allowed)) = PICTURE.iter().find(|(name, _)| *name == from) else {
        return Some(format!("`{from}` is not in the table of docs/ARCHITECTURE.md; add what it may depend on"));
    };
    let forbidden = match edge.kind {
        DependencyKind::Development => FORBIDDEN_IN_TESTS.contains(&(from, to)),
        _ => !allowed.iter().any(|name| name == to),
    };
    let kind = if edge.kind == DependencyKind::Development { "dev-dependency" } else { "dependency" };
    forbidden.then(|| {
        let allowed = if allowed.is_empty() { "nothing".to_owned() } else { allowed.join(", ") };
        format!("forbidden {kind} `{from}` -> `{to}`: `{from}` may depend on {allowed}; see docs/ARCHITECTURE.md")
    })
}

/// The name of a crate without the prefix that all share.
fn short(name: &str) -> String {
    name.strip_prefix("counsel-").unwrap_or(name).to_owned()
}

fn edge(from: &str, to: &str, kind: DependencyKind) -> Edge {
    Edge { from: from.to_owned(), to: to.to_owned(), kind }
}

#[test]
fn the_workspace_matches_the_picture() {
    let metadata = MetadataCommand::new().no_deps().exec().unwrap();
    let packages = metadata.workspace_packages();
    let names: Vec<String> = packages.iter().map(|package| short(&package.name)).collect();
    let mut complaints = Vec::new();
    for package in &packages {
        let from = short(&package.name);
        if PICTURE.iter().all(|(name, _)| *name != from) {
            complaints.extend(complaint(&edge(&from, &from, DependencyKind::Normal)));
        }
        for dependency in &package.dependencies {
            let to = short(&dependency.name);
            if names.contains(&to) {
                complaints.extend(complaint(&edge(&from, &to, dependency.kind)));
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn a_forbidden_edge_is_named() {
    assert_eq!(
        complaint(&edge("report", "tabular", DependencyKind::Normal)).unwrap(),
        "forbidden dependency `report` -> `tabular`: `report` may depend on decision, world, file, calibration, log, stats; see docs/ARCHITECTURE.md"
    );
    assert_eq!(
        complaint(&edge("decision", "tabular", DependencyKind::Build)).unwrap(),
        "forbidden dependency `decision` -> `tabular`: `decision` may depend on nothing; see docs/ARCHITECTURE.md"
    );
    assert!(complaint(&edge("new", "decision", DependencyKind::Normal)).unwrap().contains("not in the table"));
}

#[test]
fn tests_may_look_down_but_experiments_never_see_statistics() {
    assert_eq!(complaint(&edge("tabular", "stats", DependencyKind::Development)), None);
    assert!(complaint(&edge("experiment", "stats", DependencyKind::Development)).is_some());
    assert!(complaint(&edge("experiment", "stats", DependencyKind::Normal)).is_some());
}

#[test]
fn the_picture_has_no_cycle() {
    assert!(PICTURE.len() > 10, "the table was not found");
    for (at, (name, allowed)) in PICTURE.iter().enumerate() {
        for lower in allowed {
            // Each crate stands below those it depends on, so an order without cycles is written down.
            assert!(PICTURE[..at].iter().any(|(known, _)| known == lower), "`{name}` -> `{lower}` points up");
        }
    }
}

#[test]
fn every_external_dependency_says_what_it_is_for() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.toml")).expect("it is there");
    let declared = text.lines().skip_while(|line| *line != "[workspace.dependencies]").skip(1);
    let declared: Vec<&str> = declared.take_while(|line| !line.starts_with('[')).collect();
    assert!(declared.len() > 50, "the dependencies were not found");
    for pair in declared.windows(2) {
        let external = pair[1].contains(" = ") && !pair[1].contains("path = ") && !pair[1].starts_with('#');
        assert!(!external || pair[0].starts_with("# "), "say in a line above what this is for: {}", pair[1]);
    }
}
