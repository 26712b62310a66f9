//! What a log says once, before its rows. In JSONL it is the first line, in CSV the first line after `# `, in Parquet the
//! metadata under the key `counsel-shadow`.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// The header as it is written.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `format` | none | `counsel-shadow/1` |
/// | `words` | none | the actions, one word each, 1 to 65,535 |
/// | `return_range` | none: no bounds | lowest and highest return that an episode can have |
/// | `reward_range` | none: rewards already earned count for nothing | lowest and highest reward of a step |
/// | `max_steps` | none: calls have no upper bound | steps of an episode at most, 1 or more |
/// | `discount` | 1 | (0, 1] |
/// | `price_unit` | `price` | any words |
/// | `pacing` | 1 | 0 or more: the price of a call is pacing times what the row says |
/// | `answers_act_only` | false: no exact tier | whether an answer affects the agent through the action alone |
/// | `agent_learns` | false | whether what happens in an episode changes the agent in later ones |
/// | `predictor_frozen` | false: a call that is left out changes what is expected later | whether `law` never learned from answers |
/// | `p_ask_drawn` | false: no off-policy tier | whether a random draw with probability `p_ask` decided on every call |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a declaration of its own, as a log writes it")]
pub struct LogHeader {
    /// The format and its version.
    pub format: String,
    /// The actions.
    pub words: Vec<String>,
    /// The lowest and the highest return of an episode.
    #[serde(default)]
    pub return_range: Option<[f64; 2]>,
    /// The lowest and the highest reward of a step.
    #[serde(default)]
    pub reward_range: Option<[f64; 2]>,
    /// Steps of an episode at most.
    #[serde(default)]
    pub max_steps: Option<u64>,
    /// What a reward one step later counts.
    #[serde(default = "one")]
    pub discount: f64,
    /// In what prices and rewards are counted.
    #[serde(default = "price")]
    pub price_unit: String,
    /// λ.
    #[serde(default = "one")]
    pub pacing: f64,
    /// Whether an answer affects the agent through the action alone.
    #[serde(default)]
    pub answers_act_only: bool,
    /// Whether an episode changes the agent in later ones.
    #[serde(default)]
    pub agent_learns: bool,
    /// Whether the expected answers never learned from answers.
    #[serde(default)]
    pub predictor_frozen: bool,
    /// Whether a random draw with probability `p_ask` decided on every call.
    #[serde(default)]
    pub p_ask_drawn: bool,
}

fn one() -> f64 {
    1.0
}

fn price() -> String {
    "price".into()
}

impl LogHeader {
    /// The only format there is.
    pub const FORMAT: &'static str = "counsel-shadow/1";

    /// Reads and checks it; an error says what is wrong and the remedy.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let header: Self = serde_json::from_str(text).map_err(|error| {
            format!("the header cannot be read ({error}); begin with {{\"format\":\"{}\",\"words\":[…]}}", Self::FORMAT)
        })?;
        header.check()?;
        Ok(header)
    }

    /// Refuses what cannot be.
    pub(crate) fn check(&self) -> Result<(), String> {
        let Self { format, words, return_range, reward_range, max_steps, discount, pacing, .. } = self;
        if format != Self::FORMAT {
            return Err(format!("format is `{format}`; write `{}`", Self::FORMAT));
        }
        if words.is_empty() || words.len() > usize::from(u16::MAX) {
            return Err(format!("words has {} actions; name 1 to {}", words.len(), u16::MAX));
        }
        let mut known = BTreeSet::new();
        if let Some(word) = words.iter().find(|word| !known.insert(*word)) {
            return Err(format!("words has `{word}` twice; name each action once"));
        }
        for (name, what, range) in [("return_range", "return", return_range), ("reward_range", "reward", reward_range)]
        {
            if let Some([low, high]) = range
                && !(low.is_finite() && high.is_finite() && low <= high)
            {
                return Err(format!("{name} is [{low}, {high}]; write the lowest and then the highest {what}"));
            }
        }
        if *max_steps == Some(0) {
            return Err("max_steps is 0; declare the steps of the longest episode".to_owned());
        }
        if !(*discount > 0.0 && *discount <= 1.0) {
            return Err(format!("discount is {discount}; choose a number above 0, at most 1"));
        }
        if !(*pacing >= 0.0 && pacing.is_finite()) {
            return Err(format!("pacing is {pacing}; choose 0 or more"));
        }
        Ok(())
    }

    /// The lowest and the highest return of an episode that goes on after some steps, whose discounted rewards came to `earned`;
    /// infinite where nothing is declared.
    pub(crate) fn return_bounds(&self, earned: f64, steps: usize) -> [f64; 2] {
        let [mut least, mut most] = self.return_range.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        if let Some([low, high]) = self.reward_range {
            let weight = self.discount.powf(steps as f64);
            // At least one step follows, at most all that an episode can have.
            let left = self.max_steps.map_or(f64::INFINITY, |all| all.saturating_sub(steps as u64).max(1) as f64);
            let all = if self.discount < 1.0 { (1.0 - self.discount.powf(left)) / (1.0 - self.discount) } else { left };
            least = least.max(earned + weight * low * if low < 0.0 { all } else { 1.0 });
            most = most.min(earned + weight * high * if high > 0.0 { all } else { 1.0 });
        }
        // What is declared holds for the logged rest, so they cross by rounding alone.
        [least.min(most), most]
    }
}
