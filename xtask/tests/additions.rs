//! What it takes to add a gate, a world with a study, a log column or a radius: the number of existing files that one real
//! example of each touches.
//!
//! An example is known by words that nothing else uses. Every source file that has one of them, and is not the example's own,
//! had to be touched. Tests and studies that use an example are not counted, nor is prose.

use std::path::Path;
use std::process::Command;

struct Addition {
    what: &'static str,
    /// Words that stand for this example alone.
    words: &'static [&'static str],
    /// Files and folders that came with it.
    own: &'static [&'static str],
    /// The existing files it touches.
    touched: &'static [&'static str],
    /// How many it may touch.
    most: usize,
}

const ADDITIONS: [Addition; 4] = [
    Addition {
        what: "the gate `calibrated-uncertainty`",
        words: &["calibrated_uncertainty", "CalibratedUncertainty", "calibrated-uncertainty", "Input::Benefit"],
        own: &["crates/decision/src/gate/calibrated_uncertainty.rs"],
        // The last one because this gate is fitted to labels; most gates need the first two alone.
        touched: &[
            "crates/decision/src/gate/mod.rs",
            "crates/decision/src/gate/policy.rs",
            "crates/session/src/calibrate.rs",
        ],
        most: 3,
    },
    Addition {
        what: "the world `pixel` with the study `pixel-gates`",
        words: &["counsel_pixel", "counsel-pixel", "mod pixel", "Pixel(", "pixel-gates", "`pixel`"],
        own: &["crates/pixel", "crates/experiment/src/scene/pixel.rs"],
        touched: &[
            "Cargo.toml",
            "crates/experiment/Cargo.toml",
            "crates/experiment/src/catalogue.rs",
            "crates/experiment/src/registry.rs",
            "crates/experiment/src/scene.rs",
            // These two because the world can be played from Python, too.
            "crates/python/Cargo.toml",
            "crates/python/src/worlds.rs",
            "docs/ARCHITECTURE.md",
        ],
        most: 8,
    },
    Addition {
        what: "the column `simulated_steps`",
        words: &["simulated_steps"],
        // The table of columns is generated from the declarations.
        own: &["docs/ARCHITECTURE.md"],
        touched: &["crates/log/src/column/hindsight.rs", "crates/session/src/session.rs"],
        most: 3,
    },
    Addition {
        what: "the radius `one-sided`",
        words: &["OneSided", "excess("],
        own: &[],
        touched: &["crates/calibration/src/radius.rs", "crates/calibration/src/score.rs"],
        most: 3,
    },
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

/// The files that say how the program is built and what it does, by path.
fn sources() -> Vec<(String, String)> {
    let listed = Command::new("git").args(["ls-files"]).current_dir(root()).output().expect("git lists the files");
    let listed = String::from_utf8(listed.stdout).expect("paths are text");
    let counts = |path: &&str| {
        let used = ["/tests/", "/benches/", "/examples/", "/studies/", "crates/report/"]
            .iter()
            .any(|part| path.contains(part));
        let extension = Path::new(path).extension().unwrap_or_default();
        let built = extension == "rs" || path.ends_with("Cargo.toml") || *path == "docs/ARCHITECTURE.md";
        built && !used
    };
    let read = |path: &str| Some((path.to_owned(), std::fs::read_to_string(root().join(path)).ok()?));
    listed.lines().filter(counts).filter_map(read).collect()
}

/// The product's code of a file, without its unit tests.
fn product(text: &str) -> &str {
    text.split("#[cfg(test)]").next().unwrap_or(text)
}

#[test]
fn an_addition_touches_few_files() {
    let sources = sources();
    assert!(sources.len() > 300, "only {} files were found", sources.len());
    for Addition { what, words, own, touched, most } in ADDITIONS {
        let has = |text: &str| words.iter().any(|word| product(text).contains(word));
        let found: Vec<&str> = sources
            .iter()
            .filter(|(path, text)| has(text) && !own.iter().any(|own| path.starts_with(own)))
            .map(|(path, _)| path.as_str())
            .collect();
        assert_eq!(found, touched, "{what} touches other files than it says");
        assert!(found.len() <= most, "{what} touches {} files, more than {most}", found.len());
    }
}

#[test]
fn contributing_names_the_files() {
    let text = std::fs::read_to_string(root().join("docs/CONTRIBUTING.md")).expect("it is there");
    for path in ADDITIONS.iter().flat_map(|addition| addition.touched) {
        assert!(text.contains(path), "docs/CONTRIBUTING.md does not name {path}");
    }
}
