//! A finding: a statement in words, and the test that decides whether it holds on these runs.
//!
//! Five tests are about the paired differences of a family, and one about the interval of a mean. They rest on a distribution
//! over seeds and can come out as "holds", "does not hold" or "cannot be told". The others describe what these runs did, with
//! their limits as data: "observed" or "not observed". A statement that there is no difference, or that nothing is lost, always names the margin up to which
//! a difference does not matter: a test that merely finds nothing shows nothing.

use serde::{Deserialize, Serialize};

use super::{Limit, Measure, Pair};

/// A statement and its test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// The statement, in plain words.
    pub words: String,
    /// Whether the paper claims nothing of the kind. Such a statement does not count in the verdict on the paper.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub beyond: bool,
    /// What decides about it.
    pub test: Test,
}

/// What decides about a statement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Test {
    /// The differences are above zero, and not all of them smaller than what matters.
    Above(OfFamily),
    /// The same below zero.
    Below(OfFamily),
    /// The differences lie within the margin on both sides of zero (two one-sided tests).
    Equivalent(OfFamily),
    /// The differences are above minus the margin (non-inferiority).
    NoLess(OfFamily),
    /// The differences are below the margin.
    NoMore(OfFamily),
    /// A measure keeps a limit.
    Level(Level),
    /// One arm's mean, as a share of another's, keeps a limit.
    Ratio(Ratio),
    /// One arm's mean minus another's keeps a limit.
    Gap(Gap),
    /// Two arms have the same value, exactly, on every seed.
    Same(Same),
    /// Means rise or fall from arm to arm.
    Ordered(Ordered),
    /// The highest mean of a block, as a multiple of the lowest, keeps a limit.
    Spread(Spread),
    /// Not the same arm is best in every block.
    BestVaries(Best),
    /// Another arm of the block gains as much and pays no more, and one of the two is better.
    Dominated(Dominated),
}

impl Test {
    /// Whether it is about seeds that were not run, too; otherwise it describes these runs.
    pub fn is_of_seeds(&self) -> bool {
        match self {
            Self::Above(_) | Self::Below(_) | Self::Equivalent(_) | Self::NoLess(_) | Self::NoMore(_) => true,
            Self::Level(test) => test.of == Statistic::Interval,
            _ => false,
        }
    }
}

/// Which members of a family a statement is about; all of them where nothing is said.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfFamily {
    /// The family.
    pub family: String,
    /// Up to which size a difference does not matter, in units of the measure. Above and below have one where none is named:
    /// [`Measure::relevant_difference`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<f64>,
    /// The blocks, by pattern.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<String>,
    /// The arms from which something is subtracted, by pattern.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arms: Vec<String>,
    /// The arms that are subtracted, by pattern.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub against: Vec<String>,
    /// The measures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measures: Vec<Measure>,
}

/// Which number of an arm must keep a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "kebab-case")]
pub enum Statistic {
    /// The mean over the seeds.
    #[default]
    Mean,
    /// Every seed on its own.
    EverySeed,
    /// The 95 % interval of the mean, simultaneous over all that the statement is about: a limit that it straddles cannot be
    /// told.
    Interval,
}

/// A measure keeps a limit, in every block and arm that is named.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Level {
    /// The measure.
    pub measure: Measure,
    /// The limit.
    pub is: Limit,
    /// The arms, by pattern.
    pub arms: Vec<String>,
    /// The blocks, by pattern; all of them where none is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<String>,
    /// Which number of an arm it is.
    #[serde(default)]
    pub of: Statistic,
}

/// One arm's mean as a share of another's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ratio {
    /// The measure.
    pub measure: Measure,
    /// The limit.
    pub is: Limit,
    /// The pairs: the arm, and the one it is a share of.
    pub pairs: Vec<Pair>,
    /// The blocks, by pattern; all of them where none is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<String>,
    /// The arm from which both are counted: the share of the way from this one that is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
}

/// One arm's mean minus another's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gap {
    /// The measure.
    pub measure: Measure,
    /// The limit.
    pub is: Limit,
    /// The pairs.
    pub pairs: Vec<Pair>,
    /// The blocks, by pattern; all of them where none is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<String>,
}

/// Two arms have the same value on every seed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Same {
    /// The measure.
    pub measure: Measure,
    /// The pairs.
    pub pairs: Vec<Pair>,
    /// The blocks, by pattern; all of them where none is named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<String>,
    /// Only on the seeds on which the first arm has none of this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub without: Option<Measure>,
}

/// Which way means go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// Each is above the one before.
    Rises,
    /// Each is below the one before.
    Falls,
    /// None is below the one before.
    NeverFalls,
    /// None is above the one before.
    NeverRises,
}

/// Means rise or fall from arm to arm.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ordered {
    /// The measure.
    pub measure: Measure,
    /// The measure by which its sum over seeds is divided, where a share is meant rather than the mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub per: Option<Measure>,
    /// The arms, in this order; or, with `along`, by pattern.
    pub arms: Vec<String>,
    /// Which way.
    pub direction: Direction,
    /// The setting by which the arms are ordered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub along: Option<String>,
    /// The setting that is the same along one order, where it runs across blocks; otherwise each block has its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<String>,
}

/// The highest mean of a block as a multiple of the lowest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spread {
    /// The measure.
    pub measure: Measure,
    /// The arm.
    pub arm: String,
    /// The limit.
    pub is: Limit,
}

/// The arms among which the best is looked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Best {
    /// The measure whose mean is the highest.
    pub measure: Measure,
    /// The arms, by pattern.
    pub arms: Vec<String>,
}

/// An arm that another one makes pointless.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dominated {
    /// The arm.
    pub arm: String,
    /// What is gained.
    pub gained: Measure,
    /// What is paid.
    pub paid: Measure,
}
