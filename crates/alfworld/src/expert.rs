//! The expert: how many commands the shortest plan has, and which commands begin one.
//!
//! It knows everything, closed drawers too. For the two tasks that this crate draws (and for such tasks in game files) the
//! length is a formula, because nothing is ever worth doing on the way but these: walk, open, take, walk, open, put down;
//! or walk, open, take, walk, switch on; and, with a full hand, first walk, open, put down. Each walk is one command.
//!
//! Invariant (tested on many states): the length is 0 exactly where the task is carried out, no command shortens it by more
//! than 1, and some command shortens it by 1.

use std::collections::BTreeSet;

use crate::condition::Condition;
use crate::fact::Fact;
use crate::{CommandNumber, Game, Location, Object, Receptacle, State};

/// What the goal of a game comes down to.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Aim {
    /// One of these objects in one of these receptacles.
    Put(Vec<(Object, Receptacle)>),
    /// One of these objects in the hand, beside one of these lamps, which has been switched on.
    Look { objects: Vec<Object>, lamps: Vec<Lamp> },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Lamp {
    object: Object,
    on: Receptacle,
    location: Location,
}

/// The expert of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expert {
    aim: Aim,
}

impl Expert {
    /// The expert of a game; none where its goal is of another kind, or where things are where the formula does not expect them:
    /// an object in two receptacles at once, or a lamp that can be carried away.
    pub fn of(game: &std::sync::Arc<Game>) -> Option<Self> {
        let start = game.start();
        let in_two = |o: Object| game.receptacles().filter(|&r| start.has(Fact::Inside(o, r))).count() > 1;
        let is_carried =
            |lamp: &Lamp| game.object(lamp.object).is_pickupable || game.held_at_start() == Some(lamp.object);
        let mut aim = put(game.goal()).or_else(|| look(game.goal()))?;
        if let Aim::Look { lamps, .. } = &mut aim {
            if lamps.iter().any(is_carried) {
                return None;
            }
            // The goal speaks of every place where a lamp might be; one that cannot be carried stays where it is.
            lamps.retain(|lamp| start.has(Fact::Inside(lamp.object, lamp.on)));
        }
        (!game.objects().any(in_two)).then_some(Self { aim })
    }

    /// How many commands the shortest plan from a state of the game has; none where no plan leads to the goal.
    pub fn distance(&self, state: &State) -> Option<u32> {
        if state.is_won() {
            return Some(0);
        }
        let now = View { state, place: state.place(), opened: [None; 2] };
        let Some(held) = state.held() else { return self.empty_handed(now, None) };
        let at_once = self.holding(held, now);
        let after_dropping = state.game().receptacles().filter(|&r| state.game().fits(held, r)).filter_map(|r| {
            let (steps, then) = now.reach(r)?;
            Some(steps + 1 + self.empty_handed(then, Some((held, r)))?)
        });
        after_dropping.chain(at_once).min()
    }

    /// The admissible commands that begin a shortest plan; none where the task is carried out or beyond reach.
    pub fn best(&self, state: &State) -> Vec<CommandNumber> {
        let Some(next) = self.distance(state).and_then(|distance| distance.checked_sub(1)) else { return Vec::new() };
        let begins_plan = |&number: &CommandNumber| {
            let mut after = state.clone();
            let command = state.game().command(number);
            command.is_some_and(|command| {
                after.apply(command);
                self.distance(&after) == Some(next)
            })
        };
        state.admissible().into_iter().filter(begins_plan).collect()
    }

    /// What every admissible command is worth when a shortest plan follows: γ to the power of the commands that are still needed
    /// after it, less what all of them cost, each discounted by when it is said.
    pub fn values(&self, state: &State, discount: f64, step_cost: f64) -> Vec<f64> {
        let value = |number: CommandNumber| {
            let mut after = state.clone();
            after.apply(state.game().command(number)?);
            let needed = i32::try_from(self.distance(&after)?).ok()?;
            let cost: f64 = (0..=needed).map(|step| step_cost * discount.powi(step)).sum();
            Some(discount.powi(needed) - cost)
        };
        // Where no plan leads to the goal, every command costs its step for good.
        let lost = -step_cost / (1.0 - discount).max(f64::EPSILON);
        state.admissible().into_iter().map(|number| value(number).unwrap_or(lost)).collect()
    }

    /// A shortest plan from a state, the first of its words among equals; empty where there is none.
    pub fn plan(&self, state: &State) -> Vec<CommandNumber> {
        let (mut state, mut plan) = (state.clone(), Vec::new());
        while let Some(&number) = self.best(&state).first() {
            let Some(command) = state.game().command(number) else { break };
            state.apply(command);
            plan.push(number);
        }
        plan
    }

    /// The objects of which one must be taken, in the order of ids.
    pub fn objects(&self) -> Vec<Object> {
        self.targets().collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// The steps from here with an empty hand, where an object may have been put down elsewhere than the state says.
    fn empty_handed(&self, now: View<'_>, dropped: Option<(Object, Receptacle)>) -> Option<u32> {
        let game = now.state.game();
        let targets = self.targets().filter(|&o| game.object(o).is_pickupable);
        let plans = targets.filter_map(|o| {
            let place = dropped.filter(|(object, _)| *object == o).map(|(_, r)| r);
            let r = place.or_else(|| game.receptacles().find(|&r| now.state.has(Fact::Inside(o, r))))?;
            let (steps, then) = now.reach(r)?;
            Some(steps + 1 + self.holding(o, then)?)
        });
        plans.min()
    }

    /// The steps from here with an object in the hand that stays there until it is where it belongs.
    fn holding(&self, held: Object, now: View<'_>) -> Option<u32> {
        match &self.aim {
            Aim::Put(pairs) => {
                let places = pairs.iter().filter(|(o, r)| *o == held && now.state.game().fits(*o, *r));
                places.filter_map(|(_, r)| now.reach(*r)).map(|(steps, _)| steps + 1).min()
            }
            Aim::Look { objects, lamps } => {
                let steps = |lamp: &Lamp| {
                    u32::from(lamp.location != now.place) + u32::from(!now.state.has(Fact::Toggled(lamp.object)))
                };
                lamps.iter().map(steps).min().filter(|_| objects.contains(&held))
            }
        }
    }

    /// The objects that the goal speaks of, some more than once.
    fn targets(&self) -> impl Iterator<Item = Object> {
        let (pairs, objects) = match &self.aim {
            Aim::Put(pairs) => (&pairs[..], &[][..]),
            Aim::Look { objects, .. } => (&[][..], &objects[..]),
        };
        pairs.iter().map(|(o, _)| *o).chain(objects.iter().copied())
    }
}

impl State {
    /// Whether it is known that no plan leads to the goal.
    pub(crate) fn is_beyond_reach(&self) -> bool {
        Expert::of(self.game()).is_some_and(|expert| expert.distance(self).is_none())
    }
}

/// A state in which the agent has walked on and opened up to two receptacles.
#[derive(Clone, Copy)]
struct View<'a> {
    state: &'a State,
    place: Location,
    opened: [Option<Receptacle>; 2],
}

impl View<'_> {
    /// The steps to stand before a receptacle that is open, and what is so then.
    fn reach(self, r: Receptacle) -> Option<(u32, Self)> {
        let place = self.state.game().location(r)?;
        let is_open = self.state.is_accessible(r) || self.opened.contains(&Some(r));
        let opened = if is_open { self.opened } else { [self.opened[1], Some(r)] };
        Some((u32::from(place != self.place) + u32::from(!is_open), Self { place, opened, ..self }))
    }
}

/// One of these, or this alone.
fn alternatives(condition: &Condition) -> &[Condition] {
    if let Condition::Any(parts) = condition { parts } else { std::slice::from_ref(condition) }
}

fn put(goal: &Condition) -> Option<Aim> {
    let pair = |part: &Condition| match part {
        Condition::Fact(Fact::Inside(o, r)) => Some((*o, *r)),
        _ => None,
    };
    alternatives(goal).iter().map(pair).collect::<Option<Vec<_>>>().map(Aim::Put)
}

fn look(goal: &Condition) -> Option<Aim> {
    let Condition::All(parts) = goal else { return None };
    let [one, other] = &parts[..] else { return None };
    let held = |part: &Condition| match part {
        Condition::Fact(Fact::Holds(o)) => Some(*o),
        _ => None,
    };
    let held = |part: &Condition| alternatives(part).iter().map(held).collect::<Option<Vec<_>>>();
    let lit = |part: &Condition| alternatives(part).iter().map(lamp).collect::<Option<Vec<_>>>();
    let (objects, lamps) = held(one).zip(lit(other)).or_else(|| held(other).zip(lit(one)))?;
    Some(Aim::Look { objects, lamps })
}

/// A lamp that has been switched on, where it stands, beside the agent.
fn lamp(part: &Condition) -> Option<Lamp> {
    let Condition::All(parts) = part else { return None };
    let (mut toggled, mut stands, mut beside) = (None, None, None);
    for part in parts {
        match part {
            Condition::Fact(Fact::Toggled(object)) => toggled = Some(*object),
            Condition::Fact(Fact::Inside(object, on)) => stands = Some((*object, *on)),
            Condition::Fact(Fact::AgentAt(location)) => beside = Some(*location),
            _ => return None,
        }
    }
    let ((object, on), location) = stands.zip(beside)?;
    (toggled == Some(object) && parts.len() == 3).then_some(Lamp { object, on, location })
}
