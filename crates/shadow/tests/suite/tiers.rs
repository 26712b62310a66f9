//! What the tables say of a log: at which price, by which answers, under which name, and what is refused.

use std::fmt::Write;

use counsel_report::{Columns, Format, Table, View, render};
use counsel_shadow::{Error, ShadowReport, ShadowSettings, report};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::log_of;

/// Somebody who asks half of the time at a price of 0.05, in ninety episodes of one step. Going is worth 0.9 and staying 0.5 by their
/// values; `go` is expected with probability 0.9 and comes with 0.5.
fn optimist(prices: &[f64]) -> ShadowReport {
    let mut dice = ChaCha8Rng::seed_from_u64(3);
    let mut text = String::from(
        r#"{"format":"counsel-shadow/1","words":["stay","go"],"return_range":[0,1],"answers_act_only":true,"predictor_frozen":true}"#,
    );
    for episode in 0..90 {
        let (asked, go) = (dice.random_bool(0.5), dice.random_bool(0.5));
        let word = if go && asked { "go" } else { "stay" };
        let answer = if asked { format!(r#","answer":"{word}""#) } else { String::new() };
        write!(
            text,
            "\n{{\"episode\":{episode},\"step\":0,\"base\":\"stay\",\"asked\":{asked}{answer},\"executed\":\"{word}\",\"reward\":0.5,\"price\":0.05,\"end\":true,\"values\":[0.5,0.9],\"law\":[0.1,0.9,0]}}"
        )
        .unwrap();
    }
    report(&log_of(&text), &ShadowSettings { prices: prices.to_vec(), alpha: 0.5, ..ShadowSettings::default() })
        .unwrap()
}

fn table<'a>(told: &'a ShadowReport, id: &str) -> &'a Table {
    told.tables.iter().find(|table| table.id == id).unwrap()
}

/// The numbers of a row, in the order of the columns.
fn numbers(table: &Table, name: &str) -> Vec<f64> {
    let csv = render(std::slice::from_ref(table), Format::Csv);
    let row = csv.lines().find_map(|line| line.strip_prefix(&format!("{name},"))).unwrap();
    row.split(',').filter(|field| !field.is_empty()).map(|field| field.parse().unwrap()).collect()
}

#[test]
fn the_logs_own_calls_cost_what_the_log_paid() {
    let [calls, answered, _, _, price, _] = numbers(table(&optimist(&[]), "modelled"), "the log")[..] else { panic!() };
    assert!(calls > 0.0 && calls == answered && (price - 0.05 * calls).abs() < 1e-9, "{price} for {calls} calls");
    for prices in [[0.2, 0.01], [0.01, 0.2]] {
        let told = optimist(&prices);
        assert_eq!(numbers(table(&told, "modelled"), "the log")[4], price, "{prices:?}");
    }
}

#[test]
fn the_gate_is_scored_by_the_answers_that_came_and_not_by_what_it_chose_them_for() {
    let told = optimist(&[0.3]);
    let [calls, answered, expected, worth, price, net] = numbers(table(&told, "modelled"), "gate at price 0.3")[..]
    else {
        panic!()
    };
    // It expects 0.36 of every call and gets 0.4 from every second one.
    assert!(calls > answered && answered > 10.0, "{calls} {answered}");
    assert!((expected - 0.36 * answered).abs() < 1e-6, "{expected}");
    assert!(worth < 0.3 * answered && (net - (worth - price)).abs() < 1e-9, "{worth}");
    assert!(net < 0.0, "what it pays for and does not get is a loss: {net}");
    let is_circular = |told: &ShadowReport| {
        table(told, "modelled").notes.iter().any(|note| note.contains("its net cannot be negative"))
    };
    assert!(!is_circular(&told));
    // The answer of a cascade is always as expected.
    assert!(is_circular(&report(&log_of(&cascade(true)), &ShadowSettings::default()).unwrap()));
}

#[test]
fn counts_in_hindsight_and_the_radius_are_named_for_what_they_are() {
    let told = optimist(&[]);
    let exact = table(&told, "exact");
    assert!(exact.columns().iter().any(|column| column.name == "left out, in hindsight"));
    assert!(exact.notes.iter().any(|note| note.contains("no policy's saving")), "{:?}", exact.notes);
    let about = table(&told, "log");
    assert!(about.notes.iter().any(|note| note.contains("no outcome enters it")), "{:?}", about.notes);
}

/// A cascade: the label of a cheap model, its probabilities, and the label of a strong model that is right nine times in ten.
fn cascade(as_choice: bool) -> String {
    let mut dice = ChaCha8Rng::seed_from_u64(5);
    let words = if as_choice { r#"["cheap","strong"]"# } else { r#"["a","b","c"]"# };
    let mut text = format!(
        r#"{{"format":"counsel-shadow/1","words":{words},"return_range":[0,1],"predictor_frozen":true,"p_ask_drawn":true}}"#
    );
    for episode in 0..600 {
        let (sure, label) = (0.4 + 0.5 * dice.random::<f64>(), dice.random_range(0..3));
        let (cheap_right, strong_right) = (dice.random_bool(sure), dice.random_bool(0.9));
        let of = |right: bool, other: usize| if right { label } else { (label + other) % 3 };
        let (cheap, strong) = (of(cheap_right, 1), of(strong_right, 2));
        let asked = dice.random_bool(0.5);
        let mut values = [(1.0 - sure) / 2.0; 3];
        values[cheap] = sure;
        let right = if asked { strong_right } else { cheap_right };
        let (base, answer, executed, values, law) = if as_choice {
            (0, 1, usize::from(asked), format!("[{sure},0.9]"), "[0,1,0]".to_owned())
        } else {
            let executed = if asked { strong } else { cheap };
            (cheap, strong, executed, format!("{values:?}"), format!("[{},{},{},0]", values[0], values[1], values[2]))
        };
        let answer = if asked { format!(",\"answer\":{answer}") } else { String::new() };
        write!(
            text,
            "\n{{\"episode\":{episode},\"step\":0,\"base\":{base},\"asked\":{asked}{answer},\"executed\":{executed},\"reward\":{},\"price\":0.05,\"end\":true,\"values\":{values},\"law\":{law}}}",
            u8::from(right)
        )
        .unwrap();
    }
    text
}

#[test]
fn the_natural_log_of_a_cascade_is_refused_with_the_way_to_write_it() {
    let error = report(&log_of(&cascade(false)), &ShadowSettings::default()).unwrap_err();
    let said = error.to_string();
    assert!(matches!(error, Error::Asked { .. }));
    for words in
        ["in 600 of 600 rows", r#"words = ["cheap","strong"]"#, "values = [p_cheap, p_strong]", "law = [0,1,0]"]
    {
        assert!(said.contains(words), "{words}: {said}");
    }
    // Written so, the calls are worth what they brought.
    let told = report(&log_of(&cascade(true)), &ShadowSettings::default()).unwrap();
    let [.., net] = numbers(table(&told, "modelled"), "the log")[..] else { panic!() };
    assert!(net > 0.0, "{net}");
}

/// An agent whose own action is always best and that ignores every answer pays for nothing, and the gate may say so.
#[test]
fn answers_that_are_never_followed_are_no_cascade() {
    let mut text = String::from(r#"{"format":"counsel-shadow/1","words":["a","b"],"predictor_frozen":true}"#);
    for episode in 0..60 {
        write!(text, "\n{{\"episode\":{episode},\"step\":0,\"base\":\"a\",\"asked\":true,\"answer\":\"b\",\"executed\":\"a\",\"reward\":1,\"price\":0.1,\"end\":true,\"values\":[0.9,0.1]}}").unwrap();
    }
    let told = report(&log_of(&text), &ShadowSettings::default()).unwrap();
    assert_eq!(numbers(table(&told, "modelled"), "gate")[0], 0.0);
}

#[test]
fn a_refusal_is_told_whole_at_eighty_columns_and_a_table_without_rows_has_no_head() {
    let text = cascade(true).replace("\"law\"", "\"p_ask\":0.2,\"law\"");
    let told = report(&log_of(&text), &ShadowSettings::default()).unwrap();
    let view = View { width: 80, columns: Columns::Fitting, ..View::whole(Format::Text) };
    let said = view.render(&told.tables).unwrap();
    let prose = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(prose.contains("never ask: no number: p_ask is not how the log asked: where"), "{said}");
    assert!(!said.contains('…'), "{said}");
    // The log does not declare answers_act_only.
    assert!(prose.contains("Tier 1, exact") && !prose.contains("episodes followed to the end"), "{said}");
    let markdown = render(&told.tables, Format::Markdown);
    assert!(!markdown.contains("episodes followed to the end"), "{markdown}");
}
