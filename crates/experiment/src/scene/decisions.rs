//! Decisions without a world: requests from a table that says what every advisor's answer brought and cost.
//!
//! Nothing is simulated: a policy chooses who answers, and its reward and cost are those of the table. It learns only from the
//! answer that it chose, unless the arm says that it knows the labels of other requests. A row of the log is one request; its
//! section of routes is all that the choice was computed from.

mod drive;
mod frontier;
mod isotonic;
mod order;
mod own;
mod player;
mod policy;
mod recompute;
mod swe;
mod table;
mod turn;

use counsel_controller::route::Layout;
use counsel_decision::Seed;
use counsel_decision::refusal::in_range;
use counsel_log::CellKey;
use counsel_session::{Error, Played, Shared, refuse};
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

pub use policy::{Policy, RoutedSpec};
pub use recompute::recompute_routes;
pub use swe::swe_table;
pub use table::TableName;

use crate::replay::seed_of;
use crate::scenario::Playable;
use table::{Row, Table};

/// What of a request is read.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `group` | false | its group |
/// | `numbers` | false | its numbers |
/// | `buckets` | 0 | its words, in this number of buckets: a power of two, at most 4096 |
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Features {
    /// Its group.
    pub group: bool,
    /// Its numbers.
    pub numbers: bool,
    /// Buckets of its words.
    pub buckets: usize,
}

impl Features {
    fn layout(self, table: &Table) -> Layout {
        let taken = |taken: bool, count: usize| if taken { count } else { 0 };
        Layout {
            groups: taken(self.group, table.groups),
            numbers: taken(self.numbers, table.numbers),
            buckets: self.buckets,
            ..Layout::default()
        }
    }
}

/// How the strong advisor of a stream behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// As in the table.
    #[default]
    None,
    /// Its answers are right at random, one in four, from half of the stream on.
    Drift,
    /// They are so from the start.
    Useless,
    /// They are so for the first half.
    Late,
}

/// In which order requests come, what of them counts, and what limits the spending.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Protocol {
    /// The requests to learn from, then those that count, each a period with a budget, in the order of NumPy's generator.
    Period {
        /// What a request may cost on average.
        per_request: f64,
        /// The generator's seed in cell 0; cell 7 has seven more.
        first_order: u64,
    },
    /// Labels for some requests drawn at random, then all others are scored.
    Labels {
        /// The requests with labels.
        labels: usize,
        /// The gain above which the strong advisor answers.
        price: f64,
    },
    /// One stream in an order of chance, with a price for the strong advisor.
    Stream {
        /// The price, in units of reward.
        price: f64,
        /// The requests at most; 0 for all.
        #[serde(default)]
        requests: usize,
        /// How the strong advisor behaves.
        #[serde(default)]
        change: Change,
        /// By how many requests feedback is late.
        #[serde(default)]
        delay: u64,
    },
}

/// The settings of decisions without a world.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `table` | none | `pareto`, `mmlu`, `gsm8k`, or `{ file = { path = "…" } }` |
/// | `advisors` | all of the table | names of its advisors; the first is the answer without a call |
/// | `protocol` | none | `period`, `labels` or `stream`: see [`Protocol`] |
/// | `features` | none are read | see [`Features`] |
/// | `policy` | none | see [`Policy`] |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Decisions {
    /// The table.
    pub table: TableName,
    /// Who can be asked.
    #[serde(default)]
    pub advisors: Vec<String>,
    /// In which order, and under which limit.
    pub protocol: Protocol,
    /// What of a request is read.
    #[serde(default)]
    pub features: Features,
    /// Who chooses.
    pub policy: Policy,
}

/// All that a cell is played from.
struct Deck<'a> {
    settings: &'a Decisions,
    table: &'a Table,
    /// The advisors, as places in the table.
    advisors: Vec<usize>,
    /// Requests whose labels are known beforehand.
    taught: Vec<&'a Row>,
    /// The requests, each with its place in the table and whether it counts.
    asked: Vec<(usize, bool)>,
    /// Where the strong advisor's reward is another one than in the table.
    replaced: Vec<Option<f64>>,
    published: Option<f64>,
}

impl Decisions {
    /// The cards as they fall in one cell.
    fn deck(&self, number: u64, seed: Seed) -> Result<Deck<'_>, Error> {
        let table = self.table.open(self.advisors.first().map(String::as_str))?;
        let advisors = self.places(table)?;
        let known = |place: &usize| advisors.iter().all(|advisor| table.rows[*place].rewards[*advisor].is_finite());
        let places =
            |learning: bool| (0..table.rows.len()).filter(move |place| table.rows[*place].learning == learning);
        let rows = |places: &[usize]| places.iter().map(|place| &table.rows[*place]).collect();
        let mut deck = Deck {
            settings: self,
            table,
            advisors: advisors.clone(),
            taught: Vec::new(),
            asked: Vec::new(),
            replaced: Vec::new(),
            published: None,
        };
        match self.protocol {
            Protocol::Period { per_request, first_order } => {
                let mut generator = order::Pcg64::new(first_order + number);
                let (learning, counted): (Vec<usize>, Vec<usize>) = (places(true).collect(), places(false).collect());
                let mut drawn = |places: &[usize]| -> Vec<usize> {
                    let order = generator.permutation(places.len());
                    order.into_iter().map(|place| places[place]).filter(known).collect()
                };
                let (learning, counted) = (drawn(&learning), drawn(&counted));
                if self.policy.is_taught() {
                    let mut labelled = learning;
                    labelled.sort_unstable();
                    deck.taught = rows(&labelled);
                } else if self.policy.learns() {
                    deck.asked = learning.into_iter().map(|place| (place, false)).collect();
                }
                deck.asked.extend(counted.into_iter().map(|place| (place, true)));
                deck.published = table::published_reward(per_request, first_order + number);
            }
            Protocol::Labels { labels, .. } => {
                let mut order: Vec<usize> = (0..table.rows.len()).filter(known).collect();
                order.shuffle(&mut seed.stream("order").rng());
                let counted = order.split_off(labels.min(order.len()));
                deck.taught = rows(&order);
                deck.asked = counted.into_iter().map(|place| (place, true)).collect();
            }
            Protocol::Stream { requests, change, .. } => {
                let mut order: Vec<usize> = (0..table.rows.len()).filter(known).collect();
                order.shuffle(&mut seed.stream("order").rng());
                order.truncate(if requests == 0 { order.len() } else { requests });
                deck.replaced = change.rewards(order.len(), seed.stream("change"));
                deck.asked = order.into_iter().map(|place| (place, true)).collect();
            }
        }
        Ok(deck)
    }

    fn places(&self, table: &Table) -> Result<Vec<usize>, Error> {
        if self.advisors.is_empty() {
            return Ok((0..table.offers.len()).collect());
        }
        let place = |name: &String| {
            let named = table.offers.iter().enumerate().map(|(place, offer)| (offer.name.as_str(), place));
            counsel_decision::refusal::find_named(name, named).map_err(|unknown| Error::Model {
                advisor: name.clone(),
                reason: format!("the table has no {unknown}"),
            })
        };
        self.advisors.iter().map(place).collect()
    }
}

impl Change {
    /// The strong advisor's rewards where they are not those of the table.
    fn rewards(self, requests: usize, seed: Seed) -> Vec<Option<f64>> {
        use rand::RngExt;
        const RIGHT: f64 = 0.25;
        let mut rng = seed.rng();
        let reward = |place: usize| {
            let random = f64::from(u8::from(rng.random::<f64>() < RIGHT));
            let replaced = match self {
                Self::None => false,
                Self::Drift => place >= requests / 2,
                Self::Useless => true,
                Self::Late => place < requests / 2,
            };
            replaced.then_some(random)
        };
        (0..requests).map(reward).collect()
    }
}

impl Playable for Decisions {
    /// Deals a cell and begins it.
    fn check(&self, seed: Seed) -> Result<(), Error> {
        match self.protocol {
            Protocol::Period { per_request, .. } => {
                refuse(
                    matches!(self.table, TableName::Mmlu | TableName::Gsm8k),
                    "only `pareto` and tables of your own have requests to learn from; choose labels or stream",
                )?;
                in_range(
                    per_request > 0.0,
                    "per_request",
                    per_request,
                    "(0, infinity)",
                    "say what a request may cost",
                )?;
            }
            Protocol::Labels { labels, .. } => {
                in_range(
                    (2..=3000).contains(&labels),
                    "labels",
                    labels as f64,
                    "[2, 3000]",
                    "1500 is what RouteLLM used",
                )?;
            }
            Protocol::Stream { .. } => {}
        }
        let mut deck = self.deck(0, seed)?;
        let advisors = match self.protocol {
            Protocol::Period { .. } => deck.advisors.len(),
            Protocol::Labels { .. } => 2,
            Protocol::Stream { .. } => deck.advisors.len().max(2),
        };
        refuse(
            deck.advisors.len() != advisors,
            "labels and streams are about two advisors; name a weak and a strong one",
        )?;
        refuse(
            matches!(self.protocol, Protocol::Stream { .. }) && deck.advisors.len() > 2 && self.policy.needs_two(),
            "among more than two advisors a stream is for alone, oracle, recall, fixed-order and agreement-of-two; name a weak and a strong one",
        )?;
        // Whether it can be fitted is seen on a few labels.
        deck.taught.truncate(2);
        player::Player::new(&deck, seed).map(|_| ())
    }

    fn cell(&self, seed: Seed, _: Shared<'_>) -> Result<Played, Error> {
        drive::played(&self.deck(0, seed)?, seed)
    }

    fn cell_of(&self, key: &CellKey, _: Shared<'_>) -> Result<Played, Error> {
        let seed = seed_of(key);
        drive::played(&self.deck(key.seed, seed)?, seed)
    }
}
