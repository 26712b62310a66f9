//! The list of measures in `docs/STUDIES.md` is that of the declarations.

use std::fmt::Write;

use counsel_log::study::Measure;

const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/STUDIES.md");
const BEGIN: &str = "<!-- measures: begin -->\n";
const END: &str = "<!-- measures: end -->";

#[test]
fn the_docs_list_every_measure_as_it_is_declared() {
    let mut wanted = String::from("| measure | meaning |\n|---|---|\n");
    for measure in Measure::all() {
        writeln!(wanted, "| {measure} | {} |", measure.meaning().replace('|', "\\|")).unwrap();
    }
    let docs = std::fs::read_to_string(DOCS).unwrap();
    let (before, rest) = docs.split_once(BEGIN).unwrap();
    let (found, after) = rest.split_once(END).unwrap();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(DOCS, format!("{before}{BEGIN}{wanted}{END}{after}")).unwrap();
        return;
    }
    assert_eq!(found, wanted, "run UPDATE_DOCS=1 cargo test -p counsel-log --test suite measures");
}
