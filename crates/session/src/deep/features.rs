//! What a forecast may look at: numbers that are known before an answer, in any world.
//!
//! What the world tells of the situation, and its squares, since distance counts whichever side it is on; how much of the
//! episode is left; what is expected of the advisor and of the values; and what would be done without asking, alone and where
//! the target is in view.

use counsel_decision::{Evidence, Preview, Response};

use super::world::DeepWorld;

/// The numbers of a decision.
pub(super) fn describe<W: DeepWorld>(
    situation: &W::Situation,
    evidence: &Evidence,
    preview: &Preview,
    share_to_go: f64,
) -> Vec<f64> {
    let (law, values) = (evidence.advice().law(), evidence.advice().none());
    let (no_query, actions) = (preview.no_query.action, evidence.actions());
    let sees = f64::from(u8::from(W::sees_target(situation)));
    let surroundings = W::surroundings(situation);
    let means = values.means();
    let best = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut x = vec![
        1.0,
        share_to_go,
        preview.estimate,
        law.entropy(),
        law.probability(Response::Recommends(no_query)),
        values.epistemic_variance(),
        values.bounds().width(no_query),
        best - means[no_query.index()],
    ];
    x.extend(surroundings.iter().map(|number| number * number));
    x.extend(&surroundings);
    x.extend_from_slice(law.as_slice());
    let (taken, start) = (no_query.index(), x.len());
    x.resize(start + 2 * actions, 0.0);
    (x[start + taken], x[start + actions + taken]) = (1.0, sees);
    x
}
