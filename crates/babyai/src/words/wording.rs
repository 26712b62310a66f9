//! One way to say it: fixed words with places for what changes.
//!
//! A line of the tail that comes out empty is left out.

use counsel_decision::Response;
use serde::Deserialize;

use super::{Errand, Place, Situation};
use crate::Act;

/// Something that differs by errand.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) struct ByErrand<T> {
    go_to: T,
    open: T,
    pick_up: T,
}

impl<T> ByErrand<T> {
    pub(crate) fn of(&self, errand: Errand) -> &T {
        match errand {
            Errand::GoTo => &self.go_to,
            Errand::Open => &self.open,
            Errand::PickUp => &self.pick_up,
        }
    }

    pub(crate) fn all(&self) -> [&T; 3] {
        [&self.go_to, &self.open, &self.pick_up]
    }
}

/// How places are spoken of.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlaceWords {
    one_ahead: String,
    many_ahead: String,
    one_left: String,
    many_left: String,
    one_right: String,
    many_right: String,
    both: String,
}

/// One way to say it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wording {
    /// The part that never changes.
    pub(crate) stem: String,
    /// The part that does.
    pub(crate) tail: String,
    seen: String,
    unseen: String,
    verbs: ByErrand<String>,
    rules: Option<ByErrand<String>>,
    after_action: Option<String>,
    after_unusable: Option<String>,
    place: PlaceWords,
}

impl Wording {
    /// Whether it says that an answer did not help.
    pub(crate) fn repairs(&self) -> bool {
        self.after_action.is_some() && self.after_unusable.is_some() && self.tail.contains("{repair}")
    }

    /// All words of it in which a place for something may stand.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        let PlaceWords { one_ahead, many_ahead, one_left, many_left, one_right, many_right, both } = &self.place;
        let fixed = [&self.tail, &self.seen, &self.unseen, one_ahead, one_left, one_right, both];
        let counted = [many_ahead, many_left, many_right];
        let verbs = self.verbs.all().into_iter().chain(self.rules.iter().flat_map(ByErrand::all));
        let repairs = self.after_action.iter().chain(&self.after_unusable);
        fixed.into_iter().chain(counted).chain(verbs).chain(repairs).map(String::as_str)
    }

    /// The part that changes, said of a situation.
    pub(crate) fn tell(&self, situation: &Situation) -> String {
        let lines = self.tail.lines().map(|line| {
            let mut line = line.to_owned();
            // The state's own words speak of the object, so they come first.
            fill(&mut line, "{state}", || self.state(situation.place));
            fill(&mut line, "{verb}", || self.verbs.of(situation.errand).clone());
            fill(&mut line, "{rule}", || {
                self.rules.as_ref().map_or_else(String::new, |rules| rules.of(situation.errand).clone())
            });
            fill(&mut line, "{repair}", || self.repair(situation.previous));
            fill(&mut line, "{object}", || situation.object.to_string());
            fill(&mut line, "{carried}", || carried(situation));
            fill(&mut line, "{scene}", || self.scene(situation));
            fill(&mut line, "{grid}", || situation.view.drawing());
            line
        });
        lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join("\n")
    }

    fn state(&self, place: Option<Place>) -> String {
        place.map_or_else(|| self.unseen.clone(), |place| self.seen.replace("{place}", &self.place(place)))
    }

    fn place(&self, place: Place) -> String {
        let words = &self.place;
        let count = |n: u8, one: &str, many: &str| match n {
            0 => None,
            1 => Some(one.to_owned()),
            n => Some(many.replace("{n}", &n.to_string())),
        };
        let ahead = count(place.ahead(), &words.one_ahead, &words.many_ahead);
        let (one, many) =
            if place.aside() < 0 { (&words.one_left, &words.many_left) } else { (&words.one_right, &words.many_right) };
        let aside = count(place.aside().unsigned_abs(), one, many);
        match (ahead, aside) {
            (Some(ahead), Some(aside)) => words.both.replace("{ahead}", &ahead).replace("{aside}", &aside),
            (ahead, aside) => ahead.or(aside).unwrap_or_default(),
        }
    }

    fn repair(&self, previous: Option<Response>) -> String {
        let word = |response| match response {
            Response::Recommends(action) => Act::try_from(action.index()).ok().map(word_of),
            Response::Unusable => None,
        };
        let text = match previous.map(word) {
            None => None,
            Some(None) => self.after_unusable.clone(),
            Some(Some(word)) => self.after_action.as_ref().map(|text| text.replace("{word}", word)),
        };
        text.unwrap_or_default()
    }

    fn scene(&self, situation: &Situation) -> String {
        let things = situation.view.things().map(|(place, thing)| {
            let article = if thing.to_string().starts_with('o') { "an" } else { "a" };
            format!("- {article} {thing} {}", self.place(place))
        });
        let lines: Vec<String> = things.collect();
        if lines.is_empty() { "- nothing".to_owned() } else { lines.join("\n") }
    }
}

/// Puts words in their place, where the line has one for them.
fn fill(line: &mut String, place: &str, words: impl FnOnce() -> String) {
    if line.contains(place) {
        *line = line.replace(place, &words());
    }
}

fn carried(situation: &Situation) -> String {
    situation.view.carried().map_or_else(|| "nothing".to_owned(), |thing| format!("a {thing}"))
}

/// The word that an answer calls an action by.
pub(crate) fn word_of(act: Act) -> &'static str {
    match act {
        Act::Left => "left",
        Act::Right => "right",
        Act::Forward => "forward",
        Act::Pickup => "pickup",
        Act::Drop => "drop",
        Act::Toggle => "toggle",
        Act::Done => "done",
    }
}
