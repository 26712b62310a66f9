//! A request on its way: what has been read, and what is wanted.

use std::sync::Arc;

use counsel_advisor::Utterance;

use crate::Error;
use crate::choice::Choice;
use crate::decoder::{Decoder, Row};
use crate::memory::Memory;
use crate::stems::Stems;
use crate::vocabulary::Vocabulary;
use crate::words::Words;

/// Rows of one prompt that are read in one pass at most.
const PASS: usize = 256;

/// What is wanted.
#[derive(Debug)]
pub(crate) enum Goal {
    /// An answer of at most so many tokens.
    Write { choice: Choice, most: usize },
    /// The probabilities of words.
    Score(Words),
}

/// A request on its way.
#[derive(Debug)]
pub(crate) struct Job {
    tokens: Vec<u32>,
    /// So many of the tokens are the stem.
    stem: usize,
    goal: Goal,
    /// What was read of the stem.
    shared: Arc<Memory>,
    /// What was read after the stem.
    own: Memory,
    /// The hidden state of the last token.
    hidden: Vec<f32>,
    /// The hidden states of the words' nodes.
    nodes: Vec<Vec<f32>>,
    written: Vec<u32>,
    ended: bool,
}

impl Job {
    /// A job of which nothing has been read. At least one token follows the stem.
    pub(crate) fn new(tokens: Vec<u32>, stem: usize, goal: Goal, nothing: Memory) -> Self {
        let shared = Arc::new(nothing.clone());
        let ended = matches!(goal, Goal::Score(_) | Goal::Write { most: 0, .. });
        let (hidden, nodes, written) = (Vec::new(), Vec::new(), Vec::new());
        Self { tokens, stem, goal, shared, own: nothing, hidden, nodes, written, ended }
    }

    /// The hidden state of the prompt's last token.
    pub(crate) fn hidden(&self) -> &[f32] {
        &self.hidden
    }

    /// Tokens that it will have at most.
    pub(crate) fn most_tokens(&self, context: usize) -> usize {
        let more = match &self.goal {
            Goal::Write { most, .. } => *most,
            Goal::Score(words) => words.nodes().len(),
        };
        self.tokens.len().saturating_add(more).min(context)
    }

    fn read(&self) -> usize {
        self.shared.tokens() + self.own.tokens()
    }

    fn nodes_wanted(&self) -> usize {
        match &self.goal {
            Goal::Score(words) => words.nodes().len(),
            Goal::Write { .. } => 0,
        }
    }

    /// The rows that are still to be read, the first of which is row `first` of the pass: the rest of the prompt one
    /// after the other, then the tree of the words.
    fn rows<'a>(&self, first: usize, past: &'a [&'a Memory]) -> Vec<Row<'a>> {
        let read = self.read();
        let mut rows: Vec<Row<'a>> = self.tokens[read..]
            .iter()
            .enumerate()
            .map(|(at, token)| Row { token: *token, position: read + at, past, seen: (first..=first + at).collect() })
            .collect();
        if let Goal::Score(words) = &self.goal {
            let prompt = rows.len();
            for (at, node) in words.nodes().iter().enumerate() {
                let path = words.path(at);
                let position = self.tokens.len() + path.len() - 1;
                let seen = (first..first + prompt).chain(path.iter().map(|node| first + prompt + node)).collect();
                rows.push(Row { token: node.token, position, past, seen });
            }
        }
        rows
    }

    /// Chooses the next token from the logits. The answer ends with a token that ends turns, with as many tokens as were
    /// wanted, or with the context.
    fn choose(&mut self, logits: &[f32], vocabulary: &Vocabulary, context: usize) {
        if let Goal::Write { choice, most } = &mut self.goal {
            let token = choice.next(logits);
            self.written.push(token);
            self.tokens.push(token);
            self.ended = vocabulary.ends(token) || self.written.len() >= *most || self.tokens.len() >= context;
        }
    }

    /// What is answered, before anyone has looked at a clock.
    pub(crate) fn utterance(&self, decoder: &Decoder, vocabulary: &Vocabulary) -> Result<Utterance, Error> {
        let count = |tokens: usize| u32::try_from(tokens).ok();
        let prompt = self.tokens.len() - self.written.len();
        let (text, scores, received) = match &self.goal {
            Goal::Write { .. } => (vocabulary.text(&self.written), None, self.written.len()),
            Goal::Score(words) => {
                let first = decoder.logits_of(&self.hidden, &words.firsts())?;
                let nodes = self.nodes.iter().map(|hidden| decoder.logits(hidden)).collect::<Result<Vec<_>, _>>()?;
                let scores = words.scores(&first, &nodes);
                if scores.iter().any(|score| !score.probability.is_finite()) {
                    return Err(Error::Numbers);
                }
                let mut best = &scores[0];
                for score in &scores {
                    if score.probability > best.probability {
                        best = score;
                    }
                }
                let text = best.word.clone();
                let received = vocabulary.word(&text).len();
                (text, Some(scores), received)
            }
        };
        let (request_tokens, response_tokens) = (count(prompt), count(received));
        if self.hidden.iter().any(|number| !number.is_finite()) {
            return Err(Error::Numbers);
        }
        Ok(Utterance { text, scores, request_tokens, response_tokens, latency_ms: None })
    }
}

/// Reads the prompts of all jobs, and the trees of their words, in one pass but for stems and very long prompts.
pub(crate) fn read(decoder: &Decoder, stems: &mut Stems, context: usize, jobs: &mut [Job]) -> Result<(), Error> {
    for job in jobs.iter_mut() {
        let stem = &job.tokens[..job.stem];
        job.shared = stems.get(stem, context, || {
            let mut memory = decoder.no_memory();
            read_on(decoder, &[], &mut memory, stem)?;
            Ok(memory)
        })?;
        let rest = &job.tokens[job.stem..];
        let early = rest.len().saturating_sub(PASS);
        read_on(decoder, &[&job.shared], &mut job.own, &rest[..early])?;
    }
    pass(decoder, &mut jobs.iter_mut().collect::<Vec<_>>())
}

/// Writes the answers of all jobs that want one, a token of each at a time.
pub(crate) fn write(decoder: &Decoder, vocabulary: &Vocabulary, context: usize, jobs: &mut [Job]) -> Result<(), Error> {
    loop {
        let mut open: Vec<&mut Job> = jobs.iter_mut().filter(|job| !job.ended).collect();
        if open.is_empty() {
            return Ok(());
        }
        let hidden: Vec<f32> = open.iter().flat_map(|job| job.hidden.iter().copied()).collect();
        let logits = decoder.logits(&hidden)?;
        for (job, logits) in open.iter_mut().zip(logits.chunks_exact(decoder.vocabulary())) {
            job.choose(logits, vocabulary, context);
        }
        open.retain(|job| !job.ended);
        pass(decoder, &mut open)?;
    }
}

/// Reads what the jobs have not read yet.
fn pass(decoder: &Decoder, jobs: &mut [&mut Job]) -> Result<(), Error> {
    let pasts: Vec<[&Memory; 2]> = jobs.iter().map(|job| [&*job.shared, &job.own]).collect();
    let mut rows = Vec::new();
    for (job, past) in jobs.iter().zip(&pasts) {
        rows.extend(job.rows(rows.len(), past));
    }
    if rows.is_empty() {
        return Ok(());
    }
    let reading = decoder.read(&rows)?;
    let mut first = 0;
    for job in jobs {
        let prompt = first..first + job.tokens.len() - job.read();
        let nodes = prompt.end..prompt.end + job.nodes_wanted();
        job.hidden = reading.hidden(prompt.end - 1).to_vec();
        job.nodes = nodes.clone().map(|row| reading.hidden(row).to_vec()).collect();
        job.own.append(&reading.memory, prompt);
        first = nodes.end;
    }
    Ok(())
}

/// Reads consecutive tokens into a memory that follows the past.
fn read_on(decoder: &Decoder, past: &[&Memory], memory: &mut Memory, tokens: &[u32]) -> Result<(), Error> {
    let before: usize = past.iter().map(|past| past.tokens()).sum();
    for piece in tokens.chunks(PASS) {
        let position = before + memory.tokens();
        let past: Vec<&Memory> = past.iter().copied().chain([&*memory]).collect();
        let row = |(at, token): (usize, &u32)| Row {
            token: *token,
            position: position + at,
            past: &past,
            seen: (0..=at).collect(),
        };
        let rows: Vec<Row<'_>> = piece.iter().enumerate().map(row).collect();
        let reading = decoder.read(&rows)?;
        memory.append(&reading.memory, 0..piece.len());
    }
    Ok(())
}
