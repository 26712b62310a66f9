//! Decisions without a world: the published orders, the prototype's figures, and the audit of every route.

use std::fmt::Write as _;
use std::path::Path;

use counsel_experiment::{
    Catalogue, Change, Fate, Library, Observer, Plan, PlannedCell, Runner, SeedRange, recompute_routes, swe_table,
};
use counsel_log::{Cell, CellKey, Decision, Run, compare_routes, examine, examine_routes};

struct Silent;

impl Observer for Silent {
    fn done(&self, _: &PlannedCell, _: Fate) {}
}

/// One cell of a study, with changes.
fn cell(study: &str, arm: &str, changes: &[&str]) -> (tempfile::TempDir, Cell) {
    let catalogue = Catalogue::embedded().unwrap();
    let (catalogue, ids) = catalogue.with_files(&[study.to_owned()]).unwrap();
    let study = catalogue.select(&ids).unwrap().remove(0);
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

/// Three models with answers: two weak ones whose mistakes differ, and a strong one.
fn own_table(folder: &Path) -> String {
    use counsel_decision::Seed;
    use rand::RngExt;

    let mut rng = Seed::root(4).rng();
    let mut text = "reward_a,cost_a,answer_a,reward_b,cost_b,answer_b,reward_c,cost_c,answer_c,group\n".to_owned();
    for number in 0..3000 {
        let mut cells = Vec::new();
        for (skill, cost) in [(0.75, 0.05), (0.75, 0.05), (0.95, 1.0)] {
            let right = rng.random::<f64>() < skill;
            let answer = if right { 0 } else { rng.random_range(1..50) };
            cells.push(format!("{},{cost},{answer}", u8::from(right)));
        }
        let _ = writeln!(text, "{},{}", cells.join(","), if number % 2 == 0 { "even" } else { "odd" });
    }
    let path = folder.join("own.csv");
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// A study of one's own about a table of one's own, with a price of the last advisor.
fn own_study(folder: &Path) -> String {
    let table = own_table(folder);
    let mut text = format!(
        "id = \"own-table\"\ntitle = \"t\"\nseeds = 1\nscenario = \"decisions\"\n\n[shared]\ntable = {{ file = {{ path = '{table}' }} }}\n\
         protocol = {{ stream = {{ price = 0.1 }} }}\n"
    );
    for (name, policy) in [
        ("recall", "{ recall = {} }"),
        ("fixed", "{ fixed-order = {} }"),
        ("agreement", "'agreement-of-two'"),
        ("always", "{ alone = 'c' }"),
        ("oracle", "'oracle'"),
    ] {
        let _ = write!(text, "\n[[arms]]\nname = \"{name}\"\nset = {{ policy = {policy} }}\n");
    }
    let path = folder.join("own-table.toml");
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// Answers that agree are evidence: the fixed rule is found and not missed by much, and every choice comes out again.
#[test]
fn a_table_of_ones_own_with_answers_has_arms_that_see_agreement() {
    let folder = tempfile::tempdir().unwrap();
    let study = own_study(folder.path());
    let net = |arm: &str| {
        let (_runs, cell) = cell(&study, arm, &[]);
        let decisions = cell.decisions().unwrap();
        let examined = examine_routes(&cell, None, &recompute_routes).unwrap();
        assert!(examined.disagreements.is_empty() && examined.faults.is_empty(), "{arm}: {:?}", examined.faults);
        let second = &decisions[1000..];
        let net = |decision: &Decision| decision.hindsight.reward - decision.route.as_ref().unwrap().cost;
        let mean = second.iter().map(net).sum::<f64>() / second.len() as f64;
        (mean, decisions)
    };
    let ((recall, decisions), (fixed, _), (agreement, simple)) = (net("recall"), net("fixed"), net("agreement"));
    let (always, oracle) = (net("always").0, net("oracle").0);
    // Two of three agree on a right answer with probability 0.56; the rest costs 0.11 and is right 19 times in 20.
    assert!((agreement - 0.91).abs() < 0.02 && agreement > always + 0.03, "{agreement} {always}");
    assert!(
        recall > agreement - 0.02 && fixed > agreement - 0.03 && recall < oracle,
        "{recall} {fixed} {agreement} {oracle}"
    );
    let asked = |decision: &Decision| decision.route.as_ref().unwrap().asked.clone();
    assert!(simple.iter().all(|decision| asked(decision).len() == 2 || asked(decision) == [0, 1, 2]));
    assert!(decisions.iter().any(|decision| asked(decision).len() == 3), "surveys ask everybody");
    // An altered order of asking is found.
    let (_runs, cell) = cell(&study, "recall", &[]);
    let mut altered = cell.decisions().unwrap();
    altered[7].route.as_mut().unwrap().asked.reverse();
    let again = recompute_routes(&cell.manifest, &altered).unwrap();
    let found = compare_routes(&cell.manifest.key, &altered, &again);
    assert_eq!((found.len(), found[0].column), (1, "route_asked"));
}

#[test]
fn a_table_without_answers_or_of_another_content_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let study = own_study(folder.path());
    let refused = |change: &str| {
        let (catalogue, ids) = Catalogue::embedded().unwrap().with_files(std::slice::from_ref(&study)).unwrap();
        let study = catalogue.select(&ids).unwrap().remove(0);
        Plan::new(&study, None, &[change.parse().unwrap()]).unwrap_err().to_string()
    };
    let error = refused("table=\"gsm8k\"");
    assert!(error.contains("which answers agree"), "{error}");
    let error = refused("arms.always.policy=\"hull\"");
    assert!(error.contains("a stream is for alone, oracle, recall"), "{error}");
    let path = folder.path().join("own.csv").display().to_string();
    let error = refused(&format!("table={{ file = {{ path = '{path}', sha256 = 'abc' }} }}"));
    assert!(error.contains("and the study wants abc"), "{error}");
    let error = refused("table={ file = { path = 'nowhere.csv' } }");
    assert!(error.contains("the table `nowhere.csv` cannot be read"), "{error}");
}

/// A made file of the board's form: its table and study run, and without the table the study says where it comes from.
#[test]
fn the_table_of_swe_bench_is_made_from_a_fetched_file() {
    let models = [
        ("GPT-5 mini (2025-08-07) (medium reasoning)", 0.5),
        ("DeepSeek V3.2 Reasoner", 0.5),
        ("Claude 4.5 Opus medium (20251101)", 0.8),
        ("Gemini 3 Pro Preview (2025-11-18)", 0.8),
        ("Broken", 0.01),
    ];
    let result = |(rank, (name, skill)): (usize, (&str, f64))| {
        let task = |task: usize| {
            let resolved = ((task * 37 + rank * 11) % 100) as f64 / 100.0 < skill;
            let tasks = serde_json::json!({ "resolved": resolved, "cost": 0.01 + task as f64 / 1e4, "api_calls": 5 + task % 30 });
            (format!("org{}__repo-{task}", task % 5), tasks)
        };
        let tasks: serde_json::Map<String, serde_json::Value> = (0..500).map(task).collect();
        serde_json::json!({ "name": name, "date": "2026-01-01", "per_instance_details": tasks })
    };
    let results: Vec<_> = models.into_iter().enumerate().map(result).collect();
    let file = serde_json::json!({ "leaderboards": [{ "name": "lite", "results": [] }, { "name": "bash-only", "results": results }] });
    let [(table, text), (study, settings)] = swe_table(&file.to_string()).unwrap();
    assert_eq!((table, study), ("route-swe.csv", "route-swe.toml"));
    assert!(text.starts_with("task,group,reward_gpt-5-mini-2025-08-07-medium-reasoning,cost_gpt-5-mini"));
    assert!(!text.contains("broken") && text.lines().count() == 501);
    // The study names the table beside it; here it lies elsewhere.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(table).display().to_string();
    let settings = settings.replace("\"route-swe.csv\"", &format!("'{path}'"));
    let file = folder.path().join(study).display().to_string();
    std::fs::write(&file, &settings).unwrap();
    let planned = || {
        let (catalogue, ids) = Catalogue::embedded().unwrap().with_files(std::slice::from_ref(&file)).unwrap();
        let study = catalogue.select(&ids).unwrap().remove(0);
        Plan::new(&study, None, &[])
    };
    let error = planned().unwrap_err().to_string();
    assert!(!error.contains("manifest"), "{error}");
    for words in ["SWE-bench/swe-bench.github.io", "CC BY-NC 4.0", "counsel study table swe leaderboards.json"] {
        assert!(error.contains(words), "{words}: {error}");
    }
    std::fs::write(&path, &text).unwrap();
    assert_eq!(planned().unwrap().cells().len(), 21 * 20);
    let (_runs, cell) = cell(&file, "mini-opus.both-gain", &[]);
    assert_eq!(cell.decisions().unwrap().len(), 100);
    let examined = examine_routes(&cell, None, &recompute_routes).unwrap();
    assert!(examined.disagreements.is_empty() && examined.faults.is_empty(), "{:?}", examined.faults);
    let error = swe_table("{}").unwrap_err();
    assert!(error.contains("it is no file of leaderboards") && error.contains("counsel study table swe"), "{error}");
}

/// Nobody nets more than the oracle of a stream, which sees both rewards and pays the price.
#[test]
fn the_oracle_of_a_stream_pays_the_price_that_others_pay() {
    let (_folder, cell) = cell("cascade", "pareto-none-10.oracle", &[]);
    for decision in cell.decisions().unwrap() {
        let route = decision.route.as_ref().unwrap();
        let best = route.advisor_rewards[0].max(route.advisor_rewards[1] - 0.1);
        assert!((decision.hindsight.reward - route.cost - best).abs() < 1e-12);
    }
}
