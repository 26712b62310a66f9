//! What things are called in a game: their class and a number.
//!
//! Ids are sorted, and the numbers of a class are given out from the largest down, so lists in the order of ids count
//! backwards. Locations and types count too, as in the original.

use std::collections::{BTreeMap, BTreeSet};

use crate::Error;

/// The name of every id of which something is said.
pub(crate) fn names(ids: &BTreeSet<&str>) -> Result<BTreeMap<String, String>, Error> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for id in ids {
        if let Some((class, _)) = id.split_once("_bar_") {
            *counts.entry(full(class, id)).or_default() += 1;
        }
    }
    let mut names = BTreeMap::new();
    for &id in ids {
        let text = [("_bar_", "|"), ("_minus_", "-"), ("_plus_", "+"), ("_dot_", "."), ("_comma_", ",")]
            .iter()
            .fold(id.to_owned(), |text, (written, meant)| text.replace(written, meant));
        let Some((class, _)) = text.split_once('|') else { continue };
        let class = full(class, id);
        // A class whose letters were themselves written out is counted under another name; the original fails there too.
        let number = counts.get_mut(&class).filter(|left| **left > 0);
        let number = number.ok_or_else(|| Error::OddId { id: id.to_owned() })?;
        names.insert(id.to_owned(), format!("{class} {number}"));
        *number -= 1;
    }
    Ok(names)
}

/// Basins are written as parts of a sink or a bathtub, but named as what they are.
fn full(class: &str, id: &str) -> String {
    if id.contains("basin") { format!("{class}basin") } else { class.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_fall_in_the_order_of_ids_and_basins_keep_their_name() {
        let ids = BTreeSet::from(["mug_bar_10", "mug_bar_9", "sink_bar_1_bar_sinkbasin", "agent1"]);
        let names = names(&ids).unwrap();
        let pairs: Vec<_> = names.iter().map(|(id, name)| (id.as_str(), name.as_str())).collect();
        assert_eq!(
            pairs,
            [("mug_bar_10", "mug 2"), ("mug_bar_9", "mug 1"), ("sink_bar_1_bar_sinkbasin", "sinkbasin 1")]
        );
    }

    #[test]
    fn a_class_with_written_out_letters_is_refused() {
        assert!(names(&BTreeSet::from(["alarm_minus_clock_bar_1"])).is_err());
    }
}
