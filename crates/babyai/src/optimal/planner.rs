//! Who is asked for optimal actions.

use std::collections::BTreeMap;

use super::bound::{NEVER, bounds};
use super::search::Search;
use super::{Acts, Optimum};
use crate::arrangement::{Arrangements, Place};
use crate::verify::Status;
use crate::{Act, Clause, Error, Instruction, Part, State};

/// How many states one search looks at, unless told otherwise.
pub const MOST_STATES: usize = 100_000;

/// Finds optimal actions, and remembers what it learnt about the episode that it was last asked about.
///
/// ```
/// use counsel_babyai::{Planner, World};
///
/// let mut world = World::new("BabyAI-GoToObj-v0")?;
/// world.reset(Some(7));
/// let mut planner = Planner::default();
/// while let Some(optimum) = planner.optimum(world.state())? {
///     let act = optimum.acts.iter().next().expect("some action is optimal");
///     if world.step(act).terminated {
///         break;
///     }
/// }
/// # Ok::<(), counsel_babyai::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Planner {
    cap: usize,
    episode: Option<Episode>,
}

impl Default for Planner {
    fn default() -> Self {
        Self::with_cap(MOST_STATES)
    }
}

impl Planner {
    /// A planner that looks at so many states per question at most.
    pub fn with_cap(cap: usize) -> Self {
        Self { cap, episode: None }
    }

    /// The least number of steps to success and all actions that keep it, or nothing if no actions lead to success.
    pub fn optimum(&mut self, state: &State) -> Result<Option<Optimum>, Error> {
        let clause = match &state.instruction {
            Instruction::Simple(Part::One(clause)) if !matches!(clause, Clause::PutNext(..)) => *clause,
            other => return Err(Error::UnsupportedMission { mission: other.to_string() }),
        };
        let fits = |episode: &Episode| episode.arrangements.are_of(state) && episode.bounds.len() <= self.cap;
        let episode = match self.episode.take().filter(fits) {
            Some(episode) => self.episode.insert(episode),
            None => self.episode.insert(Episode::new(state, clause)),
        };
        episode.optimum(state, self.cap)
    }
}

impl State {
    /// The least number of steps to success and all actions that keep it, or nothing if no actions lead to success.
    /// A [`Planner`] answers many such questions about one episode faster.
    pub fn optimum(&self) -> Result<Option<Optimum>, Error> {
        Planner::default().optimum(self)
    }
}

#[derive(Debug, Clone)]
struct Episode {
    clause: Clause,
    arrangements: Arrangements,
    /// The bounds of each arrangement, where they were asked for.
    bounds: Vec<Vec<u16>>,
    answers: BTreeMap<Place, Option<Optimum>>,
}

impl Episode {
    fn new(state: &State, clause: Clause) -> Self {
        Self { clause, arrangements: Arrangements::new(state), bounds: Vec::new(), answers: BTreeMap::new() }
    }

    fn bound(&mut self, (number, pose): Place) -> Option<u32> {
        let number = number as usize;
        if self.bounds.len() < self.arrangements.len() {
            self.bounds.resize(self.arrangements.len(), Vec::new());
        }
        if self.bounds[number].is_empty() {
            let state = self.arrangements.state(u32::try_from(number).unwrap_or(u32::MAX));
            self.bounds[number] = bounds(state, &self.clause);
        }
        let bound = self.bounds[number][usize::from(pose)];
        (bound != NEVER).then_some(u32::from(bound))
    }

    fn optimum(&mut self, state: &State, cap: usize) -> Result<Option<Optimum>, Error> {
        let start = self.arrangements.place(state);
        if let Some(&answer) = self.answers.get(&start) {
            return Ok(answer);
        }
        let answer = self.search(start, cap)?;
        self.answers.insert(start, answer);
        Ok(answer)
    }

    fn search(&mut self, start: Place, cap: usize) -> Result<Option<Optimum>, Error> {
        let Some(bound) = self.bound(start) else { return Ok(None) };
        let mut search = Search::new(start, bound);
        while let Some((place, steps, firsts)) = search.take() {
            for act in Act::ALL {
                let firsts = if steps == 0 { Acts::only(act) } else { firsts };
                let (status, after) = self.arrangements.step(place, act);
                match status {
                    Status::Fails => {}
                    Status::Succeeds => search.succeed(steps + 1, firsts),
                    Status::Continues => {
                        if let Some(bound) = self.bound(after) {
                            search.meet(after, steps + 1, firsts, bound);
                        }
                    }
                }
            }
            let reached = search.nodes.len();
            if reached > cap {
                let mission = Instruction::from(self.clause).to_string();
                return Err(Error::TooManyStates { mission, cap, reached });
            }
        }
        Ok(search.best)
    }
}
