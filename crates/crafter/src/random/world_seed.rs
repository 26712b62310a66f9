//! How the seed of an environment and the number of an episode become the seed of the episode: Python's
//! `hash((seed, episode)) % (2 ** 31 - 1)`.

const MULTIPLIER: u64 = 11_400_714_785_074_694_791;
const LANE: u64 = 14_029_467_366_897_019_727;
const START: u64 = 2_870_177_450_012_600_261;
/// What Python says instead of the one hash that stands for an error.
const INSTEAD_OF_ERROR: u64 = 1_546_275_796;

/// The seed of an episode; the first episode after the environment is made has number 1.
pub fn world_seed(seed: u64, episode: u64) -> u32 {
    let hashed = [seed, episode].into_iter().fold(START, |hash, number| {
        // A whole number's own hash.
        let lane = number % ((1 << 61) - 1);
        hash.wrapping_add(lane.wrapping_mul(LANE)).rotate_left(31).wrapping_mul(MULTIPLIER)
    });
    let hash = hashed.wrapping_add(2 ^ START ^ 0x0035_d373);
    let hash = if hash == u64::MAX { INSTEAD_OF_ERROR } else { hash };
    let seed = hash.cast_signed().rem_euclid((1 << 31) - 1);
    u32::try_from(seed).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hashes_are_those_of_python() {
        for (seed, episode, expected) in [
            (0, 1, 1_256_191_933),
            (1, 1, 535_231_920),
            (7, 2, 91_543_741),
            ((1 << 61) - 1, 3, 1_246_819_891),
            (1 << 61, 10, 1_914_575_186),
            (u64::MAX, 1 << 40, 438_643_267),
        ] {
            assert_eq!(world_seed(seed, episode), expected, "({seed}, {episode})");
        }
    }
}
