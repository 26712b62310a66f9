//! Whatever happens in an episode, its prompts are listed beforehand.

use std::collections::BTreeSet;

use counsel_advisor::{Digest, Narrator, Phrasing, Prompt, Teller};
use counsel_decision::Seed;
use counsel_pixel::words::Briefing;
use counsel_pixel::{Ends, Level, Move, Pixel, PixelSpec, World};
use counsel_world::Environment;
use rand::RngExt;

use crate::{drawn, states};

fn listed(briefing: &Briefing) -> BTreeSet<Digest> {
    let prompts = briefing.enumerate().prompts().expect("the list is closed");
    let digests: BTreeSet<Digest> = prompts.iter().map(Prompt::digest).collect();
    assert_eq!(digests.len(), prompts.len(), "a prompt is listed twice");
    digests
}

#[test]
fn every_prompt_of_an_episode_is_listed() {
    for level in Level::ALL {
        let briefing = Briefing::find("facts", level.spec()).unwrap();
        let list = listed(&briefing);
        let mut dice = Seed::root(2).rng();
        let mut reached = BTreeSet::new();
        for seed in 0..600_u64 {
            let mut world = World::new(&level.spec(), Seed::root(seed)).unwrap();
            // Some episodes stroll, and others hurry to the goal.
            let stray = seed as f64 / 600.0;
            loop {
                let seen = world.observation();
                let digest = briefing.prompt(&seen).digest();
                assert!(list.contains(&digest), "{level:?} seed {seed}: {}", seen.situation());
                reached.insert(digest);
                // The look after the end is taken too: a controller may look there.
                let best = world.state().optimum().and_then(|optimum| optimum.moves.iter().next());
                let (None, Some(best)) = (world.state().end(), best) else { break };
                let strolls = dice.random::<f64>() < stray;
                world.step(if strolls { Move::ALL[dice.random_range(0..4)] } else { best }.into());
            }
        }
        assert!(2 * reached.len() > list.len(), "{level:?}: {} of {}", reached.len(), list.len());
    }
}

#[test]
fn nothing_is_listed_that_no_grid_shows() {
    for level in Level::ALL {
        // More walls than the level has, so that crowded places are not rare; the list knows only whether there are four.
        let spec = PixelSpec { walls: 0.35, ..level.spec() };
        let briefing = Briefing::find("facts", spec).unwrap();
        let list = listed(&briefing);
        assert_eq!(list, listed(&Briefing::find("facts", level.spec()).unwrap()));
        let seen = (0..4000).flat_map(|seed| states(&drawn(&spec, seed), 0).collect::<Vec<_>>());
        let mut described = BTreeSet::new();
        let mut shown = BTreeSet::new();
        for seen in seen.map(|state| state.observation()) {
            if described.insert(briefing.described(&seen)) {
                shown.insert(briefing.prompt(&seen).digest());
            }
        }
        assert!(shown == list, "{level:?}: {} of {}", shown.len(), list.len());
    }
}

#[test]
fn few_walls_make_few_prompts_and_all_of_them_are_shown() {
    for (size, walls) in [(5, 0.0), (5, 0.04), (6, 0.06), (9, 0.0)] {
        let spec = PixelSpec { size, walls, window: 3, ..PixelSpec::default() };
        let briefing = Briefing::find("facts", spec).unwrap();
        let prompts = (0..6000).flat_map(|seed| states(&drawn(&spec, seed), 0).collect::<Vec<_>>());
        let shown: BTreeSet<Digest> = prompts.map(|state| briefing.prompt(&state.observation()).digest()).collect();
        assert!(shown == listed(&briefing), "size {size} and walls {walls}");
    }
}

#[test]
fn both_tasks_have_the_same_few_prompts() {
    let prompts = |task| Pixel.phrasing(task, "facts").unwrap().enumerate().prompts().expect("closed");
    let small = prompts("9x9");
    assert_eq!(small.len(), 670);
    assert_eq!(small, prompts("14x14"));
}

#[test]
fn wide_windows_and_goals_anywhere_are_not_listed() {
    let plain = PixelSpec::default();
    for spec in [PixelSpec { window: 7, ..plain }, PixelSpec { ends: Ends::Anywhere, ..plain }] {
        assert_eq!(Briefing::find("facts", spec).unwrap().enumerate().prompts(), None);
    }
}
