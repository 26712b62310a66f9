//! Rules that ask nobody: they explain away what advice seems to gain.

use counsel_decision::Seed;
use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::census::Census;
use super::{Deed, Outlook};

/// A rule that asks nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Script {
    /// What is sensible; places are searched in any order.
    #[default]
    RandomSearch,
    /// What is sensible; kinds of places count alike, rare and open ones come first.
    UniformSearch,
    /// What is sensible; where such objects were found most often comes first.
    CountingSearch,
    /// Anything that is possible.
    AnyDeed,
}

impl Script {
    /// What the rule does; none where nothing is possible.
    pub(crate) fn deed(self, outlook: &Outlook, census: &Census, seed: Seed) -> Option<Deed> {
        let mut randomness = seed.rng();
        let mut any = |deeds: &[Deed]| (!deeds.is_empty()).then(|| deeds[randomness.random_range(0..deeds.len())]);
        if self == Self::AnyDeed {
            return any(&outlook.possible().collect::<Vec<_>>());
        }
        let first = outlook.sensible().first().copied()?;
        if !matches!(first, Deed::Search(_)) {
            return Some(first);
        }
        let worth = |kind: usize| match self {
            Self::CountingSearch => census.rate(&outlook.sought, kind) / outlook.effort(kind),
            _ => 1.0 / outlook.places(kind).max(1) as f64 / outlook.effort(kind),
        };
        let kinds: Vec<usize> = outlook.to_search().collect();
        if self == Self::RandomSearch {
            // As many as there are places to go to, so that each of them is as likely as any other.
            let places: Vec<Deed> = kinds
                .iter()
                .flat_map(|&kind| outlook.means(Deed::Search(kind)).iter().map(move |_| Deed::Search(kind)))
                .collect();
            return any(&places);
        }
        let best = kinds.iter().map(|&kind| worth(kind)).fold(f64::NEG_INFINITY, f64::max);
        let best: Vec<Deed> = kinds.into_iter().filter(|&kind| worth(kind) >= best).map(Deed::Search).collect();
        any(&best)
    }
}
