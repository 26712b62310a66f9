//! A problem in PDDL: the things there are, what holds at the start, and the goal.
//!
//! Sections must come in the order in which the original's planner wants them. What is accepted is well-typed: every fact
//! speaks of declared things of the right kinds.

use std::collections::{BTreeMap, BTreeSet};

use counsel_decision::refusal::nearest;

use crate::Error;
use crate::expression::Expression;
use crate::predicate::{Kind, Predicate};

/// A fact: a predicate and the ids of its arguments.
pub(crate) type Said = (Predicate, Vec<String>);

/// A problem as it is written.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) things: BTreeMap<String, Kind>,
    pub(crate) facts: BTreeSet<Said>,
    pub(crate) goal: Expression,
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

    /// The things of this kind, by id. The type `object` is that of all things, as in PDDL.
    pub(crate) fn of_kind(&self, kind: Kind) -> impl Iterator<Item = (&str, Kind)> {
        let all = self.things.iter().map(|(id, kind)| (id.as_str(), *kind));
        all.filter(move |(_, of)| kind == Kind::Object || *of == kind)
    }

    /// Whether this is said of these things.
    pub(crate) fn says(&self, predicate: Predicate, ids: &[&str]) -> bool {
        self.facts.contains(&(predicate, ids.iter().map(|&id| id.to_owned()).collect()))
    }

    /// What is said with this predicate.
    pub(crate) fn said(&self, predicate: Predicate) -> impl Iterator<Item = &[String]> {
        let from = (predicate, Vec::new());
        self.facts.range(from..).take_while(move |(of, _)| *of == predicate).map(|(_, ids)| ids.as_slice())
    }

    /// What is said of one thing with a predicate of two arguments.
    pub(crate) fn said_of<'a>(&'a self, predicate: Predicate, id: &'a str) -> impl Iterator<Item = &'a str> {
        let from = (predicate, vec![id.to_owned()]);
        let said = self.facts.range(from..).take_while(move |(of, ids)| *of == predicate && ids[0] == id);
        said.filter_map(|(_, ids)| ids.get(1)).map(String::as_str)
    }
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
fn things(list: &[Expression]) -> Result<BTreeMap<String, Kind>, Error> {
    let mut things = BTreeMap::new();
    let mut waiting = Vec::new();
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
    Ok(things)
}

fn facts(list: &[Expression], things: &BTreeMap<String, Kind>) -> Result<BTreeSet<Said>, Error> {
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
        Some((predicate, ids)) => Err(Error::Inconsistent {
            what: format!("({} {}) is both stated and denied", predicate.name(), ids.join(" ")),
            remedy: "leave one of them out",
        }),
        None => Ok(facts),
    }
}

fn fact(said: &Expression, things: &BTreeMap<String, Kind>) -> Result<Said, Error> {
    let (name, rest) = said.headed().ok_or_else(|| Error::OddFact { shown: said.shown() })?;
    let predicate = Predicate::named(name).ok_or_else(|| Error::UnknownPredicate {
        name: name.to_owned(),
        nearest: nearest(name, Predicate::NAMES.iter().copied()),
    })?;
    let kinds = predicate.kinds();
    if rest.len() != kinds.len() {
        return Err(Error::Arguments { shown: said.shown(), wanted: kinds.len() });
    }
    let mut ids = Vec::with_capacity(rest.len());
    for (entry, &wanted) in rest.iter().zip(kinds) {
        let id = entry.word().ok_or_else(|| Error::OddFact { shown: said.shown() })?;
        let Some(&kind) = things.get(id) else {
            let nearest = nearest(id, things.keys().map(String::as_str));
            return Err(Error::UnknownThing { id: id.to_owned(), shown: said.shown(), nearest });
        };
        if kind != wanted {
            let (kind, wanted) = (kind.name(), wanted.name());
            return Err(Error::WrongKind { id: id.to_owned(), kind, wanted, shown: said.shown() });
        }
        ids.push(id.to_owned());
    }
    Ok((predicate, ids))
}
