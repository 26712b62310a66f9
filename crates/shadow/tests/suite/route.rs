//! A table of outcomes of one's own: read in three forms, weighed, and told on one page.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use counsel_controller::Seed;
use counsel_controller::route::{Request, Router};
use counsel_shadow::{Advisor, RouteColumns, RouteSettings, policy_text, read_table, route_report, stream, weigh};
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
    assert_eq!(told.tables.len(), 4);
    // A cascade at the prices that are named: the strong model nets 0.25 more, and nothing at a price of one.
    let priced = RouteSettings { prices: vec![0.05, 1.0], ..settings() };
    let [cheap, dear] = &stream(&table, &priced).unwrap()[..] else { panic!("two prices") };
    assert!(cheap.net.low > cheap.fixed[0] && cheap.asked > 0.3, "{cheap:?}");
    assert!(dear.asked < 0.05 && dear.worst_loss <= dear.bound, "{dear:?}");
    let text = policy_text(&table, &settings(), 0.0055, 1000).unwrap();
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
    let mut text = "confidence,r_small,c_small,r_xl,c_xl\n".to_owned();
    for (group, small, large) in outcomes() {
        let _ = writeln!(text, "{},{small},0.001,{large},0.01", if group == "hard" { 0.2 } else { 0.9 });
    }
    let path = written(&folder, "confidence.csv", text.as_bytes());
    let router = |columns: &RouteColumns| {
        let table = read_table(&path, columns).unwrap();
        weigh(&table, &settings()).unwrap().pop().unwrap().reward
    };
    let (blind, knowing) = (
        router(&RouteColumns::default()),
        router(&RouteColumns { numbers: vec!["confidence".into()], ..RouteColumns::default() }),
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
