//! A template of lines with the one of pairs: what the rest of the workspace asks through.
//!
//! A context is what the player knows in one line and, where the question is where to look, what is sought and which kinds of
//! places were searched. That is a little less than the advisor is shown, who answers among the places of the house at hand: in
//! another house an answer that was kept may not be possible, and is then carried out as any deed that is.

use counsel_advisor::{
    Decoding, Digest, Enumeration, Error, Heading, Phrasing, Prompt, Request, Teller, Template, Utterance,
};
use counsel_decision::{ContextKey, Parser};

use super::phrasing::YES_NO;
use super::template::{LINE_TEMPLATES, Lines, PAIR_TEMPLATES, Pairs, WHEREABOUTS};
use crate::household::deed::kind_name;
use crate::household::{Deed, Outlook, Situation};

/// A template of lines with the one of pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Briefing {
    lines: &'static Template<Lines>,
    pairs: &'static Template<Pairs>,
}

impl Briefing {
    /// The built-in template of lines with this name, and the one of pairs.
    pub fn find(template: &str) -> Result<Self, Error> {
        Ok(Self { lines: LINE_TEMPLATES.find(template)?, pairs: PAIR_TEMPLATES.find(WHEREABOUTS)? })
    }

    /// The prompt about the outlook.
    fn line(&self, outlook: &Outlook) -> Prompt {
        self.lines.words.prompt(outlook.task, &outlook.line())
    }

    /// The kind of place that is worth a search most: how likely it is against how much it takes. The first of equals.
    fn place<E>(
        &self,
        outlook: &Outlook,
        decoding: &Decoding,
        ask: &mut dyn FnMut(&str, &Request) -> Result<Utterance, E>,
        said: &mut Utterance,
    ) -> Result<Option<usize>, E> {
        let decoding = match decoding {
            Decoding::Scored { .. } => Decoding::scored(YES_NO),
            free @ Decoding::Generate { .. } => free.clone(),
        };
        let mut best = None;
        for kind in outlook.to_search() {
            let prompt = self.pairs.words.prompt(&outlook.sought, kind_name(kind));
            let heard = ask(WHEREABOUTS, &Request { prompt, decoding: decoding.clone() })?;
            add_cost(said, &heard);
            let worth = odds(&heard) / outlook.effort(kind);
            if best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, kind));
            }
        }
        Ok(best.map(|(_, kind)| kind))
    }
}

/// The odds of yes against no.
fn odds(heard: &Utterance) -> f64 {
    const LEAST: f64 = 1e-9;
    let chance = |word: &str| match &heard.scores {
        Some(scores) => scores.iter().find(|score| score.word == word).map_or(0.0, |score| score.probability),
        None => f64::from(u8::from(heard.text.trim().eq_ignore_ascii_case(word))),
    };
    chance(YES_NO[0]).max(LEAST) / chance(YES_NO[1]).max(LEAST)
}

/// The likeliest word that stands for something possible; what was said where words were not scored.
fn masked(said: &Utterance, outlook: &Outlook) -> String {
    let is_possible = |word: &str| outlook.possible().any(|deed| deed.option() == word);
    let mut best: Option<(&str, f64)> = None;
    for score in said.scores.iter().flatten().filter(|score| is_possible(&score.word)) {
        if best.is_none_or(|(_, most)| score.probability > most) {
            best = Some((&score.word, score.probability));
        }
    }
    best.map_or_else(|| said.text.trim().to_owned(), |(word, _)| word.to_owned())
}

/// Adds what another answer took, where both were measured.
fn add_cost(said: &mut Utterance, more: &Utterance) {
    said.request_tokens = said.request_tokens.zip(more.request_tokens).map(|(one, other)| one + other);
    said.response_tokens = said.response_tokens.zip(more.response_tokens).map(|(one, other)| one + other);
    said.latency_ms = said.latency_ms.zip(more.latency_ms).map(|(one, other)| one + other);
}

impl Phrasing for Briefing {
    fn heading(&self) -> &Heading {
        &self.lines.heading
    }

    /// The full words of all deeds: where to search is found by the second question.
    fn parser(&self) -> Parser {
        Parser::new(Deed::all().map(Deed::word)).expect("the words of deeds are distinct and bare")
    }

    fn enumerate(&self) -> Enumeration {
        let lines = Outlook::lines().iter().map(|(task, line)| self.lines.words.prompt(*task, line));
        Enumeration::Closed(lines.collect())
    }
}

impl Teller for Briefing {
    type Situation = Situation;
    type Described = ContextKey;

    fn prompt(&self, situation: &Situation) -> Prompt {
        self.line(&situation.outlook)
    }

    fn described(&self, situation: &Situation) -> ContextKey {
        self.context(situation)
    }

    fn context(&self, situation: &Situation) -> ContextKey {
        let outlook = &situation.outlook;
        let line = self.line(outlook).digest();
        if !outlook.is_search() {
            return line.context_key();
        }
        let searched: Vec<&str> = outlook.searched.iter().map(|&kind| kind_name(kind)).collect();
        Digest::of_parts(&[line.as_bytes(), outlook.sought.as_bytes(), searched.join(" ").as_bytes()]).context_key()
    }

    /// Answers are masked to what is possible here, and houses have other places.
    fn answers_by_context(&self) -> bool {
        false
    }

    fn consult<E>(
        &self,
        situation: &Situation,
        decoding: &Decoding,
        ask: &mut dyn FnMut(&str, &Request) -> Result<Utterance, E>,
    ) -> Result<Utterance, E> {
        let outlook = &situation.outlook;
        let request = Request { prompt: self.line(outlook), decoding: decoding.clone() };
        let mut said = ask(&self.edition().name, &request)?;
        said.text = masked(&said, outlook);
        if said.text == Deed::Search(0).option()
            && let Some(kind) = self.place(outlook, decoding, ask, &mut said)?
        {
            said.text = Deed::Search(kind).word();
        }
        // The scores are those of the first question alone.
        said.scores = None;
        Ok(said)
    }
}
