//! A table of outcomes of one's own: read in three forms, weighed, and told on one page.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use counsel_controller::Seed;
use counsel_controller::route::{Request, Router};
use counsel_shadow::{
    Advisor, Basis, Limit, RouteColumns, RouteSettings, RouteTable, policy_text, read_table, route_report, stream,
    weigh,
};
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use rand::RngExt;

/// The group, and what each model's answer brought.
type Outcome = (&'static str, f64, f64);

/// The large model gains in one of two groups alone.
fn outcomes() -> Vec<Outcome> {
    let mut rng = Seed::root(5).rng();
    let outcome = |number: usize| {
        let group = if number.is_multiple_of(2) { "hard" } else { "easy" };
        let small = f64::from(u8::from(rng.random::<f64>() < if group == "hard" { 0.3 } else { 0.9 }));
        let large = f64::from(u8::from(rng.random::<f64>() < 0.9));
        (group, small, large)
    };
    (0..600).map(outcome).collect()
}

fn written(folder: &tempfile::TempDir, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

fn csv(folder: &tempfile::TempDir) -> PathBuf {
    let mut text = "group,r_small,c_small,r_xl,c_xl\n".to_owned();
    for (group, small, large) in outcomes() {
        let _ = writeln!(text, "{group},{small},0.001,{large},0.01");
    }
    text.push_str("easy,,0.001,1,0.01\n");
    written(folder, "outcomes.csv", text.as_bytes())
}

fn settings() -> RouteSettings {
    RouteSettings { budgets: vec![0.0055], orders: 4, ..RouteSettings::default() }
}

#[test]
fn three_forms_are_the_same_table() {
    let folder = tempfile::tempdir().unwrap();
    let plain = read_table(&csv(&folder), &RouteColumns::default()).unwrap();
    assert_eq!((plain.rows.len(), plain.left_out, plain.groups.len(), plain.has_text), (600, 1, 2, false));
    let mut lines = String::new();
    for (group, small, large) in outcomes() {
        let (small, large) = (small > 0.5, large > 0.5);
        let _ =
            writeln!(lines, r#"{{"kind": "{group}", "right": {{"small": {small}, "xl": {large}}}, "extra": null}}"#);
    }
    let advisor =
        |name: &str, cost: f64| Advisor { name: name.into(), reward: format!("right.{name}"), cost: Ok(cost) };
    let columns = RouteColumns {
        advisors: vec![advisor("small", 0.001), advisor("xl", 0.01)],
        group: Some("kind".into()),
        ..RouteColumns::default()
    };
    let nested = read_table(&written(&folder, "outcomes.jsonl", lines.as_bytes()), &columns).unwrap();
    assert_eq!(nested.rows, plain.rows);
    let schema = "message m { required binary group (STRING); required double r_small; required double c_small; required double r_xl; required double c_xl; }";
    let mut writer =
        SerializedFileWriter::new(Vec::new(), Arc::new(parse_message_type(schema).unwrap()), Arc::default()).unwrap();
    let mut rows = writer.next_row_group().unwrap();
    let groups: Vec<ByteArray> = outcomes().iter().map(|row| ByteArray::from(row.0)).collect();
    let mut out = rows.next_column().unwrap().unwrap();
    out.typed::<ByteArrayType>().write_batch(&groups, None, None).unwrap();
    out.close().unwrap();
    let columns: [fn(Outcome) -> f64; 4] = [|row| row.1, |_| 0.001, |row| row.2, |_| 0.01];
    for column in columns {
        let mut out = rows.next_column().unwrap().unwrap();
        let values: Vec<f64> = outcomes().into_iter().map(column).collect();
        out.typed::<DoubleType>().write_batch(&values, None, None).unwrap();
        out.close().unwrap();
    }
    rows.close().unwrap();
    let packed = written(&folder, "outcomes.parquet", &writer.into_inner().unwrap());
    assert_eq!(read_table(&packed, &RouteColumns::default()).unwrap().rows, plain.rows);
}

#[test]
fn a_router_finds_the_group_that_is_worth_it_and_keeps_the_budget() {
    let folder = tempfile::tempdir().unwrap();
    let table = read_table(&csv(&folder), &RouteColumns::default()).unwrap();
    let weighed = weigh(&table, &settings()).unwrap();
    let [hull, groups, router] = &weighed[..] else { panic!("three policies at one budget") };
    assert_eq!([hull.policy, groups.policy, router.policy], ["hull", "group means", "router"]);
    assert!(router.reward.low > hull.reward.estimate, "{:?} {:?}", router.reward, hull.reward);
    assert!(router.worst <= 1.0 && groups.worst <= 1.0);
    let told = route_report(&table, &settings()).unwrap();
    assert!(told.verdict.contains("at 1 of 1 budgets; group means alone at 1"), "{}", told.verdict);
    let ids: Vec<&str> = told.tables.iter().map(|table| table.id.as_str()).collect();
    assert_eq!(ids, ["prices", "advisors", "labels", "groups", "trust", "budgets", "cascade"]);
    // A cascade at the prices that are named: the strong model nets 0.25 more, and nothing at a price of one.
    let priced = RouteSettings { prices: vec![0.05, 1.0], ..settings() };
    let [cheap, dear] = &stream(&table, &priced).unwrap()[..] else { panic!("two prices") };
    assert!(cheap.net.low > cheap.fixed[0] && cheap.asked > 0.3, "{cheap:?}");
    assert!(dear.asked < 0.05 && dear.worst_loss <= dear.bound, "{dear:?}");
    let text = policy_text(&table, &settings(), Limit::Budget { per_request: 0.0055, requests: 1000 }).unwrap();
    let mut router = Router::load(&text).unwrap();
    let chosen = |router: &mut Router, group: usize| {
        let route = router.decide(&Request::default().in_group(group)).unwrap();
        router.settle(route.step, 0.001).unwrap();
        route.greedy
    };
    // Groups are in the order of their names.
    assert_eq!((chosen(&mut router, 0), chosen(&mut router, 1)), (0, 1));
}

/// A confidence says where the weak answer fails.
#[test]
fn a_number_that_is_known_beforehand_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = "sureness,r_small,c_small,r_xl,c_xl\n".to_owned();
    for (group, small, large) in outcomes() {
        let _ = writeln!(text, "{},{small},0.001,{large},0.01", if group == "hard" { 0.2 } else { 0.9 });
    }
    let path = written(&folder, "sureness.csv", text.as_bytes());
    // A confidence is found by its name.
    let found = read_table(
        &written(&folder, "confidence.csv", text.replace("sureness", "confidence").as_bytes()),
        &RouteColumns::default(),
    );
    assert_eq!(found.unwrap().numbers[0].0, "confidence");
    let router = |columns: &RouteColumns| {
        let table = read_table(&path, columns).unwrap();
        weigh(&table, &settings()).unwrap().pop().unwrap().reward
    };
    let (blind, knowing) = (
        router(&RouteColumns::default()),
        router(&RouteColumns { numbers: vec!["sureness".into()], ..RouteColumns::default() }),
    );
    assert!(knowing.low > blind.high, "{knowing:?} {blind:?}");
}

#[test]
fn what_cannot_be_weighed_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |name: &str, text: &str, columns: &RouteColumns| {
        read_table(&written(&folder, name, text.as_bytes()), columns).unwrap_err().to_string()
    };
    let error = refused("a.csv", "x,r_small,c_small\n1,2,3\n", &RouteColumns::default());
    assert!(error.contains("outcomes of 1 advisors") && error.contains("c_small, r_small, x"), "{error}");
    let one = RouteColumns { group: Some("kind".into()), ..RouteColumns::default() };
    let error = refused("b.csv", "r_a,c_a,r_b,c_b\n1,2,3,4\n", &one);
    assert!(error.contains("it has no column `kind`"), "{error}");
    let error = refused("c.csv", "r_a,c_a,r_b,c_b\n1,2,3,4\n", &RouteColumns::default());
    assert!(error.contains("1 rows have all outcomes and 0 do not; 50 are needed"), "{error}");
    let error = refused("d.jsonl", "{]\n", &RouteColumns::default());
    assert!(error.contains("line 1 is no JSON object"), "{error}");
    assert!(refused("e.txt", "", &RouteColumns::default()).contains(".jsonl, .csv or .parquet"));
    let table = read_table(&csv(&folder), &RouteColumns::default()).unwrap();
    let error = weigh(&table, &RouteSettings { budgets: vec![-1.0], ..settings() }).unwrap_err().to_string();
    assert!(error.contains("a budget is -1"), "{error}");
}

/// A request of a cascade: the confidence, and whether each answer is right. The strong model gains below a confidence of a half.
fn requests(count: usize, seed: u64) -> Vec<(f64, f64, f64)> {
    let mut rng = Seed::root(seed).rng();
    let request = |_| {
        let confidence: f64 = rng.random();
        let cheap = f64::from(u8::from(rng.random::<f64>() < if confidence < 0.5 { 0.4 } else { 0.9 }));
        (confidence, cheap, f64::from(u8::from(rng.random::<f64>() < 0.9)))
    };
    (0..count).map(request).collect()
}

/// The log of a cascade that asked by chance, less often the surer it was. An outcome becomes known with probability 0.7.
fn cascade_log(count: usize, seed: u64, claims: impl Fn(f64) -> f64) -> String {
    let mut rng = Seed::root(seed).stream("log").rng();
    let mut text = "confidence,asked,reward,cost,p_ask,p_seen\n".to_owned();
    for (confidence, cheap, strong) in requests(count, seed) {
        let p = 0.8 - 0.6 * confidence;
        let (asked, seen) = (rng.random::<f64>() < p, rng.random::<f64>() < 0.7);
        let reward = if asked { strong } else { cheap };
        let reward = if seen { reward.to_string() } else { String::new() };
        let _ = writeln!(text, "{confidence:.6},{asked},{reward},{},{:.6},0.7", u8::from(asked), claims(p));
    }
    text
}

fn drawn() -> RouteColumns {
    RouteColumns { is_drawn: true, ..RouteColumns::default() }
}

fn at(price: f64) -> RouteSettings {
    RouteSettings { prices: vec![price], orders: 4, ..RouteSettings::default() }
}

/// The log of a cascade without all outcomes: the answer comes first, and finds what the whole table would say.
#[test]
fn the_log_of_a_cascade_is_judged_by_its_probabilities() {
    let folder = tempfile::tempdir().unwrap();
    let read = |text: &str, columns: &RouteColumns| {
        read_table(&written(&folder, "log.csv", text.as_bytes()), columns).unwrap()
    };
    let log = read(&cascade_log(6000, 3, |p| p), &drawn());
    assert_eq!((log.basis, &log.advisors[..]), (Basis::OffPolicy, &["cheap".to_owned(), "strong".to_owned()][..]));
    let told = route_report(&log, &at(0.05)).unwrap();
    assert!(told.verdict.starts_with("At a price of 0.05 for an answer of strong"), "{}", told.verdict);
    assert!(
        told.verdict.contains("a look at requests pays") && told.verdict.contains("choices, weighed by"),
        "{}",
        told.verdict
    );
    let mut whole = "confidence,reward_cheap,reward_strong\n".to_owned();
    for (confidence, cheap, strong) in requests(6000, 3) {
        let _ = writeln!(whole, "{confidence:.6},{cheap},{strong}");
    }
    let whole = route_report(&read(&whole, &RouteColumns::default()), &at(0.05)).unwrap();
    for (one, all) in told.prices.policies.iter().zip(&whole.prices.policies) {
        assert_eq!(one.policy, all.policy);
        assert!(
            (one.net.estimate - all.net.estimate).abs() < one.net.half_width + all.net.half_width,
            "{one:?} {all:?}"
        );
    }
    let policy = |name: &str| whole.prices.policies.iter().find(|one| one.policy == name).unwrap();
    // Half of the requests gain 0.5, and the others nothing: a look nets 0.225 more than a coin of that cost, and 0.025 more than always.
    let gain = policy("expected gain");
    assert!((gain.asked - 0.5).abs() < 0.1 && gain.over.low > 0.0, "{gain:?}");
    assert!(gain.quality.low > policy("a coin at that cost").quality.high);
    assert!((policy("threshold of confidence").net.estimate - gain.net.estimate).abs() < 0.02);
    // The expected gain is right within the radius.
    assert!(whole.prices.radius < 0.15 && whole.prices.bands.len() == 10, "{:?}", whole.prices.bands);
    assert!(whole.labels.first().unwrap().labels == 50 && whole.labels.last().unwrap().over.low > 0.0);
}

/// Undeclared, misstated and too uneven probabilities have no number; what is missing in the file is named.
#[test]
fn a_log_that_cannot_tell_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let log = |text: &str, columns: &RouteColumns| {
        let table: RouteTable = read_table(&written(&folder, "log.csv", text.as_bytes()), columns).unwrap();
        route_report(&table, &at(0.05)).unwrap()
    };
    let honest = cascade_log(3000, 4, |p| p);
    let undeclared = log(&honest, &RouteColumns::default());
    assert!(undeclared.verdict.contains("it is not declared that random draws"), "{}", undeclared.verdict);
    assert!(undeclared.labels.is_empty());
    let lying = log(&cascade_log(3000, 4, |p| 1.0 - p), &drawn());
    assert!(lying.verdict.contains("the probabilities are not how outcomes of"), "{}", lying.verdict);
    let mut rare = "asked,reward,p_ask\n".to_owned();
    for number in 0..2000 {
        let _ = writeln!(rare, "{},{},0.002", u8::from(number % 500 == 0), number % 2);
    }
    let rare = log(&rare, &drawn());
    assert!(rare.verdict.contains("no number: with probabilities so near to 0"), "{}", rare.verdict);
    let refused =
        |text: &str| read_table(&written(&folder, "bad.csv", text.as_bytes()), &drawn()).unwrap_err().to_string();
    let error = refused("asked,reward,p_ask\n1,1,1.5\n");
    assert!(error.contains("row 1: a probability is 1.5"), "{error}");
    let error = refused("asked,reward,p_ask\n1,,0.5\n");
    assert!(error.contains("row 1: its reward is missing, and no column p_seen"), "{error}");
    let error = refused("asked,reward,p_ask\n1,1,0\n");
    assert!(error.contains("row 1: an outcome is known that had probability 0"), "{error}");
    let error = refused("chosen,reward,cost\na,1,1\nb,1,2\n");
    assert!(error.contains("choices without their probabilities") && error.contains("p_a and so on"), "{error}");
    let error = refused("asked,reward\n1,1\n");
    assert!(error.contains("it has no column `p_ask`"), "{error}");
    let mixed = "reward_cheap,reward_strong,p_ask\n1,1,0.5\n,1,0.5\n";
    assert!(refused(mixed).contains("the outcome of `cheap` is known in 1 of 2 rows"), "{}", refused(mixed));
}

/// Two hundred logs of one kind: the interval of what always asking nets covers the truth.
#[test]
fn intervals_of_logged_choices_cover_the_truth() {
    let folder = tempfile::tempdir().unwrap();
    let (mut covered, mut told) = (0, 0);
    for seed in 0..200 {
        let path = written(&folder, "log.csv", cascade_log(600, 1000 + seed, |p| p).as_bytes());
        let table = read_table(&path, &drawn()).unwrap();
        let report = route_report(&table, &RouteSettings { orders: 2, ..at(0.05) }).unwrap();
        let always = report.prices.policies.iter().find(|one| one.policy.starts_with("always")).unwrap();
        if always.refused.is_none() {
            told += 1;
            covered += i32::from(always.net.low <= 0.85 && 0.85 <= always.net.high);
        }
    }
    assert!(told >= 190, "{told}");
    assert!(f64::from(covered) >= 0.93 * f64::from(told), "{covered} of {told}");
}

/// The records of other programs, as they are written.
#[test]
fn records_of_other_programs_are_read_as_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let read = |name: &str, text: &str, columns: &RouteColumns| {
        read_table(&written(&folder, name, text.as_bytes()), columns).unwrap()
    };
    let (mut pareto, mut ucci, mut llm) =
        (String::new(), String::new(), "prompt,mistralai/Mixtral-8x7B-Instruct-v0.1,gpt-4-1106-preview\n".to_owned());
    let (mut routed, mut asked) = (String::new(), String::new());
    for (number, (confidence, cheap, strong)) in requests(80, 9).into_iter().enumerate() {
        let _ = writeln!(
            pareto,
            r#"{{"prompt": "What is {number}?", "source": "gsm8k", "difficulty": "easy", "best_arm": "x", "arms": {{"meta-llama/llama-3.1-8b-instruct": {{"reward": {cheap}, "cost": 3e-05, "near_best": true}}, "google/gemini-2.5-pro": {{"reward": {strong}, "cost": 0.02, "near_best": false}}}}}}"#
        );
        let _ = writeln!(
            ucci,
            r#"{{"id": "q{number}", "u": {confidence}, "small_correct": {}, "large_correct": {}}}"#,
            cheap > 0.5,
            strong > 0.5
        );
        let word = |right: f64| if right > 0.5 { "True" } else { "False" };
        let _ = writeln!(llm, "\"Question, {number}\",{},{}", word(cheap), word(strong));
        let (chosen, reward) = if number % 2 == 0 { (0, cheap) } else { (1, strong) };
        let _ = writeln!(
            routed,
            r#"{{"step": {number}, "advisors": ["small", "large"], "rewards": [0.5, 0.6], "probabilities": [0.5, 0.5], "chosen": {chosen}, "reward": {reward}, "cost": {chosen}}}"#
        );
        let _ = writeln!(
            asked,
            r#"{{"step": {number}, "rewards": [0.5, 0.6], "probability": 0.5, "price": 0.05, "asked": {}, "reward": {reward}}}"#,
            chosen == 1
        );
    }
    let none = RouteColumns::default();
    let table = read("val.jsonl", &pareto, &none);
    assert_eq!(table.advisors, ["meta-llama/llama-3.1-8b-instruct", "google/gemini-2.5-pro"]);
    assert_eq!((table.groups.len(), table.has_text, table.rows[0].costs[1]), (1, true, Some(0.02)));
    let table = read("ucci.jsonl", &ucci, &none);
    assert_eq!(
        (&table.advisors[..], table.numbers[0].0.as_str()),
        (&["small".to_owned(), "large".to_owned()][..], "u")
    );
    assert_eq!(table.rows[0].costs, [Some(0.0), Some(1.0)]);
    let table = read("mmlu_x.csv", &llm, &none);
    assert_eq!(table.advisors, ["mistralai/Mixtral-8x7B-Instruct-v0.1", "gpt-4-1106-preview"]);
    assert!(table.has_text && table.basis == Basis::Observed && table.rows.len() == 80);
    // The records of this program's own controllers, with what was added to them.
    let table = read("router.jsonl", &routed, &none);
    assert_eq!((table.advisors.len(), table.basis, table.rows[1].chances[1]), (2, Basis::OffPolicy, 0.5));
    assert_eq!((table.rows[1].rewards[0], table.rows[1].rewards[1].is_some()), (None, true));
    let table = read("cascade.jsonl", &asked, &none);
    assert_eq!((table.rows[2].chances.clone(), table.rows[2].rewards[1]), (vec![0.5, 0.5], None));
    // Columns of other names, and answers that are compared with the truth.
    let renamed = RouteColumns { renamed: vec![("p_ask".into(), "propensity".into())], ..RouteColumns::default() };
    let mut answers = "answer_cheap,answer_strong,truth,propensity,p_seen\n".to_owned();
    (0..60).for_each(|number| answers.push_str(if number % 2 == 0 { "a,b,b,0.5,1\n" } else { "a,,a,0.5,1\n" }));
    let table = read("answers.csv", &answers, &renamed);
    assert_eq!((table.rows[0].rewards.clone(), table.rows[0].agreed), (vec![Some(0.0), Some(1.0)], Some(false)));
    assert_eq!((table.rows[1].rewards.clone(), table.rows[0].chances.clone()), (vec![Some(1.0), None], vec![1.0, 0.5]));
}
