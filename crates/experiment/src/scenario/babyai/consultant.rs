//! Who is asked, and what is heard: the prompt of a situation, the reply to it, and the tampering that a study declares.
//!
//! Answers are a function of the prompt, so each distinct situation is put into words once. The key of a context is the
//! digest of its prompt: two states that the advisor cannot tell apart are one context.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use counsel_advisor::{AdvisorName, Decoding, Request};
use counsel_babyai::words::{Errand, Object, Place, Situation, Template, Told};
use counsel_decision::{Action, ContextKey, Parser, Reply, ReplySource, Response, ResponseLaw, Seed};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::BabyAi;
use super::settings::ACTIONS;
use crate::{Error, Library};

/// Who may be asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Consulted {
    /// A language model: model/template/decoding.
    Model(AdvisorName),
    /// An advisor without content of its own: it repeats what the learner thinks best.
    ContentFree,
}

const CONTENT_FREE: &str = "content-free";

impl Consulted {
    /// What puts situations into words. Without a model the target's place alone makes the context.
    pub(super) fn template(&self) -> Result<&'static Template, Error> {
        Ok(Template::find(match self {
            Self::Model(name) => &name.template,
            Self::ContentFree => "abstract",
        })?)
    }
}

impl Display for Consulted {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model(name) => name.fmt(f),
            Self::ContentFree => f.write_str(CONTENT_FREE),
        }
    }
}

impl From<Consulted> for String {
    fn from(consulted: Consulted) -> Self {
        consulted.to_string()
    }
}

impl TryFrom<String> for Consulted {
    type Error = counsel_advisor::Error;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        if text == CONTENT_FREE { Ok(Self::ContentFree) } else { text.parse().map(Self::Model) }
    }
}

/// What was said to a question.
#[derive(Debug, Clone)]
pub(super) struct Heard {
    pub(super) reply: Reply,
    /// Whether the answer was tampered with; nothing where tampering is not studied.
    pub(super) corrupted: Option<bool>,
}

/// What is known of a context: its key, and the answer once it was heard.
struct Topic {
    key: ContextKey,
    request: Request,
    answer: Option<(Reply, Response)>,
}

/// What tells two prompts of a template apart.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Subject {
    Target(Errand, Option<Place>),
    Object(Errand, Object, Option<Place>),
    Key(ContextKey),
}

/// An advisor at work.
pub(super) struct Consultant<'a> {
    library: &'a Library,
    consulted: &'a Consulted,
    corruption: f64,
    template: &'static Template,
    decoding: Decoding,
    parser: Parser,
    topics: BTreeMap<Subject, Topic>,
}

/// The moves: left, right and forward. A plausible wrong answer is another one of them.
const MOVES: u16 = 3;

impl<'a> Consultant<'a> {
    pub(super) fn new(spec: &'a BabyAi, library: &'a Library) -> Result<Self, Error> {
        let template = spec.advisor.template()?;
        let decoding = match &spec.advisor {
            Consulted::Model(name) => template.decoding(&name.decoding, spec.task)?,
            Consulted::ContentFree => template.decoding("generate", spec.task)?,
        };
        let (consulted, corruption, parser) = (&spec.advisor, spec.corruption, template.parser());
        Ok(Self { library, consulted, corruption, template, decoding, parser, topics: BTreeMap::new() })
    }

    pub(super) fn parser(&self) -> &Parser {
        &self.parser
    }

    /// The key of a situation's context.
    pub(super) fn key(&mut self, situation: &Situation) -> ContextKey {
        self.topic(situation).key
    }

    /// The reply in a situation, in which the learner thinks `greedy` best.
    pub(super) fn ask(&mut self, situation: &Situation, greedy: Action, seed: Seed) -> Result<Heard, Error> {
        let (reply, response) = self.answer(situation, greedy)?;
        if self.corruption == 0.0 {
            return Ok(Heard { reply, corrupted: None });
        }
        let mut luck = seed.stream("corruption").rng();
        let (strikes, other) = (luck.random::<f64>() < self.corruption, luck.random_range(0..MOVES));
        let Response::Recommends(advised) = response else { return Ok(Heard { reply, corrupted: Some(false) }) };
        if !strikes {
            return Ok(Heard { reply, corrupted: Some(false) });
        }
        let wrong = wrong_moves(advised).nth(usize::from(other) % wrong_moves(advised).count());
        let text = wrong.and_then(|wrong| self.parser.words().get(wrong.index())).cloned().unwrap_or_default();
        Ok(Heard { reply: Reply { text, ..reply }, corrupted: Some(true) })
    }

    /// The law of the answer: a point, spread where answers are tampered with.
    pub(super) fn law(&mut self, situation: &Situation, greedy: Action) -> Result<ResponseLaw, Error> {
        let (_, response) = self.answer(situation, greedy)?;
        let mut law = vec![0.0; ACTIONS + 1];
        match response {
            Response::Recommends(advised) if self.corruption > 0.0 => {
                law[advised.index()] = 1.0 - self.corruption;
                let others: Vec<Action> = wrong_moves(advised).collect();
                others.iter().for_each(|wrong| law[wrong.index()] += self.corruption / others.len() as f64);
            }
            response => law[response.index(ACTIONS)] = 1.0,
        }
        Ok(ResponseLaw::new(ACTIONS, law)?)
    }

    /// The untouched answer.
    fn answer(&mut self, situation: &Situation, greedy: Action) -> Result<(Reply, Response), Error> {
        let Consulted::Model(name) = self.consulted else {
            let word = self.parser.words().get(greedy.index()).cloned().unwrap_or_default();
            return Ok((Reply::simulated(word), Response::Recommends(greedy)));
        };
        let (library, parser) = (self.library, self.parser.clone());
        let topic = self.topic(situation);
        if let Some(answer) = &topic.answer {
            return Ok(answer.clone());
        }
        let reply = library.ask(name, &topic.request)?;
        let response = if reply.source == ReplySource::Lost { Response::Unusable } else { parser.parse(&reply) };
        topic.answer = Some((reply.clone(), response));
        Ok((reply, response))
    }

    fn topic(&mut self, situation: &Situation) -> &mut Topic {
        let (template, decoding) = (self.template, &self.decoding);
        let new = || {
            let prompt = template.prompt(situation);
            let [a, b, c, d, e, f, g, h, ..] = *prompt.digest().as_bytes();
            let key = ContextKey(u64::from_le_bytes([a, b, c, d, e, f, g, h]));
            Topic { key, request: Request { prompt, decoding: decoding.clone() }, answer: None }
        };
        let (verb, object, place) = (situation.errand(), situation.object(), situation.place());
        match template.told() {
            Told::Target => self.topics.entry(Subject::Target(verb, place)).or_insert_with(new),
            Told::Object => self.topics.entry(Subject::Object(verb, object, place)).or_insert_with(new),
            Told::Scene | Told::Grid => {
                let topic = new();
                self.topics.entry(Subject::Key(topic.key)).or_insert(topic)
            }
        }
    }
}

/// The moves other than the advised action.
fn wrong_moves(advised: Action) -> impl Iterator<Item = Action> {
    (0..MOVES).map(Action).filter(move |&other| other != advised)
}
