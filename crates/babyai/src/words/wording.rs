//! One way to say it: fixed words with places for what changes.

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

    /// What goes to a place of this name when this is the situation.
    pub(crate) fn word(&self, situation: &Situation, place: &str) -> Option<String> {
        let errand = situation.errand;
        Some(match place {
            "state" => (if situation.place.is_some() { &self.seen } else { &self.unseen }).clone(),
            "place" => self.place(situation.place?),
            "verb" => self.verbs.of(errand).clone(),
            "rule" => self.rules.as_ref().map_or_else(String::new, |rules| rules.of(errand).clone()),
            "repair" => match situation.previous.map(Act::named_by) {
                None => String::new(),
                Some(None) => self.after_unusable.clone().unwrap_or_default(),
                Some(Some(_)) => self.after_action.clone().unwrap_or_default(),
            },
            "word" => Act::named_by(situation.previous?)?.name().to_owned(),
            "object" => situation.object.to_string(),
            "carried" => situation.view.carried().map_or_else(|| "nothing".to_owned(), |thing| format!("a {thing}")),
            "scene" => self.scene(situation),
            "grid" => situation.view.drawing(),
            _ => return None,
        })
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

    fn scene(&self, situation: &Situation) -> String {
        let things = situation.view.things().map(|(place, thing)| {
            let article = if thing.to_string().starts_with('o') { "an" } else { "a" };
            format!("- {article} {thing} {}", self.place(place))
        });
        let lines: Vec<String> = things.collect();
        if lines.is_empty() { "- nothing".to_owned() } else { lines.join("\n") }
    }
}
