//! What the studies must show, at the paper's seeds, read off the tables as a user would. All but the smallest are played in the
//! slow lane.

use std::collections::BTreeMap;

use crate::support::{counsel, path, reproduce};

/// One study's table as CSV: the arms' columns by heading.
fn table(study: &str) -> BTreeMap<String, BTreeMap<String, String>> {
    let folder = tempfile::tempdir().unwrap();
    reproduce(study, folder.path());
    let text = counsel(&["tables", path(folder.path()), "--format", "csv"]).expect_success();
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let header = lines.next().expect("a header");
    lines.map(|cells| (cells[0].clone(), header.iter().cloned().zip(cells).collect())).collect()
}

fn number(table: &BTreeMap<String, BTreeMap<String, String>>, arm: &str, column: &str) -> f64 {
    let row = &table[arm];
    let cell = row.get(column).unwrap_or_else(|| panic!("{column} is not among {:?}", row.keys()));
    cell.parse().unwrap_or_else(|_| panic!("{arm}, {column}: {cell:?}"))
}

#[test]
fn the_joint_law_values_an_informative_answer_exactly() {
    let table = table("informative");
    let error = |arm| number(&table, arm, "query-value error");
    for (arm, expected) in
        [("no-query", 0.3), ("marginal-factorization", 0.3), ("candidate-only", 0.0), ("response-conditioned", 0.0)]
    {
        assert!((error(arm) - expected).abs() < 1e-12, "{arm}: {}", error(arm));
    }
}

#[test]
#[cfg(feature = "long-tests")]
fn the_optimistic_gap_is_within_the_width_sum_on_every_seed() {
    let table = table("stability");
    for arm in ["optimistic-standalone", "optimistic-wrapped"] {
        assert_eq!(table[arm]["gap <= width sum"], "20/20", "{arm}");
    }
}

#[test]
#[cfg(feature = "long-tests")]
fn the_controller_gains_on_the_lock() {
    let table = table("lock");
    let gain = number(&table, "controller", "return minus never");
    let half_width = number(&table, "controller", "return minus never_half_width");
    assert!(gain - half_width > 0.0, "{gain} ± {half_width}");
    assert!(number(&table, "controller", "calls per episode") < 0.1 * number(&table, "always", "calls per episode"));
}

#[test]
#[cfg(feature = "long-tests")]
fn predictors_rank_as_in_the_paper() {
    let table = table("predictor");
    let order = ["uniform", "global-frequency", "per-context", "feature-generalising", "replay-oracle"];
    for pair in order.windows(2) {
        let [worse, better] = [0, 1].map(|i| number(&table, pair[i], "predictor error"));
        assert!(worse > better, "{pair:?}: {worse} against {better}");
    }
    for arm in &order[..3] {
        let resolved = |arm: &str| number(&table, arm, "resolutions");
        assert!(resolved("feature-generalising") > resolved(arm) + 1.0, "{arm}");
    }
}

/// Blocks that differ in a setting which the table does not show: each row says its block.
#[test]
fn blocks_that_the_leading_settings_do_not_tell_apart_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let study = counsel(&["study", "new", "predictor"]).expect_success();
    let arms = study.find("[[arms]]").expect("arms");
    let blocks =
        "[[blocks]]\nname = \"few\"\nset = { budget = 10 }\n\n[[blocks]]\nname = \"more\"\nset = { budget = 11 }\n\n";
    let table = study.replace("[table]\n", "[table]\nsettings = [\"world.contexts\"]\n");
    let file = folder.path().join("own.toml");
    std::fs::write(&file, format!("{}{blocks}{}", &study[..arms], &table[arms..])).unwrap();
    let runs = folder.path().join("runs");
    let said = counsel(&["reproduce", path(&file), "--out", path(&runs), "--seeds", "0..0", "--format", "csv"]);
    let said = said.expect_success();
    let mut lines = said.lines();
    assert!(lines.next().unwrap().starts_with("block,world.contexts,arm,"), "{said}");
    for name in ["few", "more"] {
        assert_eq!(lines.by_ref().take(5).filter(|line| line.starts_with(&format!("{name},"))).count(), 5, "{said}");
    }
}
