//! The tokens of a model, and the way from text to tokens and back.
//!
//! Byte-level byte-pair encoding: text falls into pieces, bytes become letters of a printable alphabet, and neighbouring
//! tokens merge in the order of the file's merges. Control tokens (`<|im_end|>`) are found in the text before that.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use crate::Error;
use crate::gguf::Gguf;
use crate::split::Split;
use crate::value::Value;

/// Names of tokens that end a turn or a text, besides the one that the file declares.
const ENDS: [&str; 3] = ["<|im_end|>", "<|endoftext|>", "<|eot_id|>"];

/// A model's vocabulary.
#[derive(Debug)]
pub(crate) struct Vocabulary {
    split: Split,
    /// The token of every byte. Vocabularies may lack some that no text has; such a byte is left out.
    bytes: [Option<u32>; 256],
    /// Pairs that merge: their rank and what they become.
    merges: BTreeMap<(u32, u32), (u32, u32)>,
    /// Tokens that are found in the text as they are, longest first, by their first byte.
    whole: BTreeMap<u8, Vec<(String, u32)>>,
    /// What every token says; nothing for a control token.
    says: Vec<Vec<u8>>,
    names: Names,
    ends: Vec<u32>,
    first: Option<u32>,
}

/// The tokens that a chat template may name.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    pub(crate) begin: String,
    pub(crate) end: String,
}

impl Vocabulary {
    /// Reads the vocabulary of a model with so many embeddings.
    pub(crate) fn read(gguf: &Gguf, embeddings: usize) -> Result<Self, Error> {
        let model = gguf.text("tokenizer.ggml.model")?;
        if model != "gpt2" {
            let known = "gpt2 (byte-level pairs)".to_owned();
            return Err(Error::Unknown { what: "tokenizer", found: model.to_owned(), known });
        }
        let split = Split::new(gguf.text("tokenizer.ggml.pre")?)?;
        let list = |key: &str| {
            let lacking = || Error::Lacking { what: format!("the list {key}") };
            gguf.value(key).and_then(Value::texts).ok_or_else(lacking)
        };
        let tokens = list("tokenizer.ggml.tokens")?;
        let lacking = || Error::Lacking { what: "the list tokenizer.ggml.token_type".to_owned() };
        let kinds = gguf.value("tokenizer.ggml.token_type").and_then(Value::numbers).ok_or_else(lacking)?;
        if kinds.len() != tokens.len() || tokens.len() > embeddings {
            let (tokens, kinds) = (tokens.len(), kinds.len());
            return Err(gguf.damaged(format!("{tokens} tokens, {kinds} token types and {embeddings} embeddings")));
        }
        let alphabet = alphabet();
        let ids: BTreeMap<&str, u32> = tokens.iter().map(String::as_str).zip(0..).collect();
        let mut bytes = [None; 256];
        for (letter, byte) in &alphabet {
            bytes[usize::from(*byte)] = ids.get(letter.to_string().as_str()).copied();
        }
        if let Some(byte) = (b' '..=b'~').find(|byte| bytes[usize::from(*byte)].is_none()) {
            return Err(gguf.damaged(format!("no token says byte {byte}")));
        }
        let mut merges = BTreeMap::new();
        for (line, rank) in list("tokenizer.ggml.merges")?.iter().zip(0_u32..) {
            let id = |name: &str| ids.get(name).copied();
            let merge = line
                .split_once(' ')
                .and_then(|(left, right)| Some(((id(left)?, id(right)?), (rank, id(&format!("{left}{right}"))?))));
            let (pair, merged) = merge.ok_or_else(|| gguf.damaged(format!("merge {rank} is `{line}`")))?;
            merges.entry(pair).or_insert(merged);
        }
        let mut whole: BTreeMap<u8, Vec<(String, u32)>> = BTreeMap::new();
        let mut says = Vec::with_capacity(tokens.len());
        for ((token, kind), id) in tokens.iter().zip(kinds).zip(0..) {
            let (control, user) = (*kind == 3.0, *kind == 4.0);
            if let (true, Some(first)) = (control || user, token.bytes().next()) {
                whole.entry(first).or_default().push((token.clone(), id));
            }
            says.push(match (control, user) {
                (true, _) => Vec::new(),
                (_, true) => token.clone().into_bytes(),
                _ => token.chars().filter_map(|letter| alphabet.get(&letter).copied()).collect(),
            });
        }
        // Of two tokens of which one begins with the other, the longer one is meant.
        whole.values_mut().for_each(|tokens| tokens.sort_by_key(|(token, _)| Reverse(token.len())));
        let named = |key: &str| {
            let id = gguf.value(key).and_then(Value::unsigned).and_then(|id| u32::try_from(id).ok());
            id.filter(|id| (*id as usize) < tokens.len())
        };
        let end = named("tokenizer.ggml.eos_token_id");
        let end = end.ok_or_else(|| Error::Lacking { what: "the token tokenizer.ggml.eos_token_id".to_owned() })?;
        let begin = named("tokenizer.ggml.bos_token_id");
        let adds = gguf.value("tokenizer.ggml.add_bos_token").and_then(Value::truth).unwrap_or(false);
        let name = |id: Option<u32>| id.map_or_else(String::new, |id| tokens[id as usize].clone());
        let more = ENDS.iter().filter_map(|name| ids.get(name).copied()).filter(|id| says[*id as usize].is_empty());
        let ends = std::iter::once(end).chain(more).collect();
        let names = Names { begin: name(begin), end: name(Some(end)) };
        Ok(Self { split, bytes, merges, whole, says, names, ends, first: begin.filter(|_| adds) })
    }

    /// The names of the tokens that begin and end a text.
    pub(crate) fn names(&self) -> &Names {
        &self.names
    }

    /// Whether this token ends an answer.
    pub(crate) fn ends(&self, token: u32) -> bool {
        self.ends.contains(&token)
    }

    /// The tokens of a whole prompt: those of the text, and the token that begins every text if the model wants it.
    pub(crate) fn prompt(&self, text: &str) -> Vec<u32> {
        let tokens = self.tokens(text);
        match self.first.filter(|first| tokens.first() != Some(first)) {
            Some(first) => std::iter::once(first).chain(tokens).collect(),
            None => tokens,
        }
    }

    /// The tokens of a text.
    pub(crate) fn tokens(&self, text: &str) -> Vec<u32> {
        let mut tokens = Vec::new();
        let mut start = 0;
        let mut at = 0;
        while at < text.len() {
            let candidates = self.whole.get(&text.as_bytes()[at]).map_or(&[][..], Vec::as_slice);
            match candidates.iter().find(|(token, _)| text.as_bytes()[at..].starts_with(token.as_bytes())) {
                Some((token, id)) => {
                    self.plain(&text[start..at], &mut tokens);
                    tokens.push(*id);
                    at += token.len();
                    start = at;
                }
                None => at += 1,
            }
        }
        self.plain(&text[start..], &mut tokens);
        tokens
    }

    /// The tokens of a word, none of which is a control token.
    pub(crate) fn word(&self, word: &str) -> Vec<u32> {
        let mut tokens = Vec::new();
        self.plain(word, &mut tokens);
        tokens
    }

    /// What tokens say, control tokens left out.
    pub(crate) fn text(&self, tokens: &[u32]) -> String {
        let says = tokens.iter().filter_map(|token| self.says.get(*token as usize));
        let bytes: Vec<u8> = says.flatten().copied().collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Appends the tokens of a text in which no control tokens are looked for.
    fn plain(&self, text: &str, tokens: &mut Vec<u32>) {
        let text = self.split.normal(text);
        for piece in self.split.pieces(&text) {
            self.merge(piece, tokens);
        }
    }

    /// Appends the tokens of a piece: pairs merge, the lowest rank first, the leftmost of equals.
    fn merge(&self, piece: &str, tokens: &mut Vec<u32>) {
        let bytes = piece.bytes().filter_map(|byte| self.bytes[usize::from(byte)]);
        let mut parts: Vec<Option<u32>> = bytes.map(Some).collect();
        let count = parts.len();
        let mut next: Vec<usize> = (1..=count).collect();
        let mut before: Vec<Option<usize>> = (0..count).map(|at| at.checked_sub(1)).collect();
        let mut waiting = BinaryHeap::new();
        let propose = |waiting: &mut BinaryHeap<_>, parts: &[Option<u32>], left: usize, right: usize| {
            if let (Some(a), Some(Some(b))) = (parts[left], parts.get(right))
                && let Some((rank, merged)) = self.merges.get(&(a, *b))
            {
                waiting.push(Reverse((*rank, left, right, (a, *b), *merged)));
            }
        };
        for left in 0..count {
            propose(&mut waiting, &parts, left, left + 1);
        }
        while let Some(Reverse((_, left, right, pair, merged))) = waiting.pop() {
            // A proposal is stale once one of its parts has merged otherwise; leaving it in the heap is cheaper than
            // finding it there.
            let current = next[left] == right && parts[left] == Some(pair.0) && parts[right] == Some(pair.1);
            if !current {
                continue;
            }
            parts[left] = Some(merged);
            parts[right] = None;
            next[left] = next[right];
            if next[left] < count {
                before[next[left]] = Some(left);
            }
            if let Some(previous) = before[left] {
                propose(&mut waiting, &parts, previous, left);
            }
            propose(&mut waiting, &parts, left, next[left]);
        }
        tokens.extend(parts.into_iter().flatten());
    }
}

/// The printable letter of every byte: itself if it prints, else the next letter past 255.
fn alphabet() -> BTreeMap<char, u8> {
    let prints = |byte: u8| matches!(byte, b'!'..=b'~' | 0xA1..=0xAC | 0xAE..=0xFF);
    let shifted = (0..=255_u8).filter(|byte| !prints(*byte)).zip(256_u32..);
    let shifted = shifted.map(|(byte, code)| (char::from_u32(code).unwrap_or('\u{fffd}'), byte));
    (0..=255_u8).filter(|byte| prints(*byte)).map(|byte| (char::from(byte), byte)).chain(shifted).collect()
}
