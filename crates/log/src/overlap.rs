//! Decisions made again where questions overlap: an answer is heard where the log says, not right after its decision.
//!
//! Invariant: the sequence of decisions and answers is that of the run. An answer with a `heard_at` stands at that place of the
//! sequence, any other right behind its decision. Where a log ends before an answer was heard, it is heard at the end, in its order.

use std::collections::BTreeMap;

use counsel_decision::{Act, Ask, Engine, Error, Record, Turn};
use counsel_whatif::Moment;

use crate::recompute::Logged;

/// Makes the decisions again, and hands over each with its record, in the order in which they are complete.
pub(crate) fn as_heard<'a>(
    engine: &mut Engine,
    moments: &'a [Logged<'a>],
    mut made: impl FnMut(&Logged<'a>, Record),
) -> Result<(), Error> {
    let mut begun: BTreeMap<usize, u64> = BTreeMap::new();
    let mut open: BTreeMap<(u64, usize), Ask> = BTreeMap::new();
    let mut heard = 0_u64;
    for (number, moment) in moments.iter().enumerate() {
        // The answers that stand before this decision.
        while let Some(entry) = open.first_entry().filter(|entry| entry.key().0 <= number as u64 + heard) {
            let (_, asked) = *entry.key();
            answered(engine, &moments[asked], entry.remove(), &mut made);
            heard += 1;
        }
        let begun = begun.entry(moment.place()).or_default();
        while *begun <= moment.episode() {
            engine.turn_to(moment.place());
            engine.begin_episode();
            *begun += 1;
        }
        engine.turn_to(moment.place());
        match (engine.decide(moment.evidence()?)?, moment.decision.hindsight.heard_at) {
            (Turn::Act(act), _) => made(moment, act.record),
            (Turn::Ask(ask), Some(place)) => {
                open.insert((place, number), ask);
            }
            (Turn::Ask(ask), None) => {
                answered(engine, moment, ask, &mut made);
                heard += 1;
            }
        }
    }
    for ((_, asked), ask) in open {
        answered(engine, &moments[asked], ask, &mut made);
    }
    Ok(())
}

fn answered<'a>(engine: &mut Engine, moment: &Logged<'a>, ask: Ask, made: &mut impl FnMut(&Logged<'a>, Record)) {
    let Act { record, .. } = engine.resume(ask, moment.reply());
    made(moment, record);
}
