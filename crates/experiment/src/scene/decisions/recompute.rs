//! The routes of a cell again, model state included: what is given in its rows goes into a fresh policy.

use counsel_controller::route::Request;
use counsel_log::{Decision, Manifest, Routed};

use super::Decisions;
use super::drive::{Feedback, drive};
use super::player::{Asked, Player};
use crate::replay::seed_of;

/// Computes every route of a cell again from its rows: requests, feedback and the time at which it was learned are taken as given.
/// What was taught before the first row is read from the program's own table, as the specification says.
pub fn recompute_routes(manifest: &Manifest, decisions: &[Decision]) -> Result<Vec<Routed>, String> {
    let mut spec = manifest.spec.clone();
    spec.as_object_mut().and_then(|spec| spec.remove("scenario"));
    let settings: Decisions =
        serde_json::from_value(spec).map_err(|error| format!("its specification cannot be read: {error}"))?;
    let routes: Vec<&Routed> = decisions.iter().filter_map(|decision| decision.route.as_deref()).collect();
    if routes.len() != decisions.len() {
        return Err("some of its decisions are routed and others are not".into());
    }
    let seed = seed_of(&manifest.key);
    if manifest.engine_seed != seed.stream("engine") {
        return Err("its engine_seed is not that of its cell".into());
    }
    let deck = settings.deck(manifest.key.seed, seed).map_err(|error| error.to_string())?;
    let mut player = Player::new(&deck, seed).map_err(|error| error.to_string())?;
    let asked: Vec<Asked> = routes.iter().map(|route| asked(route)).collect();
    let again = drive(&mut player, &asked, |step, _, _, _| {
        let given = routes.get(usize::try_from(step).unwrap_or(usize::MAX));
        let (cost, learned, learned_at) =
            given.map_or((0.0, None, None), |route| (route.cost, route.learned, route.learned_at));
        Feedback { cost, learned, learned_at }
    });
    let again = again.map_err(|error| format!("its routes cannot be computed again: {error}"))?;
    let given = |(again, logged): (Routed, &&Routed)| Routed {
        rewards: again.rewards,
        costs: again.costs,
        hopes: again.hopes,
        experts: again.experts,
        money: again.money,
        allowed: again.allowed,
        probabilities: again.probabilities,
        account: again.account,
        uniform: again.uniform,
        chosen: again.chosen,
        asked: again.asked,
        ..(*logged).clone()
    };
    Ok(again.into_iter().zip(&routes).map(given).collect())
}

fn asked(route: &Routed) -> Asked {
    let small = |number: i64| u32::try_from(number).unwrap_or(u32::MAX);
    let words = route.words.chunks_exact(2).map(|pair| (small(pair[0]), small(pair[1]))).collect();
    let group = route.group.and_then(|group| usize::try_from(group).ok());
    Asked {
        request: Request { group, numbers: route.numbers.clone(), words },
        counted: route.counted,
        rewards: route.advisor_rewards.clone(),
        costs: route.advisor_costs.clone(),
        answers: route.answers.clone(),
    }
}
