//! A cascade with a bounded loss. Run it with `cargo run -p counsel-controller --example cascade`.
//!
//! A cheap model has answered; a strong one costs 0.05. The strong one is good for 1,000 requests, then useless.

use counsel_controller::route::{Cascade, CascadeSpec, Heard, Request};
use counsel_controller::{Error, Seed};
use rand::RngExt;

fn main() -> Result<(), Error> {
    let spec = CascadeSpec::default();
    let mut cascade = Cascade::new(spec, Seed::root(1))?;
    let mut rng = Seed::root(2).rng();
    let (mut net, mut never, mut asked) = (0.0, 0.0, [0, 0]);
    for number in 0..2000 {
        let skills = [0.6, if number < 1000 { 0.9 } else { 0.1 }];
        let rewards = skills.map(|skill| if rng.random::<f64>() < skill { 1.0 } else { 0.0 });
        let consultation = cascade.decide(&Request::default(), 0.05)?;
        let reward = rewards[usize::from(consultation.asked)];
        cascade.learn(consultation.step, Some(Heard::reward(reward)))?;
        asked[usize::from(number >= 1000)] += u32::from(consultation.asked);
        net += if consultation.asked { reward - 0.05 } else { reward };
        never += rewards[0];
    }
    println!("asked {} times while it was good, {} times after", asked[0], asked[1]);
    println!("net {net:.0}, never asking {never:.0}; it can lose {:.0} at most, as booked", spec.loss_bound(2000));
    Ok(())
}
