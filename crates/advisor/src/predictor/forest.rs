//! A forest of random trees on the features of the context, learned from paid responses.
//!
//! Each tree is grown on a bootstrap sample of all responses. A node tries a few features, each at one threshold drawn
//! between its extremes, and takes the split that leaves the two sides purest (Gini). The law is the mean over trees of the
//! frequencies in the leaf of the context. Between two fits a new response is counted in its leaves; the forest is grown again
//! when the responses have grown by a sixteenth, so the work over a run of n responses is of order n log n.
//!
//! Invariant: the forest is a function of the responses in their order; its draws come from one stream by tree and size.

use counsel_decision::refusal::{at_least, in_range};
use counsel_decision::{PaidResponse, ResponseLaw, Seed};
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

use super::Predictor;
use crate::{Context, Error};

/// How the forest is grown.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `trees` | 32 | 1 to 1,024 |
/// | `leaf` | 2 | responses in a leaf at least, 1 or more |
/// | `tried` | 0.3 | share of the features that a node tries, above 0, at most 1 |
/// | `prior` | 1 | responses that the uniform law counts for beside a tree's leaf, above 0 |
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ForestSpec {
    /// The number of trees.
    pub trees: usize,
    /// Responses in a leaf at least.
    pub leaf: usize,
    /// The share of the features that a node tries.
    pub tried: f64,
    /// Responses that the uniform law counts for beside all that were heard.
    pub prior: f64,
}

impl Default for ForestSpec {
    fn default() -> Self {
        Self { trees: 32, leaf: 2, tried: 0.3, prior: 1.0 }
    }
}

/// A response as it is remembered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Heard {
    features: Vec<f64>,
    response: usize,
}

/// A node of a tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Node {
    /// How often each response was heard here.
    Leaf(Vec<f64>),
    /// Features up to the threshold go to the first child, the others to the second.
    Split { feature: usize, threshold: f64, children: [usize; 2] },
}

type Tree = Vec<Node>;

/// The forest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Forest {
    spec: ForestSpec,
    actions: usize,
    features: usize,
    heard: Vec<Heard>,
    /// The number of responses at the last fit.
    fitted: usize,
    trees: Vec<Tree>,
}

impl Forest {
    /// A predictor over these numbers of actions and features. It starts uniform.
    pub fn new(actions: usize, features: usize, spec: ForestSpec) -> Result<Self, Error> {
        let remedy = "the defaults are 32, 2, 0.3 and 1";
        at_least("forest.trees", spec.trees, 1, remedy)?;
        in_range(spec.trees <= 1024, "forest.trees", spec.trees as f64, "[1, 1024]", remedy)?;
        at_least("forest.leaf", spec.leaf, 1, remedy)?;
        in_range(spec.tried > 0.0 && spec.tried <= 1.0, "forest.tried", spec.tried, "(0, 1]", remedy)?;
        in_range(spec.prior > 0.0 && spec.prior.is_finite(), "forest.prior", spec.prior, "(0, infinity)", remedy)?;
        Ok(Self { spec, actions, features, heard: Vec::new(), fitted: 0, trees: Vec::new() })
    }

    /// The features as they are compared: missing ones and those that are not finite count as 0.
    fn inputs(&self, context: &Context) -> Vec<f64> {
        let given = context.features.iter().map(|value| if value.is_finite() { *value } else { 0.0 });
        given.chain(std::iter::repeat(0.0)).take(self.features).collect()
    }

    fn remember(&mut self, context: &Context, paid: PaidResponse) {
        let heard =
            Heard { features: self.inputs(context), response: paid.response().index(self.actions).min(self.actions) };
        for tree in &mut self.trees {
            let place = leaf(tree, &heard.features);
            if let Node::Leaf(counts) = &mut tree[place] {
                counts[heard.response] += 1.0;
            }
        }
        self.heard.push(heard);
    }

    fn fit_when_due(&mut self) {
        if self.heard.len() >= self.fitted + (self.fitted / 16).max(1) {
            self.fitted = self.heard.len();
            let seed = Seed::root(0).stream("predictor forest").index(self.fitted as u64);
            self.trees = (0..self.spec.trees).map(|number| self.grown(seed.index(number as u64))).collect();
        }
    }

    /// A tree on a bootstrap sample.
    fn grown(&self, seed: Seed) -> Tree {
        let mut draws = seed.rng();
        let all = self.heard.len();
        let sample: Vec<usize> = (0..all).map(|_| draws.random_range(0..all)).collect();
        let mut tree = Tree::new();
        self.grow(&mut tree, sample, &mut draws);
        tree
    }

    /// Grows the node of a sample and returns its place.
    fn grow(&self, tree: &mut Tree, sample: Vec<usize>, draws: &mut impl Rng) -> usize {
        let counts = self.counts(&sample);
        let pure = counts.iter().filter(|count| **count > 0.0).count() <= 1;
        let split = if pure || sample.len() < 2 * self.spec.leaf { None } else { self.split(&sample, &counts, draws) };
        let place = tree.len();
        tree.push(Node::Leaf(counts));
        if let Some((feature, threshold)) = split {
            let (below, above): (Vec<usize>, Vec<usize>) =
                sample.into_iter().partition(|&heard| self.heard[heard].features[feature] <= threshold);
            let children = [self.grow(tree, below, draws), self.grow(tree, above, draws)];
            tree[place] = Node::Split { feature, threshold, children };
        }
        place
    }

    fn counts(&self, sample: &[usize]) -> Vec<f64> {
        let mut counts = vec![0.0; self.actions + 1];
        sample.iter().for_each(|&heard| counts[self.heard[heard].response] += 1.0);
        counts
    }

    /// The purest split among a few that are drawn; none where the sample cannot be split.
    fn split(&self, sample: &[usize], counts: &[f64], draws: &mut impl Rng) -> Option<(usize, f64)> {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count")]
        let wanted = ((self.spec.tried * self.features as f64).ceil() as usize).max(1);
        if self.features == 0 {
            return None;
        }
        let (mut tried, mut best, mut purest) = (0, None, f64::NEG_INFINITY);
        let mut below = vec![0.0; counts.len()];
        // Features that do not vary here are no try; drawing four times as many bounds the work.
        for _ in 0..4 * wanted {
            let feature = draws.random_range(0..self.features);
            let values = || sample.iter().map(|&heard| self.heard[heard].features[feature]);
            let (low, high) = values()
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
            if low >= high {
                continue;
            }
            let threshold = low + (high - low) * draws.random::<f64>();
            below.fill(0.0);
            sample
                .iter()
                .map(|&heard| &self.heard[heard])
                .filter(|heard| heard.features[feature] <= threshold)
                .for_each(|heard| below[heard.response] += 1.0);
            let (left, right) = purity(&below, counts);
            let least = self.spec.leaf as f64;
            if left.1 >= least && right.1 >= least && left.0 + right.0 > purest {
                (best, purest) = (Some((feature, threshold)), left.0 + right.0);
            }
            tried += 1;
            if tried == wanted {
                break;
            }
        }
        best
    }
}

/// For each side of a split Σ n_y² / n, which is larger the purer it is, and n.
fn purity(below: &[f64], all: &[f64]) -> ((f64, f64), (f64, f64)) {
    let of = |counts: &mut dyn Iterator<Item = f64>| {
        let (squares, sum) = counts.fold((0.0, 0.0), |(squares, sum), count| (squares + count * count, sum + count));
        (if sum > 0.0 { squares / sum } else { 0.0 }, sum)
    };
    (of(&mut below.iter().copied()), of(&mut all.iter().zip(below).map(|(all, below)| all - below)))
}

/// The place of the leaf of these features.
fn leaf(tree: &Tree, features: &[f64]) -> usize {
    let mut place = 0;
    while let Node::Split { feature, threshold, children } = &tree[place] {
        place = children[usize::from(features[*feature] > *threshold)];
    }
    place
}

impl Predictor for Forest {
    fn law(&self, context: &Context) -> ResponseLaw {
        let features = self.inputs(context);
        let heard = self.heard.len() as f64;
        // The uniform law is worth `prior` responses beside all that were heard.
        let mut law = vec![self.spec.prior / (self.actions + 1) as f64 / (heard + self.spec.prior); self.actions + 1];
        let share = heard / (heard + self.spec.prior) / self.trees.len().max(1) as f64;
        for tree in &self.trees {
            if let Node::Leaf(counts) = &tree[leaf(tree, &features)] {
                let sum: f64 = counts.iter().sum();
                law.iter_mut().zip(counts).for_each(|(law, count)| *law += share * count / sum);
            }
        }
        ResponseLaw::proportional_to(&law)
    }

    fn observe(&mut self, context: &Context, paid: PaidResponse) {
        self.remember(context, paid);
        self.fit_when_due();
    }

    /// Remembers all of them, then grows the forest once.
    fn observe_all(&mut self, paid: &[(Context, PaidResponse)]) {
        paid.iter().for_each(|(context, paid)| self.remember(context, *paid));
        self.fit_when_due();
    }
}
