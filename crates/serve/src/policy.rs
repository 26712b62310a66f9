//! A policy as it is written, TOML or JSON, and its checks. A policy is known by its digest.

use std::fmt::Write as _;

use counsel_controller::{Budget, Controller, Parser, Seed};
use counsel_decision::Form;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::amount::{Amount, Limits, Usd};
use crate::body::{parsed, parsed_toml, plain_name};
use crate::budget::BudgetSpec;
use crate::problem::{Kind, Problem};

/// What is done with a decision that wants to ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// A permit is handed out.
    #[default]
    Apply,
    /// A share of the episodes is decided as under `apply`, the others as under `observe`.
    Canary,
    /// It is written down, and nobody is asked.
    Observe,
}

/// Which texts are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Retain {
    /// Digests of contexts and replies, and the action that was read in a reply.
    #[default]
    Digests,
    /// Contexts and replies as they came.
    Texts,
}

/// An advisor of a policy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyAdvisor {
    /// Its name.
    pub name: String,
    /// The price of a call, in units of return.
    pub price: f64,
    /// The most tokens of a question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_input_tokens: Option<u64>,
    /// The most tokens of an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<u64>,
    /// Dollars for a million tokens of a question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usd_per_million_input: Option<Usd>,
    /// Dollars for a million tokens of an answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usd_per_million_output: Option<Usd>,
}

impl PolicyAdvisor {
    /// What so many tokens cost. Rounded up to the billionth of a dollar.
    fn cost(&self, input: u64, output: u64) -> counsel_ledger::Money {
        let part = |tokens: u64, price: Option<Usd>| {
            let nano = u128::from(tokens) * u128::from(price.unwrap_or_default().0.nano());
            counsel_ledger::Money::from_nano(u64::try_from(nano.div_ceil(1_000_000)).unwrap_or(u64::MAX))
        };
        part(input, self.usd_per_million_input).plus(part(output, self.usd_per_million_output))
    }

    /// The worst case of a call whose question has so many tokens, where that is known.
    pub(crate) fn worst(&self, input_tokens: Option<u64>) -> Amount {
        let input = input_tokens.or(self.max_input_tokens).unwrap_or(0);
        let output = self.max_tokens.unwrap_or(0);
        Amount { calls: 1, tokens: input.saturating_add(output), usd: self.cost(input, output) }
    }

    /// What a call came to by its count of tokens.
    pub(crate) fn actual(&self, input: u64, output: u64) -> Amount {
        Amount { calls: 1, tokens: input.saturating_add(output), usd: self.cost(input, output) }
    }

    /// Refuses limits in units whose worst case nobody knows.
    pub(crate) fn bears(&self, limits: &Limits, whose: &str) -> Result<(), Problem> {
        let needs = |what: &str, unit: &str| {
            Problem::value(format!(
                "advisor `{}` has no {what}, and the budget `{whose}` is in {unit}: without it nobody knows the worst case of a call; add it",
                self.name
            ))
        };
        if limits.tokens.is_none() && limits.usd.is_none() {
            return Ok(());
        }
        let unit = if limits.usd.is_some() { "usd" } else { "tokens" };
        self.max_tokens.ok_or_else(|| needs("max_tokens", unit))?;
        self.max_input_tokens.ok_or_else(|| needs("max_input_tokens", unit))?;
        if limits.usd.is_some() {
            self.usd_per_million_input.ok_or_else(|| needs("usd_per_million_input", unit))?;
            self.usd_per_million_output.ok_or_else(|| needs("usd_per_million_output", unit))?;
        }
        Ok(())
    }
}

/// A policy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicySpec {
    /// The words of the actions.
    pub actions: Vec<String>,
    /// The price of a call, in units of return, where there is one advisor without a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<f64>,
    /// What may be spent.
    pub budget: BudgetSpec,
    /// The form in which an answer is read.
    #[serde(default, skip_serializing_if = "Form::is_default")]
    pub form: Form,
    /// What is done with a decision that wants to ask.
    #[serde(default)]
    pub mode: Mode,
    /// The share of episodes that is applied under `canary`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// Which texts are kept.
    #[serde(default)]
    pub retain: Retain,
    /// How long a permit may be used, in seconds.
    #[serde(default = "ten_minutes")]
    pub expires_s: u64,
    /// What the draws of `canary` and of the controller come from.
    #[serde(default)]
    pub seed: u64,
    /// Who can be asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub advisors: Vec<PolicyAdvisor>,
}

fn ten_minutes() -> u64 {
    600
}

/// The longest life of a permit: 30 days.
const LONGEST: u64 = 30 * 86_400;
/// The most advisors of a policy.
const MOST_ADVISORS: usize = 16;
/// The most actions of a policy.
const MOST_ACTIONS: usize = 256;

impl PolicySpec {
    /// Reads a policy: JSON if it begins with a brace, TOML otherwise.
    pub fn read(bytes: &[u8]) -> Result<Self, Problem> {
        let text = std::str::from_utf8(bytes)
            .map_err(|_| Problem::new(Kind::Body, "the policy is no UTF-8 text; send TOML or JSON"))?;
        let mut spec: Self = if text.trim_start().starts_with('{') {
            parsed(text.as_bytes(), "the policy")?
        } else {
            parsed_toml(text, "the policy")?
        };
        spec.check()?;
        spec.actions.iter_mut().for_each(|word| *word = word.to_lowercase());
        Ok(spec)
    }

    fn check(&self) -> Result<(), Problem> {
        if !(2..=MOST_ACTIONS).contains(&self.actions.len()) {
            let count = self.actions.len();
            return Err(Problem::value(format!("`actions` names {count} words; name 2 to {MOST_ACTIONS} actions")));
        }
        let prices: Vec<f64> = self.advisors.iter().map(|advisor| advisor.price).chain(self.price).collect();
        for price in &prices {
            if !(0.0..=1e12).contains(price) {
                return Err(Problem::value(format!(
                    "the price {price} is out of [0, 1e12]; pass the cost of one call in units of return"
                )));
            }
        }
        match (self.price, self.advisors.len()) {
            (None, 0) => {
                return Err(Problem::value(
                    "the policy has no price; add `price = 0.01`, the cost of one call in units of return",
                ));
            }
            (Some(_), 1..) => return Err(Problem::value("each advisor has a price of its own; leave `price` out")),
            (_, count) if count > MOST_ADVISORS => {
                return Err(Problem::value(format!("there are {count} advisors; name at most {MOST_ADVISORS}")));
            }
            _ => {}
        }
        for (place, advisor) in self.advisors.iter().enumerate() {
            plain_name("the advisor", &advisor.name)?;
            if self.advisors[..place].iter().any(|other| other.name == advisor.name) {
                return Err(Problem::value(format!("the advisor `{}` is named twice", advisor.name)));
            }
        }
        let budget = &self.budget;
        if budget.limits().is_empty() && budget.parent.is_none() {
            return Err(Problem::value(
                "the budget limits nothing; add `calls = 100` under [budget], or tokens, usd or a parent",
            ));
        }
        if !(1..=LONGEST).contains(&self.expires_s) {
            return Err(Problem::value(format!("expires_s is {}; pass 1 to {LONGEST} seconds", self.expires_s)));
        }
        match (self.mode, self.share) {
            (Mode::Canary, Some(share)) if (0.0..=1.0).contains(&share) => {}
            (Mode::Canary, Some(share)) => return Err(Problem::value(format!("the share {share} is out of [0, 1]"))),
            (Mode::Canary, None) => return Err(Problem::value("mode `canary` needs a share; add `share = 0.1`")),
            (_, Some(_)) => {
                return Err(Problem::value("a share belongs to mode `canary`; leave it out, or set the mode"));
            }
            (_, None) => {}
        }
        for limits in [budget.limits(), budget.run, budget.episode, budget.child] {
            self.bears(&limits, "of the policy")?;
        }
        self.controller(None, None).map(drop)
    }

    /// Refuses limits in units whose worst case nobody knows.
    pub(crate) fn bears(&self, limits: &Limits, whose: &str) -> Result<(), Problem> {
        self.advisors().iter().try_for_each(|advisor| advisor.bears(limits, whose))
    }

    /// Who can be asked; one that is called `advisor` where none is named.
    pub(crate) fn advisors(&self) -> Vec<PolicyAdvisor> {
        if self.advisors.is_empty() {
            let unnamed = PolicyAdvisor {
                name: "advisor".into(),
                price: self.price.unwrap_or(0.0),
                max_input_tokens: None,
                max_tokens: None,
                usd_per_million_input: None,
                usd_per_million_output: None,
            };
            return vec![unnamed];
        }
        self.advisors.clone()
    }

    /// The recommended controller under this policy. It goes on with the books of an earlier version, and has so many calls at most.
    pub(crate) fn controller(
        &self,
        calls_left: Option<u64>,
        books: Option<counsel_controller::Books>,
    ) -> Result<Controller, Problem> {
        // Where calls are not limited, tokens or money are: the tree sees to those.
        let most = 1 << 53;
        let calls = calls_left.or(self.budget.calls).unwrap_or(most).min(most);
        let budget = Budget {
            per_run: Some(calls),
            per_episode: self.budget.episode.calls.map(|calls| calls.min(most)),
            ..Budget::default()
        };
        let built = || -> Result<Controller, counsel_controller::Error> {
            let parser =
                Parser::new(self.actions.iter().cloned()).map_err(counsel_controller::Error::from)?.in_form(self.form);
            let seed = Seed::root(self.seed).stream("serve");
            let advisors = self.advisors();
            let controller = Controller::recommended_from(advisors[0].price, budget, parser, seed)?;
            let controller = match books {
                Some(books) => controller.with_books(books),
                None => controller,
            };
            controller.among(advisors.into_iter().map(|advisor| (advisor.name, advisor.price)).collect())
        };
        built().map_err(Problem::value)
    }

    /// The policy in its one form.
    pub(crate) fn canonical(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// What this version is known by.
    pub fn digest(&self) -> String {
        hex(&Sha256::digest(self.canonical()), 8)
    }
}

/// The first bytes of a digest, in hexadecimal.
pub(crate) fn hex(bytes: &[u8], most: usize) -> String {
    bytes.iter().take(most).fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
