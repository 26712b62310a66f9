//! Any image and any mission of one clause: every template renders it, tells of no place outside of the view, and renders
//! what it can list as listed.
#![no_main]

use std::collections::BTreeSet;
use std::sync::LazyLock;

use counsel_advisor::Digest;
use counsel_babyai::words::{Situation, Square, TEMPLATES, Task, Told};
use counsel_babyai::{Image, Observation, World};
use counsel_decision::{Action, Response};
use libfuzzer_sys::fuzz_target;

/// The worlds whose missions are told, and per listable template what it lists in a maze of that verb.
static WORLDS: LazyLock<Vec<(Task, World)>> = LazyLock::new(|| {
    let tasks = [Task::GoToObjDoor, Task::Open, Task::Pickup];
    let seeds = tasks.into_iter().flat_map(|task| (0..12).map(move |seed| (task, seed)));
    seeds
        .map(|(task, seed)| {
            let mut world = World::new(task.level()).unwrap();
            world.reset(Some(seed));
            (task, world)
        })
        .collect()
});

static LISTED: LazyLock<BTreeSet<(Task, &str, Digest)>> = LazyLock::new(|| {
    let pairs = Task::ALL.into_iter().flat_map(|task| TEMPLATES.all().iter().map(move |template| (task, template)));
    pairs
        .flat_map(|(task, template)| {
            let prompts = template.words.enumerate(task).prompts().unwrap_or_default();
            prompts.into_iter().map(move |prompt| (task, template.name(), prompt.digest()))
        })
        .collect()
});

fuzz_target!(|bytes: &[u8]| {
    let [which, answer, wording, image @ ..] = bytes else { return };
    let (task, world) = &WORLDS[usize::from(*which) % WORLDS.len()];
    let mut observation = Observation { image: Image::default(), direction: 0 };
    let pixels = observation.image.as_flattened_mut().as_flattened_mut();
    pixels.iter_mut().zip(image).for_each(|(pixel, byte)| *pixel = *byte);
    let situation = Situation::new(&observation, world.instruction()).unwrap();
    if let Some(place) = situation.place() {
        let Square::Holds(thing) = situation.view().at(place) else { panic!("nothing at {place:?}") };
        assert!(situation.object().fits(thing));
        let nearer = situation.view().things().find(|(_, thing)| situation.object().fits(*thing));
        assert_eq!(nearer.map(|(place, _)| place), Some(place));
    }
    let response = match usize::from(*answer) {
        action @ 0..8 => Response::Recommends(Action::new(action)),
        _ => Response::Unusable,
    };
    let turns = [situation.clone(), situation.clone().worded(usize::from(*wording)), situation.after(response)];
    for template in TEMPLATES.all() {
        let open = matches!(template.words.told, Told::Scene | Told::Grid);
        for turn in &turns {
            let prompt = template.words.prompt(turn);
            assert!(prompt.messages().iter().all(|message| !message.content.contains("\n\n")));
            assert!(open || LISTED.contains(&(*task, template.name(), prompt.digest())), "{prompt:#?}");
        }
    }
});
