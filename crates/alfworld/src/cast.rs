//! The things of a problem of which something is said, and what is said of them at the start.

use std::collections::{BTreeMap, BTreeSet};

use crate::fact::{Fact, Facts, Layout};
use crate::name::names;
use crate::predicate::{Kind, Predicate};
use crate::problem::Problem;
use crate::thing::{ObjectTraits, ReceptacleTraits};
use crate::{Error, Location, Object, Receptacle};

/// The things of which something is said, by id; the others play no part.
pub(crate) struct Cast {
    names: BTreeMap<String, String>,
    pub(crate) objects: BTreeMap<String, Object>,
    pub(crate) receptacles: BTreeMap<String, Receptacle>,
    pub(crate) locations: BTreeMap<String, Location>,
    agent: String,
}

impl Cast {
    pub(crate) fn of(problem: &Problem) -> Result<Self, Error> {
        let said: BTreeSet<&str> = problem.facts.iter().flat_map(|(_, ids)| ids).map(String::as_str).collect();
        let agents: Vec<&str> = problem.of_kind(Kind::Agent).map(|(id, _)| id).collect();
        let [agent] = agents[..] else {
            let what = format!("there are {} agents", agents.len());
            return Err(Error::Inconsistent { what, remedy: "declare exactly one" });
        };
        let ids = |kind| said.iter().filter(move |&&id| problem.things.get(id) == Some(&kind)).map(|&id| id.to_owned());
        Ok(Self {
            names: names(&said)?,
            objects: numbered(ids(Kind::Object), Object)?,
            receptacles: numbered(ids(Kind::Receptacle), Receptacle)?,
            locations: numbered(ids(Kind::Location), Location)?,
            agent: agent.to_owned(),
        })
    }

    fn name(&self, id: &str) -> Result<String, Error> {
        self.names.get(id).cloned().ok_or_else(|| Error::OddId { id: id.to_owned() })
    }

    pub(crate) fn object_traits(&self, problem: &Problem) -> Result<Vec<ObjectTraits>, Error> {
        let traits = |id: &String| {
            let is = |predicate| problem.says(predicate, &[id.as_str()]);
            let inner = problem.said(Predicate::InReceptacleObject).filter(|ids| ids[1] == *id && ids[0] != *id);
            Ok(ObjectTraits {
                name: self.name(id)?,
                types: problem.said_of(Predicate::HasObjectType, id).map(|id| bare(id).to_owned()).collect(),
                is_pickupable: is(Predicate::Pickupable),
                is_toggleable: is(Predicate::Toggleable),
                is_heatable: is(Predicate::Heatable),
                is_coolable: is(Predicate::Coolable),
                is_cleanable: is(Predicate::Cleanable),
                is_sliceable: is(Predicate::Sliceable),
                holds: is(Predicate::IsReceptacleObject)
                    .then(|| inner.filter_map(|ids| self.objects.get(&ids[0]).copied()).collect()),
            })
        };
        self.objects.keys().map(traits).collect()
    }

    pub(crate) fn receptacle_traits(&self, problem: &Problem) -> Result<Vec<ReceptacleTraits>, Error> {
        let traits = |id: &String| {
            let mut locations = problem.said_of(Predicate::ReceptacleAtLocation, id);
            let location = locations.next().and_then(|id| self.locations.get(id).copied());
            if locations.next().is_some() {
                let what = format!("the receptacle `{id}` is at two locations");
                return Err(Error::Inconsistent { what, remedy: "leave one of them out" });
            }
            Ok(ReceptacleTraits {
                name: self.name(id)?,
                types: problem.said_of(Predicate::HasReceptacleType, id).map(|id| bare(id).to_owned()).collect(),
                location,
                is_openable: problem.says(Predicate::Openable, &[id.as_str()]),
            })
        };
        self.receptacles.keys().map(traits).collect()
    }

    /// What is so at the start.
    pub(crate) fn start(&self, problem: &Problem, layout: Layout) -> Result<(Location, Option<Object>, Facts), Error> {
        let places: Vec<&str> = problem.said_of(Predicate::AtLocation, &self.agent).collect();
        let [place] = places[..] else {
            let what = format!("the agent is at {} locations", places.len());
            return Err(Error::Inconsistent { what, remedy: "give it exactly one with `atLocation`" });
        };
        let held: Vec<&str> = problem.said_of(Predicate::Holds, &self.agent).collect();
        let holds_any = problem.says(Predicate::HoldsAny, &[self.agent.as_str()]);
        if held.len() > 1 || holds_any == held.is_empty() {
            let what = format!("`holds` gives the agent {} objects, and `holdsAny` does not agree", held.len());
            return Err(Error::Inconsistent { what, remedy: "state one `holds` together with `holdsAny`, or neither" });
        }
        let mut facts = Facts::none(layout);
        for (predicate, ids) in &problem.facts {
            let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
            if let Some(fact) = self.fact(*predicate, &ids) {
                facts.set(fact, true);
            }
        }
        let held = held.first().and_then(|&id| self.objects.get(id).copied());
        self.locations.get(place).map(|&place| (place, held, facts)).ok_or_else(|| Error::OddId { id: place.to_owned() })
    }

    /// The changing fact that a predicate says of things; nothing where it speaks of what plays no part.
    pub(crate) fn fact(&self, predicate: Predicate, ids: &[&str]) -> Option<Fact> {
        let object = |at: usize| self.objects.get(*ids.get(at)?).copied();
        let receptacle = |at: usize| self.receptacles.get(*ids.get(at)?).copied();
        let location = |at: usize| self.locations.get(*ids.get(at)?).copied();
        let is_agent = ids.first() == Some(&self.agent.as_str());
        Some(match predicate {
            Predicate::AtLocation if is_agent => Fact::AgentAt(location(1)?),
            Predicate::Holds if is_agent => Fact::Holds(object(1)?),
            Predicate::HoldsAny if is_agent => Fact::HoldsAny,
            Predicate::InReceptacle => Fact::Inside(object(0)?, receptacle(1)?),
            Predicate::ObjectAtLocation => Fact::ObjectAt(object(0)?, location(1)?),
            Predicate::Opened => Fact::Opened(receptacle(0)?),
            Predicate::IsClean => Fact::Clean(object(0)?),
            Predicate::IsHot => Fact::Hot(object(0)?),
            Predicate::IsCool => Fact::Cool(object(0)?),
            Predicate::IsOn => Fact::On(object(0)?),
            Predicate::IsToggled => Fact::Toggled(object(0)?),
            Predicate::IsSliced => Fact::Sliced(object(0)?),
            _ => return None,
        })
    }
}

/// Handles for ids that are in order.
fn numbered<T>(ids: impl Iterator<Item = String>, handle: fn(u16) -> T) -> Result<BTreeMap<String, T>, Error> {
    let most = usize::from(u16::MAX);
    let number = |(number, id): (usize, String)| {
        let number = u16::try_from(number).ok().filter(|&number| number < u16::MAX);
        Ok((id, handle(number.ok_or(Error::TooLarge { what: "the list of things", most })?)))
    };
    ids.enumerate().map(number).collect()
}

/// A type's id without `type` at the end.
pub(crate) fn bare(id: &str) -> &str {
    id.strip_suffix("type").unwrap_or(id)
}
