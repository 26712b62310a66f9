//! A declared set of words as a tree of tokens, so that all are scored in one pass over the prompt.
//!
//! A word's probability is that of the answer beginning with the word's tokens: the token that would end the turn is not
//! part of it. So no word may begin with another, token by token: the two would not exclude each other.

use std::collections::BTreeSet;

use counsel_advisor::WordScore;

use crate::Error;
use crate::vocabulary::Vocabulary;

/// A token of a word that is followed by another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) token: u32,
    /// The node before it; the prompt's last token if there is none.
    pub(crate) parent: Option<usize>,
}

/// The words of a set, and the tree of their beginnings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Words {
    spellings: Vec<String>,
    nodes: Vec<Node>,
    /// Per word, its tokens, each with the node before it.
    steps: Vec<Vec<(Option<usize>, u32)>>,
}

impl Words {
    /// The tree of these words.
    pub(crate) fn new(words: &[String], vocabulary: &Vocabulary) -> Result<Self, Error> {
        let refuse = |why: String| Err(Error::Words { why });
        if words.is_empty() {
            return refuse("there are none; pass at least one".to_owned());
        }
        if words.iter().any(String::is_empty) {
            return refuse("one of them is empty; leave it out".to_owned());
        }
        let distinct: BTreeSet<&String> = words.iter().collect();
        if let Some(word) = words.iter().find(|word| words.iter().filter(|other| other == word).count() > 1)
            && distinct.len() < words.len()
        {
            return refuse(format!("`{word}` is there twice; pass it once"));
        }
        let spelled: Vec<Vec<u32>> = words.iter().map(|word| vocabulary.word(word)).collect();
        for (word, tokens) in words.iter().zip(&spelled) {
            if tokens.is_empty() {
                return refuse(format!("the model has no tokens for `{word}`; leave it out"));
            }
            let within = |(other, longer): &(&String, &Vec<u32>)| *other != word && longer.starts_with(tokens);
            if let Some((other, _)) = words.iter().zip(&spelled).find(within) {
                return refuse(format!(
                    "`{other}` begins with `{word}`, so they do not exclude each other; change one"
                ));
            }
        }
        let mut nodes: Vec<Node> = Vec::new();
        let mut steps = Vec::with_capacity(words.len());
        for tokens in &spelled {
            let mut parent = None;
            let mut path = Vec::with_capacity(tokens.len());
            for (at, token) in tokens.iter().enumerate() {
                path.push((parent, *token));
                if at + 1 < tokens.len() {
                    let node = Node { token: *token, parent };
                    let known = nodes.iter().position(|other| *other == node);
                    parent = Some(known.unwrap_or(nodes.len()));
                    if known.is_none() {
                        nodes.push(node);
                    }
                }
            }
            steps.push(path);
        }
        Ok(Self { spellings: words.to_vec(), nodes, steps })
    }

    /// The nodes, parents first.
    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The nodes on the way to a node, itself last.
    pub(crate) fn path(&self, node: usize) -> Vec<usize> {
        let mut path: Vec<usize> = std::iter::successors(Some(node), |node| self.nodes[*node].parent).collect();
        path.reverse();
        path
    }

    /// The different tokens with which the words begin.
    pub(crate) fn firsts(&self) -> Vec<u32> {
        let firsts: BTreeSet<u32> =
            self.steps.iter().filter_map(|steps| steps.first()).map(|(_, token)| *token).collect();
        firsts.into_iter().collect()
    }

    /// The words' probabilities, given the logits of the first tokens (in the order of [`Words::firsts`]) and those of the
    /// whole vocabulary after every node. The first token's normaliser is the same for all words and cancels.
    pub(crate) fn scores(&self, first_logits: &[f32], node_logits: &[Vec<f32>]) -> Vec<WordScore> {
        let firsts = self.firsts();
        let normalisers: Vec<f64> = node_logits.iter().map(|logits| log_sum(logits)).collect();
        let step = |(parent, token): &(Option<usize>, u32)| match parent {
            Some(node) => f64::from(node_logits[*node][*token as usize]) - normalisers[*node],
            None => firsts.binary_search(token).map_or(f64::NEG_INFINITY, |at| f64::from(first_logits[at])),
        };
        let sums: Vec<f64> = self.steps.iter().map(|steps| steps.iter().map(step).sum()).collect();
        let top = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = sums.iter().map(|sum| libm::exp(sum - top)).collect();
        let total: f64 = weights.iter().sum();
        let scores = self.spellings.iter().zip(weights);
        scores.map(|(word, weight)| WordScore { word: word.clone(), probability: weight / total }).collect()
    }
}

/// The logarithm of the sum of the exponentials.
pub(crate) fn log_sum(logits: &[f32]) -> f64 {
    let top = f64::from(logits.iter().copied().fold(f32::NEG_INFINITY, f32::max));
    let sum: f64 = logits.iter().map(|logit| libm::exp(f64::from(*logit) - top)).sum();
    top + libm::log(sum)
}
