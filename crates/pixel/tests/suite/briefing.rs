//! What a language model is told, and how its answers are read.

use std::collections::BTreeMap;
use std::sync::Arc;

use counsel_advisor::{Decoding, Digest, Narrator, Phrasing, Role, Teller, Variant};
use counsel_decision::{Action, Reply, Response};
use counsel_pixel::words::{Briefing, TEMPLATES};
use counsel_pixel::{Ends, Grid, Move, Pixel, PixelSpec, Situation, State};

use crate::{drawn, states};

fn briefing(spec: PixelSpec) -> Briefing {
    Briefing::find("facts", spec).unwrap()
}

#[test]
fn a_prompt_tells_the_moves_and_the_facts() {
    let spec = PixelSpec { size: 5, walls: 0.1, window: 5, ..PixelSpec::default() };
    let grid = Grid::read(&spec, "S....\n..#..\n.....\n.....\n....G").unwrap();
    let prompt = briefing(spec).prompt(&State::new(Arc::new(grid), 2, 2, 0).unwrap().observation());
    let [system, user] = prompt.messages() else { panic!("{prompt:?}") };
    assert_eq!((system.role, system.content.as_str()), (Role::System, "You are a helpful assistant."));
    assert_eq!(user.role, Role::User);
    assert_eq!(
        user.content,
        "\
You are an agent in a grid with walls. Find the goal in as few moves as you can. You see only the cells near you. \
Each turn you make one move.
north: move one cell north
east: move one cell east
south: move one cell south
west: move one cell west
A move into a wall or over the edge of the grid leaves you where you are.
The goal is 2 cells east and 2 cells south of you.
To the north: a wall.
To the east: 2 free cells, as far as you see.
To the south: 2 free cells, as far as you see.
To the west: 2 free cells, as far as you see.
Answer with one word only: north, east, south or west."
    );
    assert!(user.content[..prompt.stem()].ends_with("where you are.\n"), "the stem is what never changes");
}

#[test]
fn on_the_goal_the_agent_is_told_so() {
    let grid = drawn(&PixelSpec::default(), 0);
    let (x, y) = grid.goal();
    let facts = State::new(grid, x, y, 3).unwrap().observation().situation().facts();
    assert_eq!(facts[0], "You stand on the goal.");
}

#[test]
fn answers_are_the_four_words() {
    let briefing = briefing(PixelSpec::default());
    let words = Move::ALL.map(Move::name);
    for (number, word) in words.into_iter().enumerate() {
        let read = briefing.parser().parse(&Reply::simulated(format!("{word}.")));
        assert_eq!(read, Response::Recommends(Action::new(number)));
    }
    assert_eq!(briefing.parser().parse(&Reply::simulated("up")), Response::Unusable);
    assert_eq!(briefing.decoding("generate").unwrap(), Decoding::greedy(8));
    assert_eq!(briefing.decoding("scored").unwrap(), Decoding::scored(words));
    assert_eq!((briefing.variant(), briefing.wordings()), (Variant::Identical, 1));
    let refusal = briefing.decoding("sampled").unwrap_err().to_string();
    assert_eq!(refusal, "the template `facts` has no decoding `sampled`; it has generate and scored");
}

#[test]
fn what_is_described_tells_prompts_apart_and_nothing_else() {
    for window in [3, 5, 9] {
        let spec = PixelSpec { window, ends: Ends::Anywhere, ..PixelSpec::default() };
        let briefing = briefing(spec);
        let mut prompts: BTreeMap<Situation, Digest> = BTreeMap::new();
        let mut described: BTreeMap<Digest, Situation> = BTreeMap::new();
        for state in (0..60).flat_map(|seed| states(&drawn(&spec, seed), 0).collect::<Vec<_>>()) {
            let seen = state.observation();
            let (digest, said) = (briefing.prompt(&seen).digest(), briefing.described(&seen));
            assert_eq!(*prompts.entry(said).or_insert(digest), digest, "{seen:?}");
            assert_eq!(*described.entry(digest).or_insert(said), said, "{seen:?}");
        }
        assert!(prompts.len() > 150, "window {window} shows only {} prompts", prompts.len());
    }
}

#[test]
fn the_widest_windows_are_described_one_by_one_too() {
    let spec =
        PixelSpec { size: 64, window: 63, walls: 0.0, horizon: 126, ends: Ends::Anywhere, ..PixelSpec::default() };
    let briefing = briefing(spec);
    let grid = drawn(&spec, 1);
    let pairs = states(&grid, 0).map(|state| {
        let seen = state.observation();
        (briefing.described(&seen), briefing.prompt(&seen).digest())
    });
    let pairs: Vec<(Situation, Digest)> = pairs.collect();
    let described: BTreeMap<Situation, Digest> = pairs.iter().copied().collect();
    let prompts: BTreeMap<Digest, Situation> = pairs.iter().map(|&(said, digest)| (digest, said)).collect();
    assert!(pairs.iter().all(|(said, digest)| described[said] == *digest && prompts[digest] == *said));
}

#[test]
fn the_narrator_knows_tasks_by_name_and_level() {
    assert_eq!((Pixel.world(), Pixel.tasks()), ("Pixel", vec!["9x9", "14x14"]));
    assert_eq!(Pixel.task("Pixel-14x14-v0").unwrap(), "14x14");
    assert_eq!(Pixel.task("9x9").unwrap(), "9x9");
    assert_eq!(Pixel.horizon(), 160);
    let refusal = |task, template| Pixel.phrasing(task, template).err().expect("refused").to_string();
    assert_eq!(refusal("9x8", "facts"), "there is no task `9x8` (did you mean `9x9`?); the tasks are 9x9, 14x14");
    assert_eq!(refusal("9x9", "fact"), "there is no template `fact` (did you mean `facts`?); the templates are facts");
    let spec = PixelSpec { window: 4, ..PixelSpec::default() };
    assert!(Briefing::find("facts", spec).unwrap_err().to_string().starts_with("the window is 4 cells wide"));
}

#[test]
fn a_template_is_known_by_its_file() {
    let editions = Pixel.templates();
    let [facts] = &editions[..] else { panic!("{editions:?}") };
    assert_eq!((facts.name.as_str(), facts.version), ("facts", 1));
    let file = include_str!("../../src/words/facts.toml");
    assert_eq!(facts.digest, Digest::of(file.as_bytes()));
    assert_eq!(*facts, Pixel.phrasing("9x9", "facts").unwrap().edition());
    assert_eq!(TEMPLATES.all().len(), 1);
}
