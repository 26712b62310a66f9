//! What can be wrong with a game. Every message names the offending value and the remedy.

use counsel_decision::refusal::{Refusal, UnknownName};

/// A request that the crate refuses.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// An input that is refused in the words all crates share.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A game file that is not JSON.
    #[error("the game file is not JSON: {reason}; pass a file `game.tw-pddl` as ALFWorld makes it")]
    Json {
        /// What the reader says.
        reason: String,
    },
    /// A game file without something it needs.
    #[error("the game file has no {wanted} in the field `{field}`; pass a file `game.tw-pddl` as ALFWorld makes it")]
    Field {
        /// The field.
        field: &'static str,
        /// What it must hold.
        wanted: &'static str,
    },
    /// A game that its maker could not solve.
    #[error("the game file says `solvable`: false; ALFWorld leaves such games out, so choose another")]
    Unsolvable,
    /// A game whose goal cannot be reached.
    #[error("the goal cannot be reached from the start; ALFWorld cannot play such a game, so choose another")]
    Unreachable,
    /// A game with other rules or other words.
    #[error(
        "the field `{field}` is not that of alfworld 0.4.0 to 0.4.2; make the game again with one of them \
         (`alfworld-generate`), or download the games that belong to it (`alfworld-download`)"
    )]
    OtherVersion {
        /// The field.
        field: &'static str,
    },
    /// A task that the text grammar would not print as it stands.
    #[error("the task `{task}` has the character {odd:?}, which the grammar of ALFWorld cannot print; leave it out")]
    OddTask {
        /// The task.
        task: String,
        /// The character.
        odd: char,
    },
    /// Text that is not a list in parentheses.
    #[error("the PDDL problem has, in line {line}, {what}; check the parentheses there")]
    Syntax {
        /// The line, from 1.
        line: usize,
        /// What was found.
        what: String,
    },
    /// A section that is missing or out of order.
    #[error(
        "the PDDL problem has `{found}` where `{wanted}` is due; the order is problem, :domain, :requirements (if any), \
         :objects, :init, :goal, :metric (if any)"
    )]
    Section {
        /// What is due.
        wanted: &'static str,
        /// What is there.
        found: String,
    },
    /// An id that cannot be made into a name.
    #[error(
        "`{id}` cannot be an id; write a class and a number or position, such as `mug_bar_1`, with letters, digits, `_` \
         and `-`"
    )]
    OddId {
        /// The id.
        id: String,
    },
    /// An id that is declared twice.
    #[error("`{id}` is declared twice in :objects; leave one out")]
    Twice {
        /// The id.
        id: String,
    },
    /// A kind of things that the domain does not have.
    #[error("there is no type `{name}`; the types are agent, location, receptacle, object, rtype and otype")]
    UnknownKind {
        /// What was written.
        name: String,
    },
    /// A predicate that the domain does not have.
    #[error("there is no predicate {0}; see the domain `alfred` for what can be said")]
    UnknownPredicate(UnknownName),
    /// A predicate with too few or too many arguments.
    #[error("`{shown}` has another number of arguments than {wanted}; write {wanted}")]
    Arguments {
        /// What was written.
        shown: String,
        /// How many are due.
        wanted: usize,
    },
    /// Something that is not a fact.
    #[error("`{shown}` is no fact; write a predicate and ids in parentheses")]
    OddFact {
        /// What was written.
        shown: String,
    },
    /// A fact about something that is not declared.
    #[error("`{shown}` speaks of `{}`, which is not declared{}; declare it in :objects", unknown.name, unknown.nearest)]
    UnknownThing {
        /// The id.
        unknown: UnknownName,
        /// The fact.
        shown: String,
    },
    /// A fact about a thing of the wrong kind.
    #[error("`{shown}` speaks of `{id}`, which is declared as {kind}; {wanted} is due there")]
    WrongKind {
        /// The id.
        id: String,
        /// What it is declared as.
        kind: &'static str,
        /// What it must be.
        wanted: &'static str,
        /// The fact.
        shown: String,
    },
    /// Facts that do not go together.
    #[error("{what}; {remedy}")]
    Inconsistent {
        /// What is wrong.
        what: String,
        /// What to do about it.
        remedy: &'static str,
    },
    /// A goal that cannot be used.
    #[error(
        "the goal cannot be used: {what}: `{shown}`; write it with and, or, not, exists, forall and known predicates"
    )]
    Goal {
        /// What is wrong with it.
        what: String,
        /// The part that is wrong.
        shown: String,
    },
    /// A game that is larger than any sensible one.
    #[error("{what} would be longer than {most}; leave things out")]
    TooLarge {
        /// What would be too long.
        what: &'static str,
        /// How long it may be.
        most: usize,
    },
    /// No level has this id.
    #[error("there is no level {0}; `counsel world list` shows all")]
    UnknownLevel(UnknownName),
}
