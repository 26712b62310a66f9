//! What the tour does in place of a command, with its reason. Every other command is run as it stands.
//!
//! A rule names the command to the letter, without its remark. A rule that no page uses any more fails the test, and so does
//! a command that is not `counsel`'s and has no rule.

/// What is done instead of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Instead {
    /// This command is run.
    Run(&'static str),
    /// The command is run while this is typed.
    Typing(&'static str),
    /// This command is run, and must be refused with these words.
    Refused(&'static str, &'static str),
    /// The example of an own world is run into the folder that the command names last.
    OwnWorld,
    /// Nothing.
    Nothing,
}

/// A substitution.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) command: &'static str,
    pub(crate) instead: Instead,
    pub(crate) because: &'static str,
}

const fn rule(command: &'static str, instead: Instead, because: &'static str) -> Rule {
    Rule { command, instead, because }
}

use Instead::{Nothing, OwnWorld, Refused, Run, Typing};

/// All substitutions.
pub(crate) const RULES: &[Rule] = &[
    rule("cargo install --path crates/cli --locked", Nothing, "cargo has built the program that is tested"),
    rule(
        "cargo run --release -- quickstart",
        Run("counsel quickstart --help"),
        "it takes minutes in a build for tests",
    ),
    rule("counsel quickstart", Run("counsel quickstart --help"), "it takes minutes in a build for tests"),
    rule(
        "counsel quickstart --advisor my-model --base-url http://127.0.0.1:8080 --yes",
        Run("counsel quickstart --advisor my-model --base-url http://127.0.0.1:8080 --yes --seeds 0..0 --episodes 1"),
        "all seeds and episodes take minutes in a build for tests",
    ),
    rule("cargo xtask check", Nothing, "this test is a part of it"),
    rule("cargo run --release -p own-world -- runs/own-world", OwnWorld, "cargo has built it with this test"),
    rule("tensorboard --logdir board", Nothing, "a server of another program; fixtures/tensorboard reads such files"),
    rule(
        "counsel reproduce babyai-main",
        Run(
            "counsel reproduce babyai-main --seeds 0..0 --out short/main --set episodes=1 --set calibration.calibrate=10",
        ),
        "all of it takes 20 minutes",
    ),
    rule(
        "counsel reproduce babyai-frontier --advisor my-model/abstract/generate --transcripts my-transcripts --out runs/mine",
        Run("counsel reproduce babyai-frontier --advisor my-model/abstract/generate --transcripts my-transcripts \
             --out runs/mine --seeds 0..0 --set episodes=1 --set calibration.calibrate=10"),
        "all of it takes minutes",
    ),
    rule(
        "counsel advisor pull qwen2.5-coder-0.5b",
        Refused("counsel advisor pull qwen2.5-coder-0.5b --from hub", "qwen2.5-coder-0.5b"),
        "half a gigabyte from the net; the tour has none",
    ),
    rule(
        "counsel advisor ask --model qwen2.5-coder-0.5b --prompt 'The exit is on your left.' --words left,right,forward --json",
        Run(
            "counsel advisor ask --model my-model.gguf --prompt 'The exit is on your left.' --words left,right,forward --json",
        ),
        "half a gigabyte; the tour has a tiny model file",
    ),
    rule("counsel advisor audit", Run("counsel advisor audit --task GoToObj"), "all tasks take half a minute"),
    rule("counsel world play Pixel-9x9-v0", Typing("q\n"), "a game goes on until its player ends it"),
];

/// The rule for a command, if it has one.
pub(crate) fn rule_for(words: &[String]) -> Option<&'static Rule> {
    RULES.iter().find(|rule| super::document::words(rule.command).0 == words)
}
