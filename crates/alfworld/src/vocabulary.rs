//! All commands that a game can ever understand, sorted by their words.
//!
//! The words are made once per game. A command is then known by its number here, and a list of numbers in order is a list
//! of commands in the order in which the original lists them.

use std::collections::BTreeMap;

use crate::{Command, Error, Game, Object, Receptacle};

/// The number of a command among all commands of its game.
pub type CommandNumber = u16;

/// The commands of a game, by their words and by what they do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Vocabulary {
    entries: Vec<(String, Command)>,
    numbers: BTreeMap<Command, CommandNumber>,
}

impl Vocabulary {
    /// The commands of a game whose tables are complete.
    pub(crate) fn of(game: &Game) -> Result<Self, Error> {
        const MOST: usize = CommandNumber::MAX as usize;
        let mut commands = Vec::new();
        for command in possible(game) {
            commands.push(command);
            if commands.len() > MOST {
                return Err(Error::TooLarge { what: "the list of all commands of the game", most: MOST });
            }
        }
        let mut entries: Vec<_> = commands.into_iter().map(|command| (command.text(game), command)).collect();
        entries.sort();
        let numbers = (0..).zip(&entries).map(|(number, (_, command))| (*command, number)).collect();
        Ok(Self { entries, numbers })
    }

    /// The command with these words.
    pub(crate) fn find(&self, words: &str) -> Option<CommandNumber> {
        let found = self.entries.binary_search_by(|(known, _)| known.as_str().cmp(words)).ok()?;
        CommandNumber::try_from(found).ok()
    }

    pub(crate) fn number(&self, command: Command) -> Option<CommandNumber> {
        self.numbers.get(&command).copied()
    }

    pub(crate) fn words(&self, number: CommandNumber) -> Option<&str> {
        self.entries.get(usize::from(number)).map(|(words, _)| words.as_str())
    }

    pub(crate) fn command(&self, number: CommandNumber) -> Option<Command> {
        self.entries.get(usize::from(number)).map(|(_, command)| *command)
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }
}

/// What can become possible at all: only what can be carried is ever taken, moved or treated.
fn possible(game: &Game) -> impl Iterator<Item = Command> {
    let within_reach = || game.receptacles().filter(|&r| game.receptacle(r).location.is_some());
    let carried = || game.objects().filter(|&o| game.object(o).is_pickupable || game.held_at_start() == Some(o));
    let pairs = move || carried().flat_map(move |o| within_reach().map(move |r| (o, r)));
    let about_places = within_reach().flat_map(|r| {
        let opens = game.receptacle(r).is_openable.then_some([Command::Open(r), Command::Close(r)]);
        [Command::GoTo(r), Command::Search(r)].into_iter().chain(opens.into_iter().flatten())
    });
    let treated = pairs().flat_map(|(o, r)| treatments(game, o, r));
    let taken = pairs().filter(|(o, _)| game.object(*o).is_pickupable).map(|(o, r)| Command::Take(o, r));
    let moved = pairs().filter(|(o, r)| game.fits(*o, *r)).map(|(o, r)| Command::Move(o, r));
    let used = game.objects().filter(|&o| game.object(o).is_toggleable).map(Command::Use);
    let knives = move || carried().filter(|&o| game.object(o).is_knife());
    let sliced = game.objects().filter(|&o| game.object(o).is_sliceable);
    let sliced = sliced.flat_map(move |o| knives().map(move |knife| Command::Slice(o, knife)));
    [Command::Look, Command::Inventory, Command::Help]
        .into_iter()
        .chain(about_places)
        .chain(carried().map(Command::Examine))
        .chain(taken)
        .chain(moved)
        .chain(treated)
        .chain(used)
        .chain(sliced)
}

/// What a receptacle does to an object that is held beside it. It need be neither open nor empty.
pub(crate) fn treatments(game: &Game, o: Object, r: Receptacle) -> impl Iterator<Item = Command> {
    let (object, receptacle) = (game.object(o), game.receptacle(r));
    let heat = (object.is_heatable && receptacle.is("microwave")).then_some(Command::Heat(o, r));
    let cool = (object.is_coolable && receptacle.is("fridge")).then_some(Command::Cool(o, r));
    let clean = (object.is_cleanable && receptacle.is("sinkbasin")).then_some(Command::Clean(o, r));
    [heat, cool, clean].into_iter().flatten()
}
