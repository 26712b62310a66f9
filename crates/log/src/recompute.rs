//! Every decision again: the logged evidence and replies go into a fresh engine with the logged settings, and what it does
//! is compared with what was logged, bit for bit.

use std::collections::BTreeMap;

use counsel_decision::{Engine, Evidence, Override, Parser, Record, Reply};
use counsel_whatif::{Moment, again};

use crate::column::{Field, LogColumn, Origin, Row, columns, routes};
use crate::json::filled;
use crate::overlap::as_heard;
use crate::{CellKey, Decision, Manifest, Routed};

/// A decision that does not come out as logged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    /// The decision's number in its run.
    pub step: u64,
    /// The column that differs.
    pub column: &'static str,
    /// What the log says.
    pub logged: String,
    /// What the engine says.
    pub computed: String,
}

impl std::fmt::Display for Disagreement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { step, column, logged, computed } = self;
        write!(f, "step {step}: {column} is logged as {logged}, recomputed as {computed}")
    }
}

/// Recomputes the decisions of one cell and returns those that disagree.
pub fn recompute(manifest: &Manifest, decisions: &[Decision]) -> Result<Vec<Disagreement>, counsel_decision::Error> {
    let parser = Parser::new(manifest.words.iter().cloned())?.in_form(manifest.form);
    let mut engine = Engine::diagnostic(&manifest.settings, parser, manifest.engine_seed)?;
    let episodes = plausible_episodes(manifest, decisions);
    let moments: Vec<Logged<'_>> =
        decisions.iter().zip(episodes).map(|(decision, episode)| Logged { decision, episode }).collect();
    let mut disagreements = Vec::new();
    let made = |moment: &Logged<'_>, mut record: Record| {
        // Who had the last word is given; what it replaced is computed.
        if let Some(logged) = &moment.decision.record.overridden {
            record.set_override(Override { instead_of: record.executed, ..logged.clone() });
        }
        disagreements.extend(compare(&manifest.key, moment.decision, &record));
    };
    if decisions.iter().any(|decision| decision.hindsight.heard_at.is_some()) {
        as_heard(&mut engine, &moments, made)?;
        disagreements.sort_by_key(|fault| fault.step);
    } else {
        again(&mut engine, &moments, made)?;
    }
    Ok(disagreements)
}

/// A logged decision that is made again.
pub(crate) struct Logged<'a> {
    pub(crate) decision: &'a Decision,
    /// As far as it can be true.
    episode: u64,
}

impl Moment for Logged<'_> {
    fn place(&self) -> usize {
        seat(&self.decision.record)
    }

    fn batch(&self) -> Option<u64> {
        self.decision.record.batch
    }

    fn episode(&self) -> u64 {
        self.episode
    }

    fn evidence(&self) -> Result<Evidence, counsel_decision::Error> {
        Ok(self.decision.record.evidence.clone())
    }

    fn reply(&self) -> Reply {
        self.decision.record.answer().map_or_else(Reply::lost, |answer| answer.reply.clone())
    }
}

/// The place of a decision. One past all sense is an altered log, and only its own rows disagree.
fn seat(record: &Record) -> usize {
    const MOST: u64 = 1 << 20;
    usize::try_from(record.place.min(MOST)).unwrap_or(0)
}

/// The episode of every decision, as far as it can be true: none is later than the last one of the run, or than the episode
/// of the decision that follows, and it is earlier if that one is the first of its episode. Where the log says something
/// else, the comparison of the episode column reports it.
fn plausible_episodes(manifest: &Manifest, decisions: &[Decision]) -> Vec<u64> {
    let last = manifest.totals.episodes.saturating_sub(1);
    let mut latest: BTreeMap<u64, u64> = BTreeMap::new();
    let mut episodes: Vec<u64> = decisions
        .iter()
        .rev()
        .map(|Decision { record, .. }| {
            let latest = latest.entry(record.place).or_insert(last);
            let episode = record.episode.min(*latest);
            *latest = if record.step_in_episode == 0 { episode.saturating_sub(1) } else { episode };
            episode
        })
        .collect();
    episodes.reverse();
    episodes
}

fn compare(key: &CellKey, logged: &Decision, again: &Record) -> Option<Disagreement> {
    let logged = Row::of(key, logged);
    first_difference(logged, Row { record: again, ..logged })
}

/// Compares the routes of a cell with those that were computed again, one for each decision, and returns those that disagree.
pub fn compare_routes(key: &CellKey, decisions: &[Decision], again: &[Routed]) -> Vec<Disagreement> {
    let pairs = decisions.iter().zip(again);
    pairs
        .filter_map(|(decision, again)| {
            let logged = Row::of(key, decision);
            // All other columns are those of the same row.
            difference_in(routes(), logged, Row { route: Some(again), ..logged })
        })
        .collect()
}

/// The first recomputed column in which two rows differ.
fn first_difference(logged: Row<'_>, again: Row<'_>) -> Option<Disagreement> {
    difference_in(columns(), logged, again)
}

fn difference_in<'a>(
    columns: impl Iterator<Item = &'a LogColumn>,
    logged: Row<'_>,
    again: Row<'_>,
) -> Option<Disagreement> {
    columns.filter(|column| column.origin == Origin::Computed).find_map(|column| {
        let (logged, computed) = column.field.difference(logged, again)?;
        Some(Disagreement { step: again.record.step, column: column.name, logged, computed })
    })
}

impl Field {
    /// The entries of two rows in words, if they differ in one bit.
    fn difference(&self, one: Row<'_>, other: Row<'_>) -> Option<(String, String)> {
        match self {
            Self::Int { write, .. } => scalars(write(one), write(other)),
            Self::Real { write, .. } => scalars(write(one).map(Exact), write(other).map(Exact)),
            Self::Word { write, .. } | Self::Text { write, .. } => scalars(write(one), write(other)),
            Self::Ints { write, .. } => lists(&filled(write, one), &filled(write, other)),
            Self::Words { write, .. } => lists(&filled(write, one), &filled(write, other)),
            Self::Reals { write, .. } => {
                let exact = |row| filled(write, row).into_iter().map(Exact).collect::<Vec<_>>();
                lists(&exact(one), &exact(other))
            }
        }
    }
}

/// A number that equals only itself: zeros differ by their sign. All that is not a number counts as the same.
#[derive(Clone, Copy)]
struct Exact(f64);

impl PartialEq for Exact {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits() || (self.0.is_nan() && other.0.is_nan())
    }
}

impl std::fmt::Debug for Exact {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

fn scalars<T: PartialEq + std::fmt::Debug>(one: Option<T>, other: Option<T>) -> Option<(String, String)> {
    let words = |value: Option<T>| value.map_or_else(|| "absent".into(), |value| format!("{value:?}"));
    (one != other).then(|| (words(one), words(other)))
}

fn lists<T: PartialEq + std::fmt::Debug>(one: &[T], other: &[T]) -> Option<(String, String)> {
    (one != other).then(|| (format!("{one:?}"), format!("{other:?}")))
}
