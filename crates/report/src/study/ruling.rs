//! How a statement stands on these runs, and the words in which that is said.
//!
//! Two kinds of statements have two sets of words: one that was tested holds, does not hold or cannot be told; one that describes
//! these runs was observed or not. A statement of which a place was never run is not judged, unless another place refutes it.

use crate::Verdict;

/// How a statement stands in one place, or everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ruling {
    Holds,
    Fails,
    /// The runs do not decide: numbers are missing, or the differences are not clear enough.
    Open,
    /// Something that it is about was never run.
    NotRun,
}

/// What a statement is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// All seeds, of which these are a sample.
    Tested,
    /// These runs alone.
    Described,
}

/// More places than these are counted, not named.
const NAMED: usize = 12;
/// More arms than these that were not run are counted: places can be told from a table, these only looked for.
const NAMED_UNRUN: usize = 4;

/// One statement, with where it holds and where not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Statement {
    pub(super) words: String,
    pub(super) kind: Kind,
    pub(super) ruling: Ruling,
    /// Whether the paper claims nothing of the kind.
    pub(super) beyond: bool,
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

    fn words(self, kind: Kind) -> &'static str {
        match (self, kind) {
            (Self::Holds, Kind::Tested) => "holds",
            (Self::Fails, Kind::Tested) => "does not hold",
            (Self::Open, Kind::Tested) => "cannot be told",
            (Self::Holds, Kind::Described) => "observed",
            (Self::Fails, Kind::Described) => "not observed",
            (Self::Open, Kind::Described) => "not measured",
            (Self::NotRun, _) => "not judged",
        }
    }
}

impl Statement {
    /// A statement holds if it holds in every place, and does not if it fails in one; otherwise the runs do not decide, as
    /// without any place. While some of what it is about was not run, it can only fail.
    pub(super) fn everywhere(words: &str, kind: Kind, places: &[(String, Ruling)], unrun: &[String]) -> Self {
        let among = |ruling| places.iter().any(|(_, found)| *found == ruling);
        let ruling = match () {
            () if among(Ruling::Fails) => Ruling::Fails,
            () if !unrun.is_empty() => Ruling::NotRun,
            () if among(Ruling::Open) || places.is_empty() => Ruling::Open,
            () => Ruling::Holds,
        };
        let mut words = words.to_owned();
        for stands in [Ruling::Holds, Ruling::Fails, Ruling::Open] {
            let named: Vec<&str> =
                places.iter().filter(|(_, found)| *found == stands).map(|(place, _)| place.as_str()).collect();
            let told = match named.len() {
                0 => continue,
                1..=NAMED => named.join(", "),
                many => format!("{many} of {}, as the rows show", places.len()),
            };
            // Where all places agree, what the statement begins with has said how they stand.
            words = if named.len() == places.len() && stands == ruling {
                format!("{words}: {told}")
            } else {
                format!("{words}; {} for {told}", stands.words(kind))
            };
        }
        match unrun {
            [] => {}
            few if few.len() <= NAMED_UNRUN => words = format!("{words}; not run: {}", few.join(", ")),
            [first, ..] => words = format!("{words}; not run: {} arms, such as {first}", unrun.len()),
        }
        Self { words, kind, ruling, beyond: false }
    }

    /// The statement with its ruling, as a table shows it.
    pub(super) fn verdict(&self) -> Verdict {
        let verdict = self.ruling.words(self.kind).to_owned();
        Verdict { statement: self.words.clone(), verdict, beyond: self.beyond }
    }
}

/// What the statements of a study say together: a tally of those that were tested, and one of those that describe.
pub(super) fn summary(statements: &[Statement]) -> String {
    if statements.is_empty() {
        return "No statement is tested.".to_owned();
    }
    let tally = |kind: Kind, name: &str| {
        let of_kind: Vec<&Statement> = statements.iter().filter(|statement| statement.kind == kind).collect();
        let count = |ruling| of_kind.iter().filter(|statement| statement.ruling == ruling).count();
        let parts = [Ruling::Holds, Ruling::Fails, Ruling::Open, Ruling::NotRun].map(|ruling| (ruling, count(ruling)));
        let parts: Vec<String> = parts
            .iter()
            .filter(|(_, count)| *count > 0)
            .map(|(ruling, count)| format!("{} {count}", ruling.words(kind)))
            .collect();
        (!of_kind.is_empty()).then(|| format!("{name} ({}): {}.", of_kind.len(), parts.join(", ")))
    };
    let tallies = [tally(Kind::Tested, "Tested statements"), tally(Kind::Described, "Descriptions of these runs")];
    tallies.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(ruling: Ruling) -> (String, Ruling) {
        ("here".into(), ruling)
    }

    fn stands(places: &[Ruling], unrun: &[String]) -> Ruling {
        let places: Vec<_> = places.iter().copied().map(place).collect();
        Statement::everywhere("it is so", Kind::Tested, &places, unrun).ruling
    }

    #[test]
    fn a_statement_stands_as_its_weakest_place() {
        assert_eq!(stands(&[Ruling::Holds, Ruling::Holds], &[]), Ruling::Holds);
        assert_eq!(stands(&[Ruling::Holds, Ruling::Open], &[]), Ruling::Open);
        assert_eq!(stands(&[Ruling::Open, Ruling::Fails], &[]), Ruling::Fails);
        assert_eq!(stands(&[], &[]), Ruling::Open);
    }

    #[test]
    fn what_was_not_run_is_named_and_leaves_only_a_refutation() {
        let unrun = ["local.counsel".to_owned()];
        assert_eq!(stands(&[Ruling::Holds], &unrun), Ruling::NotRun);
        assert_eq!(stands(&[Ruling::Open], &unrun), Ruling::NotRun);
        assert_eq!(stands(&[], &unrun), Ruling::NotRun);
        assert_eq!(stands(&[Ruling::Holds, Ruling::Fails], &unrun), Ruling::Fails);
        let told = Statement::everywhere("it is so", Kind::Tested, &[place(Ruling::Holds)], &unrun).verdict();
        assert_eq!(told.verdict, "not judged");
        assert_eq!(told.statement, "it is so; holds for here; not run: local.counsel");
    }

    #[test]
    fn places_are_named_and_many_are_counted() {
        let places: Vec<_> = (0..15).map(|number| (number.to_string(), Ruling::exactly(number > 0))).collect();
        let statement = Statement::everywhere("it is so", Kind::Tested, &places, &[]);
        assert_eq!(
            statement.verdict(),
            Verdict {
                statement: "it is so; holds for 14 of 15, as the rows show; does not hold for 0".into(),
                verdict: "does not hold".into(),
                beyond: false,
            }
        );
    }

    #[test]
    fn what_is_tested_and_what_is_described_have_words_and_tallies_of_their_own() {
        let of = |kind, ruling| Statement { words: String::new(), kind, ruling, beyond: false };
        let statements = [
            of(Kind::Tested, Ruling::Holds),
            of(Kind::Tested, Ruling::Open),
            of(Kind::Described, Ruling::Holds),
            of(Kind::Described, Ruling::Holds),
            of(Kind::Described, Ruling::Fails),
            of(Kind::Described, Ruling::NotRun),
        ];
        assert_eq!(
            summary(&statements),
            "Tested statements (2): holds 1, cannot be told 1. Descriptions of these runs (4): observed 2, not observed 1, not judged 1."
        );
        assert_eq!(summary(&[]), "No statement is tested.");
        assert_eq!(statements[2].verdict().verdict, "observed");
    }
}
