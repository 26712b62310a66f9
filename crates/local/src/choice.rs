//! Which token comes next.

use counsel_advisor::Digest;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

use crate::Error;

/// A way to choose tokens.
#[derive(Debug, Clone)]
pub(crate) enum Choice {
    /// The likeliest, the first of equals.
    Likeliest,
    /// Drawn from the softmax at a temperature.
    Drawn { temperature: f64, draws: Box<ChaCha8Rng> },
}

impl Choice {
    /// The choice at this temperature. The draws are those of the seed and the prompt.
    pub(crate) fn new(temperature: f64, seed: u64, prompt: &Digest) -> Result<Self, Error> {
        if !temperature.is_finite() || temperature < 0.0 {
            return Err(Error::Temperature { temperature });
        }
        if temperature == 0.0 {
            return Ok(Self::Likeliest);
        }
        // The prompt is part of the seed, so that an answer does not depend on what was asked before it.
        let seed = Digest::of_parts(&[&seed.to_le_bytes(), prompt.as_bytes()]);
        Ok(Self::Drawn { temperature, draws: Box::new(ChaCha8Rng::from_seed(*seed.as_bytes())) })
    }

    /// The next token.
    pub(crate) fn next(&mut self, logits: &[f32]) -> u32 {
        let mut best = 0;
        for (token, logit) in logits.iter().enumerate() {
            if *logit > logits[best] {
                best = token;
            }
        }
        let chosen = match self {
            Self::Likeliest => best,
            Self::Drawn { temperature, draws } => {
                let top = f64::from(logits[best]);
                let weights = logits.iter().map(|logit| libm::exp((f64::from(*logit) - top) / *temperature));
                let weights: Vec<f64> = weights.collect();
                let total: f64 = weights.iter().sum();
                // 53 bits make a float in [0, 1).
                let aim = (draws.next_u64() >> 11) as f64 / (1_u64 << 53) as f64 * total;
                let mut sum = 0.0;
                let passed = weights.iter().position(|weight| {
                    sum += weight;
                    sum > aim
                });
                passed.unwrap_or(best)
            }
        };
        u32::try_from(chosen).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_follow_the_softmax_and_the_seed() {
        let prompt = Digest::of(b"prompt");
        let logits = [0.0, 1.0, 1.0, -1.0];
        assert_eq!(Choice::new(0.0, 1, &prompt).unwrap().next(&logits), 1);
        let count = 20_000;
        let draw = |seed| {
            let mut choice = Choice::new(0.5, seed, &prompt).unwrap();
            (0..count).map(|_| choice.next(&logits)).collect::<Vec<_>>()
        };
        assert_eq!(draw(3), draw(3));
        assert_ne!(draw(3), draw(4));
        let weights = logits.map(|logit| f64::from(logit / 0.5).exp());
        for (token, weight) in (0..).zip(weights) {
            let expected = weight / weights.iter().sum::<f64>();
            let share = draw(3).into_iter().filter(|drawn| *drawn == token).count() as f64 / f64::from(count);
            let error = (expected * (1.0 - expected) / f64::from(count)).sqrt();
            assert!((share - expected).abs() < 4.5 * error, "token {token}: {share} instead of {expected}");
        }
        assert!(Choice::new(f64::NAN, 0, &prompt).is_err() && Choice::new(-1.0, 0, &prompt).is_err());
    }
}
