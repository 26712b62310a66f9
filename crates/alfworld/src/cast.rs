//! The things of a problem of which something is said, and what is said of them at the start.

use std::collections::BTreeSet;

use crate::fact::{Fact, Facts, Layout};
use crate::name::names;
use crate::predicate::{Kind, Predicate};
use crate::problem::{Problem, Thing};
use crate::thing::{ObjectTraits, ReceptacleTraits};
use crate::{Error, Location, Object, Receptacle};

/// What a thing is in the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Agent,
    Object(Object),
    Receptacle(Receptacle),
    Location(Location),
    /// A type, or a thing of which nothing is said.
    None,
}

/// The things of a game, each kind in the order of ids.
pub(crate) struct Cast<'a> {
    problem: &'a Problem,
    /// What each thing of the problem is, and its name.
    parts: Vec<(Part, Option<String>)>,
    objects: Vec<Thing>,
    receptacles: Vec<Thing>,
    locations: usize,
}

impl<'a> Cast<'a> {
    pub(crate) fn of(problem: &'a Problem) -> Result<Self, Error> {
        let agents = problem.of_kind(Kind::Agent).count();
        if agents != 1 {
            let what = format!("there are {agents} agents");
            return Err(Error::Inconsistent { what, remedy: "declare exactly one" });
        }
        let said: BTreeSet<Thing> = problem.facts().flat_map(|(_, things)| things).copied().collect();
        let ids: Vec<&str> = said.iter().map(|&thing| problem.things.id(thing)).collect();
        let mut parts: Vec<(Part, Option<String>)> = problem.things.all().map(|_| (Part::None, None)).collect();
        let (mut objects, mut receptacles, mut locations) = (Vec::new(), Vec::new(), 0);
        for (&thing, name) in said.iter().zip(names(&ids)?) {
            let part = match problem.things.kind(thing) {
                Kind::Agent => Part::Agent,
                Kind::Object => {
                    objects.push(thing);
                    Part::Object(Object(number(objects.len() - 1)?))
                }
                Kind::Receptacle => {
                    receptacles.push(thing);
                    Part::Receptacle(Receptacle(number(receptacles.len() - 1)?))
                }
                Kind::Location => {
                    locations += 1;
                    Part::Location(Location(number(locations - 1)?))
                }
                Kind::ReceptacleType | Kind::ObjectType => Part::None,
            };
            parts[usize::from(thing)] = (part, name);
        }
        Ok(Self { problem, parts, objects, receptacles, locations })
    }

    pub(crate) fn layout(&self) -> Layout {
        Layout { objects: self.objects.len(), receptacles: self.receptacles.len(), locations: self.locations }
    }

    fn part(&self, thing: Thing) -> Part {
        self.parts[usize::from(thing)].0
    }

    fn name(&self, thing: Thing) -> Result<String, Error> {
        let name = self.parts[usize::from(thing)].1.clone();
        name.ok_or_else(|| Error::OddId { id: self.problem.things.id(thing).to_owned() })
    }

    /// What a predicate gives as types of a thing, in lower case and without `type` at the end.
    fn types(&self, predicate: Predicate, thing: Thing) -> Vec<String> {
        self.problem.said_of(predicate, thing).map(|of| bare(self.problem.things.id(of)).to_owned()).collect()
    }

    pub(crate) fn object_traits(&self) -> Result<Vec<ObjectTraits>, Error> {
        let traits = |&thing: &Thing| {
            let is = |predicate| self.problem.says(predicate, &[thing]);
            let inner = self.problem.said(Predicate::InReceptacleObject);
            let inner = inner.filter(|[inner, outer]| *outer == thing && *inner != thing);
            let inner = inner.filter_map(|[inner, _]| match self.part(inner) {
                Part::Object(object) => Some(object),
                _ => None,
            });
            Ok(ObjectTraits {
                name: self.name(thing)?,
                types: self.types(Predicate::HasObjectType, thing),
                is_pickupable: is(Predicate::Pickupable),
                is_toggleable: is(Predicate::Toggleable),
                is_heatable: is(Predicate::Heatable),
                is_coolable: is(Predicate::Coolable),
                is_cleanable: is(Predicate::Cleanable),
                is_sliceable: is(Predicate::Sliceable),
                holds: is(Predicate::IsReceptacleObject).then(|| inner.collect()),
            })
        };
        self.objects.iter().map(traits).collect()
    }

    pub(crate) fn receptacle_traits(&self) -> Result<Vec<ReceptacleTraits>, Error> {
        let traits = |&thing: &Thing| {
            let locations: Vec<Thing> = self.problem.said_of(Predicate::ReceptacleAtLocation, thing).collect();
            if locations.len() > 1 {
                let what = format!("the receptacle `{}` is at two locations", self.problem.things.id(thing));
                return Err(Error::Inconsistent { what, remedy: "leave one of them out" });
            }
            let location = locations.first().and_then(|&location| match self.part(location) {
                Part::Location(location) => Some(location),
                _ => None,
            });
            Ok(ReceptacleTraits {
                name: self.name(thing)?,
                types: self.types(Predicate::HasReceptacleType, thing),
                location,
                is_openable: self.problem.says(Predicate::Openable, &[thing]),
            })
        };
        self.receptacles.iter().map(traits).collect()
    }

    /// What is so at the start: where the agent stands, what it holds, and all else.
    pub(crate) fn start(&self) -> Result<(Location, Option<Object>, Facts), Error> {
        let (mut places, mut held, mut holds_any) = (Vec::new(), Vec::new(), false);
        let mut facts = Facts::none(self.layout());
        for (predicate, things) in self.problem.facts() {
            match self.fact(predicate, things) {
                Some(Fact::AgentAt(location)) => places.push(location),
                Some(Fact::Holds(object)) => held.push(object),
                Some(Fact::HoldsAny) => holds_any = true,
                Some(fact) => facts.set(fact, true),
                None => {}
            }
        }
        let [place] = places[..] else {
            let what = format!("the agent is at {} locations", places.len());
            return Err(Error::Inconsistent { what, remedy: "give it exactly one with `atLocation`" });
        };
        if held.len() > 1 || holds_any == held.is_empty() {
            let what = format!("`holds` gives the agent {} objects, and `holdsAny` does not agree", held.len());
            return Err(Error::Inconsistent { what, remedy: "state one `holds` together with `holdsAny`, or neither" });
        }
        Ok((place, held.pop(), facts))
    }

    /// The changing fact that a predicate says of things; nothing where it speaks of what plays no part.
    pub(crate) fn fact(&self, predicate: Predicate, things: &[Thing]) -> Option<Fact> {
        use Predicate as P;
        let parts: Vec<Part> = things.iter().map(|&thing| self.part(thing)).collect();
        Some(match (predicate, &parts[..]) {
            (P::AtLocation, [Part::Agent, Part::Location(l)]) => Fact::AgentAt(*l),
            (P::Holds, [Part::Agent, Part::Object(o)]) => Fact::Holds(*o),
            (P::HoldsAny, [Part::Agent]) => Fact::HoldsAny,
            (P::InReceptacle, [Part::Object(o), Part::Receptacle(r)]) => Fact::Inside(*o, *r),
            (P::ObjectAtLocation, [Part::Object(o), Part::Location(l)]) => Fact::ObjectAt(*o, *l),
            (P::Opened, [Part::Receptacle(r)]) => Fact::Opened(*r),
            (P::IsClean, [Part::Object(o)]) => Fact::Clean(*o),
            (P::IsHot, [Part::Object(o)]) => Fact::Hot(*o),
            (P::IsCool, [Part::Object(o)]) => Fact::Cool(*o),
            (P::IsOn, [Part::Object(o)]) => Fact::On(*o),
            (P::IsToggled, [Part::Object(o)]) => Fact::Toggled(*o),
            (P::IsSliced, [Part::Object(o)]) => Fact::Sliced(*o),
            _ => return None,
        })
    }

    /// Whether an object may be put into a receptacle, by their types.
    pub(crate) fn fits(&self, object: Object, receptacle: Receptacle) -> bool {
        let [objects, places] = [
            (Predicate::HasObjectType, self.objects[object.index()]),
            (Predicate::HasReceptacleType, self.receptacles[receptacle.index()]),
        ]
        .map(|(predicate, thing)| self.problem.said_of(predicate, thing).collect::<Vec<Thing>>());
        let can =
            |place: &Thing| objects.iter().any(|&object| self.problem.says(Predicate::CanContain, &[*place, object]));
        places.iter().any(can)
    }
}

fn number(count: usize) -> Result<u16, Error> {
    u16::try_from(count).map_err(|_| Error::TooLarge { what: "the list of things", most: usize::from(u16::MAX) })
}

/// A type's id without `type` at the end.
fn bare(id: &str) -> &str {
    id.strip_suffix("type").unwrap_or(id)
}
