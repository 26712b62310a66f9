//! Appraisals of advisors whose worth is known beforehand.

use counsel_advisor::appraisal::{Appraisal, Panel, Sample, Share, appraise};
use counsel_advisor::{Asking, Identity, LanguageModel, Moment as _, Narrator, Outage, Request, Utterance};
use counsel_decision::{Response, Seed};
use counsel_pixel::words::moments;
use counsel_pixel::{Level, Move, Pixel, PixelSpec, World};
use counsel_world::Environment;

const COUNT: usize = 300;

/// Says what a function of the prompt's last message says.
struct Reader {
    identity: Identity,
    say: fn(&str) -> &'static str,
}

impl LanguageModel for Reader {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn answer(&mut self, requests: &[Request]) -> Vec<Result<Utterance, Outage>> {
        let say = |request: &Request| {
            let last = request.prompt.messages().last().map_or("", |message| message.content.as_str());
            let text = (self.say)(last).to_owned();
            Ok(Utterance { text, scores: None, request_tokens: None, response_tokens: None, latency_ms: None })
        };
        requests.iter().map(say).collect()
    }
}

fn appraised(say: fn(&str) -> &'static str, level: Level) -> Appraisal {
    let [model, version, engine] = ["reader", "1", "test"].map(str::to_owned);
    let mut model = Reader { identity: Identity { model, version, engine }, say };
    let phrasing = Pixel.phrasing(level.name(), "facts").unwrap();
    let mut panel = Panel::new(phrasing.as_ref(), "scored", &mut model).unwrap();
    let sample = Sample { world: &Pixel, task: level.name(), count: COUNT, seed: Seed::root(3) };
    appraise(sample, &mut panel, None, None).unwrap()
}

/// Towards the goal where that way is open, else to the first open side of a sweep.
fn by_hand(message: &str) -> &'static str {
    let goal = message.lines().find(|line| line.starts_with("The goal is")).unwrap_or("");
    let is_open = |way: &&str| {
        let ahead = message.lines().find_map(|line| line.strip_prefix(&format!("To the {way}: ")));
        ahead.is_some_and(|ahead| ahead.contains("free") || ahead == "the goal.")
    };
    let towards = ["east", "south", "west", "north"].into_iter().filter(|way| goal.contains(way));
    towards.chain(["east", "south", "west", "north"]).find(is_open).unwrap_or("north")
}

#[test]
fn advice_that_reads_the_facts_is_better_than_advice_that_does_not() {
    for level in Level::ALL {
        let good = appraised(by_hand, level);
        let stubborn = appraised(|_| "north", level);
        assert_eq!(good.visible.and(good.hidden).total, COUNT);
        assert_eq!((good.visible.total, good.hidden.total), (stubborn.visible.total, stubborn.hidden.total));
        assert!(good.visible.total > COUNT / 20, "the goal is hardly ever in view: {good:?}");
        assert!(good.visible.rate().unwrap() > 0.85, "{good:?}");
        assert!(good.hidden.rate() > stubborn.hidden.rate(), "{good:?}");
        assert!(good.success.hits > 0 && stubborn.success.hits == 0, "{good:?} {stubborn:?}");
    }
}

#[test]
fn what_is_not_understood_is_wrong_and_passes_the_turn() {
    let mute = appraised(|_| "well, perhaps", Level::Small);
    assert_eq!(mute.unusable, Share { hits: COUNT, total: COUNT });
    assert_eq!(mute.visible.hits + mute.hidden.hits + mute.success.hits, 0);
    assert_eq!(mute.repeats.identical, Share { hits: COUNT, total: COUNT });

    for level in Level::ALL {
        let mut prompts = Vec::new();
        let mut mute = |prompt| {
            prompts.push(prompt);
            Ok(Response::Unusable)
        };
        assert!(!Pixel.obey(level.name(), "facts", Seed::root(1), &mut mute).unwrap());
        assert_eq!(prompts.len(), level.spec().horizon as usize);
        prompts.dedup();
        assert_eq!(prompts.len(), 1, "the agent stays where it is");
    }
}

#[test]
fn obedience_follows_every_answer() {
    // The test plays along on the grid of the seed, so it knows the best moves.
    let mut world = World::new(&PixelSpec::default(), Seed::root(9)).unwrap();
    let least = world.state().optimum().unwrap().distance;
    let mut asked = 0;
    let mut best = |_| {
        asked += 1;
        let best = world.state().optimum().unwrap().moves.iter().next().unwrap();
        world.step(best.into());
        Ok(Response::Recommends(best.into()))
    };
    assert!(Pixel.obey("Pixel-9x9-v0", "facts", Seed::root(9), &mut best).unwrap());
    assert_eq!(asked, least);
}

#[test]
fn moments_are_the_same_for_the_same_seed_and_their_best_moves_are_open() {
    let draw = |seed| moments(&PixelSpec::large(), 60, Seed::root(seed)).unwrap();
    assert_eq!(draw(1), draw(1));
    assert_ne!(draw(1), draw(2));
    assert_eq!(draw(1)[..20], moments(&PixelSpec::large(), 20, Seed::root(1)).unwrap());
    for moment in draw(1) {
        assert!(!moment.right().is_empty());
        for &action in moment.right() {
            assert!(!moment.seen.is_blocked(Move::try_from(action).unwrap()));
        }
        let [first, again] =
            [Asking::First, Asking::After(Response::Unusable)].map(|asking| moment.prompt("facts", asking).unwrap());
        assert_eq!(first, again);
        assert_eq!(moment.is_goal_in_view(), !first.messages()[1].content.contains("You do not see the goal."));
    }
    assert!(moments(&PixelSpec { window: 4, ..PixelSpec::default() }, 1, Seed::root(0)).is_err());
}
