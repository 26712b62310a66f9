//! What things are called in a game: their class and a number.
//!
//! Ids are sorted, and the numbers of a class are given out from the largest down, so lists in the order of ids count
//! backwards. Locations and types count too, as in the original.

use std::collections::BTreeMap;

use crate::Error;

/// The names of ids that are in order; none for those without a class.
pub(crate) fn names(ids: &[&str]) -> Result<Vec<Option<String>>, Error> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for id in ids {
        if let Some((class, _)) = id.split_once("_bar_") {
            *counts.entry(full(class, id)).or_default() += 1;
        }
    }
    let mut name = |id: &&str| {
        let text = [("_bar_", "|"), ("_minus_", "-"), ("_plus_", "+"), ("_dot_", "."), ("_comma_", ",")]
            .iter()
            .fold((*id).to_owned(), |text, (written, meant)| text.replace(written, meant));
        let Some((class, _)) = text.split_once('|') else { return Ok(None) };
        let class = full(class, id);
        // A class whose letters were themselves written out is counted under another name; the original fails there too.
        let number = counts.get_mut(&class).filter(|left| **left > 0);
        let number = number.ok_or_else(|| Error::OddId { id: (*id).to_owned() })?;
        *number -= 1;
        Ok(Some(format!("{class} {}", *number + 1)))
    };
    ids.iter().map(&mut name).collect()
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
        let names = names(&["agent1", "mug_bar_10", "mug_bar_9", "sink_bar_1_bar_sinkbasin"]).unwrap();
        assert_eq!(
            names,
            [None, Some("mug 2"), Some("mug 1"), Some("sinkbasin 1")].map(|name| name.map(str::to_owned))
        );
    }

    #[test]
    fn a_class_with_written_out_letters_is_refused() {
        assert!(names(&["alarm_minus_clock_bar_1"]).is_err());
    }
}
