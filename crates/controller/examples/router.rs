//! Routes requests between two models with a hard budget. Run it with `cargo run -p counsel-controller --example router`.
//!
//! The models are stand-ins: the small one fails at sums. Only the executed answer's reward is learned.

use counsel_controller::route::{BookSpec, Layout, Offer, Request, Router, RouterSpec, Spending};
use counsel_controller::{Error, Seed};

fn main() -> Result<(), Error> {
    let offers = [Offer::at("small", 0.001), Offer::at("large", 0.02)];
    let book = BookSpec { layout: Layout { buckets: 512, ..Layout::default() }, ..BookSpec::default() };
    let spending = Spending::Budget { per_request: 0.012, requests: 400 };
    let mut router = Router::new(RouterSpec { book, spending, ..RouterSpec::default() }, &offers, Seed::root(1))?;
    let (mut right, mut sums_to_large, mut names_to_large) = (0.0, 0, 0);
    for number in 0..400 {
        let is_sum = number % 2 == 0;
        let text = if is_sum { format!("How much is {number} + {}?", number + 7) } else { "Name a city.".into() };
        let route = router.decide(&Request::text(&text))?;
        let reward = if is_sum && route.chosen == 0 { 0.2 } else { 0.95 };
        router.settle(route.step, offers[route.chosen].list_price)?;
        router.learn(route.step, Some(reward))?;
        right += reward;
        *(if is_sum { &mut sums_to_large } else { &mut names_to_large }) += route.chosen;
    }
    let spent = router.ledger().map_or(0.0, counsel_controller::route::Ledger::spent);
    println!("mean reward {:.3}, spent {spent:.2} of {:.2}", right / 400.0, 0.012 * 400.0);
    println!("the large model answered {sums_to_large} of 200 sums and {names_to_large} of 200 others");
    Ok(())
}
