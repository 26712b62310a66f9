//! `counsel completions`: a completion script.

use std::io::Write;

use anyhow::Result;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// Print a completion script for your shell.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  counsel completions bash > ~/.local/share/bash-completion/completions/counsel
  counsel completions zsh > ~/.zfunc/_counsel
  counsel completions fish > ~/.config/fish/completions/counsel.fish")]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self) -> Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut crate::Cli::command(), "counsel", &mut script);
        std::io::stdout().lock().write_all(&script)?;
        Ok(())
    }
}
