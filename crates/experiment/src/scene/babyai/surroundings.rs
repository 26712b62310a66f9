//! What the response predictor may look at: where the mission's object lies, and what is right ahead.

use counsel_babyai::words::{Place, Situation, Square, View};

/// How many numbers describe a situation.
pub(super) const WIDTH: usize = 9;

/// The numbers, all within [-1, 1].
pub(super) fn describe(situation: &Situation) -> Vec<f64> {
    let flag = |yes: bool| f64::from(u8::from(yes));
    let place = situation.place();
    let (ahead, aside) = place.map_or((0.0, 0.0), |place| (f64::from(place.ahead()), f64::from(place.aside())));
    vec![
        flag(place.is_some()),
        ahead / f64::from(Place::FARTHEST_AHEAD),
        aside / f64::from(Place::FARTHEST_ASIDE),
        flag(place.is_some() && ahead == 0.0),
        flag(aside < 0.0),
        flag(aside > 0.0),
        flag(ahead == 1.0 && aside == 0.0),
        flag(is_blocked(situation.view())),
        flag(situation.view().carried().is_some()),
    ]
}

/// Whether something stands right ahead of the agent.
fn is_blocked(view: &View) -> bool {
    Place::new(1, 0).is_some_and(|ahead| matches!(view.at(ahead), Square::Holds(_)))
}
