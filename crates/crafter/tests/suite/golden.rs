//! Episodes of the original, and what it showed at their ends. `fixtures/crafter/generate.py` writes them.

use counsel_crafter::{Act, Episode};
use counsel_world::Shown;
use serde_json::Value;

#[test]
fn episodes_end_as_in_the_original() {
    let golden: Vec<Value> =
        serde_json::from_str(include_str!("../../../../fixtures/crafter/golden.json")).expect("it is JSON");
    assert_eq!(golden.len(), 5);
    let mut episode = Episode::open(10_000).unwrap();
    for expected in golden {
        let seed = expected["seed"].as_u64();
        episode.begin(seed);
        let mut total = 0.0;
        for letter in expected["actions"].as_str().unwrap().bytes() {
            total += episode.act(Act::ALL[usize::from(letter - b'a')].into()).reward;
        }
        let shown: Value = serde_json::from_str(&episode.observation_json()).unwrap();
        for (key, value) in expected["shown"].as_object().unwrap() {
            assert_eq!(shown[key], *value, "{key} of seed {seed:?}");
        }
        assert_eq!(Some(total), expected["total_reward"].as_f64(), "seed {seed:?}");
    }
}
