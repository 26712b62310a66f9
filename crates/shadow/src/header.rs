//! What a log says once, before its rows. In JSONL it is the first line, in CSV the first line after `# `, in Parquet the
//! metadata under the key `counsel-shadow`.

use serde::{Deserialize, Serialize};

/// The header as it is written.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `format` | none | `counsel-shadow/1` |
/// | `words` | none | the actions, one word each |
/// | `return_range` | none: no bounds | lowest and highest return that an episode can have |
/// | `max_steps` | none: calls have no upper bound | steps of an episode at most |
/// | `discount` | 1 | (0, 1] |
/// | `price_unit` | `price` | any words |
/// | `lambda` | 1 | 0 or more: the price of a call is lambda times what the row says |
/// | `answers_act_only` | false: no exact tier | whether an answer affects the agent through the action alone |
/// | `agent_learns` | false | whether what happens in an episode changes the agent in later ones |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The format and its version.
    pub format: String,
    /// The actions.
    pub words: Vec<String>,
    /// The lowest and the highest return of an episode.
    #[serde(default)]
    pub return_range: Option<[f64; 2]>,
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
    pub lambda: f64,
    /// Whether an answer affects the agent through the action alone.
    #[serde(default)]
    pub answers_act_only: bool,
    /// Whether an episode changes the agent in later ones.
    #[serde(default)]
    pub agent_learns: bool,
}

fn one() -> f64 {
    1.0
}

fn price() -> String {
    "price".into()
}

impl Header {
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
        let Self { format, words, return_range, discount, lambda, .. } = self;
        if format != Self::FORMAT {
            return Err(format!("format is `{format}`; write `{}`", Self::FORMAT));
        }
        if words.is_empty() || words.len() > usize::from(u16::MAX) {
            return Err(format!("words has {} actions; name at least one", words.len()));
        }
        if let Some([low, high]) = return_range
            && !(low.is_finite() && high.is_finite() && low <= high)
        {
            return Err(format!("return_range is [{low}, {high}]; write the lowest and then the highest return"));
        }
        if !(*discount > 0.0 && *discount <= 1.0) {
            return Err(format!("discount is {discount}; choose a number above 0, at most 1"));
        }
        if !(*lambda >= 0.0 && lambda.is_finite()) {
            return Err(format!("lambda is {lambda}; choose 0 or more"));
        }
        Ok(())
    }
}
