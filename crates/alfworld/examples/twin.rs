//! Plays what `fixtures/alfworld/check.py` and `bench.py` ask for: one JSON object per line in, one out.
//!
//! `{"draw": {"task": .., "family": .., "seed": ..}}` is answered by a drawn game: problem, task and a shortest plan.
//! `{"problem": .., "task": .., "commands": [..]}` is answered by what a player meets: the introduction and then, for every
//! command, text, admissible commands, score and whether the game is over; or by the error that refuses the game.
//! `{"file": ..}` reads the text of a game file and is answered by its task and first text, or by an error.
//! `{"seconds": ..}` is answered by the steps per second of so many seconds: drawn games, 50 random admissible commands in each.

use std::io::{BufRead, Write};

use counsel_alfworld::{AlfworldSpec, Error, Expert, Family, Game, Recipe, State, Task, World};
use counsel_decision::{Action, Seed};
use counsel_world::Environment;
use rand::RngExt;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(untagged)]
enum Request {
    Draw { draw: Draw },
    Play { problem: String, task: String, commands: Vec<String> },
    Read { file: String },
    Measure { seconds: f64 },
}

#[derive(Deserialize)]
struct Draw {
    task: Task,
    family: Family,
    seed: u64,
}

fn shown(text: &str, state: &State) -> Value {
    let commands: Vec<&str> = state.admissible_words().collect();
    let won = state.is_won();
    json!({ "text": text, "admissible": commands, "score": u8::from(won), "done": won })
}

fn draw(draw: &Draw) -> Result<Value, Error> {
    let recipe = Recipe::draw(draw.task, draw.family, Seed::root(draw.seed));
    let game = recipe.game()?;
    let plan = Expert::of(&game).map(|expert| expert.plan(&game.start())).unwrap_or_default();
    let plan: Vec<&str> = plan.into_iter().filter_map(|number| game.words(number)).collect();
    Ok(json!({ "problem": recipe.problem(), "task": recipe.words(), "plan": plan }))
}

fn play(problem: &str, task: &str, commands: &[String]) -> Result<Value, Error> {
    let mut state = Game::from_pddl(problem, task)?.start();
    let mut steps = vec![shown(&state.introduction(), &state)];
    for command in commands {
        let text = state.say(command);
        steps.push(shown(&text, &state));
    }
    Ok(json!({ "steps": steps }))
}

#[expect(clippy::disallowed_types, reason = "a measurement is about the clock")]
fn measure(seconds: f64) -> Result<Value, Error> {
    let mut world = World::new(AlfworldSpec::default(), Seed::root(0))?;
    let (mut rng, mut steps, mut games) = (Seed::root(1).rng(), 0_u32, 1_u64);
    let start = std::time::Instant::now();
    while start.elapsed().as_secs_f64() < seconds {
        let action = Action::new(rng.random_range(0..world.actions()));
        steps += 1;
        if std::hint::black_box(world.step(action)).end.is_some() {
            world.reset(Seed::root(games));
            games += 1;
        }
    }
    let rate = f64::from(steps) / start.elapsed().as_secs_f64();
    Ok(json!({ "steps_per_second": rate, "steps": steps, "games": games }))
}

fn main() {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("text on the standard input");
        let answer = match serde_json::from_str(&line).expect("a request") {
            Request::Draw { draw: asked } => draw(&asked),
            Request::Play { problem, task, commands } => play(&problem, &task, &commands),
            Request::Measure { seconds } => measure(seconds),
            Request::Read { file } => Game::from_json(&file).map(|game| {
                let text = game.start().introduction();
                json!({ "task": game.task(), "steps": [shown(&text, &game.start())] })
            }),
        };
        let answer = answer.unwrap_or_else(|error| json!({ "error": error.to_string() }));
        writeln!(out, "{answer}").and_then(|()| out.flush()).expect("someone reads the standard output");
    }
}
