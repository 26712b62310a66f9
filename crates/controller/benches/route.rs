//! The cost of one routing decision and of one update, and the time of a million requests on one core: 512 buckets, three
//! advisors, 60 words a request. The promises are 20 and 200 microseconds, and five minutes.
//!
//! `cargo bench -p counsel-controller --bench route` prints medians, their ratio to the physical limit, and what the Python
//! prototype (numba) states. The limit of an update is one pass over the triangle of P, read and written; that of a decision is
//! one pass over the 2 × 3 × 60 weights. Then it routes a million requests one after the other, each from its words to its learned
//! reward. It fails if a promise is broken.

use std::hint::black_box;

use counsel_controller::Seed;
use counsel_controller::route::{BookSpec, Layout, Offer, Request, Router, RouterSpec, Spending};
use rand::RngExt;

const BUCKETS: usize = 512;
const WORDS: usize = 60;
const ROUNDS: usize = 3000;
const DECISION_LIMIT: f64 = 20.0;
const UPDATE_LIMIT: f64 = 200.0;
const ROWS: u64 = 1_000_000;
const ROWS_LIMIT: f64 = 300.0;
/// What the page of the prototype states for 512 buckets, in microseconds.
const PROTOTYPE_UPDATE: &str = "100 to 200";

fn request(number: u64) -> Request {
    let mut rng = Seed::root(7).index(number).rng();
    let words = (0..WORDS).map(|_| (rng.random_range(0..4096u32), rng.random_range(1..4u32))).collect();
    Request { words, ..Request::default() }
}

fn router() -> Router {
    let layout = Layout { buckets: BUCKETS, ..Layout::default() };
    let spec = RouterSpec {
        book: BookSpec { layout, ..BookSpec::default() },
        spending: Spending::Budget { per_request: 0.01, requests: 1_000_000 },
        ..RouterSpec::default()
    };
    let offers = [Offer::at("small", 0.001), Offer::at("middle", 0.01), Offer::at("large", 0.1)];
    Router::new(spec, &offers, Seed::root(1)).expect("valid settings")
}

#[expect(clippy::disallowed_types, reason = "a benchmark is about the clock")]
fn microseconds(call: impl FnOnce()) -> f64 {
    let start = std::time::Instant::now();
    call();
    start.elapsed().as_secs_f64() * 1e6
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// One pass over as many numbers, read and written.
fn pass(numbers: &mut [f64]) -> f64 {
    let share = black_box(1.000_000_1);
    let times = (0..200).map(|_| {
        microseconds(|| {
            numbers.iter_mut().for_each(|number| *number *= share);
            black_box(&mut *numbers);
        })
    });
    median(times.collect())
}

/// Routes a million requests and learns from each; says how many seconds it took, and how often each advisor answered. The requests
/// are made before; three thousand come back in turn.
fn million(requests: &[Request]) -> (f64, [u64; 3]) {
    let mut router = router();
    let mut answered = [0; 3];
    let taken = microseconds(|| {
        for (number, request) in (0..ROWS).zip(requests.iter().cycle()) {
            let route = router.decide(request).expect("a decision");
            answered[route.chosen] += 1;
            router.settle(route.step, [0.001, 0.01, 0.1][route.chosen]).expect("open");
            let reward = if (number + route.chosen as u64).is_multiple_of(3) { 0.2 } else { 0.9 };
            router.learn(route.step, Some(reward)).expect("open");
        }
    });
    (taken / 1e6, answered)
}

fn main() {
    let requests: Vec<Request> = (0..ROUNDS as u64).map(request).collect();
    let mut router = router();
    let (mut decisions, mut updates) = (Vec::new(), Vec::new());
    for (number, request) in requests.iter().enumerate() {
        let mut step = 0;
        decisions.push(microseconds(|| {
            let route = black_box(&mut router).decide(black_box(request)).expect("a decision");
            step = route.step;
        }));
        router.settle(step, 0.005).expect("open");
        let reward = if number % 3 == 0 { 0.2 } else { 0.9 };
        updates.push(microseconds(|| {
            black_box(&mut router).learn(step, Some(reward)).expect("open");
        }));
    }
    let (decision, update) = (median(decisions), median(updates));
    let mut triangle = vec![1.0; (BUCKETS + 1) * (BUCKETS + 2) / 2];
    let mut weights = vec![1.0; 2 * 3 * WORDS];
    let (update_floor, decision_floor) = (pass(&mut triangle), pass(&mut weights));
    println!(
        "decision {decision:.1} us (limit {DECISION_LIMIT}), {:.0} times a pass over its weights",
        decision / decision_floor.max(0.01)
    );
    println!(
        "update {update:.1} us (limit {UPDATE_LIMIT}), {:.1} times a pass over P; the prototype states {PROTOTYPE_UPDATE}",
        update / update_floor
    );
    let (seconds, answered) = million(&requests);
    println!("{ROWS} rows took {seconds:.0} s on one core (limit {ROWS_LIMIT}); the advisors answered {answered:?}");
    assert!(seconds <= ROWS_LIMIT, "{ROWS} rows took {seconds:.0} s");
    assert!(decision <= DECISION_LIMIT, "a decision takes {decision:.1} us");
    assert!(update <= UPDATE_LIMIT, "an update takes {update:.1} us");
}
