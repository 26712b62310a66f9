//! The rules of the game that random play hardly ever shows.

use counsel_crafter::{Achievement, Act, Being, Direction, Item, State, Tool, rule};

/// Plays by the rule; says what was achieved and earned.
fn ruled(seed: u64, steps: u32) -> (State, f64) {
    let mut state = State::begin(seed, 1, steps);
    let mut total = 0.0;
    loop {
        let effect = state.step(rule(&state.observation()));
        total += effect.reward;
        if effect.terminated || effect.truncated {
            return (state, total);
        }
    }
}

#[test]
fn the_rule_achieves_much_in_200_steps() {
    let episodes: Vec<(State, f64)> = (0..20).map(|seed| ruled(seed, 200)).collect();
    let mean = episodes.iter().map(|(_, total)| total).sum::<f64>() / 20.0;
    assert!(mean > 10.0, "{mean}");
    let ever = |achievement| episodes.iter().any(|(state, _)| state.player().achievements.count(achievement) > 0);
    for achievement in
        [Achievement::MakeStonePickaxe, Achievement::PlaceFurnace, Achievement::WakeUp, Achievement::EatCow]
    {
        assert!(ever(achievement), "{achievement:?}");
    }
}

#[test]
fn an_achievement_pays_when_it_is_new_and_health_always_counts() {
    let mut state = State::begin(0, 1, 200);
    let mut repeated = 0;
    while state.end().is_none() {
        let (before, health) = (state.player().achievements, state.player().health());
        let reward = state.step(rule(&state.observation())).reward;
        let after = state.player().achievements;
        let new = if after.unlocked() > before.unlocked() { 1.0 } else { 0.0 };
        let change = (f64::from(state.player().health()) - f64::from(health)) / 10.0;
        assert_eq!(reward, change + new);
        repeated += usize::from(after != before && after.unlocked() == before.unlocked());
    }
    assert!(repeated > 0, "something was done twice");
}

#[test]
fn a_plant_begins_to_grow_in_the_tick_after_it_was_placed() {
    let mut state = State::begin(0, 1, 200);
    while state.player().achievements.count(Achievement::PlacePlant) == 0 {
        assert!(state.end().is_none(), "no plant was placed");
        state.step(rule(&state.observation()));
    }
    let age = |state: &State| {
        state.objects().iter().find_map(|object| match object.being {
            Being::Plant { grown } => Some(grown),
            _ => None,
        })
    };
    assert_eq!(age(&state), Some(0));
    state.step(Act::Noop);
    assert_ne!(age(&state), Some(0));
}

#[test]
fn tools_need_their_parts_and_a_table() {
    let mut state = State::begin(0, 1, 100);
    for tool in [Tool::WoodPickaxe, Tool::IronSword] {
        state.step(Act::Make(tool));
    }
    assert_eq!(state.player().achievements.unlocked(), 0);
    assert_eq!(state.player().inventory.count(Item::WoodPickaxe), 0);
}

#[test]
fn a_turn_towards_something_that_blocks_does_not_move() {
    let mut state = State::begin(0, 1, 1000);
    for direction in Direction::ALL {
        for _ in 0..80 {
            let (before, blocked) = (state.place(), !state.observation().beside(direction).is_free());
            state.step(Act::Move(direction));
            if blocked {
                assert_eq!((state.place(), state.player().facing), (before, direction));
                break;
            }
        }
    }
}
