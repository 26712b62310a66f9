//! A specification is refused with the name of what is wrong, never with a panic; and changes do what they say.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

use counsel_experiment::{Catalogue, Change, Error, Plan, PlannedCell, Scenario, SeedRange, StudySpec};
use counsel_log::{all_cores, each};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use toml::{Table, Value};

/// The shipped studies, by id.
static STUDIES: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/studies");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let id = |path: &Path| path.file_stem().unwrap().to_str().unwrap().to_owned();
    let mut studies: Vec<_> = files.map(|path| (id(&path), std::fs::read_to_string(&path).unwrap())).collect();
    studies.sort();
    studies
});

/// Reads and resolves a specification for one seed.
fn planned(text: &str, changes: &[Change]) -> Result<Vec<PlannedCell>, Error> {
    let study = Catalogue::parse(text)?;
    Plan::new(&study, Some(&SeedRange(0..=0)), changes).map(Plan::into_cells)
}

fn study(id: &str) -> StudySpec {
    let text = &STUDIES.iter().find(|(name, _)| *name == id).unwrap().1;
    Catalogue::parse(text).unwrap()
}

#[test]
fn the_studies_beside_the_results_can_be_planned() {
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results")).unwrap();
    let files =
        files.map(|file| file.unwrap().path()).filter(|path| path.extension().is_some_and(|kind| kind == "toml"));
    let texts: Vec<String> = files.map(|path| std::fs::read_to_string(path).unwrap()).collect();
    assert!(!texts.is_empty());
    for text in texts {
        planned(&text, &[]).unwrap();
    }
}

#[test]
fn the_catalogue_has_these_studies() {
    let known = Catalogue::embedded().unwrap().studies().unwrap();
    assert_eq!(known.len(), STUDIES.len());
    for (id, text) in STUDIES.iter() {
        let read = Catalogue::parse(text).unwrap();
        assert_eq!(read.id, *id);
        let known = known.iter().find(|study| study.id == *id).unwrap();
        assert_eq!(StudySpec { order: known.order, ..read.clone() }, *known);
        assert_eq!(planned(text, &[]).unwrap().len(), read.arms.len());
    }
}

/// The settings in which two arms differ; those of the calibration one by one.
fn differences(one: &PlannedCell, other: &PlannedCell) -> Vec<String> {
    let settings = |cell: &PlannedCell| {
        let mut settings = cell.scenario.spec().as_object().unwrap().clone();
        if let Some(serde_json::Value::Object(calibration)) = settings.remove("calibration") {
            settings.extend(calibration.into_iter().map(|(key, value)| (format!("calibration.{key}"), value)));
        }
        settings
    };
    let (one, other) = (settings(one), settings(other));
    let names: std::collections::BTreeSet<_> = one.keys().chain(other.keys()).collect();
    names.into_iter().filter(|name| one.get(*name) != other.get(*name)).cloned().collect()
}

#[test]
fn an_arm_of_an_ablation_differs_from_the_recommended_controller_in_one_thing() {
    for id in ["ablation", "ablation-crafter"] {
        let text = &STUDIES.iter().find(|(name, _)| name == id).unwrap().1;
        let arms = planned(text, &[]).unwrap();
        for arm in &arms {
            let (block, name) = arm.key.arm.rsplit_once('.').unwrap_or(("", &arm.key.arm));
            let whole = if block.is_empty() { "counsel".to_owned() } else { format!("{block}.counsel") };
            let whole = arms.iter().find(|other| other.key.arm == whole).unwrap();
            let differ = differences(whole, arm);
            match name {
                "counsel" => assert!(differ.is_empty()),
                // Without a value there is nothing to ration by.
                "ask-if-unknown" => assert_eq!(differ, ["gate", "pacing"]),
                "ask-if-unsure" => assert_eq!(differ, ["foretelling", "gate", "pacing"]),
                // Who asks nobody needs no record of the advisor.
                "experience-features" => assert_eq!(differ, ["agent", "gate"]),
                _ => assert_eq!(differ.len(), 1, "{id} {}: {differ:?}", arm.key.arm),
            }
        }
    }
}

#[test]
fn an_arm_is_run_in_the_blocks_that_its_patterns_fit() {
    let text = &STUDIES.iter().find(|(name, _)| name == "foretold").unwrap().1;
    let with = |only: &str| {
        let only = format!("[[arms]]\nname = \"counsel\"\nonly = [\"{only}\"]");
        Catalogue::parse(&text.replacen("[[arms]]\nname = \"counsel\"", &only, 1))
    };
    let read = with("local-*-k10").unwrap();
    let blocks = read.arms.iter().filter_map(|arm| arm.name.strip_suffix(".counsel")).collect::<Vec<_>>();
    assert_eq!(blocks, ["local-05-plain-k10", "local-15-plain-k10"]);
    assert!(with("door-*").unwrap_err().to_string().contains("`door-*`"));
}

#[test]
fn each_arm_of_components_differs_from_the_one_before_in_one_setting() {
    let text = &STUDIES.iter().find(|(name, _)| name == "components").unwrap().1;
    let arms = planned(text, &[]).unwrap();
    let steps: Vec<_> = arms.windows(2).map(|pair| differences(&pair[0], &pair[1])).collect();
    assert_eq!(steps, [["gate"], ["execution"], ["gate"], ["execution"], ["calibration.radius"]]);
}

#[test]
fn an_arm_without_a_certificate_differs_from_the_one_with_it_in_deployment_alone() {
    for (id, text) in STUDIES.iter() {
        let cells = planned(text, &[]).unwrap();
        let rule = |cell: &PlannedCell| cell.scenario.spec().get("execution").cloned().unwrap_or_default();
        for off in cells.iter().filter(|cell| rule(cell).get("unscreened").is_some()) {
            let certified = serde_json::json!({ "certified": rule(off)["unscreened"] });
            let on = cells.iter().find(|on| rule(on) == certified && differences(on, off) == ["execution"]);
            assert!(on.is_some(), "{id}: {} has no arm with the certificate beside it", off.key.arm);
        }
    }
}

/// The way to every table of a document, the document itself included.
fn tables(value: &Value, way: &[String], found: &mut Vec<Vec<String>>) {
    match value {
        Value::Table(table) => {
            found.push(way.to_vec());
            for (key, inner) in table {
                tables(inner, &[way, std::slice::from_ref(key)].concat(), found);
            }
        }
        Value::Array(list) => {
            for (number, inner) in list.iter().enumerate() {
                tables(inner, &[way, &[number.to_string()]].concat(), found);
            }
        }
        _ => {}
    }
}

fn at<'a>(value: &'a mut Value, way: &[String]) -> &'a mut Table {
    let place = way.iter().fold(value, |value, step| match value {
        Value::Table(table) => table.get_mut(step).unwrap(),
        Value::Array(list) => &mut list[step.parse::<usize>().unwrap()],
        _ => panic!("{step} leads nowhere"),
    });
    place.as_table_mut().unwrap()
}

/// Settings that are one choice among several, written as a table with one key. A second key is a second choice: the
/// message names the setting that has two.
const CHOICES: [(&str, &str); 10] = [
    ("agent", "`agent`"),
    ("execution", "execution`"),
    ("step_size", "step_size`"),
    ("cache", "`cache`"),
    ("labels", "labels`"),
    ("value_bounds", "value_bounds`"),
    ("reliability", "`advisor"),
    ("policy", "`policy`"),
    ("optimism", "policy.optimism`"),
    ("protocol", "`protocol`"),
];

/// Tests, figures, layouts of rows and reasons to give up an answer are one choice among several, named by the only key of a
/// table.
fn is_one_of_several(way: &[String]) -> bool {
    let names: Vec<&str> = way.iter().map(String::as_str).collect();
    matches!(names[..], ["findings", _, "test"] | ["figures", _] | ["table", "rows"] | [.., "cache", "keep", _])
}

/// An unknown key in every table of every study: top level, shared, and inside gates, worlds, learners, advisors,
/// predictors, calibrations, execution rules and arms.
#[test]
fn unknown_keys_are_refused_everywhere_and_named() {
    let (mut tried, mut faults) = (0, BTreeSet::new());
    for (id, text) in STUDIES.iter() {
        let whole: Value = Value::Table(toml::from_str(text).unwrap());
        let mut ways = Vec::new();
        tables(&whole, &[], &mut ways);
        for way in ways {
            let mut changed = whole.clone();
            let table = at(&mut changed, &way);
            let last = way.last().map_or("top level", String::as_str);
            let choice = CHOICES.iter().find(|(choice, _)| *choice == last);
            let named = choice.map_or("surprise`", |(_, named)| named);
            let named = if is_one_of_several(&way) { "exactly 1 element" } else { named };
            table.insert("surprise".into(), Value::Integer(1));
            tried += 1;
            match planned(&toml::to_string(&changed).unwrap(), &[]) {
                Ok(_) => {
                    faults.insert(format!("accepted in {id}: {}", way.join(".")));
                }
                // The reader of TOML names an unknown key of a choice's settings in its own words.
                Err(error) if ![named, "in table: surprise,"].iter().any(|named| error.to_string().contains(named)) => {
                    faults.insert(format!("not named in {last}: {}", error.to_string().replace('\n', " ")));
                }
                Err(_) => {}
            }
        }
    }
    assert!(tried > 250, "only {tried} tables");
    assert!(faults.is_empty(), "{}", faults.into_iter().collect::<Vec<_>>().join("\n"));
}

/// A run of a version with other settings must not be read as one of this version.
#[test]
fn a_manifest_with_an_unknown_key_is_refused_and_the_key_is_named() {
    let (_, text) = STUDIES.iter().find(|(id, _)| id == "babyai-exact").unwrap();
    let mut spec = planned(text, &[]).unwrap()[0].scenario.spec().clone();
    assert!(Scenario::from_spec(&spec).is_ok());
    spec["values"] = serde_json::json!({ "experience": {} });
    assert!(Scenario::from_spec(&spec).unwrap_err().contains("unknown key `values`"));
}

/// Every policy, radius and predictor refuses what it does not know, those without settings of their own too.
#[test]
fn unknown_keys_are_refused_by_every_choice() {
    let choices = [
        ("gate", "{ policy = 'never', surprise = 1 }"),
        ("gate", "{ policy = 'always', surprise = 1 }"),
        ("gate", "{ policy = 'period', every = 2, surprise = 1 }"),
        ("gate", "{ policy = 'random', calls = 1, decisions = 2, surprise = 1 }"),
        ("gate", "{ policy = 'schedule', calls = 1, per_episode = 2, surprise = 1 }"),
        ("gate", "{ policy = 'uncertainty', threshold = 1.0, surprise = 1 }"),
        ("gate", "{ policy = 'value', surprise = 1 }"),
        ("gate", "{ policy = 'importance', heuristic = 'early', surprise = 1 }"),
        ("gate", "{ policy = 'importance', heuristic = 'important', threshold = 1.0, surprise = 1 }"),
        ("gate", "{ policy = 'epistemic-gap', surprise = 1 }"),
        ("gate", "{ policy = 'predictive', surprise = 1 }"),
        ("gate", "{ policy = 'oracle', surprise = 1 }"),
        ("predictor", "{ predictor = 'uniform', surprise = 1 }"),
        ("predictor", "{ predictor = 'frequency', strength = 1.0, surprise = 1 }"),
        ("predictor", "{ predictor = 'per-context', strength = 1.0, surprise = 1 }"),
        ("predictor", "{ predictor = 'feature', surprise = 1 }"),
        ("predictor", "{ predictor = 'replay', surprise = 1 }"),
        ("calibration.radius", "{ method = 'zero', surprise = 1 }"),
        ("calibration.radius", "{ method = 'infinite', surprise = 1 }"),
        ("calibration.radius", "{ method = 'constant', alpha = 0.1, surprise = 1 }"),
        ("calibration.radius", "{ method = 'scaled', alpha = 0.1, surprise = 1 }"),
        ("calibration.radius", "{ method = 'scaled', alpha = 0.1, scale = { surprise = 1 } }"),
        ("calibration.radius", "{ method = 'mondrian', alpha = 0.1, surprise = 1 }"),
        ("calibration.radius", "{ method = 'bonferroni', delta_conf = 0.1, evaluations = 9, surprise = 1 }"),
        ("calibration.monte_carlo", "{ method = 'none', surprise = 1 }"),
        ("calibration.monte_carlo", "{ method = 'hoeffding', range = 1.0, delta_mc = 0.1, surprise = 1 }"),
        ("calibration.labels", "{ paired = { blocks = 2, replicates = 2, surprise = 1 } }"),
        ("execution", "{ certified = { tolerance = 1.0, surprise = 1 } }"),
        ("execution", "{ low-variance = { max_variance = 1.0, surprise = 1 } }"),
        ("budget", "{ per_run = 3, token_bucket = { capacity = 1, refill_every = 1, surprise = 1 } }"),
        ("budget", "{ per_run = 3, reserve = { fraction = 0.1, after_step = 1, surprise = 1 } }"),
        ("pacing", "{ factor = 1.0, surprise = 1 }"),
        ("pacing", "{ factor = 1.0, dual = { step_size = { constant = 0.1 }, target_rate = 0.1, surprise = 1 } }"),
        ("advisor", "{ kind = 'simulated', reliability = { constant = 0.5 }, surprise = 1 }"),
        (
            "advisor",
            "{ kind = 'simulated', reliability = { per-context = { known = [], otherwise = 0.5, surprise = 1 } } }",
        ),
        ("advisor", "{ kind = 'correlated', reliability = { constant = 0.5 }, persistence = 0.5, surprise = 1 }"),
        ("learner", "{ kind = 'psrl', surprise = 1 }"),
        ("learner", "{ kind = 'psrl', bounds = { surprise = 1 } }"),
        ("world", "{ kind = 'chain', surprise = 1 }"),
        ("world", "{ kind = 'lock', surprise = 1 }"),
        ("world", "{ kind = 'component', surprise = 1 }"),
        ("world", "{ kind = 'repeated', surprise = 1 }"),
    ];
    let study = study("radius-audit");
    let mut faults = Vec::new();
    for (key, value) in choices {
        let change: Change = format!("arms.no-radius.{key}={value}").parse().unwrap();
        match Plan::new(&study, Some(&SeedRange(0..=0)), &[change]) {
            Ok(_) => faults.push(format!("accepted: {key} = {value}")),
            Err(error) if !error.to_string().contains("surprise`") => faults.push(format!("not named: {error}")),
            Err(_) => {
                let without = value.replace(", surprise = 1", "").replace("surprise = 1", "");
                let change: Change = format!("arms.no-radius.{key}={without}").parse().unwrap();
                let plan = Plan::new(&study, Some(&SeedRange(0..=0)), &[change]);
                assert!(plan.is_ok(), "{key} = {without} is not valid either: {}", plan.unwrap_err());
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Every key taken away, and every value replaced by one of another kind: accepted or refused with words. Of the arms, blocks and
/// families of a study, the first that has a key stands for the others. The kinds take turns from key to key; the slow lane tries all.
#[test]
fn missing_keys_and_values_of_another_kind_are_no_panic() {
    let mut keys: Vec<(Value, Vec<String>, String)> = Vec::new();
    for (_, text) in STUDIES.iter() {
        let whole: Value = Value::Table(toml::from_str(text).unwrap());
        let mut ways = Vec::new();
        tables(&whole, &[], &mut ways);
        let mut seen = BTreeSet::new();
        for way in ways {
            let kind: Vec<&str> = way.iter().map(|step| step.trim_matches(|c: char| c.is_ascii_digit())).collect();
            let here: Vec<String> = at(&mut whole.clone(), &way).keys().cloned().collect();
            let fresh = here.into_iter().filter(|key| seen.insert((kind.join("."), key.clone())));
            keys.extend(fresh.map(|key| (whole.clone(), way.clone(), key)));
        }
    }
    let turns = if cfg!(feature = "long-tests") { 1 } else { 4 };
    let keys: Vec<_> = keys.into_iter().enumerate().collect();
    let refused = |(number, (whole, way, key)): &(usize, (Value, Vec<String>, String))| {
        let others = ["-1", "0", "1", "nan", "inf", "-0.5", "''", "[]", "{}", "true", "1979-05-27"]
            .map(|other| Some(toml::from_str::<Table>(&format!("v = {other}")).unwrap()["v"].clone()));
        let is_refused = |other: &Option<Value>| {
            let mut changed = whole.clone();
            let table = at(&mut changed, way);
            match other {
                Some(other) => table.insert(key.clone(), other.clone()),
                None => table.remove(key),
            };
            let planned = planned(&toml::to_string(&changed).unwrap(), &[]);
            planned.is_err_and(|error| !error.to_string().is_empty())
        };
        let tried = others.iter().chain([&None]).skip(number % turns).step_by(turns);
        Ok::<_, std::convert::Infallible>(tried.filter(|other| is_refused(other)).count())
    };
    let refused: usize = each(&keys, all_cores(), |_| (), refused).unwrap().into_iter().sum();
    assert!(refused > 3_000 / turns, "only {refused} were refused");
}

proptest! {
    // The seed is fixed: a plan builds its world, and letters that happen to form a huge size would take all memory. Absurd
    // sizes have a test of their own, in a process with a limit.
    #![proptest_config(ProptestConfig {
        cases: 3_000,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(9),
        ..ProptestConfig::default()
    })]

    #[test]
    fn mutated_text_is_no_panic(
        which in 0..STUDIES.len(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0usize..20), 1..5),
        letters in prop::collection::vec((any::<prop::sample::Index>(), any::<char>()), 0..5),
    ) {
        let mut text: Vec<char> = STUDIES[which].1.chars().collect();
        for (from, to, length) in changes {
            let from = from.index(text.len());
            let end = (from + length).min(text.len());
            let piece: Vec<char> = text.drain(from..end).collect();
            let to = to.index(text.len() + 1);
            text.splice(to..to, piece);
        }
        for (place, letter) in letters {
            let place = place.index(text.len());
            text[place] = letter;
        }
        if let Err(error) = planned(&text.into_iter().collect::<String>(), &[]) {
            prop_assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn any_change_is_no_panic(key in "[a-z_.]{0,24}|[a-z]{1,8}(\\.[a-z]{1,8}){0,3}|arms\\.(never|controller)\\.[a-z.]{1,12}", value in any::<String>()) {
        if let Ok(change) = format!("{key}={value}").parse::<Change>() {
            let _ = Plan::new(&study("lock"), Some(&SeedRange(0..=0)), &[change]);
        }
    }

    #[test]
    fn any_text_is_a_change_or_is_not(text in any::<String>()) {
        match text.parse::<Change>() {
            Ok(_) => prop_assert!(text.contains('=')),
            Err(error) => prop_assert!(error.to_string().contains("key=value")),
        }
    }

    #[test]
    fn any_text_is_a_range_or_is_not(text in "[0-9. x-]{0,12}") {
        match text.parse::<SeedRange>() {
            Ok(range) => prop_assert!(range.0.start() <= range.0.end()),
            Err(error) => {
                let named = error.to_string().contains(&text);
                prop_assert!(named, "the message does not name {}", text);
            }
        }
    }
}

/// The settings of each arm of the study after these changes, as the manifest has them.
fn specs(id: &str, changes: &[&str]) -> Vec<(String, serde_json::Value)> {
    let changes: Vec<Change> = changes.iter().map(|change| change.parse().unwrap()).collect();
    let plan = Plan::new(&study(id), Some(&SeedRange(4..=4)), &changes).unwrap();
    plan.into_cells().into_iter().map(|cell| (cell.key.arm, cell.scenario.spec().clone())).collect()
}

fn spec(id: &str, arm: &str, changes: &[&str]) -> serde_json::Value {
    specs(id, changes).into_iter().find(|(name, _)| name == arm).unwrap().1
}

#[test]
fn a_change_reaches_every_arm() {
    for (arm, spec) in specs("lock", &["price=0.125", "learner.samples=16", "world.length=5"]) {
        assert_eq!(spec["price"], 0.125, "{arm}");
        assert_eq!(spec["learner"]["samples"], 16, "{arm}");
        assert_eq!(spec["learner"]["kind"], "psrl", "{arm}: the rest of the table stays");
        assert_eq!(spec["world"]["length"], 5, "{arm}");
        assert_eq!(spec["world"]["actions"], 4, "{arm}: the rest of the table stays");
    }
}

#[test]
fn an_arms_own_setting_stands_over_a_shared_change() {
    for (arm, spec) in specs("limits", &["price=0.5"]) {
        let own = [("price-to-zero", 0.0), ("price-to-infinity", 1e9)].into_iter().find(|(name, _)| *name == arm);
        assert_eq!(spec["price"], own.map_or(0.5, |(_, price)| price), "{arm}");
    }
}

#[test]
fn a_change_of_one_arm_stands_over_all_and_reaches_no_other() {
    let before = specs("limits", &[]);
    let after = specs("limits", &["price=0.5", "arms.price-to-zero.price=0.75", "arms.never.episodes=7"]);
    for ((arm, before), (_, after)) in before.iter().zip(&after) {
        let price = match arm.as_str() {
            "price-to-zero" => 0.75,
            "price-to-infinity" => 1e9,
            _ => 0.5,
        };
        assert_eq!(after["price"], price, "{arm}");
        assert_eq!(after["episodes"], if arm == "never" { 7 } else { 40 }, "{arm}");
        assert_eq!(after["world"], before["world"], "{arm}");
    }
}

#[test]
fn the_last_change_counts() {
    assert_eq!(spec("lock", "controller", &["price=1.5", "price=2.5"])["price"], 2.5);
}

#[test]
fn a_choice_is_replaced_as_a_whole() {
    let gate = |change: &str| spec("lock", "controller", &[change])["gate"].clone();
    assert_eq!(gate("gate={policy='never'}"), serde_json::json!({ "policy": "never" }));
    assert_eq!(
        gate("gate={policy='random',calls=3,decisions=9}"),
        serde_json::json!({ "policy": "random", "calls": 3, "decisions": 9 })
    );
    assert_eq!(gate("gate.valuation=raw-action")["valuation"], "raw-action");
    let execution = |change: &str| spec("lock", "controller", &[change])["execution"].clone();
    assert_eq!(execution("execution=trusting"), "trusting");
    assert_eq!(execution("execution='trusting'"), "trusting");
    assert_eq!(
        execution("execution.certified.tolerance=0.5"),
        serde_json::json!({ "certified": { "tolerance": 0.5 } })
    );
    assert_eq!(
        execution("execution={low-variance={max_variance=0.5}}"),
        serde_json::json!({ "low-variance": { "max_variance": 0.5 } })
    );
    let world = spec("lock", "controller", &["world={kind='chain'}"])["world"].clone();
    assert_eq!(world["kind"], "chain");
    assert!(world.get("actions").is_none(), "settings of the lock are left: {world}");
}

#[test]
fn no_change_changes_nothing_and_seeds_are_those_asked_for() {
    for (id, text) in STUDIES.iter() {
        let study = Catalogue::parse(text).unwrap();
        let plan = Plan::new(&study, Some(&SeedRange(5..=7)), &[]).unwrap();
        let seeds: Vec<u64> = plan.cells().iter().map(|cell| cell.key.seed).collect();
        assert_eq!(seeds, [5, 6, 7].repeat(study.arms.len()), "{id}");
        let again = Plan::new(&study, Some(&SeedRange(5..=7)), &[]).unwrap();
        for (one, other) in plan.cells().iter().zip(again.cells()) {
            assert_eq!(one.scenario.spec(), other.scenario.spec());
        }
    }
}
