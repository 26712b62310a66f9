//! Plays episodes that are asked for and says what they looked like, for `fixtures/crafter/check.py`.
//!
//! Each line of the standard input is a JSON object with `seed` and `episodes`, a list of strings with a letter per action from
//! `a`. The answer is a line with a list per episode: 16 hexadecimal digits of a SHA-256 for the reset, and for every step.

use std::io::{BufRead, Write};

use counsel_advisor::Digest;
use counsel_crafter::{Act, MAX_STEPS, Picture, State};
use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    seed: u64,
    episodes: Vec<String>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut picture = Picture::black();
    for line in std::io::stdin().lock().lines() {
        let Request { seed, episodes } = serde_json::from_str(&line?)?;
        let answer: Vec<Vec<String>> =
            (1..).zip(&episodes).map(|(episode, actions)| play(seed, episode, actions, &mut picture)).collect();
        println!("{}", serde_json::to_string(&answer)?);
        std::io::stdout().flush()?;
    }
    Ok(())
}

fn play(seed: u64, episode: u64, actions: &str, picture: &mut Picture) -> Vec<String> {
    let mut state = State::begin(seed, episode, MAX_STEPS);
    let mut digests = vec![short(&seen(&state, picture))];
    for letter in actions.bytes() {
        let effect = state.step(Act::ALL[usize::from(letter - b'a')]);
        let mut shown = seen(&state, picture);
        let player = state.player();
        shown.extend(player.inventory.iter().map(|(_, amount)| amount));
        shown.extend(player.achievements.iter().flat_map(|(_, count)| count.to_le_bytes()));
        shown.extend([state.place().x, state.place().y]);
        shown.extend(effect.reward.to_le_bytes());
        shown.extend([effect.terminated || effect.truncated, effect.terminated].map(u8::from));
        digests.push(short(&shown));
    }
    digests
}

/// The picture and the semantic map.
fn seen(state: &State, picture: &mut Picture) -> Vec<u8> {
    picture.draw(state);
    [picture.bytes(), &state.semantic()].concat()
}

fn short(shown: &[u8]) -> String {
    Digest::of(shown).to_string()[..16].to_owned()
}
