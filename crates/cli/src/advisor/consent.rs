//! What calls may cost, shown before anything is paid, and whether that is agreed to.

use std::io::{BufRead, IsTerminal, Write, stderr, stdin};

use anyhow::{Result, bail};
use counsel_advisor::{Decoding, Request};
use counsel_endpoint::Tokens;
use counsel_file::Printable;

use super::remote::{Remote, proxies};

/// English prompts have four characters a token and more, so this errs to the safe side.
const CHARACTERS_PER_TOKEN: u64 = 3;
/// Tokens that a chat template puts around a message, at most.
const AROUND_A_MESSAGE: u64 = 8;

/// What a command is about to ask of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Estimate {
    /// The model's name at the endpoint.
    pub(crate) model: String,
    /// How many questions at most, each a call if all goes well.
    pub(crate) calls: u64,
    /// Tokens sent, about, and received, at most. Unknown where the prompts cannot be listed before.
    pub(crate) tokens: Option<Tokens>,
}

impl Estimate {
    /// What these requests take.
    pub(crate) fn of(model: &str, requests: &[Request]) -> Self {
        let sent = |request: &Request| -> u64 {
            let messages = request.prompt.messages().iter();
            messages.map(|m| (m.content.chars().count() as u64).div_ceil(CHARACTERS_PER_TOKEN) + AROUND_A_MESSAGE).sum()
        };
        let received = |request: &Request| match &request.decoding {
            Decoding::Generate { max_tokens, .. } => u64::from(*max_tokens),
            Decoding::Scored { .. } => 1,
        };
        Self {
            model: model.to_owned(),
            calls: requests.len() as u64,
            tokens: Some(Tokens {
                request: requests.iter().map(sent).sum(),
                response: requests.iter().map(received).sum(),
            }),
        }
    }

    /// The cost of a template whose prompts cannot be listed: at most this many calls.
    pub(crate) fn unlisted(model: &str, calls: u64) -> Self {
        Self { model: model.to_owned(), calls, tokens: None }
    }
}

impl Remote {
    /// Shows what the questions may cost, and gets agreement: by `--yes`, or from who sits at the terminal. Without an endpoint,
    /// or with nothing to ask, there is nothing to agree to.
    pub(crate) fn consent(&self, estimates: &[Estimate]) -> Result<()> {
        let Some(base_url) = &self.base_url else { return Ok(()) };
        self.require_budget("asking")?;
        let calls: u64 = estimates.iter().map(|estimate| estimate.calls).sum();
        if calls == 0 {
            return Ok(());
        }
        let mut out = stderr().lock();
        for line in self.told(base_url, estimates)? {
            writeln!(out, "{line}")?;
        }
        if self.yes {
            return Ok(());
        }
        if !stdin().is_terminal() || !out.is_terminal() {
            bail!("nothing was asked: agree to this cost with --yes, since there is no terminal to answer at");
        }
        write!(out, "Go on? [y/N] ")?;
        out.flush()?;
        if !agrees(&mut stdin().lock())? {
            bail!("nothing was asked, as you said");
        }
        Ok(())
    }

    /// Says what the ledger holds once a command is done with its questions to this model.
    pub(crate) fn tell_paid(&self, model: &str) -> Result<()> {
        if self.base_url.is_none() {
            return Ok(());
        }
        let price = self.price(model)?;
        let ledger = self.ledger(price.as_ref())?;
        let money = price.map(|price| match ledger.balance(&price.currency) {
            Ok(balance) => format!(", {} {} spent and {} reserved", balance.spent, price.currency, balance.reserved),
            // What was asked is done, whatever the ledger knows of its cost.
            Err(error) => format!("; {error}"),
        });
        let money = money.unwrap_or_default();
        eprintln!("{} of {} calls are made{money}", ledger.spent()?, ledger.limit());
        Ok(())
    }

    /// The estimate in words: calls, tokens, and money where prices are known.
    fn told(&self, base_url: &str, estimates: &[Estimate]) -> Result<Vec<String>> {
        let mut lines = Vec::new();
        let attempts = u64::from(self.retries).saturating_add(1);
        // What stands before an @ may be a password; such an address is refused when it is opened.
        let place = if base_url.contains('@') { "the endpoint" } else { base_url };
        let proxy =
            proxies().shown_for(base_url)?.map(|proxy| format!(" through the proxy {proxy}")).unwrap_or_default();
        for Estimate { model, calls, tokens } in estimates {
            lines.push(format!("About to put up to {calls} questions to {model} at {place}{proxy}:"));
            lines.push(format!("  {calls} calls, {} at most with retries", calls.saturating_mul(attempts)));
            let Some(mut tokens) = *tokens else {
                lines.push("  tokens: unknown, since its prompts cannot be listed before".to_owned());
                continue;
            };
            tokens.response += calls.saturating_mul(u64::from(self.reasoning_tokens));
            lines.push(format!(
                "  about {} tokens sent ({CHARACTERS_PER_TOKEN} characters each), at most {} received",
                tokens.request, tokens.response
            ));
            if let Some(price) = self.price(model)? {
                lines.push(format!("  about {} {} without retries", price.of(tokens), price.currency));
            }
        }
        let price = estimates.first().map(|estimate| self.price(&estimate.model)).transpose()?.flatten();
        let ledger = self.ledger(price.as_ref())?;
        let left = ledger.limit().saturating_sub(ledger.spent()?);
        let calls: u64 = estimates.iter().map(|estimate| estimate.calls).sum();
        let short = if left < calls { ", fewer than the questions, so it will stop on the way" } else { "" };
        lines.push(format!("The budget leaves {left} of {} calls{short}.", ledger.limit()));
        lines.push(match self.ledger_file() {
            Some(path) => format!("Calls are counted in {}, over all runs.", Printable(path.display())),
            None => "Calls are counted for this run only; --ledger FILE carries the budget over runs.".to_owned(),
        });
        if let (Some(money), Some(price)) = (self.money, price) {
            let balance = ledger.balance(&price.currency)?;
            let left = money.minus(balance.spent).minus(balance.reserved);
            lines.push(format!("The money budget leaves {left} of {money} {}.", price.currency));
        }
        Ok(lines)
    }
}

/// Whether the next line says yes.
fn agrees(keyboard: &mut impl BufRead) -> Result<bool> {
    let mut line = String::new();
    keyboard.read_line(&mut line)?;
    Ok(matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

#[cfg(test)]
mod tests {
    use counsel_advisor::Prompt;

    use super::*;

    #[test]
    fn only_a_clear_yes_is_one() {
        for (typed, agreed) in
            [("y\n", true), ("Yes\r\n", true), ("\n", false), ("", false), ("no\n", false), ("yo\ny\n", false)]
        {
            assert_eq!(agrees(&mut typed.as_bytes()).unwrap(), agreed, "{typed:?}");
        }
    }

    #[test]
    fn tokens_are_a_third_of_the_characters_and_what_is_asked_for() {
        let request = |decoding| Request { prompt: Prompt::question("é".repeat(31)), decoding };
        let estimate = Estimate::of("m", &[request(Decoding::greedy(8)), request(Decoding::scored(["a", "b"]))]);
        assert_eq!(estimate.calls, 2);
        assert_eq!(estimate.tokens, Some(Tokens { request: 2 * (11 + 8), response: 9 }));
    }
}
