//! What the lines of a ledger add up to.
//!
//! Invariant: damage only ever adds. A line that cannot be read is a call, and leaves unknown what was spent; money comes
//! free again only by a whole settlement of a reservation that is known and was not settled before.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};

use crate::Money;
use crate::entry::{Charge, Entry};

/// Money that is gone, or may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Balance {
    /// By the endpoint's own count of tokens.
    pub spent: Money,
    /// The worst case of attempts that are under way, broke off, or came without a count.
    pub reserved: Money,
}

/// A money budget that cannot cover the worst case of the next attempt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shortfall {
    /// The budget.
    pub limit: Money,
    /// What is gone of it, or may be.
    pub balance: Balance,
    /// The next attempt at worst.
    pub next: Money,
    /// The currency of all of them.
    pub currency: String,
    /// Attempts of this process that are under way, and may turn out to cost less than they hold.
    pub under_way: u64,
}

impl Display for Shortfall {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { limit, balance: Balance { spent, reserved }, next, currency, .. } = self;
        if spent >= limit {
            return write!(f, "the money budget of {limit} {currency} is spent; raise --money to go on");
        }
        let left = limit.minus(*spent).minus(*reserved);
        write!(
            f,
            "the reservation, not the spending, stops at the money budget of {limit} {currency}: {spent} spent, {reserved} \
             reserved for attempts without a count of tokens, {left} left, and the next attempt could cost {next} at worst; \
             raise --money, or ask for fewer tokens"
        )
    }
}

/// The sums so far.
#[derive(Debug, Default)]
pub(crate) struct Account {
    /// How many attempts were reserved.
    pub(crate) calls: u64,
    pub(crate) balance: Balance,
    /// Reservations that a settlement may still correct, by number.
    open: BTreeMap<u64, Money>,
    /// The currencies of the amounts; more than one cannot be added up.
    currencies: Vec<String>,
    /// Whether a line is damaged or missing, so that nobody knows what it cost.
    unknown: bool,
    /// How many calls were made without a price. They are not free: nobody knows what they cost.
    unpriced: u64,
}

/// Why money cannot be counted.
pub(crate) enum Uncounted {
    Damaged,
    Unpriced(u64),
    Currency(String),
}

impl Account {
    /// Takes in the next line.
    pub(crate) fn read(&mut self, line: &[u8]) {
        match Entry::read(line) {
            Entry::Nothing => {}
            Entry::Damaged { number } => {
                self.calls = self.calls.saturating_add(1).max(number);
                self.unknown = true;
            }
            Entry::Reserved { number, worst } => {
                let next = self.calls.saturating_add(1);
                self.unknown |= number != next;
                self.calls = next.max(number);
                let Some(Charge { money_nano: worst, currency }) = worst else {
                    self.unpriced += 1;
                    return;
                };
                self.balance.reserved = self.balance.reserved.plus(worst);
                self.open.insert(number, worst);
                if !self.currencies.contains(&currency) {
                    self.currencies.push(currency);
                }
            }
            Entry::Settled { number, cost } => {
                if let (Some(worst), Some(cost)) = (self.open.remove(&number), cost) {
                    self.balance.reserved = self.balance.reserved.minus(worst);
                    self.balance.spent = self.balance.spent.plus(cost);
                }
            }
        }
    }

    /// What is gone in this currency, where that is known.
    pub(crate) fn balance_in(&self, currency: &str) -> Result<Balance, Uncounted> {
        match self.currencies.iter().find(|other| *other != currency) {
            _ if self.unknown => Err(Uncounted::Damaged),
            _ if self.unpriced > 0 => Err(Uncounted::Unpriced(self.unpriced)),
            Some(other) => Err(Uncounted::Currency(other.clone())),
            None => Ok(self.balance),
        }
    }
}

#[cfg(test)]
mod tests {
    use counsel_advisor::Digest;

    use super::*;
    use crate::entry::{Ending, HEADING, Note, Settlement, reserved, settled};

    fn reserve(number: u64, nano: u64) -> String {
        let worst = Charge { money_nano: Money::from_nano(nano), currency: "USD".into() };
        reserved(number, 9, &Note { model: "m".into(), prompt: Digest::of(b""), attempt: 1, worst: Some(worst) })
    }

    fn settle(number: u64, nano: Option<u64>) -> String {
        let settlement = Settlement {
            ending: Ending::Answered,
            reason: None,
            status: None,
            request_tokens: None,
            response_tokens: None,
            latency_ms: 1.5,
            cost: nano.map(Money::from_nano),
        };
        settled(number, &settlement)
    }

    fn account(lines: &[&str]) -> Account {
        let mut account = Account::default();
        lines.iter().for_each(|line| account.read(line.as_bytes()));
        account
    }

    fn balance(lines: &[&str]) -> Option<(u64, u64)> {
        account(lines).balance_in("USD").ok().map(|balance| (balance.spent.nano(), balance.reserved.nano()))
    }

    #[test]
    fn only_headings_settlements_and_blanks_are_no_calls() {
        let (reserved, settled) = (reserve(3, 1), settle(3, None));
        let calls = |line: &str, before| {
            let mut account = Account { calls: before, ..Account::default() };
            account.read(line.as_bytes());
            account.calls
        };
        for free in [HEADING, "", " \n", &settled, &settled[..20]] {
            assert_eq!(calls(free, 2), 2, "{free}");
        }
        for spent in [&reserved, &reserved[..40], "{\"", "{}", "\u{0}", "{\"reserved\":1}"] {
            assert_eq!(calls(spent, 2), 3, "{spent}");
        }
        // The numbers tell of lines that are missing before.
        assert_eq!((calls(&reserved, 0), calls("?", u64::MAX)), (3, u64::MAX));
    }

    #[test]
    fn a_reservation_holds_its_worst_case_until_it_is_settled_once() {
        let (one, two, cheap) = (reserve(1, 100), reserve(2, 50), settle(1, Some(7)));
        assert_eq!(balance(&[&one, &two]), Some((0, 150)));
        assert_eq!(balance(&[&one, &two, &cheap]), Some((7, 50)));
        assert_eq!(balance(&[&one, &two, &cheap, &cheap]), Some((7, 50)), "twice is once");
        assert_eq!(balance(&[&one, &settle(1, None), &cheap]), Some((0, 100)), "what is closed stays closed");
        assert_eq!(balance(&[&one, &settle(2, Some(1))]), Some((0, 100)), "of nobody");
        assert_eq!(balance(&[&one, &cheap[..cheap.len() - 3]]), Some((0, 100)), "a torn settlement gives nothing back");
    }

    #[test]
    fn what_cannot_be_read_or_is_missing_leaves_the_money_unknown() {
        let (one, three) = (reserve(1, 100), reserve(3, 5));
        for lines in [&[&one, "{\"res"][..], &["x", &one], &[&one, &three], &[&one, &one], &[&one[5..]]] {
            assert_eq!(balance(lines), None, "{lines:?}");
        }
        assert!(matches!(account(&[&one]).balance_in("EUR"), Err(Uncounted::Currency(found)) if found == "USD"));
    }

    #[test]
    fn calls_without_a_price_are_not_free() {
        let note = Note { model: "m".into(), prompt: Digest::of(b""), attempt: 1, worst: None };
        let (free, bill) = (reserved(2, 9, &note), settle(2, Some(7)));
        for lines in [&[&reserve(1, 100), &free][..], &[&reserve(1, 100), &free, &bill]] {
            let lines: Vec<&str> = lines.iter().map(|line| line.as_str()).collect();
            let account = account(&lines);
            assert!(matches!(account.balance_in("USD"), Err(Uncounted::Unpriced(1))));
            assert_eq!(account.calls, 2);
        }
    }
}
