//! What is declared of a gain book before the first answer.

use counsel_decision::refusal::{Refusal, in_range};
use serde::{Deserialize, Serialize};

use super::features::Layout;

/// Which of the nested models of an advisor predicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expert {
    /// The level alone.
    Level,
    /// The level and the group.
    Group,
    /// These and the numbers as straight lines, where they have curves.
    Numbers,
    /// All features.
    #[default]
    All,
    /// The one of them that foretold the rewards best so far, for each advisor by itself.
    Evidence,
}

/// How strongly the weights of each block are held at zero: the precision of the prior, in observations.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `level` | 1 | above 0 |
/// | `group` | 10 | above 0 |
/// | `numbers` | 3 | above 0; for their curves as well |
/// | `words` | 10 | above 0; 20 beside groups |
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Shrinkage {
    /// The constant.
    pub level: f64,
    /// The groups.
    pub group: f64,
    /// The numbers.
    pub numbers: f64,
    /// The words.
    pub words: f64,
}

impl Default for Shrinkage {
    fn default() -> Self {
        Self { level: 1.0, group: 10.0, numbers: 3.0, words: 10.0 }
    }
}

impl Shrinkage {
    /// The prior variance of every weight.
    pub(super) fn prior(&self, layout: &Layout) -> Vec<f64> {
        let blocks = [
            (1, self.level),
            (layout.groups, self.group),
            (layout.numbers * (1 + layout.knots), self.numbers),
            (layout.buckets, self.words),
        ];
        blocks.iter().flat_map(|(size, precision)| vec![1.0 / precision; *size]).collect()
    }
}

/// The settings of a gain book.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `layout` | the level alone | see [`Layout`] |
/// | `shrinkage` | see [`Shrinkage`] | |
/// | `drift` | 0.000025 | by how much the variance of the level grows with each answer, at least 0; the default remembers about 200 answers |
/// | `reward` | 0.8 | the reward that is expected before any answer |
/// | `variance` | 0.04 | the variance of a reward before any answer, above 0 |
/// | `expert` | `all` | `level`, `group`, `all`, or `evidence` |
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BookSpec {
    /// How a request becomes a vector.
    pub layout: Layout,
    /// How strongly weights are held at zero.
    pub shrinkage: Shrinkage,
    /// How fast the level may move.
    pub drift: f64,
    /// The reward before any answer.
    pub reward: f64,
    /// The variance of a reward before any answer.
    pub variance: f64,
    /// Which model predicts.
    pub expert: Expert,
}

impl Default for BookSpec {
    fn default() -> Self {
        Self {
            layout: Layout::default(),
            shrinkage: Shrinkage::default(),
            drift: 2.5e-5,
            reward: 0.8,
            variance: 0.04,
            expert: Expert::All,
        }
    }
}

impl BookSpec {
    /// Refuses settings by which nothing can be learned.
    pub fn check(&self) -> Result<(), Refusal> {
        self.layout.check()?;
        let Shrinkage { level, group, numbers, words } = self.shrinkage;
        for (what, value) in [
            ("shrinkage.level", level),
            ("shrinkage.group", group),
            ("shrinkage.numbers", numbers),
            ("shrinkage.words", words),
            ("variance", self.variance),
        ] {
            in_range(value > 0.0 && value.is_finite(), what, value, "(0, infinity)", "pass a positive number")?;
        }
        in_range(self.reward.is_finite(), "reward", self.reward, "the finite numbers", "0.8 is the default")?;
        let remedy = "the default is 0.000025; 0 means that advisors never change";
        in_range((0.0..=1.0).contains(&self.drift), "drift", self.drift, "[0, 1]", remedy)
    }
}
