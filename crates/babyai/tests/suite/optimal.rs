//! Optimal actions are those that an independent search in the original found, and lead to success without detours.

use std::collections::BTreeMap;
use std::path::Path;

use counsel_babyai::random::Generator;
use counsel_babyai::{Act, Error, Layout, Next, Planner, World, levels};
use counsel_world::Environment;

/// Per level, 4 hexadecimal digits per seed: the distance, and the optimal actions as bits.
fn found_in_the_original() -> BTreeMap<String, String> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/babyai/optimum.json");
    serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
}

#[test]
fn distances_and_actions_are_those_found_in_the_original() {
    let table = found_in_the_original();
    assert_eq!(table.len(), 5);
    for (level, text) in table {
        assert_eq!(text.len(), 4000, "{level}");
        let mut world = World::new(&format!("BabyAI-{level}-v0")).unwrap();
        for seed in 0..1000 {
            world.reset(Some(seed));
            let optimum = world.state().optimum().unwrap().unwrap();
            let at = 4 * usize::try_from(seed).unwrap();
            let ours = format!("{:02x}{:02x}", optimum.distance, optimum.acts.bits());
            assert_eq!(ours, text[at..at + 4], "{level} seed {seed}: {}", world.mission());
        }
    }
}

/// Whatever is done: an optimal action takes exactly one step off the distance, and any other none.
#[test]
fn distances_fall_by_one_with_optimal_actions_only() {
    let mut planner = Planner::with_cap(20_000);
    let mut asked = BTreeMap::<&str, u32>::new();
    for level in levels() {
        for seed in 0..4 {
            let mut world = World::new(level.id).unwrap();
            world.reset(Some(seed));
            let mut random = Generator::new(seed);
            for _ in 0..12 {
                let here = world.snapshot();
                let optimum = match planner.optimum(&here) {
                    Ok(Some(optimum)) => optimum,
                    Ok(None) | Err(Error::UnsupportedMission { .. } | Error::TooManyStates { .. }) => break,
                    Err(error) => panic!("{} seed {seed}: {error}", level.id),
                };
                *asked.entry(level.id).or_default() += 1;
                for act in Act::ALL {
                    world.restore(&here);
                    let effect = world.step(act);
                    let left = match effect {
                        effect if effect.reward > 0.0 => Some(0),
                        effect if effect.terminated => None,
                        _ => match planner.optimum(world.state()) {
                            Err(Error::TooManyStates { .. }) => continue,
                            answer => answer.unwrap().map(|optimum| optimum.distance),
                        },
                    };
                    let what = format!("{} seed {seed} {act:?} {optimum:?} {left:?}", level.id);
                    if optimum.acts.contains(act) {
                        assert_eq!(left, Some(optimum.distance - 1), "{what}");
                    } else {
                        assert!(left.is_none_or(|left| left >= optimum.distance), "{what}");
                    }
                }
                world.restore(&here);
                if world.step(random.element(&Act::ALL)).terminated {
                    break;
                }
            }
        }
    }
    assert!(asked.len() > 50, "{asked:?}");
}

/// The distances of all states of a layout, by looking at its table again and again.
fn distances(layout: &Layout) -> Vec<Option<u32>> {
    let mut distances = vec![None; layout.states()];
    loop {
        let mut changed = false;
        for state in (0..layout.states()).rev() {
            let least = Act::ALL.iter().filter_map(|&act| match layout.next(state, act) {
                Some(Next::Succeeds) => Some(1),
                Some(Next::State(next)) => distances[next].map(|distance: u32| distance + 1),
                _ => None,
            });
            let least = least.min();
            changed |= least != distances[state];
            distances[state] = least;
        }
        if !changed {
            return distances;
        }
    }
}

/// Levels with things to carry about, locks, keys in boxes and strict instructions, small enough to look at every state.
#[test]
fn distances_are_those_of_all_states_looked_at() {
    let cases = [
        ("BabyAI-GoToObj-v0", 64, 3),
        ("BabyAI-GoToLocalS5N2-v0", 20, 6),
        ("BabyAI-GoToLocalS6N3-v0", 9, 4),
        ("BabyAI-GoToDoor-v0", 14, 3),
        ("BabyAI-OpenRedDoor-v0", 30, 2),
        ("BabyAI-OpenDoorDebug-v0", 20, 3),
        ("BabyAI-PickupDistDebug-v0", 12, 6),
        ("BabyAI-PickupDist-v0", 8, 6),
        ("BabyAI-KeyInBox-v0", 22, 3),
        ("BabyAI-UnlockLocal-v0", 18, 3),
        ("BabyAI-UnlockPickup-v0", 26, 3),
        ("BabyAI-BlockedUnlockPickup-v0", 14, 3),
        ("BabyAI-KeyCorridorS3R1-v0", 30, 6),
        ("BabyAI-UnlockToUnlock-v0", 16, 2),
        ("BabyAI-UnblockPickup-v0", 9, 3),
    ];
    let (mut solved, mut compared) = (0, 0);
    for (id, steps, seeds) in cases {
        let mut world = World::with_max_steps(id, steps).unwrap();
        for seed in 0..seeds {
            world.reset(Some(seed));
            let layout = Layout::explore(world.state(), 60_000).unwrap();
            let brute = distances(&layout);
            let mut planner = Planner::default();
            let every = 1 + layout.states() / 400;
            for index in (0..layout.states()).step_by(every) {
                let state = layout.state(index).unwrap();
                let left = steps - state.steps();
                let ours = planner.optimum(&state).unwrap().map(|optimum| optimum.distance);
                let theirs = brute[index];
                let what = format!("{id} seed {seed} state {index}: {ours:?} {theirs:?}, {left} steps left");
                // What the table knows ends with the clock.
                match ours {
                    Some(distance) if distance <= left => assert_eq!(theirs, ours, "{what}"),
                    Some(distance) => assert!(theirs.is_none_or(|theirs| theirs >= distance), "{what}"),
                    None => assert_eq!(theirs, None, "{what}"),
                }
                solved += u32::from(theirs.is_some());
                compared += 1;
            }
        }
    }
    assert!(compared > 10_000 && solved > 5_000, "{solved} of {compared}");
}

#[test]
fn a_goal_that_is_faced_already_takes_one_action_that_stays_there() {
    let mut world = World::new("BabyAI-GoToObjDoor-v0").unwrap();
    let mut faced = 0;
    for seed in 0..2000 {
        world.reset(Some(seed));
        let start = world.snapshot();
        if world.step(Act::Done).terminated {
            faced += 1;
            let optimum = start.optimum().unwrap().unwrap();
            assert_eq!(optimum.distance, 1);
            for act in Act::ALL {
                world.restore(&start);
                assert_eq!(optimum.acts.contains(act), world.step(act).reward > 0.0, "seed {seed} {act:?}");
            }
            assert!([Act::Pickup, Act::Drop, Act::Toggle, Act::Done].iter().all(|&act| optimum.acts.contains(act)));
        }
    }
    assert!(faced >= 3, "{faced}");
}

#[test]
fn what_cannot_be_answered_is_said() {
    let two = World::new("BabyAI-OpenTwoDoors-v0").unwrap();
    let error = two.state().optimum().unwrap_err();
    assert_eq!(error, Error::UnsupportedMission { mission: two.mission().to_owned() });
    assert!(error.to_string().contains(two.mission()), "{error}");

    let maze = World::new("BabyAI-Pickup-v0").unwrap();
    let error = Planner::with_cap(5).optimum(maze.state()).unwrap_err();
    assert!(matches!(error, Error::TooManyStates { cap: 5, .. }), "{error}");
    assert!(Planner::with_cap(0).optimum(maze.state()).is_err());
}

/// A box that is gone cannot be picked up: no actions lead to success.
#[test]
fn no_way_to_success_is_an_answer() {
    let mut planner = Planner::default();
    let mut gone = 0;
    for id in ["BabyAI-FindObjS5-v0", "BabyAI-UnlockPickup-v0"] {
        let mut world = World::new(id).unwrap();
        for seed in 0..20 {
            world.reset(Some(seed));
            while let Some(optimum) = planner.optimum(world.state()).unwrap() {
                let boxes = optimum.distance == 1 && world.mission().contains("box");
                let act = if boxes { Act::Toggle } else { optimum.acts.iter().next().unwrap() };
                if world.step(act).terminated {
                    break;
                }
            }
            gone += u32::from(planner.optimum(world.state()).unwrap().is_none());
        }
    }
    assert!(gone >= 20, "{gone}");
}
