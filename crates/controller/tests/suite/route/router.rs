//! The router's promises: the ledger, the probabilities, delay, checkpoints, and the paper's gate as its special case.

use counsel_controller::route::{
    BookSpec, Layout, Offer, Optimism, Request, Route, Router, RouterSpec, Shrinkage, Spending,
};
use counsel_controller::{
    Action, Budget, ContextKey, Execution, Gate, Parser, Radius, Reply, ResponseLaw, Seed, Settings,
};
use counsel_controller::{ValueBounds, ValueSamples};
use counsel_decision::gate::predictive::Predictive;
use counsel_decision::{AdviceModel, CandidateOnly, Engine, Evidence, Turn};
use proptest::prelude::*;
use rand::RngExt;

fn offers() -> [Offer; 3] {
    let offer = |name: &str, list_price: f64| Offer { name: name.into(), list_price, worst: 4.0 * list_price };
    [offer("small", 0.001), offer("middle", 0.01), offer("large", 0.1)]
}

fn spec(per_request: f64, requests: u64) -> RouterSpec {
    let layout = Layout { groups: 4, buckets: 16, ..Layout::default() };
    let book = BookSpec { layout, ..BookSpec::default() };
    RouterSpec { book, spending: Spending::Budget { per_request, requests }, ..RouterSpec::default() }
}

fn request(seed: Seed) -> Request {
    let mut rng = seed.rng();
    let words = vec![(rng.random_range(0..16u32), 1), (rng.random_range(0..16u32), 2)];
    Request { group: Some(rng.random_range(0..4)), words, ..Request::default() }
}

/// What an answer brings and costs: the large advisor is right, the others by group.
fn outcome(seed: Seed, request: &Request, advisor: usize) -> (f64, f64) {
    let mut rng = seed.stream("outcome").rng();
    let skill = [0.5 + 0.1 * request.group.unwrap_or(0) as f64, 0.8, 0.95][advisor];
    let factor = rng.random_range(0.5..2.0);
    (f64::from(u8::from(rng.random::<f64>() < skill)), offers()[advisor].list_price * factor)
}

fn is_sound(route: &Route) -> bool {
    let sum: f64 = route.probabilities.iter().sum();
    let only_allowed =
        route.probabilities.iter().zip(&route.allowed).all(|(p, allowed)| *p >= 0.0 && (*allowed || *p == 0.0));
    (sum - 1.0).abs() < 1e-12 && only_allowed && route.probabilities[route.chosen] > 0.0
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// With true reservations the period costs no more than its budget, however late costs come: all but the cheapest advisor,
    /// whose own answers may cost up to twice the list.
    #[test]
    fn the_budget_of_a_period_is_kept(seed in 0u64..1000, per_request in 0.0025f64..0.08, delay in 0usize..6, floor in 0.0f64..0.1) {
        let requests = 300;
        let mut router = Router::new(RouterSpec { floor, ..spec(per_request, requests) }, &offers(), Seed::root(seed)).unwrap();
        let mut open: Vec<(u64, f64, f64)> = Vec::new();
        let mut spent = 0.0;
        for number in 0..requests {
            let stream = Seed::root(seed).stream("request").index(number);
            let asked = request(stream);
            let route = router.decide(&asked).unwrap();
            prop_assert!(is_sound(&route));
            let (reward, cost) = outcome(stream, &asked, route.chosen);
            spent += cost;
            open.push((route.step, reward, cost));
            while open.len() > delay {
                // The last one in comes first: order does not matter.
                let (step, reward, cost) = open.pop().unwrap();
                router.settle(step, cost).unwrap();
                router.learn(step, Some(reward)).unwrap();
            }
        }
        prop_assert!(spent <= per_request * requests as f64, "{spent}");
    }
}

#[test]
fn a_saved_router_goes_on_the_same_way() {
    let mut router = Router::new(RouterSpec { floor: 0.01, ..spec(0.02, 400) }, &offers(), Seed::root(5)).unwrap();
    let play = |router: &mut Router, from: u64| -> Vec<Route> {
        let decide = |number| {
            let asked = request(Seed::root(9).index(number));
            let route = router.decide(&asked).unwrap();
            let (reward, cost) = outcome(Seed::root(9).index(number), &asked, route.chosen);
            router.settle(route.step, cost).unwrap();
            // Every fifth reward never comes, every seventh is left open.
            if number % 7 > 0 {
                router.learn(route.step, (number % 5 > 0).then_some(reward)).unwrap();
            }
            route
        };
        (from..from + 100).map(decide).collect()
    };
    play(&mut router, 0);
    let text = router.save().unwrap();
    let mut loaded = Router::load(&text).unwrap();
    assert_eq!(loaded, router);
    assert_eq!(play(&mut loaded, 100), play(&mut router, 100));
    let error = counsel_controller::route::Cascade::load(&text).unwrap_err().to_string();
    assert!(error.contains("it is a router of format 1, wanted is a cascade"), "{error}");
    assert!(Router::load("{").unwrap_err().to_string().contains("save it again"));
}

#[test]
fn a_decision_is_closed_once() {
    let mut router = Router::new(spec(0.02, 10), &offers(), Seed::root(5)).unwrap();
    let route = router.decide(&request(Seed::root(1))).unwrap();
    assert!(router.settle(route.step, -1.0).unwrap_err().to_string().contains("-1"));
    assert!(router.learn(route.step, Some(f64::NAN)).is_err(), "the decision stays open");
    router.settle(route.step, 0.001).unwrap();
    assert!(router.settle(route.step, 0.001).unwrap_err().to_string().contains("question 0 is not open"));
    router.learn(route.step, Some(1.0)).unwrap();
    assert!(router.learn(route.step, Some(1.0)).is_err());
    assert!(Router::new(spec(-1.0, 10), &offers(), Seed::root(5)).unwrap_err().to_string().contains("budget is -10"));
    assert!(Router::new(spec(1.0, 10), &[], Seed::root(5)).unwrap_err().to_string().contains("offers is 0"));
}

/// A large advisor that is worth its money in one group alone is asked there alone.
#[test]
fn money_goes_where_the_gain_is() {
    let layout = Layout { groups: 2, ..Layout::default() };
    let spec = RouterSpec { book: BookSpec { layout, ..BookSpec::default() }, ..spec(0.02, 1000) };
    let mut router = Router::new(spec, &[Offer::at("small", 0.001), Offer::at("large", 0.03)], Seed::root(2)).unwrap();
    let mut asked = [0, 0];
    for number in 0..1000usize {
        let group = number % 2;
        let route = router.decide(&Request::default().in_group(group)).unwrap();
        if number >= 500 {
            asked[group] += route.chosen;
        }
        router.settle(route.step, [0.001, 0.03][route.chosen]).unwrap();
        let reward = if group == 0 { [0.9, 0.9] } else { [0.3, 0.9] };
        router.learn(route.step, Some(reward[route.chosen])).unwrap();
    }
    assert!(asked[0] < 40 && asked[1] > 240, "{asked:?}");
}

/// One advisor beside a free answer of one's own: the router asks exactly where the paper's gate does, with the same numbers as
/// value samples, the advisor's answer as the predicted response, no radius, and the same price.
#[test]
fn a_single_advisor_is_the_papers_gate() {
    let price = 0.3;
    let layout = Layout { groups: 4, ..Layout::default() };
    let spec = RouterSpec {
        book: BookSpec { layout, shrinkage: Shrinkage::default(), ..BookSpec::default() },
        spending: Spending::Price(1.0),
        optimism: Optimism::Record(0.0),
        ..RouterSpec::default()
    };
    let mut router = Router::new(spec, &[Offer::at("own", 0.0), Offer::at("advisor", price)], Seed::root(4)).unwrap();
    for number in 0..400 {
        let seed = Seed::root(6).index(number);
        let advisor = usize::from(seed.rng().random::<f64>() < 0.5);
        let request = request(seed);
        let (reward, _) = outcome(seed, &request, 2 * advisor);
        router.teach(&request, advisor, reward, price).unwrap();
    }
    let settings =
        Settings::new(Gate::Predictive(Predictive::default()), Execution::Improving, Budget::calls(u64::MAX));
    let mut engine = Engine::new(&settings, Parser::numbered(2), Seed::root(0)).unwrap();
    let mut asked = 0;
    for number in 0..4 {
        let route = router.decide(&Request::default().in_group(number)).unwrap();
        let samples = ValueSamples::new(2, route.rewards.clone()).unwrap();
        let bounds = ValueBounds::new(vec![0.0; 2], vec![1.0; 2]).unwrap();
        let law = ResponseLaw::new(2, vec![0.0, 1.0, 0.0]).unwrap();
        let advice = AdviceModel::CandidateOnly(CandidateOnly::new(law, samples, bounds, Action(0)).unwrap());
        let evidence = Evidence::new(ContextKey(number as u64), advice, price).unwrap();
        let turn = engine.decide(evidence.with_radius(Radius::new(0.0).unwrap())).unwrap();
        let (asks, executed) = match turn {
            Turn::Act(act) => (false, act.action),
            Turn::Ask(ask) => (true, engine.resume(ask, Reply::simulated("a1")).action),
        };
        assert_eq!((asks, executed.index()), (route.chosen == 1, route.chosen), "group {number}");
        asked += route.chosen;
    }
    assert!((1..4).contains(&asked), "both cases occur: {asked}");
}

#[test]
fn numbers_past_all_sense_are_refused_and_teach_nothing() {
    let offers = [Offer::at("small", 0.001), Offer::at("large", 0.02)];
    let book = BookSpec { layout: Layout { numbers: 1, ..Layout::default() }, ..BookSpec::default() };
    let mut router = Router::new(RouterSpec { book, ..RouterSpec::default() }, &offers, Seed::root(1)).unwrap();
    let known = Request::default().with_numbers(&[0.5]);
    let step = router.decide(&known).unwrap().step;
    assert!(router.learn(step, Some(1e308)).unwrap_err().to_string().contains("up to 1e100"));
    assert!(router.settle(step, 1e308).unwrap_err().to_string().contains("from 0 to 1e100"));
    assert!(router.decide(&Request::default().with_numbers(&[1e308])).unwrap_err().to_string().contains("up to 1e100"));
    router.learn(step, Some(1.0)).unwrap();
    assert!(router.decide(&known).unwrap().rewards.iter().all(|reward| reward.is_finite()));
    Router::load(&router.save().unwrap()).unwrap();
}
