//! A change to a study, written `key=value`, and how settings are laid over each other.
//!
//! `episodes=10` changes what all arms share; `arms.NAME.key=value` changes one arm, or those whose names fit, if a star is in
//! NAME. An arm's own setting stands over a shared one, so only the second form reaches an arm that sets the key itself.

use std::fmt;
use std::str::FromStr;

use counsel_log::study::matches;
use toml::{Table, Value};

use crate::{ArmSpec, Error};

/// One change.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// As it was written.
    text: String,
    path: Vec<String>,
    value: Value,
    /// How many parts an arm's name has, where the change is for one.
    arm_parts: usize,
}

impl FromStr for Change {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let change = || Error::Spelling {
            text: format!("--set {text}"),
            reason: "is not of the form key=value; write for instance --set episodes=10",
        };
        if text.contains(char::is_control) {
            let reason =
                "has a line break or another control character; write one change, on one line, after each --set";
            return Err(Error::Spelling { text: format!("--set {}", text.escape_debug()), reason });
        }
        let (key, value) = text.split_once('=').ok_or_else(change)?;
        let path: Vec<String> = key.split('.').map(|part| part.trim().to_owned()).collect();
        if path.iter().any(String::is_empty) {
            return Err(change());
        }
        Ok(Self { text: text.trim().to_owned(), path, value: literal(value.trim()), arm_parts: 1 })
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The value as TOML, or as plain text where it is no TOML.
fn literal(text: &str) -> Value {
    let document: Result<Table, _> = toml::from_str(&format!("value = {text}"));
    document.ok().and_then(|mut table| table.remove("value")).unwrap_or_else(|| Value::String(text.to_owned()))
}

impl Change {
    /// The arm this change is for, if it is for one, or the pattern of some. The name of an arm in a block has two parts.
    pub(crate) fn arm(&self) -> Option<String> {
        self.for_arm().map(|arm| self.path[1..=arm].join("."))
    }

    /// How many parts of the path name the arm, if the change is for one.
    fn for_arm(&self) -> Option<usize> {
        match self.path.as_slice() {
            [arms, _, _, ..] if arms == "arms" => Some(self.arm_parts),
            _ => None,
        }
    }

    /// The same change, understood for a study with these arms.
    pub(crate) fn among(&self, arms: &[ArmSpec]) -> Self {
        let named = |parts: usize| {
            let name = self.path.get(1..=parts).map(|parts| parts.join("."));
            let fits = |name: String| arms.iter().any(|arm| matches(&name, &arm.name));
            self.path.len() > parts + 1 && name.is_some_and(fits)
        };
        Self { arm_parts: if named(2) { 2 } else { 1 }, ..self.clone() }
    }

    /// Whether the change is made in the own settings of this arm.
    pub(crate) fn is_for(&self, arm: &ArmSpec) -> bool {
        self.arm().is_some_and(|pattern| matches(&pattern, &arm.name))
    }

    /// The change in words, with the arms that it does not reach.
    pub(crate) fn told(&self, arms: &[ArmSpec]) -> String {
        let keeps = |arm: &&ArmSpec| self.arm().is_none() && self.is_covered_by(&arm.set);
        let kept: Vec<&str> = arms.iter().filter(keeps).map(|arm| arm.name.as_str()).collect();
        let text = &self.text;
        match kept.as_slice() {
            [] => text.clone(),
            [one] => format!("{text} (not in {one}, which sets its own)"),
            some => format!("{text} (not in {}, which set their own)", some.join(", ")),
        }
    }

    /// The key that is changed, as it was written.
    pub(crate) fn key(&self) -> String {
        self.path.join(".")
    }

    /// Whether these settings of an arm stand over the change, so that it would be lost on the arm.
    pub(crate) fn is_covered_by(&self, settings: &Table) -> bool {
        // A table that names a choice replaces the shared one as a whole.
        let names_a_choice = |layer: &Table| TAGS.iter().any(|tag| layer.contains_key(*tag));
        let mut layer = settings;
        for (depth, part) in self.path.iter().enumerate() {
            match layer.get(part) {
                Some(Value::Table(table)) if !CHOICES.contains(&part.as_str()) => layer = table,
                Some(_) => return true,
                None => return depth > 0 && names_a_choice(layer),
            }
        }
        names_a_choice(layer)
    }

    /// Makes the change in a table of settings.
    pub(crate) fn apply(&self, settings: &mut Table) {
        let path = self.for_arm().map_or(&self.path[..], |arm| &self.path[arm + 1..]);
        put(settings, path, &self.value);
    }
}

/// Puts a value in its place. A table that is written out is meant as it stands; a path into another choice than the one that
/// was made makes that choice, without the keys of the former.
fn put(settings: &mut Table, path: &[String], value: &Value) {
    let [key, rest @ ..] = path else { return };
    let Some(next) = rest.first() else {
        settings.insert(key.clone(), value.clone());
        return;
    };
    let inner = settings.entry(key.clone()).or_insert_with(|| Value::Table(Table::new()));
    let is_kept = |table: &Table| {
        !TAGS.contains(&next.as_str()) && (table.contains_key(next) || !CHOICES.contains(&key.as_str()))
    };
    if !matches!(inner, Value::Table(table) if is_kept(table)) {
        *inner = Value::Table(Table::new());
    }
    if let Value::Table(table) = inner {
        put(table, rest, value);
    }
}

/// Keys whose value is one choice among several and is replaced as a whole.
const CHOICES: [&str; 6] = ["execution", "cache", "reliability", "labels", "step_size", "agent"];
/// Keys that name a choice inside a table; a table with one of these is replaced as a whole.
const TAGS: [&str; 5] = ["policy", "kind", "method", "predictor", "heuristic"];

/// Lays one table over another: tables are merged, everything else is replaced.
pub(crate) fn lay_over(below: &mut Table, above: &Table) {
    for (key, value) in above {
        match (below.get_mut(key), value) {
            (Some(Value::Table(inner)), Value::Table(table))
                if !CHOICES.contains(&key.as_str()) && !TAGS.iter().any(|tag| table.contains_key(*tag)) =>
            {
                lay_over(inner, table);
            }
            _ => {
                below.insert(key.clone(), value.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(settings: &str, change: &str) -> String {
        let mut table: Table = toml::from_str(settings).unwrap();
        change.parse::<Change>().unwrap().apply(&mut table);
        toml::to_string(&table).unwrap()
    }

    #[test]
    fn tables_merge_and_choices_are_replaced() {
        assert_eq!(changed("a = 1\n[world]\nlength = 8", "world.length=6"), "a = 1\n\n[world]\nlength = 6\n");
        assert_eq!(
            changed("gate = { policy = 'random', calls = 3 }", "gate={policy='never'}"),
            "[gate]\npolicy = \"never\"\n"
        );
        assert_eq!(changed("execution = 'improving'", "execution=trusting"), "execution = \"trusting\"\n");
        assert_eq!(
            changed("[execution.certified]\ntolerance = 1", "execution.certified.tolerance=0.5"),
            "[execution.certified]\ntolerance = 0.5\n"
        );
        assert_eq!(
            changed("agent = { labelled = { acts = true } }", "agent.experienced.vetting.doubt=0.1"),
            "[agent.experienced.vetting]\ndoubt = 0.1\n"
        );
        assert_eq!(
            changed("agent = { labelled = { acts = true } }", "agent.labelled.values.states=8"),
            "[agent.labelled]\nacts = true\n\n[agent.labelled.values]\nstates = 8\n",
            "a path into the choice that was made changes a part of it"
        );
    }

    #[test]
    fn what_is_no_change_is_refused() {
        for text in ["episodes", "=3", "a..b=3"] {
            assert!(text.parse::<Change>().is_err(), "{text}");
        }
        assert_eq!("arms.never.price=1".parse::<Change>().unwrap().arm(), Some("never".into()));
        assert_eq!("price=1".parse::<Change>().unwrap().arm(), None);
    }
}
