//! From a goal in PDDL to a condition: variables are replaced by the things that they can stand for, and what never changes is
//! decided on the spot.

use crate::Error;
use crate::condition::{Condition, Join, join};
use crate::expression::Expression;
use crate::fact::Fact;
use crate::predicate::{Kind, Predicate};
use crate::problem::{Problem, Thing};

/// How much work a goal may make: real goals make some ten thousand steps.
const MOST_STEPS: usize = 2_000_000;

/// What a goal is grounded with.
pub(crate) struct Grounding<'a> {
    problem: &'a Problem,
    /// The changing fact that a predicate says of things, or nothing where it says what cannot come about.
    fact: &'a dyn Fn(Predicate, &[Thing]) -> Option<Fact>,
    /// What the variables stand for, innermost last.
    bound: Vec<(&'a str, Thing)>,
    steps: usize,
}

impl<'a> Grounding<'a> {
    /// The goal of a problem.
    pub(crate) fn goal(
        problem: &'a Problem,
        fact: &'a dyn Fn(Predicate, &[Thing]) -> Option<Fact>,
    ) -> Result<Condition, Error> {
        Grounding { problem, fact, bound: Vec::new(), steps: 0 }.ground(&problem.goal)
    }

    fn ground(&mut self, formula: &'a Expression) -> Result<Condition, Error> {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Err(wrong("it speaks of too many combinations of things", &self.problem.goal));
        }
        match formula.headed() {
            Some(("and", parts)) => self.join(parts, Join::And),
            Some(("or", parts)) => self.join(parts, Join::Or),
            Some(("not", [part])) => Ok(self.ground(part)?.negated()),
            Some(("imply", [if_so, then])) => match self.ground(if_so)?.negated() {
                fails if fails == Condition::TRUE => Ok(fails),
                fails => Ok(join(vec![fails, self.ground(then)?], Join::Or)),
            },
            Some(("exists", [variables, part])) => self.over(&variables_of(variables)?, part, Join::Or),
            Some(("forall", [variables, part])) => self.over(&variables_of(variables)?, part, Join::And),
            Some(("=", [one, other])) => {
                let is_same = self.known(one)? == self.known(other)?;
                Ok(if is_same { Condition::TRUE } else { Condition::FALSE })
            }
            Some(("not" | "imply" | "exists" | "forall" | "=", _)) | None => {
                Err(wrong("it has a part of no form", formula))
            }
            Some((name, rest)) => self.atom(name, rest, formula),
        }
    }

    /// The parts in order; the first that decides the whole saves the rest.
    fn join(&mut self, parts: &'a [Expression], how: Join) -> Result<Condition, Error> {
        let mut grounded = Vec::with_capacity(parts.len());
        for part in parts {
            let part = self.ground(part)?;
            if part == how.settled() {
                return Ok(part);
            }
            grounded.push(part);
        }
        Ok(join(grounded, how))
    }

    /// A formula for all things that its variables can stand for.
    fn over(&mut self, variables: &[(&'a str, Kind)], part: &'a Expression, how: Join) -> Result<Condition, Error> {
        let Some(((name, kind), rest)) = variables.split_first() else { return self.ground(part) };
        let problem = self.problem;
        let mut grounded = Vec::new();
        for thing in problem.of_kind(*kind) {
            self.bound.push((name, thing));
            let one = if how == Join::Or && self.is_refuted(part, rest) {
                Ok(Condition::FALSE)
            } else {
                self.over(rest, part, how)
            };
            self.bound.pop();
            let one = one?;
            if one == how.settled() {
                return Ok(one);
            }
            grounded.push(one);
        }
        Ok(join(grounded, how))
    }

    /// Whether a formula is a conjunction with a part that never holds for what is bound so far: then it need not be tried
    /// with everything that the variables still to come can stand for.
    fn is_refuted(&self, formula: &'a Expression, to_come: &[(&str, Kind)]) -> bool {
        let never = |part: &'a Expression| {
            let (name, rest) = part.headed()?;
            let mut lasting = Predicate::ALL.into_iter().filter(|predicate| !predicate.is_changing());
            let predicate = lasting.find(|predicate| predicate.name() == name)?;
            let is_bound = |entry: &Expression| to_come.iter().all(|(name, _)| entry.word() != Some(name));
            let things = rest.iter().map(|entry| self.thing(entry).filter(|_| is_bound(entry)));
            Some(!self.problem.says(predicate, &things.collect::<Option<Vec<_>>>()?))
        };
        let Some(("and", parts)) = formula.headed() else { return false };
        parts.iter().any(|part| never(part) == Some(true))
    }

    fn atom(&mut self, name: &str, rest: &'a [Expression], formula: &Expression) -> Result<Condition, Error> {
        let predicate = Predicate::find(name)?;
        if rest.len() != predicate.kinds().len() {
            return Err(Error::Arguments { shown: formula.shown(), wanted: predicate.kinds().len() });
        }
        if predicate == Predicate::Checked {
            return Err(wrong("`checked` is not kept, because no text and no command depends on it", formula));
        }
        let things = rest.iter().map(|entry| self.known(entry)).collect::<Result<Vec<_>, _>>()?;
        if predicate.is_changing() {
            return Ok((self.fact)(predicate, &things).map_or(Condition::FALSE, Condition::Fact));
        }
        Ok(if self.problem.says(predicate, &things) { Condition::TRUE } else { Condition::FALSE })
    }

    /// What a variable stands for, or a constant is.
    fn thing(&self, entry: &Expression) -> Option<Thing> {
        let word = entry.word()?;
        if word.starts_with('?') {
            return self.bound.iter().rev().find(|(name, _)| *name == word).map(|(_, thing)| *thing);
        }
        self.problem.things.find(word)
    }

    /// The same, where it must stand for something.
    fn known(&self, entry: &Expression) -> Result<Thing, Error> {
        self.thing(entry).ok_or_else(|| wrong("it speaks of something that is not declared", entry))
    }
}

/// `(?a - kind ?b - other)`; what has no kind at the end is an object.
fn variables_of(list: &Expression) -> Result<Vec<(&str, Kind)>, Error> {
    let unread = || wrong("its variables cannot be read", list);
    let (mut variables, mut waiting) = (Vec::new(), Vec::new());
    let mut words = list.list().ok_or_else(unread)?.iter().map(Expression::word);
    while let Some(word) = words.next() {
        match word.ok_or_else(unread)? {
            "-" => {
                let kind = words.next().flatten().and_then(Kind::named).ok_or_else(unread)?;
                variables.extend(waiting.drain(..).map(|name| (name, kind)));
            }
            name if name.starts_with('?') => waiting.push(name),
            _ => return Err(unread()),
        }
    }
    variables.extend(waiting.into_iter().map(|name| (name, Kind::Object)));
    Ok(variables)
}

fn wrong(what: &str, formula: &Expression) -> Error {
    Error::Goal { what: what.to_owned(), shown: formula.shown() }
}
