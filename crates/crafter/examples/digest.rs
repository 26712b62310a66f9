//! Plays episodes that are asked for and says what they looked like, for `fixtures/crafter/check.py`.
//!
//! Each line of the standard input is a JSON object with `seed` and `episodes`, a list of strings with a letter per action from
//! `a`. The answer is a line with a list per episode: 16 hexadecimal digits of a SHA-256 for the reset, and for every step.

use std::io::{BufRead, Write};

use counsel_crafter::{Act, MAX_STEPS, Picture, State};
use serde::Deserialize;
use sha2::{Digest, Sha256};

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
    let mut digests = vec![short(seen(&state, picture))];
    for letter in actions.bytes() {
        let effect = state.step(Act::ALL[usize::from(letter - b'a')]);
        let mut hash = seen(&state, picture);
        let player = state.player();
        player.inventory.iter().for_each(|(_, amount)| hash.update([amount]));
        player.achievements.iter().for_each(|(_, count)| hash.update(count.to_le_bytes()));
        hash.update([state.place().x, state.place().y]);
        hash.update(effect.reward.to_le_bytes());
        hash.update([u8::from(effect.terminated || effect.truncated), u8::from(effect.terminated)]);
        digests.push(short(hash));
    }
    digests
}

/// The picture and the semantic map.
fn seen(state: &State, picture: &mut Picture) -> Sha256 {
    picture.draw(state);
    Sha256::new().chain_update(picture.bytes()).chain_update(state.semantic())
}

fn short(hash: Sha256) -> String {
    hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}
