//! The recommended controller in thirty lines: an agent that walks at random through a corridor, and an advisor who knows the way.
//!
//! `cargo run -p counsel-controller --example corridor`

use counsel_controller::{Action, Budget, Controller, Error, Outcome, Reply, Situation, Turn};

fn main() -> Result<(), Error> {
    let mut controller = Controller::recommended(0.01, Budget::calls(500), &["back", "ahead", "wait"])?;
    let (mut chance, mut gained) = (7_u64, 0.0);
    for episode in 1..=40 {
        controller.begin_episode()?;
        let mut cell = 0_i64;
        for step in 1..=12 {
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let proposal = Action::new((chance >> 33) as usize % 3);
            let act = match controller.decide(Situation::of([cell]).proposing(proposal))? {
                Turn::Act(act) => act,
                Turn::Ask(ask) => controller.resume(ask, Reply::live("ahead"))?, // ask your model here
            };
            cell = (cell + [-1, 1, 0][act.action.index()]).max(0);
            let out = cell == 6;
            gained += f64::from(u8::from(out));
            controller.outcome(Outcome::reward(f64::from(u8::from(out))).terminated(out).truncated(step == 12))?;
            if out {
                break;
            }
        }
        if episode % 10 == 0 {
            println!("{gained} of {episode} episodes reached the end, {} calls", controller.engine().calls_made());
        }
    }
    println!("{}", controller.diagnose());
    Ok(())
}
