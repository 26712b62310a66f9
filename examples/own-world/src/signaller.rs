//! The agent, its advisor, and one day of both with the controller.
//!
//! The advisor here is an old timetable: right in 85 of 100 cases, and the same at every look. Put your own model into
//! `advice`: whatever it says goes into a `Reply` as it is, and an answer that never came is `Reply::lost()`.

use counsel_controller::{Action, Controller, Error, Outcome, Reply, Seed, Situation, Turn};
use counsel_log::{Decision, Hindsight};
use rand::RngExt;

use crate::{EXITS, SignalBox, TRACKS};

/// The words of the exits, as the advisor says them.
pub(crate) const WORDS: [&str; EXITS] = ["north", "east", "south"];
/// How often the timetable is right.
const RELIABILITY: f64 = 0.85;
/// How often the signaller tries any exit, to go on learning.
const EXPLORATION: f64 = 0.1;

/// A signaller who counts, for every track and exit, how many trains were on time.
#[derive(Debug, Clone, Default)]
pub struct Signaller {
    /// Trains on time and trains sent, by track and exit.
    seen: [[(f64, f64); EXITS]; TRACKS],
}

impl Signaller {
    /// What it would do without advice: mostly the exit with the best share so far, now and then any exit.
    pub fn propose(&self, track: usize, seed: Seed) -> Action {
        let mut rng = seed.rng();
        if rng.random_bool(EXPLORATION) {
            return Action::new(rng.random_range(0..EXITS));
        }
        // One train on time and one late count as seen before the first, so no exit is written off at once.
        let share = |exit: &usize| (self.seen[track][*exit].0 + 1.0) / (self.seen[track][*exit].1 + 2.0);
        Action::new((0..EXITS).max_by(|a, b| share(a).total_cmp(&share(b))).unwrap_or(0))
    }

    /// Learns how a train fared.
    pub fn observe(&mut self, track: usize, exit: Action, reward: f64) {
        let (on_time, sent) = &mut self.seen[track][exit.index()];
        *on_time += reward;
        *sent += 1.0;
    }
}

/// What the timetable says about a track.
pub fn advice(world: &SignalBox, track: usize, seed: Seed) -> Reply {
    let mut rng = seed.stream("timetable").index(track as u64).rng();
    let shift = if rng.random_bool(RELIABILITY) { 0 } else { rng.random_range(1..EXITS) };
    Reply::simulated(WORDS[(world.free(track) + shift) % EXITS])
}

/// One day: the world, the agent, and the seed of the timetable.
pub struct Day<'a> {
    /// The world.
    pub world: &'a mut SignalBox,
    /// The agent.
    pub signaller: &'a mut Signaller,
    /// The seed of the timetable, the same on every day.
    pub timetable: Seed,
}

/// Plays one day and appends its decisions. Every train is an episode of its own: where it goes does not change what comes next.
pub fn day(
    controller: &mut Controller,
    Day { world, signaller, timetable }: Day<'_>,
    seed: Seed,
    decisions: &mut Vec<Decision>,
) -> Result<(), Error> {
    world.begin_day(seed.stream("trains"));
    let mut train = 0;
    while let Some(track) = world.waiting() {
        let proposal = signaller.propose(track, seed.stream("proposal").index(train));
        let act = match controller.decide(Situation::of(track as u64).proposing(proposal))? {
            Turn::Act(act) => act,
            Turn::Ask(ask) => controller.resume(ask, advice(world, track, timetable))?,
        };
        let right = Some(Action::new(world.free(track)));
        let reward = world.send(track, act.action.index());
        signaller.observe(track, act.action, reward);
        controller.outcome(Outcome::reward(reward).terminated(true))?;
        decisions.push(Decision::new(act.record, Hindsight { reward, right, ..Hindsight::default() }));
        train += 1;
    }
    Ok(())
}
