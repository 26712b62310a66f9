//! Optimal actions are those that an independent search in the original found, and lead to success without detours.

use std::collections::BTreeMap;
use std::path::Path;

use counsel_babyai::random::Generator;
use counsel_babyai::{Act, Error, Planner, World, levels};
use counsel_decision::Environment;

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
                    let outcome = world.step(act);
                    let left = match outcome {
                        outcome if outcome.reward > 0.0 => Some(0),
                        outcome if outcome.terminated => None,
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
