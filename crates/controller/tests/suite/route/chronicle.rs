//! What somebody wrote down of a cascade and of a router is decided again, and what was altered is found.

use std::collections::BTreeSet;

use counsel_controller::Seed;
use counsel_controller::route::{
    BookSpec, Cascade, CascadeSpec, Chronicled, Happening, Heard, Layout, Offer, Request, Retelling, Router,
    RouterSpec, Spending,
};
use rand::RngExt;

const LAYOUT: Layout = Layout { groups: 2, numbers: 1, knots: 4, buckets: 16 };

fn request(number: u64) -> Request {
    let text = ["How much is it?", "Name a city.", "Prove it."][(number % 3) as usize];
    Request::text(text).in_group((number % 2) as usize).with_numbers(&[(number % 7) as f64 / 7.0])
}

/// A stream whose feedback is late, missing and corrected.
fn of_cascade() -> Vec<String> {
    let standard = CascadeSpec::recommended();
    let book = BookSpec { layout: LAYOUT, ..standard.book };
    let declared = (CascadeSpec { book, one_right: true, budget: Some(60), ..standard }, Seed::root(3));
    let mut lines = vec![Cascade::heading(&declared).unwrap()];
    let (mut cascade, mut rng) = (Cascade::fresh(declared).unwrap(), Seed::root(4).rng());
    let mut write = |happening: Happening| lines.push(serde_json::to_string(&happening).unwrap());
    let mut asked = BTreeSet::new();
    for number in 0..400 {
        let decision = cascade.decide(&request(number), 0.05).unwrap();
        write(Happening::decided(request(number), Some(0.05), &decision));
        asked.extend(decision.asked.then_some(number));
        if number % 3 != 0 {
            continue;
        }
        let mut last = None;
        for step in number.saturating_sub(2)..=number {
            let right = rng.random::<f64>() < if asked.contains(&step) { 0.95 } else { 0.3 };
            let reward = (step % 37 != 0).then_some(f64::from(u8::from(right)));
            let agreed = (step % 5 == 0 && reward.is_some()).then_some(step % 2 == 0);
            last = cascade.learn(step, reward.map(|reward| Heard { reward, agreed })).unwrap();
            write(Happening::Heard { step, reward, agreed });
        }
        if let Some(lesson) = last.filter(|_| number % 9 == 0) {
            cascade.correct(lesson, 1.0).unwrap();
            write(Happening::Corrected { step: number, reward: 1.0 });
        }
    }
    assert_eq!(cascade.calls(), 60);
    lines
}

fn of_router() -> Vec<String> {
    let book = BookSpec { layout: LAYOUT, ..BookSpec::default() };
    let spec =
        RouterSpec { book, spending: Spending::Budget { per_request: 0.01, requests: 100 }, ..RouterSpec::default() };
    let declared = (spec, vec![Offer::at("small", 0.001), Offer::at("large", 0.02)], Seed::root(5));
    let mut lines = vec![Router::heading(&declared).unwrap()];
    let mut router = Router::fresh(declared).unwrap();
    let mut write = |happening: Happening| lines.push(serde_json::to_string(&happening).unwrap());
    router.teach(&request(1), 1, 0.9, 0.02).unwrap();
    write(Happening::Taught { request: request(1), advisor: 1, reward: 0.9, cost: 0.02 });
    for number in 0..120 {
        if number == 100 {
            router.begin_period(0.005, 20).unwrap();
            write(Happening::Period { per_request: 0.005, requests: 20 });
        }
        let route = router.decide(&request(number)).unwrap();
        write(Happening::decided(request(number), None, &route));
        let cost = [0.001, 0.018][route.chosen];
        router.settle(number, cost).unwrap();
        write(Happening::Settled { step: number, cost });
        let reward = (number % 10 != 0).then_some([0.4, 0.95][route.chosen]);
        let lesson = router.learn(number, reward).unwrap();
        write(Happening::Heard { step: number, reward, agreed: None });
        if let Some(lesson) = lesson.filter(|_| number % 8 == 0) {
            router.correct(lesson, 0.1).unwrap();
            write(Happening::Corrected { step: number, reward: 0.1 });
        }
    }
    lines
}

fn told(lines: &[String]) -> (usize, Vec<String>) {
    let mut retelling = Retelling::begin(&lines[0]).unwrap();
    lines[1..].iter().for_each(|line| retelling.hear(line).unwrap());
    retelling.found()
}

#[test]
fn every_decision_comes_out_again() {
    assert_eq!(told(&of_cascade()), (400, vec![]));
    assert_eq!(told(&of_router()), (120, vec![]));
}

#[test]
fn a_score_a_cost_or_a_decision_that_was_altered_is_found() {
    let alter = |lines: &[String], kind: &str, from: &str, to: &str| {
        let mut lines = lines.to_vec();
        let line = lines.iter_mut().find(|line| line.contains(kind) && line.contains(from)).unwrap();
        *line = line.replace(from, to);
        told(&lines).1
    };
    let (cascade, router) = (of_cascade(), of_router());
    assert!(alter(&cascade, "\"heard\"", "\"reward\":1.0", "\"reward\":0.0").len() > 100);
    assert!(alter(&cascade, "\"corrected\"", "\"reward\":1.0", "\"reward\":0.0").len() > 10);
    let found = alter(&cascade, "\"decided\"", "\"asked\":true", "\"asked\":false");
    assert!(found.len() == 1 && found[0].contains("asked is written as false, computed again as true"), "{found:?}");
    assert!(alter(&router, "\"settled\"", "\"cost\":0.001", "\"cost\":0.002").len() > 50);
    assert!(alter(&router, "\"taught\"", "\"reward\":0.9", "\"reward\":0.8").len() > 50);
    assert!(alter(&router, "\"period\"", "\"requests\":20", "\"requests\":21").len() > 5);
}

#[test]
fn what_cannot_be_decided_again_names_its_line() {
    let wrong = |lines: &[&str]| -> String {
        let mut retelling = match Retelling::begin(lines[0]) {
            Ok(retelling) => retelling,
            Err(error) => return error.to_string(),
        };
        let told = lines[1..].iter().try_for_each(|line| retelling.hear(line));
        told.unwrap_err().to_string()
    };
    let first = &of_cascade()[0];
    assert!(wrong(&["{"]).starts_with("line 1 of the chronicle cannot be decided again"));
    assert!(
        wrong(&[&first.replace("\"format\":1", "\"format\":7")])
            .contains("it has the format 7, and this program reads 1")
    );
    assert!(wrong(&[&first.replace("cascade", "waterfall")]).contains("it is one of a waterfall"));
    assert!(wrong(&[first, r#"{"what":"settled","step":0,"cost":1.0}"#]).contains("line 2 of the chronicle"));
    assert!(wrong(&[first, r#"{"what":"settled","step":0,"cost":1.0}"#]).contains("a cascade is never told this"));
    assert!(wrong(&[first, r#"{"what":"heard","step":0,"reward":1.0}"#]).contains("question 0 is not open here"));
    assert!(wrong(&[first, "what?"]).contains("line 2"));
}
