//! A problem in PDDL: the things there are, what holds at the start, and the goal.
//!
//! Sections must come in the order in which the original's planner wants them. What is accepted is well-typed: every fact
//! speaks of declared things of the right kinds.

use std::collections::{BTreeMap, BTreeSet};

use counsel_decision::refusal::UnknownName;

use crate::Error;
use crate::expression::Expression;
use crate::predicate::{Kind, Predicate};

/// A thing by its number, in the order of ids.
pub(crate) type Thing = u16;

/// What stands for the second argument of a predicate that has one.
const NONE: Thing = Thing::MAX;

/// A fact: a predicate and its arguments, of which there are two at most.
type Said = (Predicate, [Thing; 2]);

/// A problem as it is written.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) things: Things,
    facts: BTreeSet<Said>,
    pub(crate) goal: Expression,
}

/// The declared things, by id.
#[derive(Debug)]
pub(crate) struct Things(Vec<(String, Kind)>);

impl Things {
    /// The number of an id.
    pub(crate) fn find(&self, id: &str) -> Option<Thing> {
        self.0.binary_search_by(|(known, _)| known.as_str().cmp(id)).ok().and_then(|found| Thing::try_from(found).ok())
    }

    pub(crate) fn id(&self, thing: Thing) -> &str {
        &self.0[usize::from(thing)].0
    }

    pub(crate) fn kind(&self, thing: Thing) -> Kind {
        self.0[usize::from(thing)].1
    }

    /// All of them, in order.
    pub(crate) fn all(&self) -> impl Iterator<Item = Thing> + use<> {
        0..Thing::try_from(self.0.len()).unwrap_or(NONE)
    }
}

impl Problem {
    pub(crate) fn read(text: &str) -> Result<Self, Error> {
        let whole = Expression::read(text)?;
        let mut parts = whole.list().unwrap_or_default().iter().peekable();
        if parts.next().and_then(Expression::word) != Some("define") {
            return Err(Error::Section { wanted: "define", found: whole.shown() });
        }
        section(&mut parts, "problem")?;
        let domain = section(&mut parts, ":domain")?;
        if domain.first().and_then(Expression::word) != Some("alfred") {
            let found = Expression::List(domain.to_vec()).shown();
            return Err(Error::Section { wanted: ":domain alfred", found });
        }
        if parts.peek().and_then(|part| part.headed()).is_some_and(|(head, _)| head == ":requirements") {
            parts.next();
        }
        let things = things(section(&mut parts, ":objects")?)?;
        let facts = facts(section(&mut parts, ":init")?, &things)?;
        let [goal] = section(&mut parts, ":goal")? else {
            return Err(Error::Goal { what: "it is not one expression".to_owned(), shown: String::new() });
        };
        if let Some(part) = parts.next() {
            // The costs of actions have no effect on a game.
            let is_metric = part.headed().is_some_and(|(head, _)| head == ":metric");
            if !is_metric || parts.next().is_some() {
                return Err(Error::Section { wanted: "nothing after the goal but :metric", found: part.shown() });
            }
        }
        Ok(Self { things, facts, goal: goal.clone() })
    }

    /// The things that a variable of this kind can stand for. The type `object` is that of all things, as in PDDL.
    pub(crate) fn of_kind(&self, kind: Kind) -> impl Iterator<Item = Thing> {
        self.things.all().filter(move |&thing| kind == Kind::Object || self.things.kind(thing) == kind)
    }

    /// Whether this is said of these things.
    pub(crate) fn says(&self, predicate: Predicate, things: &[Thing]) -> bool {
        self.facts.contains(&(predicate, padded(things)))
    }

    /// What is said with this predicate, in the order of ids.
    pub(crate) fn said(&self, predicate: Predicate) -> impl Iterator<Item = [Thing; 2]> {
        self.facts.range((predicate, [0, 0])..=(predicate, [NONE, NONE])).map(|(_, things)| *things)
    }

    /// What is said of one thing with a predicate of two arguments.
    pub(crate) fn said_of(&self, predicate: Predicate, thing: Thing) -> impl Iterator<Item = Thing> {
        self.facts.range((predicate, [thing, 0])..=(predicate, [thing, NONE])).map(|(_, [_, other])| *other)
    }

    /// All that is said: predicate and arguments.
    pub(crate) fn facts(&self) -> impl Iterator<Item = (Predicate, &[Thing])> {
        self.facts.iter().map(|(predicate, things)| (*predicate, &things[..predicate.kinds().len()]))
    }
}

fn padded(things: &[Thing]) -> [Thing; 2] {
    [0, 1].map(|at| things.get(at).copied().unwrap_or(NONE))
}

/// What the next part holds, which must be the section of this name.
fn section<'a>(
    parts: &mut impl Iterator<Item = &'a Expression>,
    wanted: &'static str,
) -> Result<&'a [Expression], Error> {
    let part = parts.next();
    match part.and_then(Expression::headed) {
        Some((head, rest)) if head == wanted => Ok(rest),
        _ => Err(Error::Section { wanted, found: part.map_or("the end".to_owned(), Expression::shown) }),
    }
}

/// `a b - kind c - other`; what has no kind at the end is an object.
fn things(list: &[Expression]) -> Result<Things, Error> {
    let (mut things, mut waiting) = (BTreeMap::new(), Vec::new());
    let mut entries = list.iter();
    let mut add = |waiting: &mut Vec<&str>, kind: Kind| {
        for id in waiting.drain(..) {
            if things.insert(id.to_owned(), kind).is_some() {
                return Err(Error::Twice { id: id.to_owned() });
            }
        }
        Ok(())
    };
    while let Some(entry) = entries.next() {
        match entry.word() {
            Some("-") => {
                let name = entries.next().map_or("nothing".to_owned(), Expression::shown);
                let kind = Kind::named(&name).ok_or(Error::UnknownKind { name })?;
                add(&mut waiting, kind)?;
            }
            Some(id) if id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte)) => {
                waiting.push(id);
            }
            _ => return Err(Error::OddId { id: entry.shown() }),
        }
    }
    add(&mut waiting, Kind::Object)?;
    if things.len() >= usize::from(NONE) {
        return Err(Error::TooLarge { what: "the list of things", most: usize::from(NONE) });
    }
    Ok(Things(things.into_iter().collect()))
}

fn facts(list: &[Expression], things: &Things) -> Result<BTreeSet<Said>, Error> {
    let (mut facts, mut denied) = (BTreeSet::new(), BTreeSet::new());
    for said in list {
        match said.headed() {
            // Costs and distances have no effect on a game.
            Some(("=", [Expression::List(_), Expression::Word(number)]))
                if number.bytes().all(|byte| byte.is_ascii_digit()) => {}
            Some(("not", [said])) => {
                denied.insert(fact(said, things)?);
            }
            _ => {
                facts.insert(fact(said, things)?);
            }
        }
    }
    match facts.intersection(&denied).next() {
        Some((predicate, [thing, _])) => Err(Error::Inconsistent {
            what: format!("`{}` is both stated and denied of `{}`", predicate.name(), things.id(*thing)),
            remedy: "leave one of them out",
        }),
        None => Ok(facts),
    }
}

fn fact(said: &Expression, things: &Things) -> Result<Said, Error> {
    let (name, rest) = said.headed().ok_or_else(|| Error::OddFact { shown: said.shown() })?;
    let predicate = Predicate::find(name)?;
    let kinds = predicate.kinds();
    if rest.len() != kinds.len() {
        return Err(Error::Arguments { shown: said.shown(), wanted: kinds.len() });
    }
    let mut found = Vec::with_capacity(rest.len());
    for (entry, &wanted) in rest.iter().zip(kinds) {
        let id = entry.word().ok_or_else(|| Error::OddFact { shown: said.shown() })?;
        let Some(thing) = things.find(id) else {
            let unknown = UnknownName::among(id, things.0.iter().map(|(id, _)| id.as_str()));
            return Err(Error::UnknownThing { unknown, shown: said.shown() });
        };
        let kind = things.kind(thing);
        if kind != wanted {
            let (kind, wanted) = (kind.name(), wanted.name());
            return Err(Error::WrongKind { id: id.to_owned(), kind, wanted, shown: said.shown() });
        }
        found.push(thing);
    }
    Ok((predicate, padded(&found)))
}
