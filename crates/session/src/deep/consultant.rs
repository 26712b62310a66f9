//! Who is asked, and what is heard: the prompt of a situation, the reply to it, and the tampering that a study declares.
//!
//! Where answers are a function of the context, each distinct one is asked about once. What a context is known by is the teller's
//! affair; mostly it is the digest of its prompt, so that two states that the advisor cannot tell apart are one context.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::rc::Rc;
use std::str::FromStr;

use counsel_advisor::{AdvisorName, Corruption, Decoding, Phrasing, Teller};
use counsel_decision::{Action, ContextKey, Parser, Reply, ReplySource, Response, ResponseLaw, Seed, as_text};

use super::world::DeepWorld;
use crate::library::reply;
use crate::scene::Heard;
use crate::{Error, Library};

/// Who may be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Consulted {
    /// A language model: model/template/decoding.
    Model(AdvisorName),
    /// An advisor without content of its own: it repeats what the learner thinks best.
    ContentFree,
    /// The rule that the world states: what a person would advise at a glance. Corrupted, it has a declared reliability.
    Rule,
    /// An advisor who sees more of the world than the agent does: what it says is no function of what the agent sees.
    Compass,
    /// An advisor that is asked and says nothing.
    Mute,
}

as_text!(Consulted);

/// The advisors that are no models, by name.
const NAMED: [(&str, Consulted); 4] = [
    ("content-free", Consulted::ContentFree),
    ("rule", Consulted::Rule),
    ("compass", Consulted::Compass),
    ("mute", Consulted::Mute),
];

impl Consulted {
    /// What puts situations into words; without a model this one, which makes the contexts.
    pub fn template<'a>(&'a self, otherwise: &'a str) -> &'a str {
        self.model().map_or(otherwise, |name| &name.template)
    }

    /// How answers are taken.
    pub(crate) fn decoding(&self) -> &str {
        self.model().map_or("generate", |name| &name.decoding)
    }

    /// The model that is asked, if one is.
    pub fn model(&self) -> Option<&AdvisorName> {
        match self {
            Self::Model(name) => Some(name),
            Self::ContentFree | Self::Rule | Self::Compass | Self::Mute => None,
        }
    }
}

impl Display for Consulted {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match (self.model(), NAMED.iter().find(|(_, named)| named == self)) {
            (Some(model), _) => model.fmt(f),
            (None, named) => f.write_str(named.map_or("", |(name, _)| name)),
        }
    }
}

impl FromStr for Consulted {
    type Err = counsel_advisor::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = NAMED.into_iter().find(|(name, _)| *name == text);
        named.map_or_else(|| text.parse().map(Self::Model), |(_, consulted)| Ok(consulted))
    }
}

/// What is wrong with the advisor `rule` in a world that has none.
pub(super) const NO_RULE: Error =
    Error::Settings { reason: "this world states no rule; choose an advisor model/template/decoding" };

/// What is wrong with the advisor `compass` in a world that has none.
pub(super) const NO_COMPASS: Error =
    Error::Settings { reason: "this world has no compass; choose the advisor `rule`, or model/template/decoding" };

/// A decision at which the advisor is asked: the world, what may be told of it, and what the learner thinks best.
pub(super) struct Asked<'a, W: DeepWorld> {
    pub(super) world: &'a W::World,
    pub(super) situation: &'a W::Situation,
    pub(super) greedy: Action,
}

/// What a world's prompts describe of a situation.
type Described<W> = <<W as DeepWorld>::Teller as Teller>::Described;

/// An advisor at work. Copies share what was heard, which is a function of the question.
#[derive(Clone)]
pub(super) struct Consultant<'a, W: DeepWorld> {
    library: &'a Library,
    consulted: Consulted,
    /// The tampering, where it is studied.
    corruption: Option<Corruption>,
    teller: W::Teller,
    decoding: Decoding,
    parser: Parser,
    /// The contexts that were met, by what is described there.
    keys: Rc<RefCell<BTreeMap<Described<W>, ContextKey>>>,
    /// What a model said, by context.
    answers: Rc<RefCell<BTreeMap<ContextKey, (Reply, Response)>>>,
}

impl<'a, W: DeepWorld> Consultant<'a, W> {
    pub(super) fn new(
        consulted: Consulted,
        corruption: f64,
        teller: W::Teller,
        library: &'a Library,
    ) -> Result<Self, Error> {
        let (decoding, parser) = (teller.decoding(consulted.decoding())?, teller.parser());
        let corruption = (corruption > 0.0).then(|| Corruption::new(usize::from(W::MOVES), corruption)).transpose()?;
        let (keys, answers) = (Rc::default(), Rc::default());
        Ok(Self { library, consulted, corruption, teller, decoding, parser, keys, answers })
    }

    pub(super) fn parser(&self) -> &Parser {
        &self.parser
    }

    /// The actions that an answer can name: those whose words are scored, or all where answers are written freely.
    pub(super) fn nameable(&self) -> Vec<Action> {
        let named = |word: &String| match &self.decoding {
            Decoding::Scored { words } => words.contains(word),
            Decoding::Generate { .. } => true,
        };
        let words = self.parser.words().iter().enumerate();
        words.filter(|(_, word)| named(word)).map(|(action, _)| Action::new(action)).collect()
    }

    /// The key of a situation's context.
    pub(super) fn key(&self, situation: &W::Situation) -> ContextKey {
        let described = self.teller.described(situation);
        *self.keys.borrow_mut().entry(described).or_insert_with(|| self.teller.context(situation))
    }

    /// The reply at a decision.
    pub(super) fn ask(&self, asked: &Asked<'_, W>, seed: Seed) -> Result<Heard, Error> {
        let (reply, response) = self.answer(asked)?;
        let Some(corruption) = self.corruption else {
            // An advisor with a rule of its own has a declared reliability, be it 1.
            let ruled = matches!(self.consulted, Consulted::Rule | Consulted::Compass);
            return Ok(Heard { reply, corrupted: ruled.then_some(false) });
        };
        let spoken = corruption.strike(response, &mut seed.stream("corruption").rng());
        let text = match spoken.response {
            Response::Recommends(wrong) if spoken.corrupted => {
                self.parser.words().get(wrong.index()).cloned().unwrap_or_default()
            }
            _ => reply.text.clone(),
        };
        Ok(Heard { reply: Reply { text, ..reply }, corrupted: Some(spoken.corrupted) })
    }

    /// The law of the answer: a point, spread where answers are tampered with.
    pub(super) fn law(&self, asked: &Asked<'_, W>) -> Result<ResponseLaw, Error> {
        let (_, response) = self.answer(asked)?;
        let actions = self.parser.words().len();
        let corruption = self.corruption.map_or_else(|| Corruption::new(usize::from(W::MOVES), 0.0), Ok)?;
        Ok(corruption.law_after(response, actions)?)
    }

    /// The untouched answer.
    fn answer(&self, asked: &Asked<'_, W>) -> Result<(Reply, Response), Error> {
        let name = match &self.consulted {
            Consulted::Model(name) => name,
            Consulted::ContentFree => return Ok(self.say(asked.greedy)),
            Consulted::Mute => return Ok((Reply::simulated(String::new()), Response::Unusable)),
            Consulted::Rule => return Ok(self.say(W::rule(asked.situation).ok_or(NO_RULE)?)),
            Consulted::Compass => return Ok(self.say(W::compass(asked.world).ok_or(NO_COMPASS)?)),
        };
        if !self.teller.answers_by_context() {
            return self.consult(name, asked.situation);
        }
        let key = self.key(asked.situation);
        if let Some(answer) = self.answers.borrow().get(&key) {
            return Ok(answer.clone());
        }
        let answer = self.consult(name, asked.situation)?;
        self.answers.borrow_mut().insert(key, answer.clone());
        Ok(answer)
    }

    /// What a model says in a situation.
    fn consult(&self, name: &AdvisorName, situation: &W::Situation) -> Result<(Reply, Response), Error> {
        let mut source = ReplySource::Replayed;
        let said = self.teller.consult(situation, &self.decoding, &mut |template, request| {
            let name = AdvisorName { template: template.to_owned(), ..name.clone() };
            let (utterance, from) = self.library.hear(&name, request)?;
            if from == ReplySource::Live {
                source = from;
            }
            Ok::<_, Error>(utterance)
        })?;
        let reply = reply(&said, source);
        let response = self.parser.parse(&reply);
        Ok((reply, response))
    }

    /// An answer that names this action.
    fn say(&self, action: Action) -> (Reply, Response) {
        let word = self.parser.words().get(action.index()).cloned().unwrap_or_default();
        (Reply::simulated(word), Response::Recommends(action))
    }
}
