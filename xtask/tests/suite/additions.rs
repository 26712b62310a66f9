//! What it takes to add a gate, a world, a study, a setting of the controller, a log column, a measure or a radius: the number of
//! existing files that one real example of each touches.
//!
//! An example is known by words that nothing else uses. Every source file in Rust or Python and every manifest that has one of
//! them, and is not the example's own, had to be touched. Tests and studies that use an example are not counted, nor is prose.

use std::path::Path;
use std::process::Command;

struct Addition {
    what: &'static str,
    /// Words that stand for this example alone.
    words: &'static [&'static str],
    /// Files and folders that came with it.
    own: &'static [&'static str],
    /// Files of another addition, which builds on this one.
    readers: &'static [&'static str],
    /// The existing files it touches.
    touched: &'static [&'static str],
    /// How many it may touch.
    most: usize,
}

const ADDITIONS: [Addition; 7] = [
    Addition {
        what: "the gate `calibrated-uncertainty`",
        words: &["calibrated_uncertainty", "CalibratedUncertainty", "calibrated-uncertainty", "Input::Benefit"],
        // The Python module is generated from the source of the gates.
        own: &["crates/decision/src/gate/calibrated_uncertainty.rs", "crates/python/python/counsel/gates.py"],
        readers: &[],
        touched: &[
            "crates/decision/src/gate/mod.rs",
            "crates/decision/src/gate/policy.rs",
            // Only because this gate is fitted to labels.
            "crates/session/src/calibrate.rs",
        ],
        most: 3,
    },
    Addition {
        what: "the world `pixel`",
        words: &["counsel_pixel", "counsel-pixel", "mod pixel", "pixel::Pixel", "Pixel>", "(\"pixel\""],
        own: &["crates/pixel/", "crates/experiment/src/scene/pixel.rs"],
        readers: &[],
        touched: &[
            "Cargo.toml",
            "crates/experiment/Cargo.toml",
            "crates/experiment/src/registry.rs",
            "crates/experiment/src/scene.rs",
            // These two because the world can be played from Python, too.
            "crates/python/Cargo.toml",
            "crates/python/src/worlds.rs",
        ],
        most: 6,
    },
    Addition {
        what: "the study `pixel-gates`",
        words: &["pixel-gates"],
        own: &[],
        readers: &[],
        touched: &["crates/experiment/src/catalogue.rs"],
        most: 1,
    },
    Addition {
        what: "the setting `shift_detector`",
        words: &["shift_detector", "ShiftSpec"],
        own: &["crates/controller/src/shift.rs"],
        readers: &[],
        touched: &[
            "crates/controller/src/books.rs",
            "crates/controller/src/lib.rs",
            "crates/controller/src/spec.rs",
            // Only because a deep study repeats the settings of the books.
            "crates/session/src/bookkeeping.rs",
        ],
        most: 4,
    },
    Addition {
        what: "the column `simulated_steps`",
        words: &["simulated_steps"],
        own: &[],
        // The measure of the same name.
        readers: &["crates/report/src/study/measure/"],
        touched: &["crates/log/src/column/hindsight.rs", "crates/session/src/session.rs"],
        most: 2,
    },
    Addition {
        what: "the measure `simulated steps`",
        words: &["SimulatedSteps", "fn simulated_steps"],
        own: &[],
        // A page that shows this measure of every study.
        readers: &["crates/report/src/study/spent.rs"],
        touched: &[
            "crates/log/src/study/declared.rs",
            "crates/report/src/study/measure/episode.rs",
            "crates/report/src/study/measure/registry.rs",
        ],
        most: 3,
    },
    Addition {
        what: "the radius `one-sided`",
        words: &["OneSided", "excess(", "\"one-sided\""],
        own: &[],
        readers: &[],
        touched: &[
            "crates/calibration/src/radius.rs",
            "crates/calibration/src/score.rs",
            "crates/python/python/counsel/calibration.py",
        ],
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
        let used = ["/tests/", "/benches/", "/examples/", "/studies/", "fixtures/"];
        let built = [".rs", ".py", ".pyi", "Cargo.toml"];
        built.iter().any(|ending| path.ends_with(ending)) && !used.iter().any(|part| path.contains(part))
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
    for Addition { what, words, own, readers, touched, most } in ADDITIONS {
        let has = |text: &str| words.iter().any(|word| product(text).contains(word));
        let found: Vec<&str> = sources
            .iter()
            .filter(|(path, text)| has(text) && !own.iter().chain(readers).any(|own| path.starts_with(own)))
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
