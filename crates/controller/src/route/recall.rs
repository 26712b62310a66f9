//! Several advisors, one after the other, any of whose answers can be executed in the end: whom to ask next, and when to stop.
//!
//! This is Weitzman's problem of Pandora's boxes, with agreement as evidence. What is in hand is a [`Pattern`]: who was asked, and
//! whose answers are the same. The value in hand is the probability that its best answer is right, learned by pattern and group. The
//! reservation value ζ of an advisor solves E[(V - ζ)⁺] = λ c, where V is the value in hand after its answer; the advisor with
//! the largest ζ is asked while ζ is above the value in hand.
//!
//! All probabilities are means that are shrunk towards those of the same pattern in all groups, and these towards a prior. The
//! index is optimal for independent boxes; with agreement it is a rule that is measured, not a theorem.

use std::collections::BTreeMap;

use counsel_decision::Seed;
use counsel_decision::refusal::{below, in_range, probability};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::saved;
use crate::Error;

/// The settings of asking with recall.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `shrinkage` | 10 | the observations that a parent's mean counts for, above 0 |
/// | `right` | 0.7 | the probability of a right answer before any was seen |
/// | `agree` | 0.6 | the probability of agreeing with an answer in hand before any was seen |
/// | `survey` | 0.05 | the share of requests at which everybody is asked, so that what silence hides is learned |
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RecallSpec {
    /// The weight of a parent.
    pub shrinkage: f64,
    /// A right answer, before any was seen.
    pub right: f64,
    /// An agreeing answer, before any was seen.
    pub agree: f64,
    /// How often everybody is asked.
    pub survey: f64,
}

impl Default for RecallSpec {
    fn default() -> Self {
        Self { shrinkage: 10.0, right: 0.7, agree: 0.6, survey: 0.05 }
    }
}

/// Who was asked, and whose answers are the same: for each advisor the number of its answer, in the order in which distinct
/// answers came up; none where it was not asked.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Pattern(Vec<Option<u8>>);

impl Pattern {
    /// Nobody was asked yet.
    pub fn nobody(advisors: usize) -> Self {
        Self(vec![None; advisors])
    }

    /// The distinct answers in hand.
    pub fn answers(&self) -> u8 {
        self.0.iter().flatten().map(|answer| answer + 1).max().unwrap_or(0)
    }

    /// Whether an advisor was asked.
    pub fn asked(&self, advisor: usize) -> bool {
        self.0.get(advisor).is_some_and(Option::is_some)
    }

    /// The pattern after an advisor gave this answer: the number of an answer in hand, or [`Pattern::answers`] for another one.
    #[must_use]
    pub fn with(&self, advisor: usize, answer: u8) -> Self {
        let mut pattern = self.clone();
        pattern.0[advisor] = Some(answer.min(self.answers()));
        pattern
    }
}

/// What to do next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Next {
    /// Ask this advisor, whose reservation value is above the value in hand.
    Ask {
        /// The advisor.
        advisor: usize,
        /// Its reservation value.
        reservation: f64,
    },
    /// Stop, and execute the answer with this number.
    Execute {
        /// The number of the answer in the pattern.
        answer: u8,
        /// The probability that it is right.
        value: f64,
    },
}

/// A count of rights, or of agreements.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
struct Tally {
    of: f64,
    hits: f64,
}

impl Tally {
    fn count(&mut self, hit: bool) {
        self.of += 1.0;
        self.hits += f64::from(u8::from(hit));
    }

    fn mean(self, parent: f64, weight: f64) -> f64 {
        (self.hits + weight * parent) / (self.of + weight)
    }
}

/// The group, or none for all of them; the pattern; the number of an answer; the advisor whose answer is awaited, if any.
type Key = (Option<usize>, Pattern, u8, Option<usize>);

/// Learns by pattern what answers are worth, and asks by reservation value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Recall {
    spec: RecallSpec,
    /// What each advisor's answer costs, in units of reward.
    prices: Vec<f64>,
    /// As a list of pairs where it is saved, since a key of JSON is a word.
    #[serde(with = "pairs")]
    tallies: BTreeMap<Key, Tally>,
    seed: Seed,
    requests: u64,
}

impl Recall {
    /// Knows nothing but the prices, in units of reward.
    pub fn new(spec: RecallSpec, prices: &[f64], seed: Seed) -> Result<Self, Error> {
        let remedy = "the default is 10";
        in_range(
            spec.shrinkage > 0.0 && spec.shrinkage.is_finite(),
            "shrinkage",
            spec.shrinkage,
            "(0, infinity)",
            remedy,
        )?;
        for (what, value) in [("right", spec.right), ("agree", spec.agree), ("survey", spec.survey)] {
            probability(what, value)?;
        }
        if let Some(cost) = prices.iter().copied().find(|price| !(*price >= 0.0 && price.is_finite())) {
            return Err(Error::Cost { cost });
        }
        Ok(Self { spec, prices: prices.to_vec(), tallies: BTreeMap::new(), seed, requests: 0 })
    }

    /// Whether everybody is asked at the next request, with the probability `survey`.
    pub fn surveys(&mut self) -> bool {
        let uniform: f64 = self.seed.index(self.requests).rng().random();
        self.requests += 1;
        uniform < self.spec.survey
    }

    /// The best answer in hand, and the probability that it is right.
    pub fn value(&self, group: Option<usize>, pattern: &Pattern) -> Option<(u8, f64)> {
        let right = |answer: u8| (answer, self.mean(group, pattern, answer, None, self.spec.right));
        (0..pattern.answers()).map(right).reduce(|best, next| if next.1 > best.1 { next } else { best })
    }

    /// The reservation value of an advisor: what the answer in hand must be worth for its answer not to be bought.
    pub fn reservation(&self, group: Option<usize>, pattern: &Pattern, advisor: usize) -> f64 {
        let mut after = Vec::new();
        let mut rest = 1.0;
        for answer in 0..pattern.answers() {
            let agree = rest * self.mean(group, pattern, answer, Some(advisor), self.spec.agree);
            rest -= agree;
            after.push((self.value_after(group, pattern, advisor, answer), agree));
        }
        after.push((self.value_after(group, pattern, advisor, pattern.answers()), rest));
        after.sort_by(|one, other| other.0.total_cmp(&one.0));
        solve_reservation(&after, self.prices[advisor])
    }

    /// Whom to ask next, or which answer to execute. Somebody is asked in any case.
    pub fn next(&self, group: Option<usize>, pattern: &Pattern) -> Option<Next> {
        let open = (0..self.prices.len()).filter(|advisor| !pattern.asked(*advisor));
        let candidates = open.map(|advisor| (advisor, self.reservation(group, pattern, advisor)));
        let best = candidates.reduce(|best, next| if next.1 > best.1 { next } else { best });
        match (best, self.value(group, pattern)) {
            (Some((advisor, reservation)), None) => Some(Next::Ask { advisor, reservation }),
            (Some((advisor, reservation)), Some((_, value))) if reservation > value => {
                Some(Next::Ask { advisor, reservation })
            }
            (_, Some((answer, value))) => Some(Next::Execute { answer, value }),
            (None, None) => None,
        }
    }

    /// An advisor's answer was the one with this number, or another one ([`Pattern::answers`]).
    pub fn heard(&mut self, group: Option<usize>, pattern: &Pattern, advisor: usize, answer: u8) -> Result<(), Error> {
        below("advisor", advisor, self.prices.len())?;
        // Each answer in hand is compared in turn until one is the same.
        for known in 0..pattern.answers().min(answer.saturating_add(1)) {
            self.count((pattern, known, Some(advisor)), group, known == answer);
        }
        Ok(())
    }

    /// An answer of a pattern turned out to be right or wrong.
    pub fn learn(&mut self, group: Option<usize>, pattern: &Pattern, answer: u8, right: bool) {
        self.count((pattern, answer, None), group, right);
    }

    /// Everything that later questions depend on, as JSON text.
    pub fn save(&self) -> Result<String, Error> {
        saved::save("recall", self)
    }

    /// The rule of a saved text. It goes on where the saved one stood.
    pub fn load(text: &str) -> Result<Self, Error> {
        saved::load("recall", text)
    }

    fn count(&mut self, (pattern, answer, advisor): (&Pattern, u8, Option<usize>), group: Option<usize>, hit: bool) {
        let mut count = |group| self.tallies.entry((group, pattern.clone(), answer, advisor)).or_default().count(hit);
        count(None);
        if group.is_some() {
            count(group);
        }
    }

    fn mean(&self, group: Option<usize>, pattern: &Pattern, answer: u8, advisor: Option<usize>, prior: f64) -> f64 {
        let tally = |group| self.tallies.get(&(group, pattern.clone(), answer, advisor)).copied().unwrap_or_default();
        let all = tally(None).mean(prior, self.spec.shrinkage);
        if group.is_some() { tally(group).mean(all, self.spec.shrinkage) } else { all }
    }

    fn value_after(&self, group: Option<usize>, pattern: &Pattern, advisor: usize, answer: u8) -> f64 {
        self.value(group, &pattern.with(advisor, answer)).map_or(0.0, |(_, value)| value)
    }
}

/// The ζ with Σ p (v - ζ)⁺ = price; the values fall.
fn solve_reservation(after: &[(f64, f64)], price: f64) -> f64 {
    let (mut mass, mut sum) = (0.0, 0.0);
    for (rank, (value, probability)) in after.iter().enumerate() {
        mass += probability;
        sum += probability * value;
        let next = after.get(rank + 1).map_or(f64::NEG_INFINITY, |(value, _)| *value);
        if mass > 0.0 {
            let zeta = (sum - price) / mass;
            if zeta >= next {
                return zeta;
            }
        }
    }
    f64::NEG_INFINITY
}

/// A map as a list of pairs.
mod pairs {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serializer};

    use super::{Key, Tally};

    pub(super) fn serialize<S: Serializer>(map: &BTreeMap<Key, Tally>, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(map)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<Key, Tally>, D::Error> {
        Vec::<(Key, Tally)>::deserialize(from).map(|pairs| pairs.into_iter().collect())
    }
}
