//! A log that claims more than its bytes can hold is refused before memory is taken for it.

use counsel_log::decode;

use crate::raw::{PLAYED, Values, column, raw_columns, raw_log};

#[test]
fn rows_that_no_log_of_this_size_has_are_refused() {
    let mut steps = raw_columns();
    steps.retain(|column| column.name == "step");
    let count = 2_000_000;
    steps[0].values = Values::Ints(vec![7; count]);
    steps[0].definitions = vec![1; count];
    let log = raw_log(&steps, 1);
    assert!(log.len() < 100_000, "{} bytes", log.len());
    let reason = decode(&PLAYED.0.key, log).unwrap_err();
    assert!(reason.contains("claims 2000000 rows"), "{reason}");
}

#[test]
fn entries_that_no_log_of_this_size_has_are_refused() {
    let mut columns = raw_columns();
    let list = column(&mut columns, "value_samples");
    // All are in the list of the last row, and none is defined.
    let count = 12_000_000;
    list.definitions.resize(list.definitions.len() + count, 0);
    list.repetitions.resize(list.repetitions.len() + count, 1);
    let log = raw_log(&columns, 1);
    assert!(log.len() < 100_000, "{} bytes", log.len());
    let reason = decode(&PLAYED.0.key, log).unwrap_err();
    assert!(reason.contains("value_samples") && reason.contains("claims"), "{reason}");
}
