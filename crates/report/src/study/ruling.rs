//! How a statement stands on these runs, and the words in which that is said.

use crate::Verdict;

/// How a statement stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ruling {
    Holds,
    Fails,
    /// The runs do not decide: arms or seeds are missing, or the differences are not clear enough.
    Open,
}

/// More places than these are counted, not named.
const NAMED: usize = 12;

/// One statement, with where it holds and where not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Statement {
    pub(super) words: String,
    pub(super) ruling: Ruling,
}

impl Ruling {
    /// From what was shown and what was refuted; the two exclude each other.
    pub(super) fn of(holds: bool, fails: bool) -> Self {
        match (holds, fails) {
            (true, _) => Self::Holds,
            (false, true) => Self::Fails,
            (false, false) => Self::Open,
        }
    }

    /// Of an exact statement, which is true or false.
    pub(super) fn exactly(truth: bool) -> Self {
        Self::of(truth, !truth)
    }

    fn words(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Fails => "does not hold",
            Self::Open => "cannot be told",
        }
    }
}

impl Statement {
    /// A statement holds if it holds in every place, and does not if it fails in one; otherwise it cannot be told. Places
    /// that the runs do not hold are not among them; without any place it cannot be told.
    pub(super) fn everywhere(words: &str, places: &[(String, Ruling)]) -> Self {
        let among = |ruling| places.iter().any(|(_, found)| *found == ruling);
        let ruling = match (among(Ruling::Fails), among(Ruling::Open), places.is_empty()) {
            (true, _, _) => Ruling::Fails,
            (false, true, _) | (false, false, true) => Ruling::Open,
            (false, false, false) => Ruling::Holds,
        };
        let mut words = words.to_owned();
        for kind in [Ruling::Holds, Ruling::Fails, Ruling::Open] {
            let named: Vec<&str> =
                places.iter().filter(|(_, found)| *found == kind).map(|(place, _)| place.as_str()).collect();
            let told = match named.len() {
                0 => continue,
                1..=NAMED => named.join(", "),
                many => format!("{many} of {}, as the rows show", places.len()),
            };
            // Where all places agree, what the statement begins with has said how they stand.
            words = if named.len() == places.len() {
                format!("{words}: {told}")
            } else {
                format!("{words}; {} for {told}", kind.words())
            };
        }
        Self { words, ruling }
    }

    /// The statement with its ruling, as a table tells it.
    pub(super) fn verdict(&self) -> Verdict {
        Verdict { statement: self.words.clone(), verdict: self.ruling.words().to_owned() }
    }
}

/// What the statements of a study say together.
pub(super) fn summary(statements: &[Statement]) -> String {
    let of = |ruling| statements.iter().filter(|statement| statement.ruling == ruling).count();
    let (all, fails, open) = (statements.len(), of(Ruling::Fails), of(Ruling::Open));
    match (all, fails, open) {
        (0, _, _) => "No statement is tested.".to_owned(),
        (_, 0, 0) => "Holds on these runs.".to_owned(),
        _ => {
            let parts = [(fails, if fails == 1 { "does not" } else { "do not" }), (open, "cannot be told")];
            let rest: Vec<String> =
                parts.iter().filter(|(count, _)| *count > 0).map(|(count, words)| format!("{count} {words}")).collect();
            format!("{} of {all} statements hold on these runs, {}; see the notes.", of(Ruling::Holds), rest.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(ruling: Ruling) -> (String, Ruling) {
        ("here".into(), ruling)
    }

    #[test]
    fn a_statement_stands_as_its_weakest_place() {
        let stands = |places: &[Ruling]| {
            Statement::everywhere("it is so", &places.iter().copied().map(place).collect::<Vec<_>>()).ruling
        };
        assert_eq!(stands(&[Ruling::Holds, Ruling::Holds]), Ruling::Holds);
        assert_eq!(stands(&[Ruling::Holds, Ruling::Open]), Ruling::Open);
        assert_eq!(stands(&[Ruling::Open, Ruling::Fails]), Ruling::Fails);
        assert_eq!(stands(&[]), Ruling::Open);
    }

    #[test]
    fn places_are_named_and_many_are_counted() {
        let places: Vec<_> = (0..15).map(|number| (number.to_string(), Ruling::exactly(number > 0))).collect();
        let statement = Statement::everywhere("it is so", &places);
        assert_eq!(
            statement.verdict(),
            Verdict {
                statement: "it is so; holds for 14 of 15, as the rows show; does not hold for 0".into(),
                verdict: "does not hold".into()
            }
        );
    }

    #[test]
    fn the_summary_counts_what_is_open() {
        let statements = |standings: &[Ruling]| -> Vec<Statement> {
            standings.iter().map(|ruling| Statement { words: String::new(), ruling: *ruling }).collect()
        };
        assert_eq!(summary(&statements(&[Ruling::Holds])), "Holds on these runs.");
        assert_eq!(
            summary(&statements(&[Ruling::Holds, Ruling::Open, Ruling::Fails])),
            "1 of 3 statements hold on these runs, 1 does not, 1 cannot be told; see the notes."
        );
        assert_eq!(summary(&[]), "No statement is tested.");
    }
}
