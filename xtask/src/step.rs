//! The steps of `cargo xtask check`, in the order in which they run.

use anyhow::Result;
use clap::ValueEnum;

use crate::repository::{cargo, run};
use crate::{fixture, package, python};

/// One step of the check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Step {
    /// Source is formatted by rustfmt
    Format,
    /// Clippy finds nothing, in any target
    Lints,
    /// Documentation builds without a warning
    Docs,
    /// Unit, integration and documentation tests pass
    Tests,
    /// The committed answers of the Python originals are still theirs
    Python,
    /// The Python package is built, installed and tested
    Package,
}

impl Step {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Format => "format",
            Self::Lints => "lints",
            Self::Docs => "docs",
            Self::Tests => "tests",
            Self::Python => "python",
            Self::Package => "package",
        }
    }

    pub(crate) fn run(self) -> Result<()> {
        match self {
            Self::Format => run(&mut cargo(["fmt", "--all", "--check"])),
            Self::Lints => {
                let all = ["clippy", "--workspace", "--all-targets", "--features", "counsel-cli/cuda"];
                run(cargo(all).args(["--", "-D", "warnings"]))
            }
            Self::Docs => run(cargo(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings")),
            // A snapshot that differs fails and leaves no file behind.
            Self::Tests => run(cargo(["test", "--workspace"]).env("INSTA_UPDATE", "no")),
            Self::Python => fixture::check(),
            Self::Package => package::check(),
        }
    }

    /// What to do when the step fails.
    pub(crate) fn remedy(self) -> String {
        match self {
            Self::Format => "run `cargo fmt --all`; if cargo does not know fmt: `rustup component add rustfmt`".into(),
            Self::Lints => {
                "repair what clippy names above; if cargo does not know clippy: `rustup component add clippy`".into()
            }
            Self::Docs => "repair the documentation named above".into(),
            Self::Tests => "repair the tests named above; snapshots are written anew with `INSTA_UPDATE=always`".into(),
            Self::Python | Self::Package => format!(
                "the step needs {}; if it has them, read the difference above; to go without: --skip {}",
                python::NEEDED,
                self.name()
            ),
        }
    }
}
