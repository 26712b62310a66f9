//! Decisions without a world: the published orders, the prototype's figures, and the audit of every route.

use counsel_experiment::{
    Catalogue, Change, Fate, Library, Observer, Plan, PlannedCell, Runner, SeedRange, recompute_routes,
};
use counsel_log::{Cell, CellKey, Decision, Run, compare_routes, examine, examine_routes};

struct Silent;

impl Observer for Silent {
    fn done(&self, _: &PlannedCell, _: Fate) {}
}

/// One cell of a study, with changes.
fn cell(study: &str, arm: &str, changes: &[&str]) -> (tempfile::TempDir, Cell) {
    let catalogue = Catalogue::embedded().unwrap();
    let study = catalogue.select(&[study.to_owned()]).unwrap().remove(0);
    let changes: Vec<Change> = changes.iter().map(|change| change.parse().unwrap()).collect();
    let plan = Plan::new(&study, Some(&SeedRange(0..=0)), &changes).unwrap();
    let cells: Vec<PlannedCell> = plan.into_cells().into_iter().filter(|cell| cell.key.arm == arm).collect();
    let folder = tempfile::tempdir().unwrap();
    let library = Library::recorded(counsel_transcript::Shelf::embedded());
    Runner::new(Run::at(folder.path()), &library, 1).run(&cells, &Silent).unwrap();
    let key = CellKey { study: study.id.clone(), arm: arm.into(), seed: 0 };
    let cell = Run::at(folder.path()).cell(&key).unwrap().unwrap();
    (folder, cell)
}

/// The order of NumPy, the table, the ledger and the log together: the golden decisions of the prototype, summed from the rows.
#[test]
fn the_golden_run_is_had_from_a_study_file() {
    let (_folder, cell) = cell("route-pareto", "b3.groups-cold", &["arms.b3.groups-cold.policy.router.coin=1.0"]);
    let decisions = cell.decisions().unwrap();
    assert_eq!(decisions.len(), 1785 + 1824);
    let counted: Vec<&Decision> =
        decisions.iter().filter(|decision| decision.route.as_ref().unwrap().counted).collect();
    let count = counted.len() as f64;
    let reward = counted.iter().map(|decision| decision.hindsight.reward).sum::<f64>() / count;
    let cost = counted.iter().map(|decision| decision.route.as_ref().unwrap().cost).sum::<f64>() / count;
    assert!((reward - 0.87668).abs() < 5e-6, "{reward}");
    assert!((cost / 2.345_365_663e-4 - 0.98507).abs() < 5e-6, "{}", cost / 2.345_365_663e-4);
    assert!((counted[0].route.as_ref().unwrap().published.unwrap() - 0.8588).abs() < 0.01);
    let examined = examine_routes(&cell, None, &recompute_routes).unwrap();
    assert!(examined.disagreements.is_empty() && examined.faults.is_empty(), "{:?}", examined.faults);
    // Who has no router says so.
    assert!(examine(&cell, None).unwrap().faults[0].contains("`counsel audit`"));
}

/// Whatever is changed in a row, a decision comes out differently: the model's state is a part of the audit.
#[test]
fn an_altered_row_is_found() {
    let (_folder, cell) = cell("cascade", "gsm8k-none-05.cascade", &[]);
    let decisions = cell.decisions().unwrap();
    let found = |alter: &dyn Fn(&mut Decision)| {
        let mut altered = decisions.clone();
        alter(&mut altered[200]);
        let again = recompute_routes(&cell.manifest, &altered).unwrap();
        compare_routes(&cell.manifest.key, &altered, &again)
    };
    assert_eq!(found(&|_| ()), []);
    let chosen = found(&|decision| decision.route.as_mut().unwrap().chosen ^= 1);
    assert_eq!((chosen.len(), chosen[0].step, chosen[0].column), (1, 200, "route_chosen"));
    let learned = found(&|decision| {
        let route = decision.route.as_mut().unwrap();
        route.learned = route.learned.map(|reward| 1.0 - reward);
    });
    assert_eq!((learned[0].step, learned[0].column), (201, "route_rewards"), "the books differ from the next row on");
    let words = found(&|decision| decision.route.as_mut().unwrap().words[1] += 1);
    assert_eq!((words[0].step, words[0].column), (200, "route_rewards"));
}

#[test]
fn late_feedback_is_learned_late() {
    let (_folder, cell) = cell("cascade", "gsm8k-none-05.delayed", &[]);
    let decisions = cell.decisions().unwrap();
    let learned = |row: usize| decisions[row].route.as_ref().unwrap().learned_at;
    assert_eq!((learned(0), learned(10)), (Some(51), Some(61)));
    let rewards = |row: usize| decisions[row].route.as_ref().unwrap().rewards.clone();
    assert!((1..=50).all(|row| rewards(row) == [0.5, 0.5]), "nothing is known before the first reward");
    assert_ne!(rewards(51), [0.5, 0.5]);
}

#[test]
fn settings_that_cannot_be_played_are_refused() {
    let catalogue = Catalogue::embedded().unwrap();
    let refused = |study: &str, change: &str| {
        let study = catalogue.select(&[study.to_owned()]).unwrap().remove(0);
        Plan::new(&study, None, &[change.parse().unwrap()]).unwrap_err().to_string()
    };
    let error = refused("route-gsm8k", "protocol.labels.labels=1");
    assert!(error.contains("labels is 1, which is outside [2, 3000]"), "{error}");
    let error = refused("route-gsm8k", "table=\"pareto\"");
    assert!(error.contains("name a weak and a strong one"), "{error}");
    let error = refused("route-pareto", "advisors=[\"llama9b\"]");
    assert!(error.contains("llama9b") && error.contains("did you mean `llama8b`"), "{error}");
}
