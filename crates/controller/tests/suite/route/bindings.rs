//! The streams of the two examples with every decision, as a fixture of the Python package: the binding must decide the same.

use counsel_controller::Seed;
use counsel_controller::route::{
    BookSpec, Cascade, CascadeSpec, Heard, Layout, Offer, Request, Router, RouterSpec, Spending,
};
use rand::RngExt;
use serde_json::{Value, json};

const FIXTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../python/tests/route_trace.json");

/// The stream of `examples/cascade.rs`, with what Python begins with: what both answers bring, and who was asked.
fn cascade() -> Value {
    let mut cascade = Cascade::new(CascadeSpec::recommended(), Seed::root(1)).unwrap();
    let mut rng = Seed::root(2).rng();
    let (mut cheap, mut strong, mut asked, mut gains, mut probabilities) =
        (String::new(), String::new(), String::new(), 0.0, 0.0);
    for number in 0..2000 {
        let skills = [0.6, if number < 1000 { 0.9 } else { 0.1 }];
        let right = skills.map(|skill| rng.random::<f64>() < skill);
        let consultation = cascade.decide(&Request::default(), 0.05).unwrap();
        let reward = f64::from(u8::from(right[usize::from(consultation.asked)]));
        cascade.learn(consultation.step, Some(Heard::reward(reward))).unwrap();
        for (text, bit) in [(&mut cheap, right[0]), (&mut strong, right[1]), (&mut asked, consultation.asked)] {
            text.push(if bit { '1' } else { '0' });
        }
        gains += consultation.rewards[1] - consultation.rewards[0];
        probabilities += consultation.probability;
    }
    assert!(asked[..1000].matches('1').count() > 700 && asked[1500..].matches('1').count() < 20, "{asked}");
    json!({ "cheap": cheap, "strong": strong, "asked": asked, "gains": gains, "probabilities": probabilities, "bank": cascade.bank() })
}

/// The stream of `examples/router.rs`: who answered.
fn router() -> Value {
    let offers = [Offer::at("small", 0.001), Offer::at("large", 0.02)];
    let book = BookSpec { layout: Layout { buckets: 512, ..Layout::default() }, ..BookSpec::default() };
    let spending = Spending::Budget { per_request: 0.012, requests: 400 };
    let spec = RouterSpec { book, spending, ..RouterSpec::default() };
    let mut router = Router::new(spec, &offers, Seed::root(1)).unwrap();
    let (mut chosen, mut rewards) = (String::new(), 0.0);
    for number in 0..400 {
        let is_sum = number % 2 == 0;
        let text = if is_sum { format!("How much is {number} + {}?", number + 7) } else { "Name a city.".into() };
        let route = router.decide(&Request::text(&text)).unwrap();
        let reward = if is_sum && route.chosen == 0 { 0.2 } else { 0.95 };
        router.settle(route.step, offers[route.chosen].list_price).unwrap();
        router.learn(route.step, Some(reward)).unwrap();
        chosen.push(if route.chosen == 0 { 's' } else { 'l' });
        rewards += route.rewards[0] + route.rewards[1];
    }
    json!({ "chosen": chosen, "rewards": rewards, "spent": router.ledger().unwrap().spent() })
}

#[test]
fn the_streams_of_the_examples_are_those_that_python_decides_again() {
    let trace = format!("{}\n", json!({ "cascade": cascade(), "router": router() }));
    if std::env::var_os("UPDATE_FIXTURES").is_some() {
        std::fs::write(FIXTURE, &trace).unwrap();
    }
    let committed = std::fs::read_to_string(FIXTURE).unwrap_or_default();
    assert!(committed == trace, "run UPDATE_FIXTURES=1 cargo test -p counsel-controller --test suite bindings");
}
