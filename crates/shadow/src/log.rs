//! A log whose every row was checked, column by column in memory, so that a million decisions fit.

use std::ops::Range;

use counsel_decision::{
    Action, AdviceModel, CandidateOnly, ContextKey, Evidence, Parser, Radius, Reply, ResponseLaw, Seed, ValueBounds,
    ValueSamples,
};
use counsel_log::Decision;

use crate::{Error, LogHeader, LogLevel};

/// The rows of one episode.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EpisodeRows {
    /// Which rows, in order.
    pub rows: Range<usize>,
    /// Whose run it belongs to: where the agent learns, what was left in one episode is left in all later ones of the run.
    pub run: usize,
}

/// Where the evidence of a decision comes from.
#[derive(Debug)]
pub(crate) enum EvidenceFrom {
    /// The agent's values and what else was written, flat, as many numbers per row as there are actions.
    Told { values: Vec<f64>, law: Vec<f64>, lower: Vec<f64>, upper: Vec<f64> },
    /// A run of this program.
    Own(Vec<Decision>),
}

/// A checked log.
#[derive(Debug)]
pub struct ShadowLog {
    /// What it says once.
    pub header: LogHeader,
    /// Its finished episodes.
    pub episodes: Vec<EpisodeRows>,
    /// Columns that were not read.
    pub unread: Vec<String>,
    /// Rows of an episode at the end that has no end; they are left out.
    pub unfinished: usize,
    pub(crate) base: Vec<u16>,
    pub(crate) executed: Vec<u16>,
    pub(crate) asked: Vec<bool>,
    /// The advised action, or -1 where an answer named none, or where none was bought.
    pub(crate) answer: Vec<i32>,
    pub(crate) reward: Vec<f64>,
    /// κ of every row, before λ.
    pub(crate) price: Vec<f64>,
    /// The probability of asking; empty where it was not logged.
    pub(crate) p_ask: Vec<f64>,
    pub(crate) known: EvidenceFrom,
    /// What reads the answers.
    pub(crate) parser: Parser,
    /// The seed of each run's controller.
    pub(crate) seeds: Vec<Seed>,
}

impl ShadowLog {
    pub(crate) fn empty(header: LogHeader, known: EvidenceFrom) -> Self {
        Self {
            parser: Parser::numbered(header.words.len()),
            seeds: vec![Seed::root(0)],
            header,
            episodes: Vec::new(),
            unread: Vec::new(),
            unfinished: 0,
            base: Vec::new(),
            executed: Vec::new(),
            asked: Vec::new(),
            answer: Vec::new(),
            reward: Vec::new(),
            price: Vec::new(),
            p_ask: Vec::new(),
            known,
        }
    }

    /// The decisions of runs of this program, one list each. All share actions and settings.
    pub(crate) fn own(header: LogHeader, parser: Parser, runs: Vec<(Seed, Vec<Decision>)>) -> Self {
        let mut log = Self::empty(header, EvidenceFrom::Own(Vec::new()));
        log.parser = parser;
        log.seeds = runs.iter().map(|(seed, _)| *seed).collect();
        let mut all = Vec::new();
        for (run, (_, decisions)) in runs.into_iter().enumerate() {
            for episode in decisions.chunk_by(|one, next| one.record.episode == next.record.episode) {
                let start = log.base.len();
                for Decision { record, hindsight, .. } in episode {
                    log.base.push(record.evidence.advice().none().base().0);
                    log.executed.push(record.executed.0);
                    log.asked.push(record.asked());
                    log.answer.push(-1);
                    log.reward.push(hindsight.reward);
                    log.price.push(record.evidence.price());
                }
                log.episodes.push(EpisodeRows { rows: start..log.base.len(), run });
            }
            all.extend(decisions);
        }
        log.known = EvidenceFrom::Own(all);
        log
    }

    /// How many decisions there are.
    pub fn rows(&self) -> usize {
        self.base.len()
    }

    /// How many actions there are.
    pub fn actions(&self) -> usize {
        self.header.words.len()
    }

    /// How much it can tell.
    pub fn level(&self) -> LogLevel {
        match &self.known {
            EvidenceFrom::Told { values, .. } if values.is_empty() => LogLevel::Done,
            EvidenceFrom::Told { lower, .. } if lower.is_empty() => LogLevel::Values,
            EvidenceFrom::Own(_) | EvidenceFrom::Told { .. } => LogLevel::Bounds,
        }
    }

    /// Whether it is a run of this program.
    pub fn is_own(&self) -> bool {
        matches!(self.known, EvidenceFrom::Own(_))
    }

    /// Whether it says what answers were expected.
    pub fn has_law(&self) -> bool {
        matches!(&self.known, EvidenceFrom::Told { law, .. } if !law.is_empty()) || self.is_own()
    }

    /// Whether what is expected of an answer may have learned from answers that another policy would not have bought.
    pub fn predictor_learns(&self) -> bool {
        self.has_law() && !self.header.predictor_frozen
    }

    /// Whether it says how probable asking was.
    pub fn has_probabilities(&self) -> bool {
        !self.p_ask.is_empty()
    }

    /// The reply that was bought at a row; `None` if nobody was asked.
    pub(crate) fn reply(&self, row: usize) -> Option<Reply> {
        if !self.asked[row] {
            return None;
        }
        Some(match &self.known {
            EvidenceFrom::Own(decisions) => {
                decisions[row].record.answer().map_or_else(Reply::lost, |a| a.reply.clone())
            }
            EvidenceFrom::Told { .. } => usize::try_from(self.answer[row])
                .map_or_else(|_| Reply::lost(), |action| Reply::simulated(format!("a{action}"))),
        })
    }

    /// The evidence of a row, where it is logged. What is not in it is given: the law where the log has none, and the radius
    /// where the log is not our own.
    pub(crate) fn evidence(
        &self,
        row: usize,
        law: Option<&ResponseLaw>,
        radius: Radius,
    ) -> Result<Option<Evidence>, Error> {
        let (values, told_law, lower, upper) = match &self.known {
            EvidenceFrom::Own(decisions) => return Ok(Some(decisions[row].record.evidence.clone())),
            EvidenceFrom::Told { values, .. } if values.is_empty() => return Ok(None),
            EvidenceFrom::Told { values, law, lower, upper } => (values, law, lower, upper),
        };
        let actions = self.actions();
        let of = |column: &[f64]| column[row * actions..(row + 1) * actions].to_vec();
        let means = of(values);
        let bounds = if lower.is_empty() {
            ValueBounds::new(means.clone(), means.clone())
        } else {
            ValueBounds::new(of(lower), of(upper))
        }?;
        let law = match law {
            _ if !told_law.is_empty() => {
                ResponseLaw::new(actions, told_law[row * (actions + 1)..(row + 1) * (actions + 1)].to_vec())?
            }
            Some(law) => law.clone(),
            None => ResponseLaw::uniform(actions),
        };
        let advice = CandidateOnly::new(law, ValueSamples::new(actions, means)?, bounds, Action(self.base[row]))?;
        let mut evidence = Evidence::new(ContextKey(0), AdviceModel::CandidateOnly(advice), self.price[row])?;
        evidence = evidence.with_radius(radius);
        Ok(Some(evidence))
    }

    /// The discounted return of an episode.
    pub fn return_of(&self, episode: &EpisodeRows) -> f64 {
        self.discounted(episode.rows.clone())
    }

    /// The discounted rewards of the first rows of an episode.
    pub(crate) fn discounted(&self, rows: Range<usize>) -> f64 {
        let mut weight = 1.0;
        let mut sum = 0.0;
        for reward in &self.reward[rows] {
            sum += weight * reward;
            weight *= self.header.discount;
        }
        sum
    }
}
