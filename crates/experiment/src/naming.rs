//! Names that become folders and files: those of a study, its blocks and its arms.
//!
//! A run writes `DIR/STUDY/ARM/…` and figures are named after study and block. So a name cannot lead out of the folder, and no
//! two arms share one.

use std::collections::BTreeSet;

use crate::StudySpec;

/// Folders of a run that hold no study: the answers of live models, and figures.
const TAKEN: [&str; 2] = ["answers", "figures"];

/// The most characters of a name.
const LONGEST: usize = 60;

impl StudySpec {
    /// Refuses names that cannot be those of files, and a study that runs nothing.
    pub(crate) fn check_names(&self) -> Result<(), String> {
        check("id", &self.id, is_word, WORD)?;
        if TAKEN.contains(&self.id.as_str()) {
            return Err(format!("the id `{}` is the name of another folder in a run; choose another", self.id));
        }
        self.blocks.iter().try_for_each(|block| check("block", &block.name, is_word, WORD))?;
        self.arms.iter().try_for_each(|arm| check("arm", &arm.name, is_label, LABEL))?;
        if self.arms.is_empty() {
            return Err("it has no arms; add at least one [[arms]] with a name".into());
        }
        if self.seeds == 0 {
            return Err("`seeds` is 0; write how many seeds are run, 1 or more".into());
        }
        if let Some(seconds) = self.seconds_per_seed.filter(|seconds| !(*seconds >= 0.0 && seconds.is_finite())) {
            return Err(format!("`seconds_per_seed` is {seconds}; write how long one seed takes, or leave it out"));
        }
        Ok(())
    }

    /// Refuses arms with the same name, once they are written out for every block.
    pub(crate) fn check_distinct(&self) -> Result<(), String> {
        let mut known = BTreeSet::new();
        match self.arms.iter().find(|arm| !known.insert(&arm.name)) {
            None => Ok(()),
            Some(twice) => Err(format!("two arms are called `{}`; give each a name of its own", twice.name)),
        }
    }
}

const WORD: &str = "lower-case letters, digits and inner hyphens, such as `my-study`";
const LABEL: &str = "letters, digits and inner hyphens, underlines or full stops, such as `price-0.05`";

fn check(what: &str, name: &str, allowed: fn(&str) -> bool, form: &str) -> Result<(), String> {
    if name.len() <= LONGEST && allowed(name) {
        return Ok(());
    }
    Err(format!("the {what} {name:?} cannot be a file's name; write up to {LONGEST} {form}"))
}

fn is_word(name: &str) -> bool {
    let inner = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    has_plain_ends(name) && name.chars().all(inner)
}

fn is_label(name: &str) -> bool {
    has_plain_ends(name) && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter))
}

fn has_plain_ends(name: &str) -> bool {
    let plain = |end: Option<char>| end.is_some_and(|letter| letter.is_ascii_alphanumeric());
    plain(name.chars().next()) && plain(name.chars().last())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_lead_out_of_the_folder() {
        for bad in ["", "..", "../x", "a/b", "a b", "-a", "a.", "C:x", "a\n", "Ä"] {
            assert!(!is_word(bad) && !is_label(bad), "{bad:?}");
        }
        assert!(is_word("my-lock2") && !is_word("My") && !is_word("a.b"));
        assert!(is_label("deterministic-0.25") && is_label("A_1"));
    }
}
