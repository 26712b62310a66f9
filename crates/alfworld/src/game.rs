//! A game: all that stays as it is while it is played.

use std::sync::Arc;

use counsel_decision::refusal::fits;

use crate::cast::Cast;
use crate::condition::Condition;
use crate::fact::Facts;
use crate::grounding::Grounding;
use crate::problem::Problem;
use crate::thing::{ObjectTraits, ReceptacleTraits};
use crate::vocabulary::Vocabulary;
use crate::{Command, CommandNumber, Error, Location, Object, Receptacle, State};

/// A game: its task, its things and its commands.
#[derive(Clone, PartialEq, Eq)]
pub struct Game {
    task: String,
    objects: Vec<ObjectTraits>,
    receptacles: Vec<ReceptacleTraits>,
    /// The receptacles that are reached from each location, in the order of ids.
    beside: Vec<Vec<Receptacle>>,
    /// Whether an object may be put into a receptacle, at `object * receptacles + receptacle`.
    fits: Vec<bool>,
    goal: Condition,
    vocabulary: Vocabulary,
    start: (Location, Option<Object>, Facts),
}

/// Its task alone: the tables would fill pages.
impl std::fmt::Debug for Game {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Game").field("task", &self.task).finish_non_exhaustive()
    }
}

impl Game {
    /// The game of a problem in PDDL, with the words for its task.
    pub fn from_pddl(problem: &str, task: &str) -> Result<Arc<Self>, Error> {
        let problem = Problem::read(problem)?;
        let cast = Cast::of(&problem)?;
        let layout = cast.layout();
        fits(
            "the table of objects and places",
            &[layout.objects, layout.receptacles + layout.locations],
            "leave things out",
        )?;
        let mut game = Self {
            task: task.to_owned(),
            objects: cast.object_traits()?,
            receptacles: cast.receptacle_traits()?,
            beside: vec![Vec::new(); layout.locations],
            fits: Vec::new(),
            goal: Grounding::goal(&problem, &|predicate, things| cast.fact(predicate, things))?,
            vocabulary: Vocabulary::default(),
            start: cast.start()?,
        };
        for r in game.receptacles() {
            if let Some(location) = game.location(r) {
                game.beside[location.index()].push(r);
            }
        }
        game.fits = game
            .objects()
            .flat_map(|o| game.receptacles().map(move |r| (o, r)))
            .map(|(o, r)| cast.fits(o, r))
            .collect();
        game.vocabulary = Vocabulary::of(&game)?;
        Ok(Arc::new(game))
    }

    /// The state in which it starts.
    pub fn start(self: &Arc<Self>) -> State {
        let (place, held, facts) = &self.start;
        State::new(Arc::clone(self), *place, *held, facts.clone())
    }

    /// The task in words, without a full stop.
    pub fn task(&self) -> &str {
        &self.task
    }

    /// All objects, in the order of ids.
    pub fn objects(&self) -> impl Iterator<Item = Object> + use<> {
        let count = u16::try_from(self.objects.len()).unwrap_or(u16::MAX);
        (0..count).map(Object)
    }

    /// All receptacles, in the order of ids, those that are reached from nowhere too.
    pub fn receptacles(&self) -> impl Iterator<Item = Receptacle> + use<> {
        let count = u16::try_from(self.receptacles.len()).unwrap_or(u16::MAX);
        (0..count).map(Receptacle)
    }

    /// What an object is called.
    pub fn object_name(&self, object: Object) -> &str {
        &self.object(object).name
    }

    /// What a receptacle is called.
    pub fn receptacle_name(&self, receptacle: Receptacle) -> &str {
        &self.receptacle(receptacle).name
    }

    /// The class of an object: its name without the number.
    pub fn object_class(&self, object: Object) -> &str {
        class(self.object_name(object))
    }

    /// The class of a receptacle: its name without the number.
    pub fn receptacle_class(&self, receptacle: Receptacle) -> &str {
        class(self.receptacle_name(receptacle))
    }

    /// Whether a receptacle can be opened and closed.
    pub fn is_openable(&self, receptacle: Receptacle) -> bool {
        self.receptacle(receptacle).is_openable
    }

    /// Where a receptacle is reached from.
    pub fn location(&self, receptacle: Receptacle) -> Option<Location> {
        self.receptacle(receptacle).location
    }

    /// Whether an object may be put into a receptacle.
    pub fn fits(&self, object: Object, receptacle: Receptacle) -> bool {
        self.fits[object.index() * self.receptacles.len() + receptacle.index()]
    }

    /// How many commands the game can ever understand.
    pub fn commands(&self) -> usize {
        self.vocabulary.len()
    }

    /// The words of a command.
    pub fn words(&self, number: CommandNumber) -> Option<&str> {
        self.vocabulary.words(number)
    }

    /// The command with this number.
    pub fn command(&self, number: CommandNumber) -> Option<Command> {
        self.vocabulary.command(number)
    }

    pub(crate) fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    pub(crate) fn goal(&self) -> &Condition {
        &self.goal
    }

    pub(crate) fn object(&self, object: Object) -> &ObjectTraits {
        &self.objects[object.index()]
    }

    pub(crate) fn receptacle(&self, receptacle: Receptacle) -> &ReceptacleTraits {
        &self.receptacles[receptacle.index()]
    }

    pub(crate) fn beside(&self, location: Location) -> &[Receptacle] {
        &self.beside[location.index()]
    }

    pub(crate) fn held_at_start(&self) -> Option<Object> {
        self.start.1
    }
}

fn class(name: &str) -> &str {
    name.split_once(' ').map_or(name, |(class, _)| class)
}
