//! The words of the game: the introduction, and what comes back for a command.

use crate::fact::Fact;
use crate::{Command, Object, Receptacle, State};

/// What comes back for a command that cannot be carried out.
pub const NOTHING_HAPPENS: &str = "Nothing happens.";

const HELP: &str = "Available commands:
  look:                             look around your current location
  inventory:                        check your current inventory
  go to (receptacle):               move to a receptacle
  open (receptacle):                open a receptacle
  close (receptacle):               close a receptacle
  take (object) from (receptacle):  take an object from a receptacle
  move (object) to (receptacle):  place an object in or on a receptacle
  examine (something):              examine a receptacle or an object
  use (object):                     use an object
  heat (object) with (receptacle):  heat an object using a receptacle
  clean (object) with (receptacle): clean an object using a receptacle
  cool (object) with (receptacle):  cool an object using a receptacle
  slice (object) with (object):     slice an object using a sharp object
";

impl State {
    /// What a player is told first.
    pub fn introduction(&self) -> String {
        let game = self.game();
        let all = game.receptacles().filter(|&r| game.location(r).is_some());
        let around = self.facing().unwrap_or_else(|| in_the_middle(all.map(|r| with_article(game.receptacle_name(r)))));
        format!("-= Welcome to TextWorld, ALFRED! =-\n\n{around}\n\nYour task is to: {}.", game.task())
    }

    /// Carries out what a player says, and tells what comes of it. Only the exact words of an admissible command do anything;
    /// blanks around them do not matter.
    pub fn say(&mut self, words: &str) -> String {
        // Blanks of Python, which counts four separators of ASCII among them.
        let words = words.trim_matches(|c: char| c.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&c));
        let command = self.game().vocabulary().find(words).and_then(|number| self.game().command(number));
        command.map_or_else(|| NOTHING_HAPPENS.to_owned(), |command| self.command(command))
    }

    /// Carries out a command if it is admissible, and tells what comes of it.
    pub fn command(&mut self, command: Command) -> String {
        if self.is_admissible(command) { self.carry_out(command) } else { NOTHING_HAPPENS.to_owned() }
    }

    /// Carries out a command that is admissible, and tells what comes of it.
    pub(crate) fn carry_out(&mut self, command: Command) -> String {
        self.apply(command);
        self.told(command)
    }

    /// What a player is told after a command was carried out.
    fn told(&self, command: Command) -> String {
        let (o, r) = (|o: Object| self.game().object_name(o), |r: Receptacle| self.game().receptacle_name(r));
        match command {
            // Away from all receptacles the list has no location to start from, and stays empty.
            Command::Look => self.facing().unwrap_or_else(|| in_the_middle([])),
            Command::Inventory => match self.held() {
                Some(held) => format!("You are carrying: {}.", with_article(o(held))),
                None => "You are not carrying anything.".to_owned(),
            },
            Command::Help => HELP.to_owned(),
            Command::GoTo(to) => format!("You arrive at {}. {}", r(to), self.view(to)),
            Command::Open(it) => format!("You open the {}. {}", r(it), self.view(it)),
            Command::Close(it) => format!("You close the {}.", r(it)),
            Command::Search(it) => self.view(it),
            Command::Examine(it) => self.looks(it),
            Command::Take(it, from) => format!("You pick up the {} from the {}.", o(it), r(from)),
            Command::Move(it, to) => format!("You move the {} to the {}.", o(it), r(to)),
            Command::Use(it) => format!("You turn on the {}.", o(it)),
            Command::Heat(it, with) => format!("You heat the {} using the {}.", o(it), r(with)),
            Command::Cool(it, with) => format!("You cool the {} using the {}.", o(it), r(with)),
            Command::Clean(it, with) => format!("You clean the {} using the {}.", o(it), r(with)),
            Command::Slice(it, with) => format!("You sliced the {} with the {}.", o(it), o(with)),
        }
    }

    /// The receptacles within reach, and what seems to lie beside them; nothing where there are none.
    ///
    /// What was taken from one of two receptacles in a place and put into the other counts as lying beside them, once for
    /// each receptacle it was taken from.
    fn facing(&self) -> Option<String> {
        let game = self.game();
        let here = self.here();
        if here.is_empty() {
            return None;
        }
        let names = here.iter().map(|&r| game.receptacle_name(r).to_owned());
        let aside = self.lying_at(self.place()).flat_map(|o| {
            let left = here.iter().filter(move |&&r| self.has(Fact::TakenFrom(o, r)));
            left.map(move |_| with_article(game.object_name(o)))
        });
        Some(format!("You are facing the {}. Next to it, you see {}.", listed(names), listed(aside)))
    }

    /// What one sees of a receptacle.
    fn view(&self, r: Receptacle) -> String {
        let (game, name) = (self.game(), self.game().receptacle_name(r));
        let inside = || listed(self.inside(r).map(|o| with_article(game.object_name(o))));
        match (game.receptacle(r).is_openable, self.is_accessible(r)) {
            (true, true) => format!("The {name} is open. In it, you see {}.", inside()),
            (true, false) => format!("The {name} is closed."),
            (false, _) => format!("On the {name}, you see {}.", inside()),
        }
    }

    /// What one sees of an object in the hand.
    fn looks(&self, o: Object) -> String {
        let (game, name) = (self.game(), self.game().object_name(o));
        let traits = game.object(o);
        if let Some(inner) = &traits.holds {
            let inner = listed(inner.iter().map(|&o| with_article(game.object_name(o))));
            return format!("This is a normal {name}. In it, you see {inner}.");
        }
        let [clean, hot, cool, sliced] =
            [Fact::Clean(o), Fact::Hot(o), Fact::Cool(o), Fact::Sliced(o)].map(|fact| self.has(fact));
        let state = match (clean, hot, cool, sliced) {
            (true, true, _, true) => "hot and clean sliced",
            (true, false, true, true) => "cool and clean sliced",
            (true, false, false, true) => "clean sliced",
            (false, true, _, true) => "hot sliced",
            (false, false, true, true) => "cool sliced",
            (true, true, _, false) => "hot and clean",
            (true, false, true, false) => "cool and clean",
            (false, true, _, false) => "hot",
            (true, false, false, false) => "clean",
            (false, false, true, false) => "cold",
            (false, false, false, sliced) => {
                return if traits.is_toggleable && self.has(Fact::Toggled(o)) {
                    format!("This {name} is on.")
                } else if traits.is_sliceable && sliced {
                    format!("This is a sliced {name}.")
                } else {
                    // Nothing is ever said to be off: the original waits for a fact that no action states.
                    format!("There's nothing special about {name}.")
                };
            }
        };
        format!("This is a {state} {name}.")
    }
}

fn in_the_middle(around: impl IntoIterator<Item = String>) -> String {
    format!("You are in the middle of a room. Looking quickly around you, you see {}.", listed(around))
}

/// The article is always "a".
fn with_article(name: &str) -> String {
    format!("a {name}")
}

/// With ", " between and ", and " before the last, even of two.
fn listed(names: impl IntoIterator<Item = String>) -> String {
    let names: Vec<String> = names.into_iter().collect();
    match names.split_last() {
        None => "nothing".to_owned(),
        Some((one, [])) => one.clone(),
        Some((last, others)) => format!("{}, and {last}", others.join(", ")),
    }
}
