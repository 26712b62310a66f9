//! A log that is being read: each row is checked against the header and the rows before it, and then kept.

use std::collections::BTreeSet;

use counsel_decision::{ResponseLaw, ValueSamples};

use crate::log::EvidenceFrom;
use crate::raw::{Count, Ending, Flag, RawRow, RawValues, Word};
use crate::{EpisodeRows, LogHeader, RowFault, ShadowLog};

/// A log that is being read.
pub(crate) struct LogBuilder {
    log: ShadowLog,
    /// The episode at hand, and where it began.
    episode: Option<(String, usize)>,
    /// The step that comes next, and whether the last row ended the episode.
    next: u64,
    over: bool,
    /// Whether the row before could not be read, so that nothing is known of its place.
    lost: bool,
    seen: BTreeSet<String>,
}

impl LogBuilder {
    pub(crate) fn new(header: LogHeader) -> Self {
        let known = EvidenceFrom::Told { values: Vec::new(), law: Vec::new(), lower: Vec::new(), upper: Vec::new() };
        Self {
            log: ShadowLog::empty(header, known),
            episode: None,
            next: 0,
            over: true,
            lost: false,
            seen: BTreeSet::new(),
        }
    }

    /// A row could not be read: whatever follows it is in its place.
    pub(crate) fn lose(&mut self) {
        self.lost = true;
    }

    /// Takes a row.
    pub(crate) fn push(&mut self, line: usize, row: RawRow) -> Result<(), RowFault> {
        let missing = |column: &'static str| move || RowFault::new(line, column, "missing", "every row must have it");
        let (name, step, ended) = told(line, &row).inspect_err(|_| self.lost = true)?;
        let placed = self.place(line, name, step);
        // What is wrong with a row is no fault of those that follow.
        self.over = ended;
        placed?;
        if let Some(most) = self.log.header.max_steps
            && step >= most
        {
            let remedy = format!("steps go from 0 and max_steps is {most}; declare the steps of the longest episode");
            return Err(RowFault::new(line, "step", step, remedy));
        }
        let action =
            |column: &'static str, word: Option<Word>| self.action(line, column, &word.ok_or_else(missing(column))?);
        let (base, executed) = (action("base", row.base)?, action("executed", row.executed)?);
        let Flag(asked) = row.asked.ok_or_else(missing("asked"))?;
        let answer = match row.answer {
            Some(answer) if !asked => {
                let remedy = "nobody was asked; leave it out, or say asked";
                return Err(RowFault::new(line, "answer", shown(&answer), remedy));
            }
            Some(answer) => self.place_of(&answer).map_or(-1, i32::from),
            None => -1,
        };
        let finite = |column: &'static str, value: f64, ok: bool, remedy: &str| {
            if ok { Ok(value) } else { Err(RowFault::new(line, column, value, remedy)) }
        };
        let reward = row.reward.ok_or_else(missing("reward"))?;
        let reward = finite("reward", reward, reward.is_finite(), "write a finite number")?;
        if let Some([low, high]) = self.log.header.reward_range {
            let remedy = format!("it lies outside of reward_range [{low}, {high}]; declare the range that holds");
            finite("reward", reward, (low..=high).contains(&reward), &remedy)?;
        }
        let price = row.price.ok_or_else(missing("price"))?;
        let price = finite("price", price, price >= 0.0 && price.is_finite(), "write 0 or more")?;
        self.numbers(line, row.values, row.law, row.lower, row.upper)?;
        let first = self.log.base.is_empty();
        match row.p_ask {
            Some(p) if !(0.0..=1.0).contains(&p) => return Err(RowFault::new(line, "p_ask", p, "write a probability")),
            Some(p) if first || self.log.has_probabilities() => self.log.p_ask.push(p),
            Some(p) => return Err(RowFault::new(line, "p_ask", p, "write it in every row, or in none")),
            None if self.log.has_probabilities() => return Err(missing("p_ask")()),
            None => {}
        }
        self.log.base.push(base);
        self.log.executed.push(executed);
        self.log.asked.push(asked);
        self.log.answer.push(answer);
        self.log.reward.push(reward);
        self.log.price.push(price);
        if ended {
            let start = self.episode.as_ref().map_or(0, |(_, start)| *start);
            let episode = EpisodeRows { rows: start..self.log.base.len(), run: 0 };
            let gained = self.log.return_of(&episode);
            if let Some([low, high]) = self.log.header.return_range
                && !(low..=high).contains(&gained)
            {
                let remedy = format!("it lies outside of return_range [{low}, {high}]; declare the range that holds");
                return Err(RowFault::new(line, "the episode's return", gained, remedy));
            }
            self.log.episodes.push(episode);
        }
        Ok(())
    }

    /// Checks that a row follows the one before it. The row is believed all the same, so that one fault is not found again in
    /// every row after it.
    fn place(&mut self, line: usize, name: String, step: u64) -> Result<(), RowFault> {
        let fault =
            |column, found: &dyn std::fmt::Display, remedy: &str| Err(RowFault::new(line, column, found, remedy));
        let lost = std::mem::take(&mut self.lost);
        let goes_on = self.episode.as_ref().is_some_and(|(known, _)| *known == name);
        let next = std::mem::replace(&mut self.next, step.saturating_add(1));
        if goes_on {
            return match (self.over, step == next || lost) {
                (true, _) if !lost => fault("episode", &name, "the row before ended it; begin another episode"),
                (_, true) => Ok(()),
                (_, false) => fault("step", &step, &format!("write {next}: steps go up by one from 0")),
            };
        }
        let is_new = self.seen.insert(name.clone());
        let before = self.episode.replace((name, self.log.base.len()));
        let name = self.episode.as_ref().map_or("", |(name, _)| name);
        match before {
            Some((known, _)) if !self.over && !lost => {
                fault("episode", &name, &format!("episode {known} has no end; write end in its last row"))
            }
            _ if !is_new => fault("episode", &name, "it came before; keep the rows of an episode together"),
            _ if step != 0 && !lost => fault("step", &step, "write 0: steps go up by one from 0"),
            _ => Ok(()),
        }
    }

    /// Takes lists of numbers, which every row has or none.
    fn numbers(
        &mut self,
        line: usize,
        values: Option<RawValues>,
        law: Option<Vec<f64>>,
        lower: Option<Vec<f64>>,
        upper: Option<Vec<f64>>,
    ) -> Result<(), RowFault> {
        let (rows, actions) = (self.log.base.len(), self.log.actions());
        let EvidenceFrom::Told { values: known, law: laws, lower: lowers, upper: uppers } = &mut self.log.known else {
            return Ok(());
        };
        let means = match values {
            Some(RawValues::Means(means)) => Some(means),
            Some(RawValues::Samples(samples)) => {
                let flat = ValueSamples::new(actions, samples.concat());
                let right = samples.iter().all(|sample| sample.len() == actions);
                let table = flat.ok().filter(|table| right && table.count() > 0);
                let remedy = format!("write samples of {actions} finite numbers each");
                Some(table.ok_or_else(|| RowFault::new(line, "values", format!("{samples:?}"), remedy))?.means(None))
            }
            None => None,
        };
        if let (Some(low), Some(high)) = (&lower, &upper)
            && let Some((low, high)) = low.iter().zip(high).find(|(low, high)| low > high)
        {
            let remedy = format!("it lies above upper {high}; write the lower bound");
            return Err(RowFault::new(line, "lower", low, remedy));
        }
        if let Some(law) = &law {
            let sum: f64 = law.iter().sum();
            if law.iter().any(|p| !(0.0..=1.0).contains(p)) || (sum - 1.0).abs() > ResponseLaw::TOLERANCE {
                let remedy = "write probabilities that sum to 1, the unusable answer last";
                return Err(RowFault::new(line, "law", format!("{law:?}"), remedy));
            }
        }
        put(known, ("values", line, rows), means, actions)?;
        put(laws, ("law", line, rows), law, actions + 1)?;
        put(lowers, ("lower", line, rows), lower, actions)?;
        put(uppers, ("upper", line, rows), upper, actions)
    }

    fn action(&self, line: usize, column: &'static str, word: &Word) -> Result<u16, RowFault> {
        self.place_of(word).ok_or_else(|| {
            RowFault::new(line, column, shown(word), format!("write one of {}", self.log.header.words.join(", ")))
        })
    }

    /// The number of the action that this names, if it names one.
    fn place_of(&self, word: &Word) -> Option<u16> {
        let words = &self.log.header.words;
        let place = match word {
            Word::Text(text) => words.iter().position(|word| word == text),
            Word::Number(number) => usize::try_from(*number).ok().filter(|place| *place < words.len()),
        };
        place.and_then(|place| u16::try_from(place).ok())
    }

    /// The log, with the rows of an episode left out that has no end.
    pub(crate) fn finish(mut self, unread: Vec<String>) -> Result<ShadowLog, RowFault> {
        let log = &mut self.log;
        let finished = log.episodes.last().map_or(0, |episode| episode.rows.end);
        log.unfinished = log.base.len() - finished;
        log.unread = unread;
        if let EvidenceFrom::Told { values, lower, upper, .. } = &log.known {
            let fault = |column, remedy: &str| Err(RowFault::new(0, column, "missing", remedy));
            if lower.is_empty() != upper.is_empty() {
                return fault(if lower.is_empty() { "lower" } else { "upper" }, "write both bounds, or none");
            }
            if values.is_empty() && !lower.is_empty() {
                return fault("values", "bounds are of use only beside values; write them too");
            }
        }
        Ok(self.log)
    }
}

/// Which row this is: its episode, its step, and whether it is the last.
fn told(line: usize, row: &RawRow) -> Result<(String, u64, bool), RowFault> {
    let missing = |column: &'static str| move || RowFault::new(line, column, "missing", "every row must have it");
    let name = match row.episode.as_ref().ok_or_else(missing("episode"))? {
        Word::Number(number) => number.to_string(),
        Word::Text(text) => text.clone(),
    };
    let Count(step) = row.step.ok_or_else(missing("step"))?;
    let ended = match &row.end {
        None => false,
        Some(Ending::Flag(flag)) => *flag,
        Some(Ending::Word(word)) if matches!(word.as_str(), "terminated" | "truncated" | "true") => true,
        Some(Ending::Word(word)) if matches!(word.as_str(), "" | "false") => false,
        Some(Ending::Word(word)) => {
            return Err(RowFault::new(line, "end", word, "write true in the last row of an episode"));
        }
    };
    Ok((name, step, ended))
}

/// Adds the numbers of a row to a column that every row has or none.
fn put(
    column: &mut Vec<f64>,
    (name, line, rows): (&'static str, usize, usize),
    numbers: Option<Vec<f64>>,
    width: usize,
) -> Result<(), RowFault> {
    let Some(numbers) = numbers else {
        let missing = || RowFault::new(line, name, "missing", "write it in every row, or in none");
        return if column.is_empty() { Ok(()) } else { Err(missing()) };
    };
    if column.is_empty() && rows > 0 {
        return Err(RowFault::new(line, name, format!("{numbers:?}"), "write it in every row, or in none"));
    }
    if numbers.len() != width || numbers.iter().any(|number| !number.is_finite()) {
        return Err(RowFault::new(line, name, format!("{numbers:?}"), format!("write {width} finite numbers")));
    }
    column.extend(numbers);
    Ok(())
}

fn shown(word: &Word) -> String {
    match word {
        Word::Number(number) => number.to_string(),
        Word::Text(text) => format!("`{text}`"),
    }
}
