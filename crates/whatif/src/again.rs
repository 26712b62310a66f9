//! The loop that puts decisions through an engine once more.
//!
//! Invariant: it is the loop of the run itself. Episodes begin at their places, decisions of one batch are all made before the
//! first is resumed, and a question is answered by the reply that was heard.

use std::collections::BTreeMap;

use counsel_decision::{Act, Engine, Error, Evidence, Record, Reply, Turn};

/// A decision that is made again.
pub trait Moment {
    /// Where it is made, among environments that are played side by side.
    fn place(&self) -> usize;
    /// The batch in which it was decided, if it was in one.
    fn batch(&self) -> Option<u64>;
    /// The number of its episode at its place.
    fn episode(&self) -> u64;
    /// What was known.
    fn evidence(&self) -> Result<Evidence, Error>;
    /// What was answered; lost where nobody was asked.
    fn reply(&self) -> Reply;
}

/// Makes the decisions again, in their order, and hands over each with its record.
pub fn again<M: Moment>(engine: &mut Engine, moments: &[M], mut made: impl FnMut(&M, Record)) -> Result<(), Error> {
    let mut begun: BTreeMap<usize, u64> = BTreeMap::new();
    for batch in moments.chunk_by(|one, next| one.batch().is_some() && one.batch() == next.batch()) {
        for moment in batch {
            let begun = begun.entry(moment.place()).or_default();
            // An episode may have been empty.
            while *begun <= moment.episode() {
                engine.turn_to(moment.place());
                engine.begin_episode();
                *begun += 1;
            }
        }
        if batch.iter().any(|moment| moment.batch().is_some()) {
            engine.begin_batch();
        }
        let decide = |moment: &M| {
            engine.turn_to(moment.place());
            engine.decide(moment.evidence()?)
        };
        let turns = batch.iter().map(decide).collect::<Result<Vec<Turn>, Error>>()?;
        for (turn, moment) in turns.into_iter().zip(batch) {
            let Act { record, .. } = match turn {
                Turn::Act(act) => act,
                Turn::Ask(question) => engine.resume(question, moment.reply()),
            };
            made(moment, record);
        }
    }
    Ok(())
}
