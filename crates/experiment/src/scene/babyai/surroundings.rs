//! What the response predictor may look at: where the mission's object lies, and what is right ahead.

use counsel_babyai::words::{Place, Situation, Square, View};
use counsel_babyai::{Colour, Kind};

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

/// The kinds of object that a mission may name.
const KINDS: [Kind; 4] = [Kind::Door, Kind::Key, Kind::Ball, Kind::Box];

/// How many words a mission may name.
pub(super) const NAMED: usize = KINDS.len() + Colour::BY_NAME.len();

/// A one for each word that the mission names: the kind of its object, and the colour.
pub(super) fn name(situation: &Situation) -> Vec<f64> {
    let object = situation.object();
    let kinds = KINDS.into_iter().map(|kind| object.kind == Some(kind));
    let colours = Colour::BY_NAME.into_iter().map(|colour| object.colour == Some(colour));
    kinds.chain(colours).map(|named| f64::from(u8::from(named))).collect()
}

/// Whether something stands right ahead of the agent.
fn is_blocked(view: &View) -> bool {
    Place::new(1, 0).is_some_and(|ahead| matches!(view.at(ahead), Square::Holds(_)))
}
