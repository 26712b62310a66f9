//! Abstract options: every deed is a command of the game, and all that can be said about them is listed.

use std::collections::BTreeSet;

use counsel_advisor::{Decoding, Narrator, Phrasing, Prompt, Request, Teller, Utterance, WordScore};
use counsel_alfworld::household::words::{
    Briefing, LINE_TEMPLATES, LinePhrasing, PAIR_TEMPLATES, PairPhrasing, WHEREABOUTS, Whereabouts,
};
use counsel_alfworld::household::{Deed, FEATURES, Household, Outlook, Script};
use counsel_alfworld::{Alfworld, AlfworldSpec, Family, Task};
use counsel_decision::{Action, Seed};
use counsel_world::{Environment, Promise, check_environment};
use rand::RngExt;

fn household(script: Script) -> Household {
    Household::new(AlfworldSpec { step_cost: 0.02, ..AlfworldSpec::default() }, script, Seed::root(0)).unwrap()
}

/// Plays so many episodes by the script of the world, and gives the mean number of steps and the share that succeeds.
fn play(script: Script, episodes: u64) -> (f64, f64) {
    let mut world = household(script);
    let (mut steps, mut won) = (0.0, 0.0);
    for episode in 0..episodes {
        world.draw_from(if episode % 2 == 0 { Family::Training } else { Family::Evaluation });
        world.reset(Seed::root(episode));
        loop {
            let transition = world.step(world.situation().scripted);
            steps += 1.0;
            if transition.end.is_some() {
                won += f64::from(u8::from(transition.reward > 0.0));
                break;
            }
        }
    }
    (steps / episodes as f64, won / episodes as f64)
}

#[test]
fn the_world_conforms() {
    let promise = Promise { horizon: 50, rewards: -0.02..=0.98 };
    check_environment(&mut household(Script::RandomSearch), &promise, 4, Seed::root(2)).unwrap();
}

#[test]
fn scripts_rank_as_they_were_measured() {
    let [random, uniform, counting, any] =
        [Script::RandomSearch, Script::UniformSearch, Script::CountingSearch, Script::AnyDeed].map(|s| play(s, 300));
    assert!(random.1 > 0.99 && uniform.1 > 0.99 && counting.1 > 0.99, "{random:?} {uniform:?} {counting:?}");
    assert!(
        counting.0 < uniform.0 && uniform.0 < random.0 && random.0 < any.0,
        "{counting:?} {uniform:?} {random:?} {any:?}"
    );
    assert!((8.0..18.0).contains(&random.0) && any.0 > 20.0, "{random:?} {any:?}");
}

#[test]
fn whatever_is_played_its_prompts_are_among_those_that_are_listed() {
    let template = LINE_TEMPLATES.find("household-when").unwrap();
    let listed = |task: Task| -> BTreeSet<Prompt> {
        let lines = LinePhrasing { template, task }.enumerate().prompts().unwrap();
        let pairs = PairPhrasing { template: PAIR_TEMPLATES.find(WHEREABOUTS).unwrap(), task };
        lines.into_iter().chain(pairs.enumerate().prompts().unwrap()).collect()
    };
    let listed = Task::ALL.map(listed);
    let briefing = Briefing::find("household-when").unwrap();
    let decoding = briefing.decoding("scored").unwrap();
    let (mut world, mut met, mut active) = (household(Script::AnyDeed), BTreeSet::new(), Vec::new());
    for episode in 0..400 {
        world.draw_from(if episode % 2 == 0 { Family::Training } else { Family::Evaluation });
        world.reset(Seed::root(episode));
        let mut randomness = Seed::root(episode).stream("walk").rng();
        loop {
            let situation = world.situation();
            let listed = &listed[usize::from(situation.outlook.task == Task::LookAtObject)];
            met.insert(situation.outlook.line_number());
            assert_eq!(Outlook::lines()[situation.outlook.line_number()].1, situation.outlook.line());
            // Whoever always says that search is likeliest is asked about every place.
            let said = briefing.consult(&situation, &decoding, &mut |_, request: &Request| {
                assert!(listed.contains(&request.prompt), "{:?}", request.prompt);
                Ok::<_, ()>(answer(request, "search"))
            });
            let said = said.unwrap().text;
            let deed = Deed::all().find(|deed| deed.word() == said).unwrap();
            assert!(!situation.outlook.means(deed).is_empty(), "{said} is not possible");
            world.active_features(&mut active);
            assert!(active.windows(2).all(|pair| pair[0] < pair[1]) && active.iter().all(|&place| place < FEATURES));
            let action = if randomness.random_bool(0.5) {
                situation.scripted
            } else {
                Action::new(randomness.random_range(0..Deed::COUNT))
            };
            if world.step(action).end.is_some() {
                break;
            }
        }
    }
    assert!(met.len() >= 17, "only {} lines were met", met.len());
}

/// A model that finds one word likeliest, and the last of all words nearly so.
fn answer(request: &Request, likeliest: &str) -> Utterance {
    let Decoding::Scored { words } = &request.decoding else { panic!("words are scored") };
    let weight = |place: usize, word: &str| if word == likeliest { 100.0 } else { 1.0 + place as f64 };
    let total: f64 = words.iter().enumerate().map(|(place, word)| weight(place, word)).sum();
    let scores = words
        .iter()
        .enumerate()
        .map(|(place, word)| WordScore { word: word.clone(), probability: weight(place, word) / total })
        .collect();
    Utterance {
        text: likeliest.to_owned(),
        scores: Some(scores),
        request_tokens: Some(10),
        response_tokens: Some(1),
        latency_ms: None,
    }
}

#[test]
fn an_answer_that_is_not_possible_gives_way_to_the_next_likeliest() {
    let (world, briefing) = (household(Script::RandomSearch), Briefing::find("household-few-shot").unwrap());
    let situation = world.situation();
    let decoding = briefing.decoding("scored").unwrap();
    let mut asked = 0_u32;
    let said = briefing.consult(&situation, &decoding, &mut |_, request: &Request| {
        asked += 1;
        Ok::<_, ()>(answer(request, "put"))
    });
    let said = said.unwrap();
    assert!(said.text.starts_with("search:"), "at the start there is nothing to put: {}", said.text);
    assert_eq!(
        (said.request_tokens, said.response_tokens),
        (Some(10 * asked), Some(asked)),
        "every question is paid for"
    );
    assert_eq!(asked as usize, 1 + situation.outlook.to_search().count());
}

#[test]
fn a_context_is_the_line_and_for_searches_what_is_sought() {
    let briefing = Briefing::find("household-few-shot").unwrap();
    let mut keys = BTreeSet::new();
    let (mut world, mut searches) = (household(Script::RandomSearch), BTreeSet::new());
    for episode in 0..60 {
        world.reset(Seed::root(episode));
        let situation = world.situation();
        assert!(situation.outlook.is_search());
        keys.insert(briefing.context(&situation));
        searches.insert((situation.outlook.task, situation.outlook.sought.clone()));
    }
    assert_eq!(keys.len(), searches.len(), "nothing was searched yet, so only the object matters");
}

#[test]
fn narrators_play_and_judge() {
    for (world, template) in [(&Alfworld as &dyn Narrator, "household-when"), (&Whereabouts, WHEREABOUTS)] {
        for task in world.tasks() {
            let moments = world.moments(task, 5, Seed::root(3)).unwrap();
            assert!(moments.iter().all(|moment| !moment.right().is_empty()));
            let last = world.phrasing(task, template).unwrap().parser().words().len() - 1;
            let mut obedient = |_: Prompt| Ok(counsel_decision::Response::Recommends(Action::new(last)));
            world.obey(task, template, Seed::root(4), &mut obedient).unwrap();
        }
        assert!(world.task("dance").unwrap_err().to_string().contains("pick-and-place"));
    }
}
