//! The verdict on the paper: how the statements stand that a study shares with a table of the paper.
//!
//! A study says which of its statements the paper does not make (`beyond`); those do not count. What is left decides:
//!
//! | verdict | where |
//! |---|---|
//! | `agrees` | every statement holds, or was observed |
//! | `differs` | one does not hold, or was not observed |
//! | `cannot be told` | none of that, and the runs leave one open |
//! | `not judged` | the paper states nothing that can be tested, or something was not run |

use crate::{Column, Entry, Error, Rank, Table};

/// What the label of a study begins with that stands for no table of the paper.
const NONE: &str = "none";

/// How many statements stand in which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// They hold, or were observed.
    pub hold: u64,
    /// They do not hold, or were not observed.
    pub fail: u64,
    /// They cannot be told, or were not measured.
    pub open: u64,
    /// They were not judged.
    pub unjudged: u64,
}

impl Tally {
    /// Counts verdicts in the words of a table.
    pub fn of<'a>(verdicts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut tally = Self::default();
        for verdict in verdicts {
            *match verdict {
                "holds" | "observed" => &mut tally.hold,
                "does not hold" | "not observed" => &mut tally.fail,
                "cannot be told" | "not measured" => &mut tally.open,
                _ => &mut tally.unjudged,
            } += 1;
        }
        tally
    }

    /// The verdict that follows.
    pub fn verdict(self) -> &'static str {
        match self {
            Self { fail: 1.., .. } => "differs",
            Self { unjudged: 1.., .. } | Self { hold: 0, open: 0, .. } => "not judged",
            Self { open: 1.., .. } => "cannot be told",
            _ => "agrees",
        }
    }
}

/// One line for every table that stands for one of the paper.
pub fn paper_table(tables: &[Table]) -> Result<Table, Error> {
    let columns = [
        Column::left("in the paper"),
        Column::left("study").ranked(Rank::Main),
        Column::right("hold").ranked(Rank::Next),
        Column::right("do not hold").ranked(Rank::Next),
        Column::right("cannot be told").ranked(Rank::Next),
        Column::right("not judged"),
        Column::left("verdict").ranked(Rank::Main),
    ];
    let mut verdicts = Table::new("paper", "The verdict on the tables of the paper", columns);
    for table in tables.iter().filter(|table| !table.paper_label.is_empty() && !table.paper_label.starts_with(NONE)) {
        let counting = table.verdicts.iter().filter(|verdict| !verdict.beyond);
        let tally = Tally::of(counting.map(|verdict| verdict.verdict.as_str()));
        verdicts.push([
            Entry::text(&table.paper_label),
            Entry::text(&table.id),
            Entry::count(tally.hold),
            Entry::count(tally.fail),
            Entry::count(tally.open),
            Entry::count(tally.unjudged),
            Entry::text(tally.verdict()),
        ])?;
    }
    verdicts.notes.push(
        "agrees: every statement that the study shares with the paper holds or was observed; differs: one does not; what the study \
         states beyond the paper does not count; docs/PAPER.md says what came out and why"
            .into(),
    );
    Ok(verdicts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Content, Verdict};

    #[test]
    fn one_refutation_outweighs_all_else() {
        let verdict = |words: &[&'static str]| Tally::of(words.iter().copied()).verdict();
        assert_eq!(verdict(&["holds", "observed"]), "agrees");
        assert_eq!(verdict(&["holds", "cannot be told"]), "cannot be told");
        assert_eq!(verdict(&["holds", "not judged", "not measured"]), "not judged");
        assert_eq!(verdict(&["holds", "not judged", "not observed"]), "differs");
        assert_eq!(verdict(&[]), "not judged", "nothing was stated");
    }

    #[test]
    fn what_goes_beyond_the_paper_does_not_count() {
        let said = |verdict: &str, beyond| Verdict { statement: "so".into(), verdict: verdict.into(), beyond };
        let mut lock = Table::new("lock", "Lock", []);
        lock.paper_label = "tab:lock".into();
        lock.verdicts = vec![said("holds", false), said("does not hold", true)];
        let mut own = Table::new("own", "Own", []);
        own.paper_label = "none: beyond the paper".into();
        let made = paper_table(&[lock, own, Table::new("mine", "Mine", [])]).unwrap();
        assert_eq!(made.rows().len(), 1);
        let entry = |at: usize| made.rows()[0].entries[at].content.clone();
        assert_eq!((entry(1), entry(2)), (Content::Text { text: "lock".into() }, Content::Count { count: 1 }));
        assert_eq!(entry(6), Content::Text { text: "agrees".into() });
    }
}
